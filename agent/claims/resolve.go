package claims

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// resolve finds a citation: its words, or without any the pages that it may mean.
func (r *Reply) resolve(c cite) (all []*evidence, err error) {
	if c.document < 1 || c.document > r.Source.Documents() || reading.DirectsAssistant(c.words) {
		return nil, nil
	}
	if c.words == "" {
		return r.meantBy(c)
	}
	for _, words := range c.parts() {
		place, ok, err := r.Source.Find(c.document, c.page, words)
		if err != nil || !ok {
			return nil, err
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

// page reads a page once, nil if it does not exist.
func (r *Reply) page(document, number int) (*reading.Page, error) {
	if p, ok := r.pages[[2]int{document, number}]; ok || number < 1 {
		return p, nil
	}
	text, err := r.Source.Text(document, number)
	if err != nil || strings.TrimSpace(text) == "" {
		return nil, err
	}
	p := reading.ReadPage(text)
	r.pages[[2]int{document, number}] = p
	return p, nil
}

const (
	fewPages = 6  // of a document that is cited by its name alone
	aside    = 40 // pages behind one on which its number may be printed: those of a journal begin at any
)

// meantBy are the pages that a citation without words may mean: the page of the file, the one that has this number
// printed on it, or without a number all pages of a short document.
func (r *Reply) meantBy(c cite) (all []*evidence, err error) {
	numbers := []int{c.page}
	if c.page > 0 {
		for n := 1; n <= c.page+aside && len(numbers) == 1; n++ {
			text, err := r.Source.Text(c.document, n)
			if err != nil {
				return nil, err
			}
			if lines := strings.Split(strings.TrimSpace(text), "\n"); n != c.page && (printed(lines[0]) == c.page || printed(lines[len(lines)-1]) == c.page) {
				numbers = append(numbers, n)
			}
		}
	}
	for n := 1; c.page == 0 && n <= fewPages+1; n++ {
		numbers = append(numbers, n)
	}
	for _, n := range numbers {
		p, err := r.page(c.document, n)
		if err != nil {
			return nil, err
		}
		if p != nil {
			all = append(all, &evidence{place: Place{Document: c.document, Page: n}, page: p, whole: true})
		}
	}
	if len(all) > fewPages {
		return nil, nil
	}
	for _, e := range all {
		e.others = all
	}
	return all, nil
}

// printed is the page number that a line consists of, 0 for none.
func printed(line string) (n int) {
	if m := pageNumber.FindStringSubmatch(rank.Fold(strings.TrimSpace(line))); m != nil {
		n, _ = strconv.Atoi(m[1]) // digits by the pattern
	}
	return n
}

var pageNumber = reading.Lazy(`^(?:page |seite |s\. |[-–] )?(\d{1,4})(?: [-–]| (?:of|von|de|/) \d{1,4})?$`)

// longestQuote is how many characters of a sentence are cited for a claim.
const longestQuote = 400

func cutQuote(text string) string {
	if utf8.RuneCountInString(text) > longestQuote {
		text = string([]rune(text)[:longestQuote])
		text = text[:max(strings.LastIndexByte(text, ' '), 0)]
	}
	return text
}

// point finds the words for a claim that cites a page without any: the row or sentence that is most like it. Of several
// pages that may be meant, the claim keeps the one that has its numbers and its words.
func (r *Reply) point(c *Claim) error {
	terms := reading.ContentTerms(c.Text + " " + c.context)
	best := map[*evidence]string{}
	fits := func(e *evidence) (score float64) {
		for _, p := range e.passages() {
			if share := shareOf(terms, p.terms); share >= max(like, score) {
				best[e], score = p.text, share
			}
		}
		return score + c.held(e.page)
	}
	var own []*evidence
	for _, e := range c.own {
		if e.whole {
			if slices.MaxFunc(e.others, func(a, b *evidence) int { return cmp.Compare(fits(a), fits(b)) }) != e {
				continue
			}
			fits(e)
			place, ok, err := r.Source.Find(e.place.Document, e.place.Page, cutQuote(best[e]))
			if err != nil {
				return err
			}
			if ok {
				e.place.Quote = place.Quote
			}
		}
		own = append(own, e)
	}
	c.own = own
	return nil
}

// held is the share of a claim's numbers that a page has.
func (c *Claim) held(p *reading.Page) float64 {
	n, all := 0, 0
	for _, q := range c.numbers {
		if q.Measures() {
			if all++; p.Holds(func(v reading.Quantity) bool { return q.Fits(v, -1) }) {
				n++
			}
		}
	}
	return float64(n) / float64(max(all, 1))
}
