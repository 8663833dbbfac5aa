package rank

import (
	"slices"
	"strconv"
	"strings"
)

// Missing returns what claim states and source does not hold: numbers, dates and identifiers
// in the form of [Numbers], then names in the form of [Names]. A number without scale, percent
// or currency in the source supports one with them, since tables give those once; a different
// scale, percentage or currency does not. A date is supported by its parts. Names are compared
// word by word.
func Missing(claim, source string) []string {
	var missing []string
	have := figures(source)
	plain := " " + strings.Join(Words(source), " ") + " "
	squashed := squash(source)
	for _, f := range figures(claim) {
		if !supported(f, have, plain, squashed) && !slices.Contains(missing, f.String()) {
			missing = append(missing, f.String())
		}
	}
	for _, n := range names(claim) {
		words := n.words
		if n.loose {
			words = words[1:]
		}
		for _, w := range words {
			if !particles[w] && !nameSupported(w, plain, squashed) && !slices.Contains(missing, w) {
				missing = append(missing, w)
			}
		}
	}
	return missing
}

func supported(f figure, have []figure, plain, squashed string) bool {
	switch {
	case f.id != "":
		return idSupported(f.id, plain, squashed)
	case f.hasDate:
		return slices.ContainsFunc(have, func(h figure) bool { return dateSupported(f, h, have) })
	}
	for _, h := range have {
		if h.supports(f) {
			return true
		}
	}
	// A number inside a date or an identifier of the source, such as a year.
	return f.scale == 0 && !f.percent && f.currency == "" && strings.Contains(plain, " "+f.digits+" ")
}

func (h figure) supports(f figure) bool {
	if h.digits == "" || h.currency != "" && f.currency != "" && h.currency != f.currency {
		return false
	}
	if h.percent != f.percent && (h.percent || h.scale > 0 || h.currency != "") {
		return false
	}
	return h.value() == f.value() || h.scale == 0 && h.digits == f.digits
}

func dateSupported(f, h figure, have []figure) bool {
	if !h.hasDate || h.month != f.month || f.day != 0 && h.day != f.day {
		return false
	}
	if f.year == 0 || h.year == f.year {
		return true
	}
	year := strconv.Itoa(f.year)
	return h.year == 0 && slices.ContainsFunc(have, func(n figure) bool { return n.digits == year })
}

// nameSupported allows an ending after a longer name, as in a genitive.
func nameSupported(word, plain, squashed string) bool {
	spaced := " " + strings.Join(Words(word), " ")
	if len(word) < 4 {
		spaced += " "
	}
	return strings.Contains(plain, spaced) || strings.Contains(squashed, squash(word))
}

// loosePrefixes stand before a year or number without naming anything.
var loosePrefixes = []string{"fy", "cy", "mid", "pre", "post", "late", "early"}

func idSupported(id, plain, squashed string) bool {
	if strings.Contains(squashed, squash(id)) || strings.Contains(plain, " "+strings.Join(Words(id), " ")+" ") { // the latter within HL-L2350
		return true
	}
	for _, p := range loosePrefixes {
		if rest, ok := strings.CutPrefix(id, p); ok {
			rest = strings.TrimLeft(rest, "-_")
			if rest != "" && digitRun(rest) == len(rest) {
				if len(rest) == 2 && strings.Contains(plain, " 20"+rest+" ") {
					return true
				}
				return strings.Contains(plain, " "+rest+" ")
			}
		}
	}
	return false
}

// squash returns the words in letters and digits of s between spaces, without the marks
// inside them: 7Q-114 is 7q114.
func squash(s string) string {
	var b strings.Builder
	b.WriteByte(' ')
	for _, r := range Fold(s) {
		switch c := classOf(r); {
		case c == letters || c == digits:
			b.WriteRune(r)
		case c == packed || r == ' ':
			b.WriteByte(' ')
		}
	}
	b.WriteByte(' ')
	return b.String()
}
