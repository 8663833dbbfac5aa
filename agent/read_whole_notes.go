package agent

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"threadkeeper/docs"
	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// More is noted of a long document than a prompt holds. What is shown of it is decided by what the notes say, not by where they
// stand: each thing once, figures and totals before the rest, and what a report comes back to before what stands in an exhibit alone.

// takeNotes puts what was found into the place of the passages of those documents: the weightiest first, as far as there is
// room. It is false, and nothing changes, where nothing was read.
func (r *run) takeNotes(w *wholeReading) bool {
	if !slices.ContainsFunc(w.portions, func(p *portion) bool { return p.read }) {
		return false
	}
	r.evidence = slices.DeleteFunc(r.evidence, func(s shown) bool {
		return slices.ContainsFunc(w.documents, func(d *memory.Document) bool { return d.ID == s.document })
	})
	r.complete, r.noted, r.unread = false, true, w.failure
	for _, d := range w.documents {
		var pages []int
		for _, p := range w.portions {
			for n := p.first; n <= p.last && p.document == d && !p.read; n++ {
				pages = append(pages, n)
			}
		}
		if pages = slices.Compact(pages); len(pages) > 0 {
			r.notRead = append(r.notRead, fmt.Sprintf(r.say.unread, plainName(d.Name), docs.PageList(pages)))
		}
	}
	room := r.documentRoom(libraryRoom)
	var notes []shown
	w.notes = w.weigh()
	for _, x := range w.notes {
		s := w.note(x.document.ID, x.Finding)
		if cost := memory.Count(s.text) + pageOverhead; cost <= room {
			s.place = len(notes)
			notes, room = append(notes, s), room-cost
		}
	}
	slices.SortStableFunc(notes, func(a, b shown) int {
		return cmp.Or(cmp.Compare(a.document, b.document), cmp.Compare(a.page, b.page))
	})
	r.evidence = append(r.evidence, notes...)
	return true
}

func (w wish) note(document int64, f memory.Finding) shown {
	text := "“" + f.Quote + "”"
	if w.table {
		text = w.points[f.Point] + ": " + text
	}
	if f.Claim != "" {
		text = f.Claim + "\n" + text
	}
	return shown{document: document, page: f.Page, passage: -1, text: text, quote: f.Quote}
}

// weighed is a note with what it says.
type weighed struct {
	memory.Finding
	*portion
	terms   []string // words of the claim, or of the quote where there is none
	said    map[string]bool
	figures []reading.Quantity // of the claim, or of the quote
	weight  float64
}

const (
	sameFigures = 0.5  // share of a note's words that another one has beside all of its figures, and so says the same
	sameWords   = 0.85 // and of one without figures
	moreOfOne   = 0.03 // what each further note of one part of a document, or on one cell, weighs less
)

// weigh returns the notes, the weightiest first, each thing said once. The weight is that of the words looked for, of figures and
// totals, and of what other parts of the document tell of, too; of what a part tells of much, each further note weighs less.
func (w *wholeReading) weigh() (kept []*weighed) {
	var all []*weighed
	most, parts, told := 1.0, map[*memory.Document]float64{}, map[*memory.Document]map[string]float64{}
	for _, p := range w.portions {
		if told[p.document] == nil {
			told[p.document] = map[string]float64{}
		}
		parts[p.document]++
		here := map[string]bool{}
		for n, f := range p.found {
			text := cmp.Or(f.Claim, f.Quote)
			x := &weighed{Finding: f, portion: p, terms: reading.WordTerms(text), said: reading.TermSet(f.Claim + " " + f.Quote), figures: measuresOf(text)}
			x.weight = w.asks(f) - 0.02*float64(n) + 0.04*float64(min(len(p.found), 10)) // in a part the weightiest come first; one that says little has few
			if f.Claim != "" {
				x.weight += 0.3
			}
			for _, q := range x.figures {
				if q.Currency != "" {
					most = max(most, q.Amount())
				}
			}
			all = append(all, x)
			for _, t := range x.terms {
				here[t] = true
			}
		}
		for t := range here {
			told[p.document][t]++
		}
	}
	for _, x := range all {
		sum := 0.0
		for _, t := range x.terms {
			if n := told[x.document][t]; 2*n <= parts[x.document] {
				sum += math.Sqrt((n - 1) / parts[x.document])
			}
		}
		x.weight += sum / float64(max(len(x.terms), 1))
		large := 0.4
		if len(x.figures) > 1 { // of two years, of a whole and its part
			large = 0.5
		}
		for _, q := range x.figures {
			if q.Currency != "" {
				large = max(large, 0.6+0.2*math.Log10(q.Amount()/most))
			}
		}
		x.weight += large
	}
	byWeight := func(a, b *weighed) int { return cmp.Compare(b.weight, a.weight) }
	slices.SortStableFunc(all, byWeight)
	before := map[any]float64{}
	for _, x := range all {
		if at := slices.IndexFunc(kept, x.repeats); at >= 0 {
			kept[at].weight += 0.1
			continue
		}
		var of any = x.portion
		if w.table {
			of = cell{x.document.ID, x.Point}
		}
		x.weight -= moreOfOne * before[of]
		before[of]++
		kept = append(kept, x)
	}
	slices.SortStableFunc(kept, byWeight)
	return kept
}

// asks is how much of what was looked for a note has.
func (w wish) asks(f memory.Finding) float64 {
	text := f.Claim + " " + f.Quote
	total := reading.HasPhrase(text, totals)
	if len(w.points) == 0 || !w.table && w.points[0] == dangers {
		if total {
			return 0.3
		}
		return 0
	}
	has := reading.Coverage(reading.ContentTerms(w.points[f.Point]), text)
	if has > 0 && total {
		has++
	}
	return 2 * has
}

// repeats reports whether another note has all of a note's figures and most of its words.
func (x *weighed) repeats(o *weighed) bool {
	if x.document != o.document || x.Point != o.Point {
		return false
	}
	n := 0
	for _, t := range x.terms {
		if o.said[t] {
			n++
		}
	}
	least := sameWords
	if len(x.figures) > 0 {
		least = sameFigures
	}
	return float64(n) >= least*float64(len(x.terms)) && !slices.ContainsFunc(x.figures, func(q reading.Quantity) bool {
		return !slices.ContainsFunc(o.figures, func(v reading.Quantity) bool { return q.Fits(v, -1) || v.Fits(q, -1) })
	})
}

// measuresOf are the figures of a text that are values.
func measuresOf(text string) []reading.Quantity {
	_, all := reading.Quantities(text)
	return slices.DeleteFunc(all, func(q reading.Quantity) bool { return !q.Measures() })
}
