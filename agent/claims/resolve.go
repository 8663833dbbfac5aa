package claims

import (
	"slices"
	"strings"
	"unicode/utf8"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// resolve finds a citation: its words, those nearly like them on its page, or the page itself.
func (r *Reply) resolve(c cite) ([]evidence, error) {
	if c.document < 1 || c.document > r.Source.Documents() || reading.DirectsAssistant(c.words) {
		return nil, nil
	}
	parts := c.parts()
	if len(parts) == 0 {
		p, err := r.page(c.document, c.page)
		if p == nil || err != nil || c.words != "" {
			return nil, err
		}
		return []evidence{{place: Place{Document: c.document, Page: c.page}, page: p, whole: true}}, nil
	}
	var all []evidence
	for _, words := range parts {
		place, ok, err := r.Source.Find(c.document, c.page, words)
		if err == nil && !ok {
			place, ok, err = r.snapped(c, words)
		}
		for other := 1; err == nil && !ok && other <= r.Source.Documents(); other++ { // by the number of another document
			if other != c.document && len(rank.Words(words)) >= leastWords {
				place, ok, err = r.Source.Find(other, c.page, words)
			}
		}
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, nil
		}
		p, err := r.page(place.Document, place.Page)
		if err != nil {
			return nil, err
		}
		if p == nil {
			p = reading.ReadPage(place.Quote)
		}
		all = append(all, newEvidence(place, p))
	}
	return all, nil
}

const leastWords = 4 // of a quote that is looked for in other documents than the one cited

func newEvidence(place Place, p *reading.Page) evidence {
	e := evidence{place: place, page: p}
	e.rows, e.sentences = p.Quoted(place.Quote)
	return e
}

// page reads a page once, nil if there is none.
func (r *Reply) page(document, number int) (*reading.Page, error) {
	if p, ok := r.pages[[2]int{document, number}]; ok {
		return p, nil
	}
	if number < 1 {
		return nil, nil
	}
	text, err := r.Source.Text(document, number)
	if err != nil || strings.TrimSpace(text) == "" {
		return nil, err
	}
	p := reading.ReadPage(text)
	r.pages[[2]int{document, number}] = p
	return p, nil
}

// alike is the share of a quote's words that a line must have to be taken for it.
const alike = 0.75

// snapped is the line of the cited page, or of its neighbours, that a quote means: nearly all its words, all its
// numbers, and no other negation.
func (r *Reply) snapped(c cite, words string) (Place, bool, error) {
	terms := rank.Terms(words)
	_, wanted := reading.Quantities(words)
	best, score := Place{}, 0.0
	for _, n := range []int{c.page, c.page - 1, c.page + 1} {
		p, err := r.page(c.document, n)
		if err != nil {
			return best, false, err
		}
		if p == nil || len(terms) < 3 {
			continue
		}
		try := func(text string, has map[string]bool, have []reading.Quantity) {
			hits := 0
			for _, t := range terms {
				if has[t] {
					hits++
				}
			}
			share := float64(hits) / float64(len(terms))
			all := !slices.ContainsFunc(wanted, func(q reading.Quantity) bool {
				return !slices.ContainsFunc(have, func(h reading.Quantity) bool { return q.Form == h.Form })
			})
			if share >= alike && share > score && all && denies(text) == denies(words) {
				best, score = Place{c.document, n, text}, share
			}
		}
		for i := range p.Sentences {
			try(p.Sentences[i].Text, p.Sentences[i].Terms(), p.Sentences[i].Quantities())
		}
		for _, w := range p.Rows {
			try(w.Text, reading.TermSet(w.Text), w.Values)
		}
	}
	if score == 0 {
		return best, false, nil
	}
	return r.Source.Find(best.Document, best.Page, cutQuote(best.Quote))
}

// longestQuote is how many characters of a sentence are cited for a claim.
const longestQuote = 400

func cutQuote(text string) string {
	if utf8.RuneCountInString(text) > longestQuote {
		text = string([]rune(text)[:longestQuote])
		if i := strings.LastIndexByte(text, ' '); i > 0 {
			text = text[:i]
		}
	}
	return text
}
