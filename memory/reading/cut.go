package reading

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"threadkeeper/memory/rank"
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

// CollapseSpace collapses white space.
func CollapseSpace(text string) string { return strings.Join(strings.Fields(text), " ") }

// LowerFirst keeps the capital of a question's first word from making it a name.
func LowerFirst(s string) string {
	c, size := utf8.DecodeRuneInString(s)
	return strings.ToLower(string(c)) + s[size:]
}

// AroundTerms returns a sentence; of a very long one the part around the first of the terms.
func AroundTerms(text string, terms []string) string {
	runes := []rune(text)
	if len(runes) <= QuoteLength {
		return text
	}
	words := strings.Fields(text)
	at := 0
	for i, w := range words {
		if slices.ContainsFunc(rank.Terms(w), func(t string) bool { return slices.Contains(terms, t) }) {
			at = i
			break
		}
	}
	from, length := max(0, at-8), 0
	to := from
	for to < len(words) && length < QuoteLength {
		length += utf8.RuneCountInString(words[to]) + 1
		to++
	}
	return strings.Join(words[from:to], " ")
}
