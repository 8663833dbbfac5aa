package reading

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"threadkeeper/memory/rank"
)

// TitleLines returns the lines of a page that look like titles, each once.
func TitleLines(text string) []string {
	var found []string
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		l = strings.Trim(CollapseSpace(l), "#*_ ")
		if !TitleLike(l) || DirectsAssistant(l) || i > 0 && continues(lines[i-1]) {
			continue
		}
		if !slices.ContainsFunc(found, func(f string) bool { return rank.Fold(f) == rank.Fold(l) }) {
			found = append(found, l)
		}
	}
	return found
}

func continues(line string) bool {
	line = strings.TrimSpace(line)
	return utf8.RuneCountInString(line) > 60 && !strings.HasSuffix(line, ".")
}

// TitleLike reports whether a line looks like a title: short, begins with a capital, a digit or a letter of a script without
// capitals, behind the signs of a Markdown heading, ends without a mark, is words rather than figures, contains no address.
func TitleLike(l string) bool {
	if title := strings.TrimLeft(l, "#"); strings.HasPrefix(title, " ") {
		l = strings.TrimSpace(title)
	}
	n := utf8.RuneCountInString(l)
	first, _ := utf8.DecodeRuneInString(l)
	last, _ := utf8.DecodeLastRuneInString(l)
	return n >= 4 && n <= 70 && len(strings.Fields(l)) <= 10 && (unicode.IsUpper(first) || first == '§' || unicode.IsDigit(first) || unicode.Is(unicode.Lo, first)) &&
		!strings.ContainsRune(".,;:!?。、", last) && Prose(withoutNumber(l)) && len(Addresses(l)) == 0
}

// withoutNumber is a title without its number: "§ 3", "2.1", "4)", "第3条"; and such a one without the year at its end: "3. Fees for 2026".
func withoutNumber(title string) string {
	words := strings.Fields(title)
	for len(words) > 1 && !strings.ContainsFunc(strings.Trim(words[0], "第条章节節"), unicode.IsLetter) && utf8.RuneCountInString(words[0]) <= 6 {
		words = words[1:]
	}
	if last := len(words) - 1; last > 0 && last+1 < len(strings.Fields(title)) && yearOnly.MatchString(words[last]) {
		words = words[:last]
	}
	return strings.Join(words, " ")
}

// Prose reports whether a text is mostly letters: not a row of a table, not a list of dots.
func Prose(s string) bool {
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

// FoldTitle returns a title's words without what pages write differently: case, marks, digits that number the pages.
func FoldTitle(title string) string {
	return strings.Join(slices.DeleteFunc(rank.Words(title), AllDigits), " ")
}
