package agent

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"threadkeeper/memory/rank"
)

// titleLines are the lines of a page that look like titles, each once.
func titleLines(text string) []string {
	var found []string
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		l = strings.Trim(clean(l), "#*_ ")
		if !titleLike(l) || isOrder(l) || i > 0 && continues(lines[i-1]) {
			continue
		}
		if !slices.ContainsFunc(found, func(f string) bool { return rank.Fold(f) == rank.Fold(l) }) {
			found = append(found, l)
		}
	}
	return found
}

// continues reports whether a line's sentence goes on in the next line.
func continues(line string) bool {
	line = strings.TrimSpace(line)
	return utf8.RuneCountInString(line) > 60 && !strings.HasSuffix(line, ".")
}

// titleLike: short, begins with a capital, a digit or a letter of a script without capitals,
// ends without a mark, is words rather than figures, holds no address.
func titleLike(l string) bool {
	n := utf8.RuneCountInString(l)
	first, _ := utf8.DecodeRuneInString(l)
	last, _ := utf8.DecodeLastRuneInString(l)
	return n >= 4 && n <= 70 && len(strings.Fields(l)) <= 10 && (unicode.IsUpper(first) || unicode.IsDigit(first) || unicode.Is(unicode.Lo, first)) &&
		!strings.ContainsRune(".,;:!?。、", last) && prose(l) && !address.MatchString(l)
}

// prose reports whether a text is mostly letters: no row of a table, no list of dots.
func prose(s string) bool {
	letters, others := 0, 0
	for _, c := range s {
		switch {
		case unicode.IsLetter(c):
			letters++
		case !unicode.IsSpace(c):
			others++
		}
	}
	return letters > 4*others
}
