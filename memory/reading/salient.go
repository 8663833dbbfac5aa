package reading

import (
	"slices"
	"strings"
)

var (
	quoted     = Lazy(`"[^"\n]{2,40}"|“[^”\n]{2,40}”|„[^“”\n]{2,40}[“”]|«[^»\n]{2,40}»`)
	identifier = Lazy(`[#@]?(?:\d,\d|[\pL\pN])(?:[\pL\pN._/:%€$-]|\d,\d)*[\pL\pN%]|[$€£]\s?\d(?:[\d.,]*\d)?(?:\s?(?:[kKmMbB]\b|bn\b))?|\d%?`)
)

// Salient returns the tokens of text that a summary should not lose: quoted strings,
// and words with a digit or with a capital that is not the first letter.
func Salient(text string) []string {
	if len(text) > 20_000 {
		text = strings.ToValidUTF8(text[:20_000], "")
	}
	text = WithoutLinks(text)
	var list []string
	add := func(token string) {
		if !slices.Contains(list, token) && !Risky(token) {
			list = append(list, token)
		}
	}
	for _, s := range MessageSentences(text) {
		if Secret(s) {
			continue
		}
		for _, q := range quoted.FindAllString(s, -1) {
			add(q)
		}
		for _, w := range identifier.FindAllString(s, -1) {
			if strings.ContainsAny(w, "0123456789") || strings.IndexFunc(w[1:], isUpper) >= 0 && !strings.Contains(w, "://") {
				add(w)
			}
		}
	}
	return list
}

func isUpper(r rune) bool { return r >= 'A' && r <= 'Z' }
