package reading

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// RuneBoundary returns the last position in s, at most limit bytes from its beginning, that cuts no character.
func RuneBoundary(s string, limit int) int {
	if len(s) <= limit {
		return len(s)
	}
	for limit > 0 && s[limit]&0xC0 == 0x80 {
		limit--
	}
	return limit
}

// Shorten returns s, or its first runes and "…", limit runes at most.
func Shorten(s string, limit int) string {
	runes := []rune(s)
	if len(runes) <= limit {
		return s
	}
	return strings.TrimRightFunc(string(runes[:limit-1]), unicode.IsSpace) + "…"
}

// Excerpt returns s in a line, or of a long one the part that has most of the words and numbers of another text: limit runes at most,
// with "…" for what is left out.
func Excerpt(s, like string, limit int) string {
	words := strings.Fields(s)
	if s = strings.Join(words, " "); utf8.RuneCountInString(s) <= limit {
		return s
	}
	end := func(from int) int {
		to, size := from, 2 // the marks
		for ; to < len(words) && size+utf8.RuneCountInString(words[to]) <= limit; to++ {
			size += utf8.RuneCountInString(words[to]) + 1
		}
		return max(to, from+1)
	}
	wanted := slices.Collect(maps.Keys(TermSet(like)))
	most, first, last := -1.0, 0, 0 // the parts from these words on have most
	for from := range words {
		n := Coverage(wanted, strings.Join(words[from:end(from)], " "))
		if n > most {
			most, first, last = n, from, from
		} else if n == most && last == from-1 && end(last) < len(words) {
			last = from
		}
	}
	from := min(first, 1) * (first + last) / 2 // in the middle, unless it begins with them
	part := strings.Join(words[from:end(from)], " ")
	if from > 0 {
		part = "…" + part
	}
	if end(from) < len(words) {
		part += "…"
	}
	return Shorten(part, limit)
}

// CollapseSpace collapses white space.
func CollapseSpace(text string) string { return strings.Join(strings.Fields(text), " ") }

// LowerFirst keeps the capital of a question's first word from making it a name.
func LowerFirst(s string) string {
	c, size := utf8.DecodeRuneInString(s)
	return strings.ToLower(string(c)) + s[size:]
}

// Quotable is a sentence, or of an overlong one its first words.
func Quotable(text string) string {
	words := strings.Fields(text)
	for utf8.RuneCountInString(text) > QuoteLength && len(words) > 1 {
		words = words[:len(words)-1]
		text = strings.Join(words, " ")
	}
	return text
}
