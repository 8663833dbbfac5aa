package claims

import (
	"slices"
	"strings"

	"threadkeeper/memory/reading"
)

// passage is a text with the terms in and around it.
type passage struct {
	text  string
	terms map[string]bool
}

// passages are what a place says: its words with their sentences and rows; of a whole page each sentence and row.
func (e *evidence) passages() (all []passage) {
	if e.whole {
		for i := range e.page.Sentences {
			all = append(all, passage{e.page.Sentences[i].Text, e.page.Sentences[i].Terms()})
		}
		for _, x := range e.page.Rows {
			all = append(all, passage{x.Text, reading.TermSet(x.Text + " " + x.Title)})
		}
		return all
	}
	text := e.place.Quote
	for _, s := range e.sentences {
		text += " " + s.Text
	}
	around := text
	for _, x := range e.rows {
		around += " " + x.Label + " " + x.Title + " " + strings.Join(x.Heads, " ")
	}
	return []passage{{text, reading.TermSet(around)}}
}

// shareOf returns the share of some terms that are in a set, 1 for no terms.
func shareOf(terms []string, in map[string]bool) float64 {
	n := 0
	for _, t := range terms {
		if holds(in, t) {
			n++
		}
	}
	if len(terms) == 0 {
		return 1
	}
	return float64(n) / float64(len(terms))
}

// holds reports whether a term, one of the same stem or a synonym is in a set.
func holds(in map[string]bool, t string) bool {
	return has(in, t) || slices.ContainsFunc(reading.Synonyms(t), func(s string) bool { return in[s] })
}

// has reports whether a term or one of the same stem is in a set.
func has(in map[string]bool, t string) bool {
	if in[t] {
		return true
	}
	for s := range in {
		if akin(s, t) {
			return true
		}
	}
	return false
}

// akin reports whether two terms begin alike, as forms of one word do.
func akin(a, b string) bool {
	n := common(a, b)
	return n >= 5 && n*10 >= 7*min(len(a), len(b))
}

func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
