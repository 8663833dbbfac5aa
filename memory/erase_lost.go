package memory

import (
	"slices"
	"strings"
	"unicode/utf8"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// lostWords are the words, except stop words, that an edit removed from a text.
type lostWords struct {
	words map[string]bool // folded; true for those that are not only spelt otherwise
	terms map[string]bool // of all of them
	names map[string]bool // those that were written with a capital
}

// mostRespelt is how many pairs of words are looked at for misspellings: in longer texts that change
// more every word counts as another one.
const mostRespelt = 100_000

// wordsLost are the words that a text loses when it becomes another. A word stays in all its forms.
func wordsLost(old, text string) lostWords {
	lost := lostWords{words: map[string]bool{}, terms: map[string]bool{}, names: map[string]bool{}}
	stays := reading.TermSet(text)
	had := rank.Words(old)
	for _, w := range had {
		if _, seen := lost.words[w]; seen || rank.Stop(w) {
			continue
		}
		if terms := rank.Terms(w); len(terms) > 0 && !stays[terms[0]] {
			lost.words[w], lost.terms[terms[0]] = true, true
		}
	}
	if added := wordsAdded(had, rank.Words(text)); len(lost.words)*len(added) <= mostRespelt {
		for w := range lost.words {
			lost.words[w] = !slices.ContainsFunc(added, func(a string) bool { return respells(w, a) })
		}
	}
	for _, w := range strings.Fields(old) {
		if reading.Capitalised(w) {
			for _, part := range rank.Words(w) {
				lost.names[part] = true
			}
		}
	}
	return lost
}

// wordsAdded returns the words of has that had lacks, or has less often.
func wordsAdded(had, has []string) (added []string) {
	left := map[string]int{}
	for _, w := range had {
		left[w]++
	}
	for _, w := range has {
		if left[w]--; left[w] < 0 {
			added = append(added, w)
		}
	}
	return added
}

// reworded reports whether more is lost than the spelling of a word, or how something was asked.
func (l lostWords) reworded() bool {
	for w, other := range l.words {
		if other && !reading.FramingWord(w) {
			return true
		}
	}
	return false
}

func (l lostWords) in(text string) bool {
	return len(l.terms) > 0 && slices.ContainsFunc(rank.Terms(text), func(t string) bool { return l.terms[t] })
}

// respells reports whether two folded words in letters are so near to each other that one is the
// other, mistyped: two letters that changed places, or one that is wrong, missing or too many, in
// long words two.
func respells(a, b string) bool {
	if !telling(a) || strings.ContainsAny(b, "0123456789") {
		return false
	}
	n := max(utf8.RuneCountInString(a), utf8.RuneCountInString(b))
	d := reading.Mistypings(a, b)
	return d == 1 && (n > 3 || len(a) == len(b) && sortedLetters(a) == sortedLetters(b)) || d == 2 && n >= 8
}

func sortedLetters(s string) string {
	r := []rune(s)
	slices.Sort(r)
	return string(r)
}
