package memory

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// abbreviations end with a full stop that ends no sentence; lower case.
var abbreviations = map[string]bool{"e.g": true, "i.e": true, "mr": true, "mrs": true, "ms": true, "dr": true, "prof": true,
	"st": true, "no": true, "vs": true, "approx": true, "fig": true, "z.b": true, "d.h": true, "bzw": true, "ca": true,
	"nr": true, "hr": true, "fr": true, "p.ex": true, "sr": true, "sra": true, "dott": true, "sig": true, "inc": true, "ltd": true}

// Sentences splits text at the ends of sentences and lines. Each is a piece of
// text, without white space at its ends.
func Sentences(text string) []string {
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
			if endsSentence(text[start:i], text[end:], r) {
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

// endsSentence reports whether the mark between before and after ends a sentence.
func endsSentence(before, after string, mark rune) bool {
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(after, `"')]`))
	if after != "" && !unicode.IsSpace(next) && next != utf8.RuneError {
		return false
	}
	if mark != '.' {
		return true
	}
	word := before[strings.LastIndexFunc(before, unicode.IsSpace)+1:]
	word = strings.ToLower(strings.TrimLeft(word, `("'`))
	return !abbreviations[word] && utf8.RuneCountInString(word) != 1 && strings.Trim(word, "0123456789") != "" ||
		word != "" && strings.Trim(word, "0123456789") == "" && len(word) > 2
}

// marker is a citation marker of an answer.
var marker = regexp.MustCompile(`\[\d{1,3}\]`)

// trailing matches markers that stand behind the end of their sentence.
var trailing = regexp.MustCompile(`([.!?…]+)[ \t]*(\[\d{1,3}\](?:[ \t]*\[\d{1,3}\])*)[ \t]*`)

// ownWords is an answer without what it quotes: block quotes, code, and
// sentences that carry a citation.
func ownWords(text string) string {
	text = plainLines(text)
	if !marker.MatchString(text) {
		return text
	}
	own := slices.DeleteFunc(Sentences(trailing.ReplaceAllString(text, "$2$1 ")), marker.MatchString)
	return strings.Join(own, "\n")
}

// plainLines is text without block quotes and fenced code.
func plainLines(text string) string {
	if !strings.Contains(text, ">") && !strings.Contains(text, "```") {
		return text
	}
	var (
		b    strings.Builder
		code bool
	)
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "```") {
			code = !code
			continue
		}
		if !code && !strings.HasPrefix(trimmed, ">") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// shorten is text, or as many of its first words as n tokens hold and "…".
func shorten(text string, n int) string {
	if len(text) <= n || Count(text) <= n {
		return text
	}
	if limit := 16 * n; len(text) > limit { // no more bytes than n long tokens have
		text = strings.ToValidUTF8(text[:limit], "")
	}
	words := strings.Fields(text)
	low, high := 0, len(words)
	for low < high {
		mid := (low + high + 1) / 2
		if Count(strings.Join(words[:mid], " "))+1 <= n {
			low = mid
		} else {
			high = mid - 1
		}
	}
	if low == 0 {
		return ""
	}
	return strings.TrimRight(strings.Join(words[:low], " "), ",;:.–-") + "…"
}

// Elide is text, or if that has more than n tokens its beginning and its end, with
// a note between them of how many bytes are missing.
func Elide(text string, n int) string {
	if len(text) <= 3*n || len(text) <= 64*n && Count(text) <= n {
		return text
	}
	head, tail := shorten(text, n*2/3), lastWords(text, n/3)
	return fmt.Sprintf("%s\n[%d bytes left out]\n%s", head, len(text)-len(head)-len(tail), tail)
}

// lastWords is as many of the last words of text as n tokens hold, by four
// bytes a token.
func lastWords(text string, n int) string {
	end := strings.ToValidUTF8(text[max(0, len(text)-4*n):], "")
	if i := strings.IndexFunc(end, unicode.IsSpace); i >= 0 {
		end = end[i+1:]
	}
	return end
}
