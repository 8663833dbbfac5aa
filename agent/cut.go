package agent

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"threadkeeper/memory/rank"
)

func cutRune(s string, limit int) int {
	if len(s) <= limit {
		return len(s)
	}
	for limit > 0 && s[limit]&0xC0 == 0x80 {
		limit--
	}
	return limit
}

func shorten(s string, limit int) string {
	runes := []rune(s)
	if len(runes) <= limit {
		return s
	}
	return strings.TrimRightFunc(string(runes[:limit-1]), unicode.IsSpace) + "…"
}

// clean collapses white space.
func clean(text string) string { return strings.Join(strings.Fields(text), " ") }

// lowerFirst keeps the capital of a question's first word from making it a name.
func lowerFirst(s string) string {
	c, size := utf8.DecodeRuneInString(s)
	return strings.ToLower(string(c)) + s[size:]
}

// window is a sentence, or of an overlong one the part around the first of the terms.
func window(text string, terms []string) string {
	runes := []rune(text)
	if len(runes) <= quoteLength {
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
	for to < len(words) && length < quoteLength {
		length += utf8.RuneCountInString(words[to]) + 1
		to++
	}
	return strings.Join(words[from:to], " ")
}
