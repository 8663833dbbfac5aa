package reading

import (
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
