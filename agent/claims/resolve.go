package claims

import (
	"slices"
	"strings"
	"unicode/utf8"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// resolve finds a citation: its words, those nearly like them on its page, or the page itself.
func (r *Reply) resolve(c cite) ([]*evidence, error) {
	if c.document < 1 || c.document > r.Source.Documents() || reading.DirectsAssistant(c.words) {
		return nil, nil
	}
	parts := c.parts()
	if len(parts) == 0 {
		p, err := r.page(c.document, c.page)
		if p == nil || err != nil || c.words != "" {
			return nil, err
		}
		return []*evidence{{place: Place{Document: c.document, Page: c.page}, page: p, whole: true}}, nil
	}
	var all []*evidence
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

func newEvidence(place Place, p *reading.Page) *evidence {
	e := &evidence{place: place, page: p}
	e.rows, e.sentences = p.Quoted(place.Quote)
	return e
}

// page reads a page once, nil if it does not exist.
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

// snapped is the sentence of the cited page that a quote means: nearly all its words, all its numbers, and no other negation.
func (r *Reply) snapped(c cite, words string) (Place, bool, error) {
	p, err := r.page(c.document, c.page)
	terms := rank.Terms(words)
	if p == nil || err != nil || len(terms) < 3 {
		return Place{}, false, err
	}
	best, most := "", alike
	for i := range p.Sentences {
		s := &p.Sentences[i]
		if share := float64(hits(terms, s.Terms())) / float64(len(terms)); share >= most && reading.Negated(s.Text) == reading.Negated(words) &&
			!slices.ContainsFunc(rank.Numbers(words), func(n string) bool { return !slices.Contains(rank.Numbers(s.Text), n) }) {
			best, most = s.Text, share
		}
	}
	return r.Source.Find(c.document, c.page, cutQuote(best))
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
