package claims

import (
	"slices"
	"strings"
	"sync"

	"threadkeeper/memory/reading"
)

// Claim is a sentence of a block, or a row of a table, split into its parts.
type Claim struct {
	Text    string // without its marks and emphasis
	Outcome Outcome
	Reason  Reason
	Places  []Place

	folded  string
	context string // name of the row and the columns of a table, heading
	own     []*evidence
	sums    []sum
	cited   bool // it has a citation, found or not
	missing []string
	plain   bool
	cells   []string // heads of a table row's numbers, by position
	numbers []reading.Quantity
	from    int // its position in the block's skeleton
	to      int
	marks   []*mark
}

// Block is a part of a reply that is released as a whole.
type Block struct {
	Claims []*Claim

	skeleton string
	marks    []*mark
	table    bool
	item     bool // of a list
}

// Reply holds what the blocks of one reply are judged by.
type Reply struct {
	Request string   // its numbers may be repeated
	Known   []string // more that may be repeated: messages of the conversation, what the request quotes
	Strict  bool     // it answers from documents: what cites nothing is marked
	Source  Source

	asked    []reading.Quantity
	known    func() []reading.Quantity // of Known; a long conversation has many, and few replies need them
	terms    map[string]bool           // of the request
	evidence []*evidence
	sums     []sum
	pages    map[[2]int]*reading.Page
	heading  string
	blocks   []*Block
	scale    int // power of ten that the line before gives for a table, 0 if none
}

// Add parses a block and looks up its citations. Judge it after the blocks before it.
func (r *Reply) Add(written string) (*Block, error) {
	r.begin()
	b := &Block{item: itemHead(written) > 0}
	b.skeleton, b.marks = marksOf(written, r.Source.Named)
	r.blocks = append(r.blocks, b)
	last := 0 // document
	if r.Source.Documents() == 1 {
		last = 1
	}
	for _, m := range b.marks {
		for _, c := range m.cites {
			if c.document == 0 {
				c.document = last
			}
			last = c.document
			all, err := r.resolve(c)
			if err == nil && len(all) == 0 && c.words != "" {
				m.missing = append(m.missing, c.words)
				m.instead, err = r.meantBy(cite{document: c.document, page: c.page})
			}
			if err != nil {
				return nil, err
			}
			m.found = append(m.found, all...)
		}
	}
	r.split(b)
	for _, m := range b.marks {
		r.evidence = append(r.evidence, m.found...)
	}
	for _, c := range b.Claims {
		if r.sums = append(r.sums, c.sums...); c.cited {
			if err := r.point(c); err != nil {
				return nil, err
			}
		}
	}
	return b, nil
}

// begin reads what all claims are compared with, once.
func (r *Reply) begin() {
	if r.pages == nil {
		r.pages = map[[2]int]*reading.Page{}
		_, r.asked = reading.Quantities(r.Request)
		r.known = sync.OnceValue(func() []reading.Quantity {
			_, all := reading.Quantities(strings.Join(r.Known, "\n"))
			return all
		})
		r.terms = reading.TermSet(r.Request)
	}
}

// Again returns a reply to the same request, from the same pages.
func (r *Reply) Again() *Reply {
	return &Reply{Request: r.Request, Known: r.Known, Strict: r.Strict, Source: r.Source, pages: r.pages, asked: r.asked, known: r.known, terms: r.terms}
}

// Concerns reports whether a block makes a claim that one of some passages is about: it has most of its words, or a value of it.
func (r *Reply) Concerns(b *Block, passages []string) bool {
	return slices.ContainsFunc(passages, func(p string) bool {
		_, have := reading.Quantities(p)
		return slices.ContainsFunc(b.Claims, func(c *Claim) bool {
			return !c.plain && (reading.Coverage(reading.WordTerms(c.Text), p) >= alone || slices.ContainsFunc(c.numbers, func(q reading.Quantity) bool {
				return !q.IsYear() && (q.Unit != "" || q.Digits > 12) && slices.ContainsFunc(have, func(h reading.Quantity) bool { return q.Unit == h.Unit && q.Fits(h, -1) })
			}))
		})
	})
}

// Table reports whether the block is a table.
func (b *Block) Table() bool { return b.table }

// Outcome returns the outcome of its worst claim.
func (b *Block) Outcome() Outcome {
	worst := Plain
	for _, c := range b.Claims {
		worst = max(worst, c.Outcome)
	}
	return worst
}
