package claims

import (
	"slices"
	"strings"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// value is a number of a page with what the page says of it.
type value struct {
	reading.Quantity
	row      *reading.Row // its row, nil in a sentence
	column   int
	sentence *reading.Sentence
	scale    int // power of ten of its table
	years    []int
	clause   string          // its part of a sentence, folded
	terms    map[string]bool // of its row's label and its column's head, or of its part of the sentence
}

// eachOf are words of a row that is of one share, room, ton or hour each, whatever scale its table has.
const eachOf = `per|rate|rates|price|prices|je|pro|preis|par|prix|por|precio`

// valuesOf are the numbers of some rows and sentences of a page. Where its captions say so, amounts in its sentences are in millions too.
func valuesOf(p *reading.Page, rows []*reading.Row, sentences []*reading.Sentence) (all []value) {
	for _, x := range rows {
		each := reading.HasPhrase(x.Label, eachOf)
		for i, q := range x.Values {
			v := value{Quantity: q, row: x, column: i, scale: x.Scale}
			v.terms = reading.TermSet(x.Label + " " + v.head())
			if q.Decimals == 2 || each {
				v.scale = -1 // an amount per share stands in a table in millions too
			}
			if y := x.YearOf(i); y > 0 {
				v.years = []int{y}
			}
			all = append(all, v)
		}
	}
	for _, s := range sentences {
		if s.InRow {
			continue
		}
		opening := "" // what stands before the first number is said of the others too that have nothing before them
		for i, q := range s.Quantities() {
			before, after := part(s.Folded(), s.Quantities(), i)
			years := reading.YearsIn(before + " " + after)
			if opening == "" && q.Measures() {
				opening = before
			} else if len(rank.Terms(before)) == 0 {
				before = opening
			}
			scale := 0
			if q.Currency != "" && q.Scale == 0 && q.Decimals == 0 {
				scale = p.Scale
			}
			all = append(all, value{Quantity: q, sentence: s, scale: scale, years: years, clause: clauseOf(before, after), terms: reading.TermSet(before + " " + after)})
		}
	}
	return all
}

// head is that of a value's column, folded, "" if it has none, as in a sentence.
func (v value) head() string {
	if v.row != nil && v.column < len(v.row.Heads) {
		return rank.Fold(v.row.Heads[v.column])
	}
	return ""
}

// says is a value in words.
func (v value) says() string {
	if v.row == nil {
		return v.sentence.Text
	}
	return v.row.Says(v.column)
}

// stands reports whether a number stands at a place as the claim says: in a row and a column it names, or in a part of
// a sentence that speaks of the same. reason is what stands there instead, as far as that is clear.
func (r *Reply) stands(c *Claim, q reading.Quantity, w window, e *evidence) (ok bool, reason Reason) {
	w = w.on(e.page)
	all := valuesOf(e.page, e.rows, e.sentences)
	var other, kin Reason // what the claim means instead; what is of the same kind
	is := func(v value, cause Cause, certain bool) Reason {
		return Reason{Cause: cause, Words: reading.Shorten(v.says(), 160), Number: q.Shown, Document: e.place.Document, Page: e.place.Page, weak: !certain, certain: certain}
	}
	for _, v := range all {
		fits := v.is(q)
		switch {
		case fits && (q.IsYear() || q.IsDate()):
			return true, Reason{}
		case fits:
			o := r.rival(c, q, w, v, all, e)
			switch {
			case o == nil && w.sure && len(v.years) > 0 && !slices.ContainsFunc(v.years, w.in):
				other = is(v, Elsewhere, true)
				continue
			case o == nil && q.Percent && (turns(w.clause, v.clause) || v.row != nil && v.below() && rises(w.clause)):
				other = is(v, Says, true)
				continue
			case o == nil:
				return true, Reason{}
			}
			other = is(*o, Says, true)
			if v.row == nil && !c.names(*o) && !w.prefersYear(*o, v) {
				other.Cause = Elsewhere // in a sentence it is seldom certain what a number refers to
			}
		case other.Cause == NoCause && q.Measures() && v.Measures() && !q.Percent && !q.Points && q.InSomeScale(v.Digits):
			if other = is(v, Says, true); v.row == nil && v.Scale == 0 {
				other.Cause = Elsewhere // whole filings are in millions, their sentences too
			}
		case kin.Cause != NoCause || c.names(v):
		case v.row != nil && q.Measures() && len(e.rows) == 1 && named(v.row, w.terms, nil):
			kin = is(v, Says, false)
		case v.row == nil && q.Alike(v.Quantity) && len(c.sums) == 0:
			kin = is(v, Says, false)
			kin.weak = q.IsYear() || q.IsDate() || q.Unit != v.Unit && q.Digits != v.Digits
		}
	}
	if other.Cause != NoCause {
		return false, other
	}
	return false, kin
}

// below reports whether a value is less than nothing.
func (v value) below() bool { return v.Negative || strings.Contains(v.Shown, ")") }

// rises reports whether a folded text has something rise, and nothing fall.
func rises(folded string) bool {
	up, down := reading.Moves(folded)
	return up && !down
}

// is reports whether a number is a value of a place. In a sentence, an amount may be meant as it stands or in the scale of its page.
func (v value) is(q reading.Quantity) bool {
	return q.Fits(v.Quantity, v.scale) || v.row == nil && q.Fits(v.Quantity, 0)
}

// names reports whether a number of the claim is a value of a place.
func (c *Claim) names(v value) bool { return slices.ContainsFunc(c.numbers, v.is) }

// rival is the value that a claim speaks of rather than of v, which it gives: the same row has another in the year or
// the column that it names, another row or part of the sentence is the one that it names. nil if v is meant.
func (r *Reply) rival(c *Claim, q reading.Quantity, w window, v value, all []value, e *evidence) *value {
	if v.row != nil {
		for i := range e.page.Rows {
			if x := &e.page.Rows[i]; !slices.ContainsFunc(all, func(o value) bool { return o.row == x }) && named(x, w.first, nil) {
				all = append(all, valuesOf(e.page, []*reading.Row{x}, nil)...)
			}
		}
	}
	for i := range all {
		o := &all[i]
		if (v.row == nil) != (o.row == nil) || v.row == nil && (o.Mark || o.Points != v.Points || !o.Alike(v.Quantity)) || !w.prefers(*o, v) || o.is(q) {
			continue
		}
		// A number that the claim gives too takes nothing away from this one, unless the two are swapped.
		k := slices.IndexFunc(c.numbers, func(n reading.Quantity) bool {
			return n.From != q.From && n.Measures() && o.is(n)
		})
		if k < 0 || r.window(c, k).on(e.page).prefers(v, *o) {
			return o
		}
	}
	return nil
}

// prefers reports whether a window speaks of value o and not of v.
func (w window) prefers(o, v value) bool {
	if o.row != v.row {
		less := hits(v.row.Terms, w.claim)
		if w.head != "" {
			less-- // the label of a table's row is the claim's words for it
		}
		return named(o.row, w.terms, nil) && !named(v.row, w.terms, w.asked) && hits(o.row.Terms, w.terms) > less && (len(v.years) == 0 || slices.Equal(o.years, v.years))
	}
	head, other := v.head(), o.head()
	if w.head != "" && head != other && (head == w.head || other == w.head) {
		return other == w.head
	}
	if w.prefersYear(o, v) || w.prefersYear(v, o) {
		return w.prefersYear(o, v)
	}
	theirs, mine := without(o.terms, v.terms), without(v.terms, o.terms)
	if v.row != nil {
		return len(theirs) > 0 && hits(theirs, w.terms) == len(theirs)
	}
	held := func(t string) bool { // a rise may be called growth, and what else rises too
		up, down := reading.Moves(t)
		return !up && !down && holds(w.terms, t)
	}
	return len(mine) > 0 && slices.ContainsFunc(theirs, held) && !slices.ContainsFunc(mine, held)
}

// prefersYear reports whether a window names the year of o and not that of v.
func (w window) prefersYear(o, v value) bool {
	return len(v.years) > 0 && slices.ContainsFunc(o.years, w.in) && !slices.ContainsFunc(v.years, w.in)
}

func (w window) in(year int) bool { return slices.Contains(w.years, year) }

// without are the terms of a set that another has not, but for numbers.
func without(set, other map[string]bool) (terms []string) {
	for t := range set {
		if !other[t] && !strings.ContainsAny(t, "0123456789") {
			terms = append(terms, t)
		}
	}
	return terms
}

// named reports whether all words of a row's label are in a window, or among more.
func named(x *reading.Row, terms, more map[string]bool) bool {
	return len(x.Terms) > 0 && !slices.ContainsFunc(x.Terms, func(t string) bool { return !terms[t] && !more[t] })
}

func hits(terms []string, in map[string]bool) int {
	n := 0
	for _, t := range terms {
		if in[t] {
			n++
		}
	}
	return n
}
