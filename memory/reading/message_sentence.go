package reading

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// messageAbbreviations end with a full stop that ends no sentence; lower case.
var messageAbbreviations = map[string]bool{"e.g": true, "i.e": true, "mr": true, "mrs": true, "ms": true, "dr": true, "prof": true,
	"st": true, "no": true, "vs": true, "approx": true, "fig": true, "z.b": true, "d.h": true, "bzw": true, "ca": true,
	"nr": true, "hr": true, "fr": true, "p.ex": true, "sr": true, "sra": true, "dott": true, "sig": true, "inc": true, "ltd": true}

// MessageSentences splits what somebody said at the ends of sentences and lines. Each is a piece of
// text, without white space at its ends; pieces without a word are left out. Unlike
// [PageSentences] it joins no lines, and it knows other abbreviations.
func MessageSentences(text string) []string {
	var list []string
	start := 0
	flush := func(end int) {
		if s := strings.TrimSpace(text[start:end]); hasWord(s) {
			list = append(list, s)
		}
		start = end
	}
	for i, r := range text {
		end := i + utf8.RuneLen(r)
		switch r {
		case '\n', '。', '！', '？':
			flush(end)
		case '.', '!', '?', '…':
			if endsMessageSentence(text[start:i], text[end:], r) {
				for end < len(text) && strings.ContainsRune(`"')]`, rune(text[end])) {
					end++
				}
				if end > start {
					flush(end)
				}
			}
		}
	}
	flush(len(text))
	return list
}

func hasWord(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// endsMessageSentence reports whether the mark between before and after ends a sentence.
func endsMessageSentence(before, after string, mark rune) bool {
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(after, `"')]`))
	if after != "" && !unicode.IsSpace(next) && next != utf8.RuneError {
		return false
	}
	if mark != '.' {
		return true
	}
	word := before[strings.LastIndexFunc(before, unicode.IsSpace)+1:]
	word = strings.ToLower(strings.TrimLeft(word, `("'`))
	return !messageAbbreviations[word] && utf8.RuneCountInString(word) != 1 && strings.Trim(word, "0123456789") != "" ||
		word != "" && strings.Trim(word, "0123456789") == "" && len(word) > 2
}
