package claims

import (
	"regexp"
	"slices"
	"strings"

	"threadkeeper/memory/reading"
)

// Source is where the places stand that a reply cites.
type Source interface {
	// Find looks words up in a document, numbered from 1: on that page, else on another. Words is then what stands there.
	Find(document, page int, words string) (p Place, found bool, err error)
	// Text is that of a page, "" if there is none.
	Text(document, page int) (string, error)
	// Named is the number of a document by what a reply calls it, 0 for none.
	Named(name string) int
	// Documents is how many there are.
	Documents() int
}

// Place is a quote that stands in a document.
type Place struct {
	Document, Page int // from 1
	Quote          string
}

// Outcome is what became of a claim.
type Outcome int

// The outcomes, from what needs no check to what is wrong.
const (
	Plain        Outcome = iota // a heading, an intro, a question, a caveat: it claims nothing
	Verified                    // what it says stands at the place it cites, or is computed from such
	Unchecked                   // it cites nothing, or nothing that can be compared
	Contradicted                // the document says something else, or nothing of the kind
)

// Cause is why a claim is not verified.
type Cause int

// The causes. Elsewhere and later ones are of unchecked claims.
const (
	NoCause   Cause = iota
	Says            // the page says something else: Reason.Words
	Nowhere         // a number that stands nowhere in what is cited: Reason.Number
	Result          // a computation has another result: Reason.Words
	Invented        // the words cited do not stand in the document: Reason.Words
	Uncited         // no citation
	Elsewhere       // the number stands on the page, but not with what the claim says of it
	Unlike          // what is cited says little of what is claimed
)

// Reason is a cause with its place.
type Reason struct {
	Cause          Cause
	Number         string // as the claim shows it
	Words          string
	Document, Page int

	weak bool // the number may stand elsewhere
}

// Claim is a sentence of a block, or a row of a table, taken apart.
type Claim struct {
	Text    string // without its marks and emphasis
	Outcome Outcome
	Reason  Reason
	Places  []Place

	folded  string
	context string // name of the row and the columns of a table, heading
	own     []evidence
	sums    []sum
	cited   bool // it has a citation, found or not
	missing []string
	plain   bool
	derived bool     // a number of it was computed
	cells   []string // heads of a table row's numbers, by position
	numbers []quantity
	from    int // where it stands in the block's skeleton
	to      int
	marks   []int
}

// Block is a part of a reply that is released as a whole.
type Block struct {
	Claims []*Claim

	skeleton string
	marks    []mark
	places   [][]Place // of each mark
	table    bool
}

// Reply is what the blocks of one reply are judged by.
type Reply struct {
	Request string   // its numbers may be repeated
	Known   []string // more that may be repeated: messages of the conversation, what the request quotes
	Strict  bool     // it answers from documents: what cites nothing is marked
	Source  Source

	asked    []quantity
	terms    map[string]bool // of the request
	evidence []evidence
	sums     []sum
	results  []quantity // numbers that were computed, and hold
	stated   []quantity // numbers of the claims
	pages    map[[2]int]*page
	heading  string
}

// evidence is a place that was found, with what stands there.
type evidence struct {
	place     Place
	page      *page
	spans     [][2]int
	rows      []*row
	sentences []*sentence
	whole     bool // the page is cited, no words of it
}

// Add takes a block apart and looks up what it cites. Judge it after the blocks before it.
func (r *Reply) Add(written string) (*Block, error) {
	if r.pages == nil {
		r.pages = map[[2]int]*page{}
		_, r.asked = quantities(r.Request)
		r.terms = reading.TermSet(r.Request)
	}
	b := &Block{}
	b.skeleton, b.marks = marksOf(written, r.Source.Named)
	b.places = make([][]Place, len(b.marks))
	found := make([][]evidence, len(b.marks))
	missing := make([][]string, len(b.marks))
	last := cite{}
	for i, m := range b.marks {
		for _, c := range m.cites {
			if c.document == 0 && last.document > 0 {
				c.document = last.document
			} else if c.document == 0 && r.Source.Documents() == 1 {
				c.document = 1
			}
			last = c
			all, err := r.resolve(c)
			if err != nil {
				return nil, err
			}
			if len(all) == 0 && c.words != "" {
				missing[i] = append(missing[i], c.words)
			}
			found[i] = append(found[i], all...)
		}
	}
	r.split(b, found, missing)
	for _, c := range b.Claims {
		if err := r.point(c, b, found); err != nil {
			return nil, err
		}
	}
	for i := range found {
		for _, e := range found[i] {
			r.evidence = append(r.evidence, e)
			if e.place.Quote != "" {
				b.places[i] = append(b.places[i], e.place)
			}
		}
	}
	for _, c := range b.Claims {
		r.sums = append(r.sums, c.sums...)
		for i, q := range c.numbers {
			if !c.passes(i) {
				r.stated = append(r.stated, q)
			}
		}
	}
	return b, nil
}

// Again is a reply to the same request, from the same pages.
func (r *Reply) Again() *Reply {
	return &Reply{Request: r.Request, Known: r.Known, Strict: r.Strict, Source: r.Source, pages: r.pages, asked: r.asked, terms: r.terms}
}

// Concerns reports whether a block claims what one of some passages speaks of.
func (r *Reply) Concerns(b *Block, passages []string) bool {
	return slices.ContainsFunc(b.Claims, func(c *Claim) bool {
		terms := slices.DeleteFunc(reading.ContentTerms(c.Text), func(t string) bool { return strings.ContainsAny(t, "0123456789") })
		return !c.plain && slices.ContainsFunc(passages, func(p string) bool {
			if len(terms) > 0 && reading.Coverage(terms, p) >= alone {
				return true
			}
			_, have := quantities(p)
			return slices.ContainsFunc(c.numbers, func(q quantity) bool {
				return !q.isYear() && (q.unit != "" || q.digits > 12) && slices.ContainsFunc(have, func(h quantity) bool { return q.unit == h.unit && q.fits(h, -1) == fits })
			})
		})
	})
}

// point finds the words for a claim that cites a page without any: the row or sentence that is most like it.
func (r *Reply) point(c *Claim, b *Block, found [][]evidence) error {
	for _, i := range c.marks {
		for n := range found[i] {
			e := &found[i][n]
			if !e.whole || e.place.Quote != "" {
				continue
			}
			best, most := "", like
			for _, p := range r.passages(*e) {
				if share := r.share(reading.ContentTerms(c.Text+" "+c.context), p.terms, true); share >= most {
					best, most = p.text, share
				}
			}
			if best == "" {
				continue
			}
			place, ok, err := r.Source.Find(e.place.Document, e.place.Page, cutQuote(best))
			if err != nil {
				return err
			}
			if ok {
				e.place.Quote = place.Quote
				c.own = slices.Clone(c.own)
				for x := range c.own {
					if c.own[x].whole && c.own[x].place.Page == e.place.Page && c.own[x].place.Document == e.place.Document {
						c.own[x].place.Quote = place.Quote
					}
				}
			}
		}
	}
	return nil
}

// Text is a block as it is shown: with the number of each place in place of its citation, and without computations
// and citations in a form that nothing can check. Claims that leave says are to go are left out.
func (b *Block) Text(number func(Place) string, leave func(*Claim) bool) string {
	var out strings.Builder
	gap := false // a mark that shows nothing stood behind a blank
	write := func(skeleton string) {
		for _, x := range skeleton {
			if !isPlaceholder(x) {
				if x != ' ' || !gap {
					out.WriteRune(x)
				}
				gap = gap && x == ' '
				continue
			}
			for _, p := range b.places[x-0xE000] {
				if n := number(p); !strings.HasSuffix(out.String(), n) {
					out.WriteString(n)
				}
			}
			gap = strings.HasSuffix(out.String(), " ")
		}
	}
	at, left := 0, 0
	for _, c := range b.Claims {
		if leave(c) {
			if left++; at == 0 && !b.table && left < len(b.Claims) {
				write(b.skeleton[:c.from])
			} else if b.table {
				write(b.skeleton[at:c.from])
			}
			at = c.to
			continue
		}
		write(b.skeleton[at:c.to])
		at = c.to
	}
	if left > 0 && left == len(b.Claims) {
		return ""
	}
	write(b.skeleton[at:])
	return tidied.ReplaceAllString(broken.ReplaceAllString(out.String(), ""), "$1")
}

// Table reports whether it is one.
func (b *Block) Table() bool { return b.table }

var tidied = regexp.MustCompile(` +([.,;:])`)

// Outcome is that of its worst claim.
func (b *Block) Outcome() Outcome {
	worst := Plain
	for _, c := range b.Claims {
		worst = max(worst, c.Outcome)
	}
	return worst
}
