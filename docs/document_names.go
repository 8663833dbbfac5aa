package docs

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"threadkeeper/memory/rank"
)

const (
	nameRun  = 4 // words that a name may run together
	leastRun = 3 // letters of the beginning of a name, or of initials, that a question may have
)

// nameIndex finds documents by the words of their names: in a row run together, the beginnings of long ones
// ("ulta" for ULTABEAUTY), and initials.
type nameIndex struct {
	runs, beginnings, initials map[string][]int // the documents, by number
	documents                  int
}

func newNameIndex(all []candidate) *nameIndex {
	x := &nameIndex{map[string][]int{}, map[string][]int{}, map[string][]int{}, len(all)}
	for d, c := range all {
		stem, _ := splitExtension(c.Name)
		words := nameWords(stem)
		initials := ""
		for i, w := range words {
			run := ""
			for _, next := range words[i:min(i+nameRun, len(words))] {
				run += next
				note(x.runs, run, d)
			}
			letters := w[:len(w)-len(strings.TrimLeftFunc(w, unicode.IsLetter))]
			for n := range letters {
				if n >= leastRun && n+leastRun <= len(letters) {
					note(x.beginnings, letters[:n], d)
				}
			}
			if letters != "" && letters != w {
				note(x.beginnings, letters, d) // ACME2020
			}
			if letters != "" {
				_, first := utf8.DecodeRuneInString(letters)
				initials += letters[:first]
				note(x.initials, initials, d)
			}
		}
	}
	return x
}

// note adds a document under a key, once; documents come in order.
func note(m map[string][]int, key string, d int) {
	if list := m[key]; len(list) == 0 || list[len(list)-1] != d {
		m[key] = append(list, d)
	}
}

// nameWords are the folded words of a text, letters and digits together ("3m").
func nameWords(text string) []string {
	words := rawWords(text)
	for i, w := range words {
		words[i] = rank.Fold(w)
	}
	return slices.DeleteFunc(words, func(w string) bool { return w == "" || w == "s" })
}

func rawWords(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
}

// named is for each document which of the names in a question are its own, as bits, and what share of them, 0 to 1:
// the fewer documents share a name, the more it counts. all has the bits of every name.
func (x *nameIndex) named(question string) (own []uint64, share []float64, all uint64) {
	own, share = make([]uint64, x.documents), make([]float64, x.documents)
	raw := rawWords(question)
	taken := make([]bool, len(raw))
	total, bit := 0.0, uint64(1)
	for n := min(nameRun, len(raw)); n > 0; n-- {
		for i := 0; i+n <= len(raw) && bit != 0; i++ {
			if slices.Contains(taken[i:i+n], true) {
				continue
			}
			has := x.find(raw[i : i+n])
			if len(has) == 0 || len(has) > max(1, x.documents/3) {
				continue
			}
			for j := range n {
				taken[i+j] = true
			}
			idf := math.Log(1 + (float64(x.documents-len(has))+0.5)/(float64(len(has))+0.5))
			total += idf
			for _, d := range has {
				own[d] |= bit
				share[d] += idf
			}
			all |= bit
			bit <<= 1
		}
	}
	for d := range share {
		if total > 0 {
			share[d] /= total
		}
	}
	return own, share, all
}

// find returns the documents that words in a row may name. Short beginnings and initials must be written with a
// capital: "MGM", "JnJ".
func (x *nameIndex) find(raw []string) []int {
	run := rank.Fold(strings.Join(raw, ""))
	single := len(raw) == 1
	if !strings.ContainsFunc(run, unicode.IsLetter) || rank.Stop(run) || len(run) < 2 ||
		len(run) < leastRun && !strings.ContainsFunc(run, unicode.IsDigit) {
		return nil
	}
	if has := x.runs[run]; len(has) > 0 {
		return has
	}
	capital := single && raw[0] != strings.ToLower(raw[0]) && raw[0][1:] != strings.ToLower(raw[0][1:])
	if has := x.beginnings[run]; len(has) > 0 && (len(run) > leastRun || capital) {
		return has
	}
	if !capital {
		return nil
	}
	if has := x.initials[run]; len(has) > 0 {
		return has
	}
	if short := strings.ReplaceAll(run, "n", ""); len(short) > 1 { // "n" for "and"
		return x.initials[short]
	}
	return nil
}
