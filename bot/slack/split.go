package slack

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"threadkeeper/bot/platform/kit"
)

// fence is the fenced code that a line may be in.
type fence struct{ open string } // the line that opened it, "" outside

// next moves past a line. It returns true if the line opens or closes a fence.
func (f *fence) next(line string) bool {
	trimmed := strings.TrimSpace(line)
	marker := marker(trimmed)
	switch {
	case marker == "":
		return false
	case f.open == "":
		if marker[0] == '`' && strings.Contains(trimmed[len(marker):], "`") {
			return false // code in a line
		}
		f.open = strings.TrimRight(line, "\n")
		return true
	}
	opened := f.marker()
	if marker[0] != opened[0] || len(marker) < len(opened) || trimmed != marker {
		return false
	}
	f.open = ""
	return true
}

func (f *fence) marker() string { return marker(strings.TrimSpace(f.open)) }

// close is the line that ends the fence.
func (f *fence) close() string {
	return f.open[:len(f.open)-len(strings.TrimLeft(f.open, " \t"))] + f.marker()
}

// marker is what a fence opens and closes with, at the start of a line.
func marker(line string) string {
	for _, c := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, c)); n >= 3 {
			return line[:n]
		}
	}
	return ""
}

// line is one line of a text to be split, and what a part that begins with it has to
// repeat.
type line struct {
	text string
	in   fence  // the fence it is in, unless it opens one
	head string // the two head lines of the table it is in
	rank int    // how well a part may begin here
}

// Ranks of lines to begin a part with.
const (
	worst     = iota // within code or a table, or an indented part of an item
	anyLine          // within a paragraph
	anItem           // a list's item
	afterGap         // after a blank line
	atHeading        // a heading
)

// lines reads what split needs to know.
func lines(text string) []line {
	var all []line
	var f fence
	var head string
	texts := strings.Split(text, "\n")
	for i, t := range texts {
		l := line{text: t, in: f, rank: anyLine}
		f.next(t)
		trimmed := strings.TrimSpace(t)
		switch {
		case l.in.open != "" || f.open != "":
			head = ""
		case strings.Contains(t, "|") && head == "" && i+1 < len(texts) && delimiter(texts[i+1]):
			head = t + "\n" + texts[i+1] + "\n"
		case !strings.Contains(t, "|"):
			head = ""
		case i > 0 && delimiter(t):
			l.rank = worst
		default:
			l.head = head
		}
		switch {
		case l.in.open != "" || l.head != "" || l.rank == worst || trimmed == "" || t[0] == ' ' || t[0] == '\t':
			l.rank = worst
		case strings.HasPrefix(t, "#"):
			l.rank = atHeading
		case i > 0 && strings.TrimSpace(texts[i-1]) == "":
			l.rank = afterGap
		case strings.HasPrefix(t, "- "), strings.HasPrefix(t, "* "), strings.HasPrefix(t, "+ "), numbered(t):
			l.rank = anItem
		}
		all = append(all, l)
	}
	return all
}

// delimiter reports whether a line parts a table's head from its rows.
func delimiter(l string) bool {
	return strings.Contains(l, "-") && strings.Contains(l, "|") && strings.Trim(l, " \t|:-") == ""
}

func numbered(l string) bool {
	digits := len(l) - len(strings.TrimLeft(l, "0123456789"))
	return digits > 0 && (strings.HasPrefix(l[digits:], ". ") || strings.HasPrefix(l[digits:], ") "))
}

// split cuts Markdown into parts of at most limit characters, at headings and blank
// lines where it can. Code that is cut is closed and opened again, a table's head is
// repeated, and a piece that continues an indented part of a list begins at the margin.
func split(text string, limit int) []string {
	if kit.Length(text) <= limit {
		return []string{text}
	}
	rest := lines(text)
	var parts []string
	for len(rest) > 0 {
		var part string
		part, rest = cut(rest, limit)
		if strings.TrimSpace(part) != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// cut takes a part off the front of lines.
func cut(all []line, limit int) (string, []line) {
	lead := all[0].lead(limit)
	if room := limit - kit.Length(lead); kit.Length(all[0].text)+all[0].tail() > room {
		return cutLine(all, lead, room)
	}
	size, best := kit.Length(lead), 0
	for i := range all {
		add := kit.Length(all[i].text)
		if i > 0 {
			add++
		}
		if size+add+all[i].tail() > limit {
			break
		}
		size += add
		best = i + 1
	}
	if best < len(all) {
		best = betterCut(all, best)
	}
	return lead + join(all[:best]), all[best:]
}

// betterCut is the best place to begin the next part in the second half of the lines
// that have room, at the latest.
func betterCut(all []line, latest int) int {
	best := latest
	for i := latest; i > 0 && i > latest/2; i-- {
		if all[i].rank > all[best].rank {
			best = i
		}
	}
	return best
}

// lead is what a part repeats that begins with this line. What takes too much room
// is not repeated.
func (l line) lead(limit int) string {
	lead := l.head
	if l.in.open != "" {
		lead = l.in.open + "\n"
	}
	if kit.Length(lead) > limit/3 {
		if l.in.open == "" {
			return ""
		}
		return l.in.close() + "\n"
	}
	return lead
}

// tail is the room that the end of a part takes after this line.
func (l line) tail() int {
	f := l.in
	f.next(l.text)
	if f.open == "" {
		return 0
	}
	return kit.Length(f.close()) + 1
}

// join is lines as one text that closes its last fence and begins at the margin.
func join(all []line) string {
	indent := all[0].text[:len(all[0].text)-len(strings.TrimLeft(all[0].text, " \t"))]
	if all[0].in.open != "" || all[0].text == indent {
		indent = ""
	}
	var b strings.Builder
	for i, l := range all {
		t, ok := strings.CutPrefix(l.text, indent)
		if !ok {
			indent = ""
		}
		b.WriteString(t)
		if i < len(all)-1 {
			b.WriteByte('\n')
		}
	}
	f := all[len(all)-1].in
	f.next(all[len(all)-1].text)
	text := strings.Trim(b.String(), "\n")
	if all[0].in.open != "" {
		text = strings.TrimRight(b.String(), "\n")
	}
	if f.open != "" {
		text += "\n" + f.close()
	}
	return text
}

// cutLine takes a part off a line that is too long for one: after a sentence, at a
// space, or anywhere.
func cutLine(all []line, lead string, room int) (string, []line) {
	l := all[0]
	room = max(room-l.tail(), 1)
	head := prefix(l.text, room)
	if at := wordEnd(head); at > 0 {
		head = head[:at]
	}
	rest := l
	rest.text = l.text[len(head):]
	if l.in.open == "" {
		rest.text = strings.TrimLeft(rest.text, " ")
	}
	f := l.in
	f.next(l.text)
	l.text = head
	if f.open != "" && l.in.open == "" { // the line opens a fence: it is not cut, it is dropped to its marker
		l.text, rest.text = f.close(), ""
	}
	return lead + join([]line{l}), append([]line{rest}, all[1:]...)
}

// wordEnd returns the best place to cut in the second half of a text, 0 if there is none.
func wordEnd(text string) int {
	half := len(text) / 2
	for _, at := range []string{". ", " "} {
		if i := strings.LastIndex(text, at); i > half {
			return i + len(at)
		}
	}
	return 0
}

// prefix is the longest of a text with at most n characters.
func prefix(text string, n int) string {
	for i, r := range text {
		if n -= utf16.RuneLen(r); n < 0 {
			return text[:i]
		}
	}
	return text
}

// shorten is text of at most n characters, the last of which says that there was
// more.
func shorten(text string, n int) string {
	if kit.Length(text) <= n {
		return text
	}
	head := prefix(text, n-1)
	if at := strings.LastIndexByte(head, ' '); at > len(head)*3/4 {
		head = head[:at]
	}
	for len(head) > 0 && !utf8.ValidString(head) {
		head = head[:len(head)-1]
	}
	return strings.TrimRight(head, " ") + "…"
}
