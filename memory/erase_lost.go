package memory

import (
	"slices"
	"strings"
	"unicode/utf8"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// lostWord is a word that a text has no more since it was edited.
type lostWord struct {
	word    string // folded
	term    string
	respelt bool // a new word stands for it that is nearly the same
	name    bool // it was written with a capital
}

type lostWords []lostWord

// wordsLost are the words, but no stop words, that a text loses when it becomes another. A word
// stays in all its forms.
func wordsLost(old, text string) (lost lostWords) {
	had, has := rank.Words(old), rank.Words(text)
	stays := map[string]bool{}
	for _, term := range rank.Terms(text) {
		stays[term] = true
	}
	added := slices.Clone(has)
	for _, w := range had {
		if i := slices.Index(added, w); i >= 0 {
			added = slices.Delete(added, i, i+1)
		}
	}
	names := map[string]bool{}
	for _, w := range strings.Fields(old) {
		if reading.Capitalised(w) {
			for _, part := range rank.Words(w) {
				names[part] = true
			}
		}
	}
	seen := map[string]bool{}
	for _, w := range had {
		terms := rank.Terms(w)
		if len(terms) == 0 || stays[terms[0]] || seen[w] {
			continue
		}
		seen[w] = true
		respelt := slices.ContainsFunc(added, func(a string) bool { return respells(w, a) })
		lost = append(lost, lostWord{word: w, term: terms[0], respelt: respelt, name: names[w]})
	}
	return lost
}

// reworded reports whether more is lost than the spelling of a word, or how something was asked.
func (l lostWords) reworded() bool {
	return slices.ContainsFunc(l, func(w lostWord) bool { return !w.respelt && !reading.FramingWord(w.word) })
}

// says reports whether a folded word is lost, and not only spelt otherwise.
func (l lostWords) says(word string) bool {
	return slices.ContainsFunc(l, func(w lostWord) bool { return w.word == word && !w.respelt })
}

// in reports whether a text has one of the words.
func (l lostWords) in(text string) bool {
	if len(l) == 0 {
		return false
	}
	terms := rank.Terms(text)
	return slices.ContainsFunc(l, func(w lostWord) bool { return slices.Contains(terms, w.term) })
}

// respells reports whether two folded words in letters are so near to each other that one is the
// other, mistyped: two letters that changed places, or one that is wrong, missing or too many, in
// long words two.
func respells(a, b string) bool {
	if !telling(a) || strings.ContainsAny(b, "0123456789") {
		return false
	}
	n := max(utf8.RuneCountInString(a), utf8.RuneCountInString(b))
	d := mistypings([]rune(a), []rune(b))
	return d == 1 && (n > 3 || len(a) == len(b) && sortedLetters(a) == sortedLetters(b)) || d == 2 && n >= 8
}

func sortedLetters(s string) string {
	r := []rune(s)
	slices.Sort(r)
	return string(r)
}

// mistypings is the Damerau-Levenshtein distance of two words, with neighbours only changing
// places.
func mistypings(a, b []rune) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			wrong := 1
			if a[i-1] == b[j-1] {
				wrong = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+wrong)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}
