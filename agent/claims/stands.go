package claims

import (
	"regexp"
	"slices"
	"strings"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// window is the part of a claim that speaks of one number.
type window struct {
	before string // folded
	terms  map[string]bool
	first  map[string]bool // terms before the number
	years  []int           // of the number; none if they may be another's
	sure   bool            // the years stand with the number
	span   string          // how long a time it is of: see spanOf
	head   string          // of its column, in a table
}

// window reads what a claim says of its number i. In a table that is the name of the row and the head of the column.
func (r *Reply) window(c *Claim, i int) window {
	q := c.numbers[i]
	before, after := part(c.folded, c.numbers, i)
	head := ""
	if c.cells != nil {
		column := strings.Count(strings.TrimLeft(c.folded[:q.From], "| "), "|")
		before, after = rank.Fold(c.context)+" ", ""
		if column < len(c.cells) {
			head = rank.Fold(c.cells[column])
			before += head + " "
		}
	}
	w := window{head: head, before: before, terms: reading.TermSet(before + " " + after), first: reading.TermSet(before), span: reading.SpanOf(before + " " + after)}
	if w.years = r.respectively(c, i); w.years == nil {
		w.years = reading.YearsIn(before + " " + after)
	}
	if w.sure = len(w.years) > 0; w.sure || compares.MatchString(c.folded) {
		return w
	}
	for _, text := range []string{c.folded, rank.Fold(c.context), rank.Fold(r.Request)} {
		if w.years = reading.YearsIn(text); len(w.years) == 1 {
			return w
		} else if len(w.years) > 1 {
			break
		}
	}
	w.years = nil
	return w
}

// compares matches words that have one number of another time than the rest.
var compares = regexp.MustCompile(`\b(?:instead|statt|prior|previous(?:ly)?|earlier|ago|last year|preceding|before|from|compared|versus|vs\.?|than|against|after|vorjahr\w*|zuvor|vorher\w*|gegenuber|verglichen|von|nach|precedente?|anterior|contre|contra|frente|desde|depuis|previo)\b|前年|前期|昨年|上年`)

// joint matches what stands between the parts of a sentence that speak of one number each.
var joint = regexp.MustCompile(`[,;|()]|  |\b(?:and|or|but|while|whereas|versus|vs|against|compared|than|from|to|und|oder|aber|gegenuber|von|auf|et|ou|mais|contre|y|o|pero|bzw)\b`)

// part is the text before and behind number i as far as it speaks of that number: the text between two numbers is cut at
// its last joint; without one it is of both.
func part(folded string, numbers []reading.Quantity, i int) (before, after string) {
	q := numbers[i]
	from, to := 0, len(folded)
	for _, o := range numbers {
		if o.Measures() && o.To <= q.From && o.To > from {
			from = o.To
		}
		if o.Measures() && o.From >= q.To && o.From < to {
			to = o.From
		}
	}
	before, after = folded[from:q.From], folded[q.To:to]
	if from > 0 {
		if m := joint.FindAllStringIndex(before, -1); m != nil {
			before = before[m[len(m)-1][1]:]
		}
	}
	if to < len(folded) {
		if m := joint.FindAllStringIndex(after, -1); m != nil {
			after = after[:m[len(m)-1][0]]
		}
	}
	return before, after
}

// respectively is the year of number i where as many years and numbers stand in one order, nil if they do not.
func (r *Reply) respectively(c *Claim, i int) []int {
	if !respectly.MatchString(c.folded) {
		return nil
	}
	var data []int
	for k, q := range c.numbers {
		if q.Measures() {
			data = append(data, k)
		}
	}
	years := reading.YearsIn(c.folded)
	if at := slices.Index(data, i); at >= 0 && len(years) == len(data) {
		return years[at : at+1]
	}
	return nil
}

var respectly = regexp.MustCompile(`\b(?:respectively|bzw\.?|beziehungsweise|jeweils|respectivement|respectivamente)\b|それぞれ`)

// value is a number of a page with what the page says of it.
type value struct {
	reading.Quantity
	row      *reading.Row // the row it stands in, nil in a sentence
	column   int
	sentence *reading.Sentence
	scale    int // power of ten of its table
	years    []int
	terms    map[string]bool
}

// values are the numbers of some rows and sentences.
func (e evidence) values(rows []*reading.Row, sentences []*reading.Sentence) (all []value) {
	for _, x := range rows {
		label := reading.TermSet(x.Label)
		for i, q := range x.Values {
			v := value{Quantity: q, row: x, column: i, scale: x.Scale, terms: label}
			if i < len(x.Heads) {
				v.terms = reading.TermSet(x.Label + " " + x.Heads[i])
				if y := x.YearOf(i); y > 0 {
					v.years = []int{y}
				}
			}
			all = append(all, v)
		}
	}
	for _, s := range sentences {
		if s.InRow {
			continue
		}
		list := s.Quantities()
		opening := "" // what stands before the first number is said of the others too that have nothing before them
		for i, q := range list {
			before, after := part(s.Folded(), list, i)
			years := reading.YearsIn(before + " " + after)
			if opening == "" && q.Measures() {
				opening = before
			} else if len(rank.Terms(before)) == 0 {
				before = opening
			}
			all = append(all, value{Quantity: q, sentence: s, years: years, terms: reading.TermSet(before + " " + after)})
		}
	}
	return all
}

// head is that of a value's column, "" if it has none.
func (v value) head() string {
	if v.column < len(v.row.Heads) {
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
func (r *Reply) stands(c *Claim, q reading.Quantity, w window, e evidence) (ok bool, reason Reason) {
	says := func(v value, weak bool) Reason {
		return Reason{Cause: Says, Words: reading.Shorten(v.says(), 160), Number: q.Shown, Document: e.place.Document, Page: e.place.Page, weak: weak}
	}
	all := e.values(e.rows, e.sentences)
	if q.IsYear() || q.IsDate() {
		if slices.ContainsFunc(all, func(v value) bool { return q.Fits(v.Quantity, v.scale) }) {
			return true, reason
		}
		for _, v := range all {
			if q.Alike(v.Quantity) {
				return false, says(v, true)
			}
		}
		return false, reason
	}
	var other, off Reason
	for _, v := range all {
		switch fit := q.Fits(v.Quantity, v.scale); {
		case v.Mark && (v.row == nil || len(v.row.Values) > 1) && !(q.Bare() && q.Unit == ""):
		case !fit && off.Cause == NoCause && q.Measures() && v.Measures() && !q.Percent && !q.Points && q.InSomeScale(v.Digits) && (q.Currency == "" || v.Currency == "" || q.Currency == v.Currency):
			off = says(v, false)
		case fit:
			if v.row == nil && c.past(v, w) {
				other = says(v, false)
				continue
			}
			if o := r.meant(c, q, w, v, all, e); o != nil {
				other = says(*o, false)
				continue
			}
			return true, Reason{}
		}
	}
	switch {
	case other.Cause != NoCause:
		return false, other
	case off.Cause != NoCause:
		return false, off
	}
	kin := 0
	for _, v := range all {
		if v.row == nil && v.Measures() {
			kin++
		}
		switch {
		case reason.Cause != NoCause && (v.row == nil || !w.column(v)):
		case v.row != nil && len(e.rows) == 1 && v.row == e.rows[0] && !q.Name && named(v.row, w.terms):
			reason = says(v, true)
		case v.row == nil && q.Alike(v.Quantity) && len(c.sums) == 0 && !v.Fits(q, -1):
			reason = says(v, q.Unit != v.Unit && q.Digits != v.Digits)
		}
	}
	reason.weak = reason.weak || kin > 1 // it may be made of these
	return false, reason
}

// past reports whether a value is one that its sentence gives of an earlier time, behind the present one, where a claim
// names no time and compares nothing.
func (c *Claim) past(v value, w window) bool {
	list := slices.DeleteFunc(slices.Clone(v.sentence.Quantities()), func(q reading.Quantity) bool {
		return !q.Measures() || !q.Alike(v.Quantity) && !(q.Bare() && v.Bare() && q.Unit == v.Unit)
	})
	i := slices.IndexFunc(list, func(q reading.Quantity) bool { return q.From == v.From })
	return i > 0 && !w.sure && !compares.MatchString(c.folded) && !slices.ContainsFunc(c.numbers, func(q reading.Quantity) bool { return q.Fits(list[i-1], -1) }) &&
		earlier.MatchString(v.sentence.Folded()[max(list[i-1].To, v.From-60):v.From])
}

// meant is the value that a claim speaks of rather than of v, which it gives: the same row has another in the year or
// the column that it names, another row or part of the sentence is the one that it names. nil if v is meant.
func (r *Reply) meant(c *Claim, q reading.Quantity, w window, v value, all []value, e evidence) *value {
	if v.row != nil {
		for i := range e.page.Rows {
			if x := &e.page.Rows[i]; !slices.ContainsFunc(all, func(o value) bool { return o.row == x }) && named(x, w.first) {
				all = append(all, e.values([]*reading.Row{x}, nil)...)
			}
		}
	}
	for i := range all {
		o := &all[i]
		if (v.row == nil) != (o.row == nil) || v.row == nil && (o.Mark || !o.Alike(v.Quantity)) || !w.prefers(*o, v) || q.Fits(o.Quantity, o.scale) {
			continue
		}
		// A number that the claim gives too takes nothing away from this one, unless the two are swapped.
		k := slices.IndexFunc(c.numbers, func(n reading.Quantity) bool {
			return n.From != q.From && n.Measures() && n.Fits(o.Quantity, o.scale)
		})
		if k < 0 || r.window(c, k).prefers(v, *o) {
			return o
		}
	}
	return nil
}

// prefers reports whether a window speaks of value o and not of v.
func (w window) prefers(o, v value) bool {
	if v.row != nil && o.row == v.row {
		mine, others := v.head(), o.head()
		if w.head != "" && mine != others && (mine == w.head || others == w.head) {
			return others == w.head
		}
		mine, others = reading.SpanOf(mine), reading.SpanOf(others)
		if w.span != "" && mine != "" && others != "" && mine != others && slices.Equal(o.years, v.years) {
			return others == w.span
		}
	}
	if len(w.years) > 0 && len(o.years) > 0 && len(v.years) > 0 {
		mine, others := slices.ContainsFunc(v.years, w.in), slices.ContainsFunc(o.years, w.in)
		if o.row == v.row && mine != others {
			return others
		}
	}
	if v.row != nil && o.row != v.row {
		return named(o.row, w.terms) && !named(v.row, w.terms) && (named(o.row, w.first) || strings.Contains(w.before, rank.Fold(o.row.Label))) &&
			lastOf(w.before, o.row.Terms) >= lastOf(w.before, v.row.Terms) && (len(v.years) == 0 || slices.Equal(o.years, v.years))
	}
	theirs, mine := without(o.terms, v.terms), without(v.terms, o.terms)
	if v.row != nil {
		return len(theirs) > 0 && hits(theirs, w.terms) == len(theirs) && hits(mine, w.terms) < max(len(mine), 1)
	}
	held := func(t string) bool { return holds(w.terms, t) }
	return len(mine) > 0 && slices.ContainsFunc(theirs, held) && !slices.ContainsFunc(mine, held)
}

// column reports whether a window names the column of a value.
func (w window) column(v value) bool {
	return w.head != "" && v.head() == w.head || len(w.years) > 0 && slices.ContainsFunc(v.years, w.in)
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

// near reports whether a number stands on a page beside words that are said of it in a claim, and whether it stands
// there at all.
func near(p *reading.Page, q reading.Quantity, w window) (near, there bool) {
	for i := range p.Rows {
		for _, v := range p.Rows[i].Values {
			if q.Fits(v, p.Rows[i].Scale) && !v.Mark {
				there = true
				near = near || named(&p.Rows[i], w.terms)
			}
		}
	}
	for i := range p.Sentences {
		s := &p.Sentences[i]
		for _, v := range s.Quantities() {
			if q.Fits(v, 0) && !v.Mark {
				there = true
				near = near || !s.InRow && slices.ContainsFunc(without(w.terms, nil), func(t string) bool { return holds(s.Terms(), t) })
			}
		}
	}
	return near, there
}

// named reports whether all words of a row's label stand in a window.
func named(x *reading.Row, terms map[string]bool) bool {
	return len(x.Terms) > 0 && hits(x.Terms, terms) == len(x.Terms)
}

// lastOf is where the last of some terms stands in a text, -1 for nowhere.
func lastOf(text string, terms []string) (at int) {
	at = -1
	for _, t := range terms {
		at = max(at, strings.LastIndex(text, t))
	}
	return at
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
