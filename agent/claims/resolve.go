package claims

import (
	"regexp"
	"slices"
	"strconv"
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
		if c.words != "" {
			return nil, nil
		}
		return r.meantBy(c)
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

// meantBy are the pages that a citation without words may mean: the page of the file and the page that has this number
// printed on it, or without a number all pages of a short document.
func (r *Reply) meantBy(c cite) (all []*evidence, err error) {
	numbers := []int{c.page}
	if c.page == 0 {
		for n := 1; n <= fewPages+1; n++ {
			numbers = append(numbers, n)
		}
	} else if shift, err := r.shift(c.document); err != nil {
		return nil, err
	} else if shift != 0 {
		numbers = append(numbers, c.page-shift)
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
	if len(all) > max(2, fewPages) {
		return nil, nil
	}
	for _, e := range all {
		e.others = all
	}
	return all, nil
}

const (
	fewPages    = 6  // of a document that is cited by its name alone
	numberedOf  = 60 // pages whose printed numbers are read
	leastShifts = 2  // pages whose printed numbers must agree
)

// shift is by how much the numbers printed on a document's pages exceed those of the pages, 0 if that is not clear.
func (r *Reply) shift(document int) (int, error) {
	if s, ok := r.shifts[document]; ok {
		return s, nil
	}
	counts, best := map[int]int{}, 0
	for n := 1; n <= numberedOf; n++ {
		text, err := r.Source.Text(document, n)
		if err != nil {
			return 0, err
		}
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		lines := strings.Split(text, "\n")
		for _, line := range []string{lines[0], lines[len(lines)-1]} {
			if m := pageNumber.FindStringSubmatch(rank.Fold(strings.TrimSpace(line))); m != nil {
				printed, _ := strconv.Atoi(m[1]) // digits by the pattern
				if counts[printed-n]++; counts[printed-n] >= leastShifts && counts[printed-n] > counts[best] {
					best = printed - n
				}
			}
		}
	}
	r.shifts[document] = best
	return best, nil
}

// pageNumber matches a folded line that is a page's number.
var pageNumber = regexp.MustCompile(`^(?:page |seite |s\. |[-–] )?(\d{1,4})(?: [-–]| (?:of|von|de|/) \d{1,4})?$`)

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
