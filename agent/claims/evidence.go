package claims

import (
	"slices"
	"strings"

	"threadkeeper/memory/reading"
)

// evidence is a place that was found, with its words.
type evidence struct {
	place     Place
	page      *reading.Page
	rows      []*reading.Row
	sentences []*reading.Sentence
	whole     bool        // the page is cited, no words of it
	others    []*evidence // pages that may be meant, this one too
}

func newEvidence(place Place, p *reading.Page) *evidence {
	e := &evidence{place: place, page: p}
	if e.rows, e.sentences = p.Quoted(place.Quote); len(e.rows)+len(e.sentences) == 0 { // its lines were joined otherwise
		e.rows, e.sentences = reading.ReadPage(place.Quote).Quoted(place.Quote)
	}
	return e
}

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

// near reports whether a number stands on a page beside words that are said of it in a claim, and whether it stands
// there at all.
func near(p *reading.Page, q reading.Quantity, w window) (near, there bool) {
	most := 1 // terms that a row shares with the window
	for _, x := range p.Rows {
		most = max(most, hits(x.Terms, w.terms))
	}
	for _, x := range p.Rows {
		if slices.ContainsFunc(x.Values, func(v reading.Quantity) bool { return q.Fits(v, x.Scale) && !v.Mark }) {
			there, near = true, near || hits(x.Terms, w.terms) == most
		}
	}
	for i := range p.Sentences {
		s := &p.Sentences[i]
		if slices.ContainsFunc(s.Quantities(), func(v reading.Quantity) bool { return q.Fits(v, 0) && !v.Mark }) {
			there, near = true, near || !s.InRow && slices.ContainsFunc(without(w.terms, nil), func(t string) bool { return holds(s.Terms(), t) })
		}
	}
	return near, there
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
	return reading.HasForm(in, t) || slices.ContainsFunc(reading.Synonyms(t), func(s string) bool { return in[s] })
}
