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
	allowed := 1 + min(length/8, 1)
	best, least := "", allowed+2
	for w, n := range vocabulary {
		d, size := allowed+2, utf8.RuneCountInString(w)
		switch {
		case size >= 4 && size >= length-allowed && size <= length+allowed && (w[0] == word[0] || w[0] == word[1] && w[1] == word[0]):
			if d = Mistypings(word, w); d > allowed {
				d = allowed + 2
			}
		case size >= 5 && (strings.HasPrefix(w, word) || strings.HasSuffix(w, word) || strings.HasPrefix(word, w) || strings.HasSuffix(word, w)):
			d = allowed + 1
		}
		if d < least || d == least && best != "" && (n > vocabulary[best] || n == vocabulary[best] && w < best) {
			best, least = w, d
		}
	}
	return best
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
