package claims

import (
	"regexp"
	"slices"
	"strings"

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
	known    []reading.Quantity // of Known
	terms    map[string]bool    // of the request
	evidence []*evidence
	sums     []sum
	results  []reading.Quantity // numbers that were computed, and hold
	pages    map[[2]int]*reading.Page
	shifts   map[int]int // of the numbers printed on a document's pages
	heading  string
	blocks   []*Block
	scale    int // power of ten that the line before gives for a table, 0 if none
}

// Add parses a block and looks up its citations. Judge it after the blocks before it.
func (r *Reply) Add(written string) (*Block, error) {
	if r.pages == nil {
		r.pages, r.shifts = map[[2]int]*reading.Page{}, map[int]int{}
		_, r.asked = reading.Quantities(r.Request)
		_, r.known = reading.Quantities(strings.Join(r.Known, "\n"))
		r.terms = reading.TermSet(r.Request)
	}
	b := &Block{item: itemStart.MatchString(written)}
	b.skeleton, b.marks = marksOf(written, r.Source.Named)
	r.blocks = append(r.blocks, b)
	last := cite{}
	for _, m := range b.marks {
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
				m.missing = append(m.missing, c.words)
				if m.instead, err = r.meantBy(cite{document: c.document, page: c.page}); err != nil {
					return nil, err
				}
			}
			m.found = append(m.found, all...)
		}
	}
	r.split(b)
	for _, c := range b.Claims {
		if err := r.point(c); err != nil {
			return nil, err
		}
	}
	for _, m := range b.marks {
		r.evidence = append(r.evidence, m.found...)
	}
	for _, c := range b.Claims {
		r.sums = append(r.sums, c.sums...)
	}
	return b, nil
}

// Again returns a reply to the same request, from the same pages.
func (r *Reply) Again() *Reply {
	return &Reply{Request: r.Request, Known: r.Known, Strict: r.Strict, Source: r.Source, pages: r.pages, shifts: r.shifts, asked: r.asked, known: r.known, terms: r.terms}
}

// Concerns reports whether a block makes a claim that one of some passages is about.
func (r *Reply) Concerns(b *Block, passages []string) bool {
	return slices.ContainsFunc(b.Claims, func(c *Claim) bool {
		if c.plain {
			return false
		}
		terms := reading.WordTerms(c.Text)
		measures := slices.DeleteFunc(slices.Clone(c.numbers), func(q reading.Quantity) bool { return q.IsYear() || q.Unit == "" && q.Digits <= 12 })
		return slices.ContainsFunc(passages, func(p string) bool {
			if len(terms) > 0 && reading.Coverage(terms, p) >= alone {
				return true
			}
			if len(measures) == 0 {
				return false
			}
			_, have := reading.Quantities(p)
			return slices.ContainsFunc(measures, func(q reading.Quantity) bool {
				return slices.ContainsFunc(have, func(h reading.Quantity) bool { return q.Unit == h.Unit && q.Fits(h, -1) })
			})
		})
	})
}

// point finds the words for a claim that cites a page without any: the row or sentence that is most like it. Of several
// pages that may be meant, the claim keeps the one that has its numbers and its words.
func (r *Reply) point(c *Claim) error {
	if !c.cited {
		return nil
	}
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
			score := fits(e)
			if slices.ContainsFunc(e.others, func(o *evidence) bool {
				return o != e && (fits(o) > score || fits(o) == score && slices.Index(e.others, o) < slices.Index(e.others, e))
			}) {
				continue
			}
			place, ok, err := r.Source.Find(e.place.Document, e.place.Page, cutQuote(best[e]))
			if err != nil {
				return err
			}
			if ok {
				e.place.Quote = place.Quote
			}
		}
		if text := best[e]; e.whole && shareOf(terms, reading.TermSet(text)) >= alone {
			of := *e
			of.rows, of.sentences = e.page.Quoted(text)
			e = &of
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

// Text returns a block as people see it: with the number of each place instead of its citation, a computation where its
// numbers do not stand beside it, and without citations in a form that nothing can check. Claims that leave rejects are left
// out. unchecked, unless it is "", stands behind the last of unchecked claims that follow each other; below a table if all its
// rows are.
func (b *Block) Text(number func(Place) string, leave func(*Claim) bool, unchecked string) string {
	out, gap := "", false // gap: a mark that shows nothing stood behind a blank
	write := func(skeleton string) {
		for _, x := range skeleton {
			if !isPlaceholder(x) {
				if gap && strings.ContainsRune(".,;:", x) {
					out = strings.TrimRight(out, " ")
				}
				if x != ' ' || !gap {
					out += string(x)
				}
				gap = gap && x == ' '
				continue
			}
			m := b.marks[x-0xE000]
			if s := b.working(m); s != "" {
				if !strings.HasSuffix(out, " ") {
					out += " "
				}
				out += "(= " + s + ")"
			}
			for _, e := range m.found {
				if e.place.Quote == "" {
					continue
				}
				if n := number(e.place); !strings.HasSuffix(out, n) {
					out += n
				}
			}
			gap = strings.HasSuffix(out, " ")
		}
	}
	at, left := 0, 0
	all := b.allUnchecked()
	for i, c := range b.Claims {
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
		last := b.table && !all || !b.table && (i+1 == len(b.Claims) || b.Claims[i+1].Outcome != Unchecked)
		if unchecked != "" && c.Outcome == Unchecked && last {
			out = withBehind(out, " "+unchecked, b.table)
		}
	}
	if left > 0 && left == len(b.Claims) {
		return ""
	}
	write(b.skeleton[at:])
	if unchecked != "" && b.table && all {
		out = withBehind(out, "\n\n"+unchecked, false)
	}
	return brokenBehind.ReplaceAllString(out, "$1")
}

// allUnchecked reports whether all claims are unchecked, but for those that claim nothing.
func (b *Block) allUnchecked() bool {
	any := false
	for _, c := range b.Claims {
		if c.Outcome == Verified || c.Outcome == Contradicted {
			return false
		}
		any = any || c.Outcome == Unchecked
	}
	return any
}

// withBehind puts a mark behind the last words of a text, in the last cell of a row.
func withBehind(text, mark string, row bool) string {
	end := len(strings.TrimRight(text, " \n"))
	if row && strings.HasSuffix(text[:end], "|") {
		end = len(strings.TrimRight(text[:end-1], " "))
	}
	return text[:end] + mark + text[end:]
}

// working is a computation as people read it, "" if its numbers stand in the block anyway.
func (b *Block) working(m *mark) string {
	s, ok := readSum(m.sum)
	if !ok || !figures.MatchString(m.sum) || len(s.written) > longestWorking || !slices.ContainsFunc(s.operands, func(o reading.Quantity) bool {
		return !constant(o) && !slices.ContainsFunc(b.Claims, func(c *Claim) bool {
			return slices.ContainsFunc(c.numbers, func(n reading.Quantity) bool { return n.Form == o.Form || n.Near(o.Amount(), 1) })
		})
	}) {
		return ""
	}
	return reading.CollapseSpace(readable.Replace(s.written))
}

const longestWorking = 150 // bytes

var (
	// figures matches a computation without words of its own.
	figures  = regexp.MustCompile(`^(?:[\d\s.,+*/×÷−–^()$€£%=-]|average|thousand|million|billion)+$`)
	readable = strings.NewReplacer("**", "^", "*", " × ", "/", " / ", "+", " + ")
)

// Table reports whether the block is a table.
func (b *Block) Table() bool { return b.table }

var brokenBehind = regexp.MustCompile(` *` + broken.String() + `(?: +([.,;:]))?`)

// Outcome returns the outcome of its worst claim.
func (b *Block) Outcome() Outcome {
	worst := Plain
	for _, c := range b.Claims {
		worst = max(worst, c.Outcome)
	}
	return worst
}
