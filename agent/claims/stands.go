package claims

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// window is the part of a claim that is about one number.
type window struct {
	terms  map[string]bool
	first  map[string]bool // terms before the number
	years  []int           // of the number; none if they may be another's
	sure   bool            // the years are given with the number
	fiscal bool            // they are called fiscal ones
	span   string          // how long a time it is of: see reading.SpanOf
	head   string          // of its column, in a table
	all    map[string]bool // its terms
}

// window reads what a claim says of its number i. In a table that is the name of the row and the head of the column.
func (r *Reply) window(c *Claim, i int) window {
	w := window{all: reading.TermSet(c.folded + " " + c.context)}
	w.fiscal = fiscalYear.MatchString(c.folded + " " + rank.Fold(c.context+" "+r.Request))
	before, after := part(c.folded, c.numbers, i)
	if c.cells != nil {
		if column := columnOf(c.folded, c.numbers[i]); column < len(c.cells) {
			w.head = rank.Fold(c.cells[column])
		}
		before, after = rank.Fold(c.context)+" "+w.head, ""
	}
	around := before + " " + after
	w.terms, w.first, w.span = reading.TermSet(around), reading.TermSet(before), reading.SpanOf(around)
	w.years = reading.YearsIn(around)
	if w.sure = len(w.years) > 0; w.sure || compares.MatchString(c.folded) {
		return w
	}
	for _, text := range []string{c.folded, rank.Fold(c.context), rank.Fold(r.Request)} {
		if years := reading.YearsIn(text); len(years) == 1 {
			w.years = years
		} else if len(years) == 0 {
			continue
		}
		break
	}
	return w
}

// fiscalYear matches words for a fiscal year, on folded text.
var fiscalYear = regexp.MustCompile(`\b(?:fy ?'?\d|fiscal|geschaftsjahr|exercice|ejercicio)`)

// yearEnd matches the last day of a fiscal year that some call by the year before: "fiscal 2022" may end on January 28, 2023.
var yearEnd = regexp.MustCompile(`(?i)\b(?:january|jan\.?|february|feb\.?) \d{1,2},? (20\d\d)\b`)

// on is the window as a page may mean its years.
func (w window) on(p *reading.Page) window {
	if !w.fiscal || len(w.years) == 0 {
		return w
	}
	years := slices.Clone(w.years)
	for _, m := range yearEnd.FindAllStringSubmatch(p.Text, -1) {
		end, _ := strconv.Atoi(m[1]) // digits by the pattern
		if slices.Contains(w.years, end-1) && !slices.Contains(years, end) {
			years = append(years, end)
		}
	}
	w.years = years
	return w
}

// columnOf returns the column of a number in a table's row.
func columnOf(row string, q reading.Quantity) int {
	return strings.Count(strings.TrimLeft(row[:q.From], "| "), "|")
}

// compares matches words that have one number of another time than the rest.
var compares = regexp.MustCompile(`\b(?:instead|statt|prior|previous(?:ly)?|earlier|ago|last year|preceding|before|from|compared|versus|vs\.?|than|against|after|vorjahr\w*|zuvor|vorher\w*|gegenuber|verglichen|von|nach|precedente?|anterior|contre|contra|frente|desde|depuis|previo)\b|前年|前期|昨年|上年`)

// joint matches the text between parts of a sentence that are about one number each.
var joint = regexp.MustCompile(`[,;|()]|  |\b(?:and|or|but|while|whereas|versus|vs|against|compared|than|from|to|und|oder|aber|gegenuber|von|auf|et|ou|mais|contre|y|o|pero|bzw)\b`)

// than matches words that a second value follows.
var than = regexp.MustCompile(`\b(?:than|compared|versus|vs|gegenuber|verglichen|contre|contra|frente a)\b`)

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
	bracket := strings.HasSuffix(strings.TrimRight(before, "$€£¥-−–+ "), "(")
	if bracket { // what stands in it is about the words before it
		before, after = strings.TrimRight(before, "($€£¥-−–+ "), strings.TrimLeft(after, "%) ")
	}
	if m := than.FindStringIndex(after); m != nil { // it is compared with what follows
		after = after[:m[0]]
	}
	if from > 0 {
		if m := joint.FindAllStringIndex(before, -1); m != nil {
			before = before[m[len(m)-1][1]:]
		}
	}
	if to < len(folded) {
		if m := joint.FindAllStringIndex(after, -1); m != nil {
			cut := m[len(m)-1]
			if bracket {
				cut = m[0]
			}
			after = after[:cut[0]]
		}
	}
	return before, after
}

// value is a number of a page with what the page says of it.
type value struct {
	reading.Quantity
	row      *reading.Row // its row, nil in a sentence
	column   int
	sentence *reading.Sentence
	scale    int // power of ten of its table
	years    []int
	terms    map[string]bool
	subject  []string // terms before it in its part of a sentence
}

// values are the numbers of some rows and sentences.
func (e *evidence) values(rows []*reading.Row, sentences []*reading.Sentence) (all []value) {
	for _, x := range rows {
		label := reading.TermSet(x.Label)
		for i, q := range x.Values {
			v := value{Quantity: q, row: x, column: i, scale: x.Scale, terms: label}
			if q.Decimals == 2 {
				v.scale = -1 // an amount per share stands in a table in millions too
			}
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
		for _, q := range reading.Fractions(s.Folded()) {
			all = append(all, value{Quantity: q, sentence: s, terms: s.Terms()})
		}
		opening := "" // what stands before the first number is said of the others too that have nothing before them
		for i, q := range list {
			before, after := part(s.Folded(), list, i)
			years := reading.YearsIn(before + " " + after)
			if opening == "" && q.Measures() {
				opening = before
			} else if len(rank.Terms(before)) == 0 {
				before = opening
			}
			v := value{Quantity: q, sentence: s, years: years, terms: reading.TermSet(before + " " + after), subject: rank.Terms(before)}
			all = append(all, v)
		}
	}
	return all
}

// head is that of a value's column, "" if it has none, as in a sentence.
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
	says := func(v value, weak bool) Reason {
		return Reason{Cause: Says, Words: reading.Shorten(v.says(), 160), Number: q.Shown, Document: e.place.Document, Page: e.place.Page, weak: weak}
	}
	w = w.on(e.page)
	all := e.values(e.rows, e.sentences)
	if q.IsYear() || q.IsDate() {
		for _, v := range all {
			if q.Fits(v.Quantity, v.scale) {
				return true, Reason{}
			} else if reason.Cause == NoCause && q.Alike(v.Quantity) && !c.names(v) {
				reason = says(v, true)
			}
		}
		return false, reason
	}
	var other, off, kin Reason
	alike := 0
	for _, v := range all {
		if v.row == nil && v.Measures() {
			alike++
		}
		switch {
		case q.Fits(v.Quantity, v.scale):
			meant := r.meant(c, q, w, v, all, e)
			if v.row == nil && c.past(v, w) {
				meant = &v
			}
			if meant == nil {
				return true, Reason{}
			}
			if other = says(*meant, false); v.row == nil && !c.names(*meant) && !w.prefersYear(*meant, v) {
				other.Cause = Elsewhere // in a sentence it is seldom certain what a number refers to
			}
		case off.Cause == NoCause && q.Measures() && v.Measures() && !q.Percent && !q.Points && q.InSomeScale(v.Digits):
			if off = says(v, false); v.row == nil && v.Scale == 0 {
				off.Cause = Elsewhere // whole filings are in millions, their sentences too
			}
		case v.row != nil && (kin.Cause == NoCause || w.column(v)) && len(e.rows) == 1 && !(q.Percent && !v.Percent && v.Digits > 100) && !q.Name && !q.Word && !c.names(v) && named(v.row, w.terms):
			kin = says(v, true)
		case v.row == nil && kin.Cause == NoCause && q.Digits > 0 && q.Alike(v.Quantity) && len(c.sums) == 0:
			kin = says(v, q.Unit != v.Unit && q.Digits != v.Digits)
		}
	}
	kin.weak = kin.weak || alike > 1 // it may be made of these
	for _, reason := range []Reason{other, off} {
		if reason.Cause != NoCause {
			reason.certain = true
			return false, reason
		}
	}
	return false, kin
}

// names reports whether a number of the claim is a value of a place.
func (c *Claim) names(v value) bool {
	return slices.ContainsFunc(c.numbers, func(q reading.Quantity) bool { return q.Fits(v.Quantity, v.scale) })
}

// past reports whether a value is one that its sentence gives of an earlier time, behind the present one or as in "from 5 to
// 6", where a claim names no time and compares nothing.
func (c *Claim) past(v value, w window) bool {
	list := slices.DeleteFunc(slices.Clone(v.sentence.Quantities()), func(q reading.Quantity) bool {
		return !q.Measures() || !q.Alike(v.Quantity) && !(q.Bare() && v.Bare() && q.Unit == v.Unit)
	})
	i := slices.IndexFunc(list, func(q reading.Quantity) bool { return q.From == v.From })
	if i >= 0 && i+1 < len(list) && !compares.MatchString(c.folded) && !c.names(value{Quantity: list[i+1], scale: -1}) {
		folded := v.sentence.Folded()
		if from.MatchString(folded[max(0, v.From-besideValue):v.From]) && to.MatchString(folded[v.To:list[i+1].From]) {
			return true
		}
	}
	return i > 0 && !w.sure && !compares.MatchString(c.folded) && !slices.ContainsFunc(c.numbers, func(q reading.Quantity) bool { return q.Fits(list[i-1], -1) }) &&
		earlier.MatchString(v.sentence.Folded()[max(list[i-1].To, v.From-besideValue):v.From])
}

// besideValue is how many bytes in front of a value are looked at: more would make a long text cost its square.
const besideValue = 60

// from and to match what stands around the first of two values of which the second is the present one.
var (
	from = regexp.MustCompile(`\b(?:from|von|de|desde) [$€£¥]?$`)
	to   = regexp.MustCompile(`^(?: \pL+)? (?:to|auf|a) [$€£¥]?$`)
)

// meant is the value that a claim speaks of rather than of v, which it gives: the same row has another in the year or
// the column that it names, another row or part of the sentence is the one that it names. nil if v is meant.
func (r *Reply) meant(c *Claim, q reading.Quantity, w window, v value, all []value, e *evidence) *value {
	if v.row != nil {
		for i := range e.page.Rows {
			if x := &e.page.Rows[i]; !slices.Equal(x.Terms, v.row.Terms) && !slices.ContainsFunc(all, func(o value) bool { return o.row == x }) && named(x, w.first) {
				all = append(all, e.values([]*reading.Row{x}, nil)...)
			}
		}
	}
	for i := range all {
		o := &all[i]
		if (v.row == nil) != (o.row == nil) || v.row == nil && (o.Mark || o.Points != v.Points || !o.Alike(v.Quantity) && !counts(o.Quantity, v.Quantity)) || !w.prefers(*o, v) || q.Fits(o.Quantity, o.scale) {
			continue
		}
		// A number that the claim gives too takes nothing away from this one, unless the two are swapped.
		k := slices.IndexFunc(c.numbers, func(n reading.Quantity) bool {
			return n.From != q.From && n.Measures() && n.Fits(o.Quantity, o.scale)
		})
		if k < 0 && o.row != v.row && o.row != nil && slices.ContainsFunc(o.row.Values, func(x reading.Quantity) bool { return c.names(value{Quantity: x, scale: o.row.Scale}) }) {
			continue // it compares the rows
		}
		if k < 0 || r.window(c, k).on(e.page).prefers(v, *o) {
			return o
		}
	}
	return nil
}

// counts reports whether two are numbers that may be of the same, though no unit says so: with as many decimals, or both
// before a word or in millions.
func counts(a, b reading.Quantity) bool {
	bare := func(q reading.Quantity) bool { return !q.Percent && !q.Points && q.Currency == "" && q.Unit == "" }
	return bare(a) && bare(b) && a.Scale == b.Scale && a.Decimals == b.Decimals &&
		(a.Decimals > 0 || a.Scale > 0 || a.Noun != "" && b.Noun != "" && !a.Word && !b.Word)
}

// prefers reports whether a window speaks of value o and not of v.
func (w window) prefers(o, v value) bool {
	if o.row != v.row && o.row != nil && slices.Equal(o.row.Terms, v.row.Terms) { // in which section of the table
		theirs := reading.ContentTerms(o.row.Section)
		return len(theirs) > 0 && shareOf(theirs, w.all) == 1 && shareOf(reading.ContentTerms(v.row.Section), w.all) < 1 && slices.Equal(o.years, v.years) && v.head() == o.head()
	}
	if o.row != v.row {
		return named(o.row, w.terms) && !named(v.row, w.terms) && shared(o.row, w.terms) >= shared(v.row, w.terms) && (len(v.years) == 0 || slices.Equal(o.years, v.years))
	}
	head, other := v.head(), o.head()
	if w.head != "" && head != other && (head == w.head || other == w.head) {
		return other == w.head
	}
	span, others := reading.SpanOf(head), reading.SpanOf(other)
	if w.span != "" && span != "" && others != "" && span != others && slices.Equal(o.years, v.years) {
		return others == w.span
	}
	if w.prefersYear(o, v) || w.prefersYear(v, o) {
		return w.prefersYear(o, v)
	}
	theirs, mine := without(o.terms, v.terms), without(v.terms, o.terms)
	if v.row == nil {
		if a, b := firstBut(o.subject, v.subject), firstBut(v.subject, o.subject); a != "" && b != "" && has(w.first, a) && !holds(w.terms, b) {
			return true // "trams carried 31 million and buses 22": of buses
		}
		held := func(t string) bool { // a rise may be called growth, and what else rises too
			up, down := reading.Moves(t)
			return !up && !down && holds(w.terms, t)
		}
		return len(mine) > 0 && slices.ContainsFunc(theirs, held) && !slices.ContainsFunc(mine, held)
	}
	return len(theirs) > 0 && hits(theirs, w.terms) == len(theirs)
}

// firstBut is the first of some terms that is no number and not among others, "" for none.
func firstBut(terms, others []string) string {
	for _, t := range terms {
		if !slices.Contains(others, t) && !strings.ContainsAny(t, "0123456789") {
			return t
		}
	}
	return ""
}

// prefersYear reports whether a window names the year of o and not that of v.
func (w window) prefersYear(o, v value) bool {
	return len(v.years) > 0 && slices.ContainsFunc(o.years, w.in) && !slices.ContainsFunc(v.years, w.in)
}

// shared is how many terms of a row's label are among some terms.
func shared(x *reading.Row, terms map[string]bool) (n int) {
	for t := range reading.TermSet(x.Label) {
		if holds(terms, t) {
			n++
		}
	}
	return n
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
// there at all, but for the rows and sentences of one place.
func near(p *reading.Page, q reading.Quantity, w window, but *evidence) (near, there bool) {
	most := 0 // terms that a row shares with the window
	for _, x := range p.Rows {
		most = max(most, hits(x.Terms, w.terms))
	}
	for i := range p.Rows {
		if but != nil && slices.Contains(but.rows, &p.Rows[i]) {
			continue
		}
		for _, v := range p.Rows[i].Values {
			if q.Fits(v, p.Rows[i].Scale) && !v.Mark {
				there = true
				near = near || most > 0 && hits(p.Rows[i].Terms, w.terms) == most
			}
		}
	}
	for i := range p.Sentences {
		s := &p.Sentences[i]
		if but != nil && slices.Contains(but.sentences, s) {
			continue
		}
		for _, v := range s.Quantities() {
			if q.Fits(v, 0) && !v.Mark {
				there = true
				near = near || !s.InRow && slices.ContainsFunc(without(w.terms, nil), func(t string) bool { return holds(s.Terms(), t) })
			}
		}
	}
	return near, there
}

// named reports whether all words of a row's label are in a window.
func named(x *reading.Row, terms map[string]bool) bool {
	return len(x.Terms) > 0 && hits(x.Terms, terms) == len(x.Terms)
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
