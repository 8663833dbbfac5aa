package claims

import (
	"slices"
	"strings"

	"threadkeeper/memory/reading"
)

// Judge determines the outcome of each claim of a block. It waits, returning nothing, while later citations may
// still support a claim; with whole there are none.
func (r *Reply) Judge(b *Block, whole bool) (waits bool) {
	for _, c := range b.Claims {
		if c.Outcome, c.Reason = r.compare(c); !whole && c.Outcome >= Unchecked && r.open(c, b) {
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
		if c.Outcome == Contradicted && c.Reason.doubtful() {
			c.Outcome = Unchecked
		}
	}
}

// doubtful reports whether nothing contradicts a claim for certain.
func (r Reason) doubtful() bool { return r.weak || r.Cause == Nowhere || r.Cause == Elsewhere }

// open reports whether later citations may still bear a claim out: those of the list or table below it too.
func (r *Reply) open(c *Claim, b *Block) bool {
	i := slices.Index(r.blocks, b)
	leads := !b.item && !b.table && !slices.ContainsFunc(r.blocks[i+1:], func(x *Block) bool { return !x.item && !x.table })
	return !c.cited && (len(c.numbers) > 0 || len(r.evidence) == 0 || leads) || len(c.sums) > 0 && c.Reason.Cause == Nowhere
}

// compare compares a claim with its cited places: its numbers, then its words.
func (r *Reply) compare(c *Claim) (Outcome, Reason) {
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
		return c.invented()
	case len(c.numbers) > mostNumbers:
		return Unchecked, Reason{Cause: Unlike}
	case c.cited && len(c.own) == 0: // a page that does not exist
		return Unchecked, Reason{Cause: Uncited}
	}
	worst, why, borne := Verified, Reason{}, 0
	for i, q := range c.numbers {
		if c.passes(q) {
			continue
		}
		outcome, reason := r.number(c, i)
		if outcome == Verified && q.Measures() {
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

// invented says which words of a citation do not stand in the document, and where they were said to stand. If that page has nearly
// all words of the claim, and its numbers, the quote may be in other words.
func (c *Claim) invented() (Outcome, Reason) {
	outcome, reason := Contradicted, Reason{Cause: Invented, Words: c.missing[0]}
	for _, m := range c.marks {
		for _, e := range m.instead {
			if reason.Page == 0 {
				reason.Document, reason.Page = e.place.Document, e.place.Page
			}
			if (!c.Counts() || c.held(e.page) == 1) && shareOf(reading.WordTerms(c.folded), reading.TermSet(e.page.Text)) >= certainly {
				outcome = Unchecked
			}
		}
	}
	return outcome, reason
}

// mostNumbers is how many numbers a claim has that is judged: of each all others are looked at.
const mostNumbers = 150

// said reports whether a claim repeats something from the conversation.
func (r *Reply) said(c *Claim) bool {
	terms := reading.ContentTerms(c.Text)
	return len(terms) > 0 && len(c.own) == 0 && slices.ContainsFunc(r.Known, func(known string) bool {
		if reading.Coverage(terms, known) < alone || reading.Negated(c.Text) != reading.Negated(known) {
			return false
		}
		_, have := reading.Quantities(known)
		return !slices.ContainsFunc(c.numbers, func(q reading.Quantity) bool {
			return !q.Word && !slices.ContainsFunc(have, func(h reading.Quantity) bool { return q.Fits(h, -1) })
		})
	})
}

// passes reports whether a number of a claim is not one to check: the page it refers to, an article, the left side of
// an equation.
func (c *Claim) passes(q reading.Quantity) bool {
	return q.Mark || q.Shown == "m2" || q.Shown == "m3" || pageWord.MatchString(c.folded[max(0, q.From-besideNumber):q.From]) || slices.ContainsFunc(c.sums, func(s sum) bool {
		at := strings.Index(c.folded, s.written)
		return at >= 0 && q.From >= at && q.To <= at+len(s.written)
	})
}

// besideNumber is how many bytes in front of a number are looked at: more would make a long text cost its square.
const besideNumber = 60

var pageWord = reading.Lazy(`(?:\b(?:pages?|pp?\.?|seiten?|s\.|paginas?|pag\.|note|notes|item|section|clause|article|artikel|abschnitt|ziffer|nr\.|no\.|exhibit|appendix|table|tabelle|figure|chapter|kapitel|footnote|step|point|part|form|articulo|clausula|seccion)|§|第) ?$`)

// number says whether number i of a claim is borne out: by what the claim cites, a computation, the request, or what
// the rest of the reply cites.
func (r *Reply) number(c *Claim, i int) (Outcome, Reason) {
	q, w := c.numbers[i], r.window(c, i)
	hint := Reason{}
	for _, e := range c.own {
		ok, reason := r.stands(c, q, w, e)
		if ok {
			return Verified, Reason{}
		}
		if reason.Cause != NoCause && (hint.Cause == NoCause || hint.weak && !reason.weak) {
			hint = reason
		}
	}
	count, repeated := q.Word && q.Unit == "", r.repeats(c, q)
	switch {
	case hint.Cause == Elsewhere && !repeated:
		return Unchecked, hint
	case count && hint.Cause != Says: // only another count of the same thing contradicts a count in words
		return Verified, Reason{}
	case count, hint.Cause == Says && hint.certain && !repeated:
		return Contradicted, hint
	}
	ok, reason := r.computed(c, q)
	if ok || repeated || slices.ContainsFunc(r.evidence, func(e *evidence) bool { ok, _ := r.stands(c, q, w, e); return ok }) {
		return Verified, Reason{}
	}
	if reason.Cause == Nowhere { // of its operands; the result is right
		return Unchecked, reason
	}
	if hint.Cause == NoCause {
		hint = reason
	}
	list := c.own
	if len(list) == 0 {
		list = r.evidence
	}
	for _, e := range list {
		beside, there := near(e.page, q, w)
		elsewhere := Reason{Cause: Elsewhere, Number: q.Shown, Document: e.place.Document, Page: e.place.Page}
		switch {
		case hint.Cause == Says && there && !(q.Bare() && q.Decimals == 0 && q.Digits < 10): // a small number stands on many pages by chance
			return Unchecked, elsewhere
		case hint.Cause != NoCause:
		case beside && len(c.sums) == 0, (q.IsYear() || q.IsDate() || q.Word) && there:
			return Verified, Reason{}
		case there:
			return Unchecked, elsewhere
		}
	}
	switch {
	case hint.Cause != NoCause:
		return Contradicted, hint
	case !c.cited && len(c.own) == 0:
		return Unchecked, Reason{Cause: Uncited, Number: q.Shown}
	}
	hint = Reason{Cause: Nowhere, Number: q.Shown}
	if len(list) > 0 {
		hint.Document, hint.Page = list[0].place.Document, list[0].place.Page
	}
	if q.Name || q.Word || q.Digits == 0 || q.IsYear() || q.IsDate() || isCount(q) { // no datum, a time, or a count of what is said
		return Unchecked, hint
	}
	return Contradicted, hint
}

// repeats reports whether a number is one of the request, or is a date that was said, such as today's. Beside a citation, a year is
// for the cited place to bear out.
func (r *Reply) repeats(c *Claim, q reading.Quantity) bool {
	same := func(a reading.Quantity) bool { return a.Form == q.Form || q.Fits(a, -1) && a.Fits(q, -1) }
	return slices.ContainsFunc(r.asked, same) && (!q.IsYear() || len(c.own) == 0) || q.IsDate() && slices.ContainsFunc(r.known(), same)
}
