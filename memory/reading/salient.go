package reading

import (
	"slices"
	"strings"
)

var (
	quoted     = Lazy(`"[^"\n]{2,40}"|“[^”\n]{2,40}”|„[^“”\n]{2,40}[“”]|«[^»\n]{2,40}»`)
	identifier = Lazy(`[#@]?(?:\d,\d|[\pL\pN])(?:[\pL\pN._/:%€$-]|\d,\d)*(?:\d,\d|[\pL\pN%])|[$€£]\s?\d(?:[\d.,]*\d)?(?:\s?(?:[kKmMbB]\b|bn\b))?|\d(?:,\d)?%?`)
)

// Salient returns the tokens of text that a summary should not lose: quoted strings,
// and words with a digit or with a capital that is not the first letter.
func Salient(text string) []string {
	if len(text) > 20_000 {
		text = strings.ToValidUTF8(text[:20_000], "")
	}
	text = WithoutLinks(text)
	var list []string
	for _, s := range MessageSentences(text) {
		tokens := tokensOf(s)
		if len(tokens) == 0 || Risky(s) {
			continue
		}
		for _, token := range tokens {
			if !slices.Contains(list, token) {
				list = append(list, token)
			}
		}
	}
	return list
}

func tokensOf(sentence string) (tokens []string) {
	if strings.ContainsAny(sentence, `"“„«`) {
		tokens = quoted.FindAllString(sentence, -1)
	}
	if !strings.ContainsAny(sentence, "0123456789") && !capitalInside(sentence) {
		return tokens // most sentences are plain, and expressions take time
	}
	for _, w := range identifier.FindAllString(sentence, -1) {
		if strings.ContainsAny(w, "0123456789") || strings.IndexFunc(w[1:], isUpper) >= 0 && !strings.Contains(w, "://") {
			tokens = append(tokens, w)
		}
	}
	return tokens
}

// capitalInside reports whether a capital follows something other than a space.
func capitalInside(s string) bool {
	for i := 1; i < len(s); i++ {
		if isUpper(rune(s[i])) && s[i-1] != ' ' {
			return true
		}
	}
	return false
}

func isUpper(r rune) bool { return r >= 'A' && r <= 'Z' }
