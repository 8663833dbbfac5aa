package docs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"threadkeeper/memory/reading"
)

const (
	maxHeading   = 200 // characters; a longer paragraph is no heading, whatever its style
	headingShown = 70  // characters
)

// heading is a heading of a text, or the end of what stands under one.
type heading struct {
	at   int    // offset in the text; in a part, its line from 0
	text string // "" if what follows stands under no heading
}

type headings []heading

// add notes the heading from at on. One in a cell of a table is not known: the rest of its row stands beside it.
func (h *headings) add(at int, text string, inCell bool) {
	known := !inCell && len(text) <= 10*maxHeading // bytes, white space too
	if known {
		if text = reading.CollapseSpace(clean(text)); text == "" {
			return
		}
	}
	if !known || utf8.RuneCountInString(text) > maxHeading {
		text = ""
	}
	h.set(at, reading.Shorten(text, headingShown))
}

// set notes that what follows stands under a heading that was there before, or under none.
func (h *headings) set(at int, text string) {
	if n := len(*h); n > 0 {
		at = max(at, (*h)[n-1].at) // a heading around another
	}
	if h.last() != text {
		*h = append(*h, heading{at, text})
	}
}

// last is the heading that what follows stands under.
func (h headings) last() string {
	if len(h) == 0 {
		return ""
	}
	return h[len(h)-1].text
}

// lines returns the headings with their lines, from 1, in place of their offsets in text as it was read.
func (h headings) lines(text string) headings {
	in := slices.Clone(h)
	line, last := 1, 0
	for i, x := range h {
		line += strings.Count(lineEnds.Replace(text[last:x.at]), "\n")
		in[i].at, last = line, x.at
	}
	return in
}

// headedParts splits text; labels say under which headings the lines of each part stand, above being the number of lines
// before text.
func headedParts(text string, above int, lines headings) []page {
	var parts []page
	under := ""
	for piece, from := range linedPieces(text, above) {
		label := fmt.Sprintf("part %d", len(parts)+1)
		for len(lines) > 0 && lines[0].at <= from {
			under, lines = lines[0].text, lines[1:]
		}
		if under != "" {
			label += "\n0 " + under
		}
		for to := from + strings.Count(piece, "\n"); len(lines) > 0 && lines[0].at <= to; lines = lines[1:] {
			switch under = lines[0].text; {
			case len(label) < partChars:
				label += fmt.Sprintf("\n%d %s", lines[0].at-from, under)
			case !strings.HasSuffix(label, " "): // too many; those that follow are not known
				label += fmt.Sprintf("\n%d ", lines[0].at-from)
			}
		}
		parts = append(parts, page{Number: len(parts) + 1, Label: label, Text: piece})
	}
	return parts
}

func hasHeadings(partLabel string) bool {
	return strings.HasPrefix(partLabel, "part ") && strings.Contains(partLabel, "\n")
}

// under returns the place of a part's line, from 0, by the part's label: the heading it stands under, or else the part.
func under(partLabel string, line int) string {
	part, rest, _ := strings.Cut(partLabel, "\n")
	found := ""
	for rest != "" {
		var next string
		next, rest, _ = strings.Cut(rest, "\n")
		at, text, _ := strings.Cut(next, " ")
		if n, err := strconv.Atoi(at); err != nil || n > line {
			break
		}
		found = text
	}
	if found == "" {
		return part
	}
	return "“" + found + "”"
}

// headingIn returns the heading that a place is.
func headingIn(place string) (heading string, is bool) {
	heading, is = strings.CutPrefix(place, "“")
	if is {
		heading, is = strings.CutSuffix(heading, "”")
	}
	return heading, is
}
