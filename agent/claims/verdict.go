package claims

import (
	"regexp"
	"slices"
	"strings"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// Judge determines the outcome of each claim of a block. It waits, returning nothing, while later citations may
// still support a claim; with whole there are none.
func (r *Reply) Judge(b *Block, whole bool) (waits bool) {
	for _, c := range b.Claims {
		if c.Outcome, c.Reason = r.judge(c); !whole && c.Outcome >= Unchecked && r.open(c, b) {
			waits = true
		}
	}
	if waits {
		for _, c := range b.Claims {
			c.Outcome, c.Reason = Plain, Reason{}
		}
	}
	return waits
}

// Doubt makes a claim unchecked if nothing in the document contradicts it: a number that was not found, or a place
// that may be about something else. A reply that was corrected once is shown so.
func (b *Block) Doubt() {
	for _, c := range b.Claims {
		if c.Outcome == Contradicted && (c.Reason.weak || c.Reason.Cause == Nowhere || c.Reason.Cause == Elsewhere) {
			c.Outcome = Unchecked
		}
	}
}

// open reports whether later citations may still bear a claim out: those of the list or table below it too.
func (r *Reply) open(c *Claim, b *Block) bool {
	return !c.cited && (len(c.numbers) > 0 || len(r.evidence) == 0 || r.leads(b)) || len(c.sums) > 0 && c.Reason.Cause == Nowhere
}

// leads reports whether a block stands above a list or a table that may not have ended.
func (r *Reply) leads(b *Block) bool {
	i := slices.Index(r.blocks, b)
	return !b.item && !b.table && !slices.ContainsFunc(r.blocks[i+1:], func(x *Block) bool { return !x.item && !x.table })
}

// judge compares a claim with its cited places: its numbers, then its words.
func (r *Reply) judge(c *Claim) (Outcome, Reason) {
	switch {
	case c.plain || !c.cited && r.said(c):
		return Plain, Reason{}
	case !c.cited && !r.Strict: // its operands are in no document: only the sum is checked
		for _, s := range c.sums {
			if !slices.ContainsFunc(c.numbers, s.gives) {
				return Contradicted, s.reason(c.Text)
			}
		}
		return Plain, Reason{}
	case c.cited && len(c.own) == 0 && len(c.missing) > 0:
		if c.told() { // the quote is in other words, the claim may be right
			return Unchecked, Reason{Cause: Unlike}
		}
		return Contradicted, Reason{Cause: Invented, Words: c.missing[0]}
	case c.cited && len(c.own) == 0: // a page that does not exist
		return Unchecked, Reason{Cause: Uncited}
	}
	worst, why, borne := Verified, Reason{}, 0
	for i := range c.numbers {
		if c.passes(i) {
			continue
		}
		outcome, reason := r.number(c, i)
		if q := c.numbers[i]; outcome == Verified && q.Measures() {
			borne++
		}
		if outcome > worst {
			worst, why = outcome, reason
		}
	}
	if worst == Contradicted {
		return worst, why
	}
	if outcome, reason := r.words(c, borne); outcome > worst {
		worst, why = outcome, reason
	}
	return worst, why
}

// told reports whether a page that a claim cites with words it does not have may say the same: it has the claim's numbers, and
// most of its words.
func (c *Claim) told() bool {
	terms := reading.WordTerms(c.Text)
	return slices.ContainsFunc(c.marks, func(m *mark) bool {
		return slices.ContainsFunc(m.instead, func(e *evidence) bool {
			return c.held(e.page) == 1 && reading.Coverage(terms, e.page.Text) >= alone
		})
	})
}

// said reports whether a claim repeats something from the conversation.
func (r *Reply) said(c *Claim) bool {
	terms := reading.ContentTerms(c.Text)
	if len(terms) == 0 || len(c.own) > 0 {
		return false
	}
	return slices.ContainsFunc(r.Known, func(known string) bool {
		_, have := reading.Quantities(known)
		return reading.Coverage(terms, known) >= alone && reading.Negated(c.Text) == reading.Negated(known) && !slices.ContainsFunc(c.numbers, func(q reading.Quantity) bool {
			return !q.Word && !slices.ContainsFunc(have, func(h reading.Quantity) bool { return q.Fits(h, -1) })
		})
	})
}

// passes reports whether number i of a claim is not one to check: the page it refers to, an article, the left side of
// an equation.
func (c *Claim) passes(i int) bool {
	q := c.numbers[i]
	if q.Mark || q.Shown == "m2" || q.Shown == "m3" || pageWord.MatchString(c.folded[:q.From]) {
		return true
	}
	return slices.ContainsFunc(c.sums, func(s sum) bool {
		at := strings.Index(c.folded, s.written)
		return at >= 0 && q.From >= at && q.To <= at+len(s.written)
	})
}

var pageWord = regexp.MustCompile(`(?:\b(?:pages?|pp?\.?|seiten?|s\.|paginas?|pag\.|note|notes|item|section|clause|article|artikel|abschnitt|ziffer|nr\.|no\.|exhibit|appendix|table|tabelle|figure|chapter|kapitel|footnote|step|point|part|form|articulo|clausula|seccion)|§|第) ?$`)

// number says whether number i of a claim is borne out: by what the claim cites, a computation, the request, or what
// the rest of the reply cites.
func (r *Reply) number(c *Claim, i int) (Outcome, Reason) {
	q, w := c.numbers[i], r.window(c, i)
	if slices.ContainsFunc(c.sums, func(s sum) bool { return !s.uses(q) && s.gives(q) && r.unknown(s) == "" }) {
		r.results = append(r.results, q)
		return Verified, Reason{}
	}
	hint := Reason{}
	for _, e := range c.own {
		if q.Name && strings.Contains(rank.Fold(e.place.Quote), q.Shown) {
			return Verified, Reason{}
		}
		ok, reason := r.stands(c, q, w, e)
		if ok {
			return Verified, Reason{}
		}
		if e.whole && reason.Cause != NoCause {
			if near, _ := near(e.page, q, w, e); near {
				return Verified, Reason{}
			}
		}
		if reason.Cause != NoCause && (hint.Cause == NoCause || hint.weak && !reason.weak) {
			hint = reason
		}
	}
	switch strong := hint.Cause == Says && !hint.weak; {
	case !(strong && hint.certain) && slices.ContainsFunc(c.own, func(e *evidence) bool { return e.follows(q) }):
		return Verified, Reason{}
	case hint.Cause == Elsewhere && !r.repeats(c, q):
		return Unchecked, hint
	case q.Word && q.Unit == "" && hint.Cause != Says: // only another count of the same thing contradicts a count in words
		return Verified, Reason{}
	case q.Word && q.Unit == "", strong && hint.certain && !r.repeats(c, q):
		return Contradicted, hint
	}
	ok, reason := r.computed(c, q)
	if ok || r.repeats(c, q) || slices.ContainsFunc(r.evidence, func(e *evidence) bool { ok, _ := r.stands(c, q, w, e); return ok }) {
		return Verified, Reason{}
	}
	if reason.Cause == Nowhere { // of its operands; the result is right
		return Unchecked, reason
	}
	if hint.Cause == NoCause {
		hint = reason
	}
	if hint.Cause != NoCause {
		if hint.Cause == Says && slices.ContainsFunc(c.own, func(e *evidence) bool { _, there := near(e.page, q, w, nil); return there }) && !(q.Bare() && q.Decimals == 0 && q.Digits < 10) {
			return Unchecked, Reason{Cause: Elsewhere, Number: q.Shown, Document: hint.Document, Page: hint.Page}
		}
		return Contradicted, hint
	}
	list := c.own
	if len(list) == 0 {
		list = r.evidence
	}
	hint = Reason{Cause: Nowhere, Number: q.Shown}
	for _, e := range list {
		hint.Document, hint.Page = e.place.Document, e.place.Page
		if near, there := near(e.page, q, w, nil); near && len(c.sums) == 0 || c.cells != nil && c.inOneRow(e.page, w) || (q.IsYear() || q.IsDate() || q.Word) && r.dated(q, e) {
			return Verified, Reason{}
		} else if there {
			hint.Cause = Elsewhere
			return Unchecked, hint
		}
	}
	switch {
	case !c.cited && len(c.own) == 0:
		hint.Cause = Uncited
		return Unchecked, hint
	case q.Name || q.Digits == 0 || q.IsYear() || q.IsDate() || q.Bare() && q.Decimals == 0 && q.Digits <= 12 && q.Unit == "": // no datum, a time, or a count of what is said
		return Unchecked, hint
	}
	return Contradicted, hint
}

// follows reports whether a number stands in one of the two sentences behind the cited words: a quote may end before it.
func (e *evidence) follows(q reading.Quantity) bool {
	all := e.page.Sentences
	for i := range all {
		if !slices.Contains(e.sentences, &all[i]) || all[i].InRow {
			continue
		}
		for _, s := range all[i+1 : min(i+3, len(all))] {
			if !s.InRow && slices.ContainsFunc(s.Quantities(), func(v reading.Quantity) bool { return q.Measures() && q.Fits(v, 0) && !v.Mark }) {
				return true
			}
		}
	}
	return false
}

// inOneRow reports whether the numbers of a table's row, two at least, stand in one row of a page whose name shares a word
// with a window.
func (c *Claim) inOneRow(p *reading.Page, w window) bool {
	return len(c.numbers) > 1 && slices.ContainsFunc(p.Rows, func(x reading.Row) bool {
		return shared(&x, w.terms) > 0 && !slices.ContainsFunc(c.numbers, func(q reading.Quantity) bool {
			return !strings.Contains(c.context, q.Shown) && !slices.ContainsFunc(x.Values, func(v reading.Quantity) bool { return q.Fits(v, x.Scale) })
		})
	})
}

// repeats reports whether a number is one of the request, was computed before, or is a date that was said, such as today's.
func (r *Reply) repeats(c *Claim, q reading.Quantity) bool {
	for _, a := range r.asked {
		if q.IsYear() && len(c.own) > 0 {
			if a.Form == q.Form && (isFiscal(c.Text, q) || slices.ContainsFunc(c.own, func(e *evidence) bool { return r.dated(q, e) })) {
				return true
			}
			continue
		}
		if a.Form == q.Form || q.Fits(a, -1) && a.Fits(q, -1) {
			return true
		}
	}
	return slices.ContainsFunc(r.results, func(a reading.Quantity) bool { return q.Fits(a, -1) }) ||
		q.IsDate() && slices.ContainsFunc(r.known, func(a reading.Quantity) bool { return a.Form == q.Form })
}

// isFiscal reports whether a text calls a year a fiscal one. Which days those are stands in few tables.
func isFiscal(text string, q reading.Quantity) bool {
	i := strings.Index(text, q.Shown)
	return i >= 0 && fiscal.MatchString(text[:i])
}

var fiscal = regexp.MustCompile(`(?i)\b(?:fy|fiscal(?: year)?) ?$`)

// dated reports whether a year or a date is one that a place speaks of: it stands on the page or at the document's
// beginning, or neither names a year.
func (r *Reply) dated(q reading.Quantity, e *evidence) bool {
	if _, there := near(e.page, q, window{}, nil); there {
		return true
	}
	first, _ := r.Source.Text(e.place.Document, 1) // what cannot be read is cited nowhere
	if q.IsDate() {
		_, all := reading.Quantities(first)
		return slices.ContainsFunc(all, func(d reading.Quantity) bool { return d.IsDate() && q.Fits(d, 0) })
	}
	if !q.IsYear() {
		return false
	}
	years := reading.YearsIn(rank.Fold(e.page.Text))
	return slices.Contains(years, int(q.Digits)) || len(years) == 0 && len(reading.YearsIn(rank.Fold(first))) == 0
}
