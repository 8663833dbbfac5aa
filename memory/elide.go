package memory

import (
	"fmt"
	"strings"
	"unicode"
)

// shorten is text, or as many of its first words as n tokens hold and "…"; "" if n is 0 or less.
func shorten(text string, n int) string {
	if n <= 0 {
		return ""
	}
	if len(text) <= n || Count(text) <= n {
		return text
	}
	if limit := 16 * n; len(text) > limit { // at most the bytes of n long tokens
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

// Elide returns text, or if it has more than n tokens its beginning and its end, with
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
