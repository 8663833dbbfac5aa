package reading

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Spelling finds the word of a vocabulary that a misspelt one most likely means: with one slip, or two in a long word,
// the most frequent of equals. If there is none it finds one that contains the word or is part of it, as
// in compounds. "" if there is none either; words with digits are never misspelt.
func Spelling(word string, vocabulary map[string]int) string {
	length := utf8.RuneCountInString(word)
	if length < 5 || strings.ContainsFunc(word, func(c rune) bool {
		return !unicode.IsLetter(c) || unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
	}) {
		return ""
	}
	allowed := 1
	if length >= 8 {
		allowed = 2
	}
	best, least, part := "", allowed+1, ""
	for w, n := range vocabulary {
		if size := utf8.RuneCountInString(w); size < length-allowed || size > length+allowed || size < 4 {
			if size >= 5 && length >= 5 && (affix(w, word) || affix(word, w)) && (part == "" || n > vocabulary[part] || n == vocabulary[part] && w < part) {
				part = w
			}
			continue
		}
		d := slips(word, w, allowed)
		if d < least || d == least && d <= allowed && (n > vocabulary[best] || n == vocabulary[best] && w < best) {
			best, least = w, d
		}
	}
	if best != "" {
		return best
	}
	return part
}

// affix reports whether long begins or ends with short.
func affix(long, short string) bool {
	return strings.HasPrefix(long, short) || strings.HasSuffix(long, short)
}

// slips is the mistypings between two words; limit+1 for more than limit, and for another first letter unless the first two
// are swapped.
func slips(a, b string, limit int) int {
	x, y := []rune(a), []rune(b)
	if x[0] != y[0] && (x[0] != y[1] || x[1] != y[0]) {
		return limit + 1
	}
	return min(Mistypings(a, b), limit+1)
}

// Mistypings returns how many letters are left out, added, replaced or swapped with a neighbour between two short texts.
func Mistypings(a, b string) int {
	x, y := []rune(a), []rune(b)
	before, last, row := []int(nil), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, append([]int(nil), last...)
	}
	return last[len(y)]
}
