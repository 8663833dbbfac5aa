package claims

import (
	"regexp"
	"slices"
	"strings"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// Judge says what became of each claim of a block. It waits, without a word on the block, while citations that come
// later may bear out a claim; with whole none comes.
func (r *Reply) Judge(b *Block, whole bool) (waits bool) {
	for _, c := range b.Claims {
		if c.Outcome, c.Reason = r.judge(c); !whole && (c.Outcome == Contradicted || c.Outcome == Unchecked) && c.open(len(r.evidence) > 0) {
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

// Doubt makes unchecked what is contradicted by nothing that the document says: a number that was not found, or a place
// that may speak of something else. A reply that was put right once is shown so.
func (b *Block) Doubt() {
	for _, c := range b.Claims {
		if c.Outcome == Contradicted && (c.Reason.weak || c.Reason.Cause == Nowhere || c.Reason.Cause == Elsewhere) {
			c.Outcome = Unchecked
		}
	}
}

// open reports whether later citations may still bear a claim out.
func (c *Claim) open(cited bool) bool {
	return !c.cited && (len(c.numbers) > 0 || !cited) || len(c.sums) > 0
}

// judge compares a claim with what it cites.
func (r *Reply) judge(c *Claim) (Outcome, Reason) {
	if c.plain || !c.cited && (!r.Strict && len(c.sums) == 0 || r.said(c)) {
		return Plain, Reason{}
	}
	own := c.own
	if c.cited && len(own) == 0 && len(c.missing) > 0 {
		return Contradicted, Reason{Cause: Invented, Words: c.missing[0]}
	}
	if c.cited && len(own) == 0 {
		return Contradicted, Reason{Cause: Invented, Words: c.Text}
	}
	worst, why, checked := Verified, Reason{}, 0
	take := func(o Outcome, reason Reason) {
		if o > worst {
			worst, why = o, reason
		}
	}
	for i, q := range c.numbers {
		if c.passes(i) {
			continue
		}
		if q.word && q.unit == "" {
			if q.digits == 1 {
				continue // an article, in many languages
			}
			if reason := r.miscounts(c, q); reason.Cause != NoCause {
				take(Contradicted, reason)
			}
			continue
		}
		o, reason := r.number(c, i, q)
		if o == Verified {
			checked++
		}
		take(o, reason)
	}
	if reason := r.turned(c); worst != Contradicted && reason.Cause != NoCause {
		return Contradicted, reason
	}
	if reason := r.reversed(c); worst != Contradicted && reason.Cause != NoCause {
		return Contradicted, reason
	}
	if worst == Contradicted {
		return worst, why
	}
	o, reason := r.words(c, checked)
	take(o, reason)
	if worst == Verified && len(c.missing) > 0 && checked == 0 {
		return Unchecked, Reason{Cause: Invented, Words: c.missing[0]}
	}
	return worst, why
}

// speaks reports whether a place says anything of a table's row, if the claim is one: those below a table are of any row.
func (c *Claim) speaks(e evidence) bool {
	return c.cells == nil || reading.Coverage(rank.Terms(e.place.Quote), c.context+" "+strings.Join(c.cells, " ")) > 0
}

// said reports whether a claim repeats what stands in the conversation.
func (r *Reply) said(c *Claim) bool {
	terms := reading.ContentTerms(c.Text)
	if len(terms) == 0 || len(c.own) > 0 {
		return false
	}
	for _, known := range r.Known {
		if reading.Coverage(terms, known) < alone {
			continue
		}
		_, have := quantities(known)
		if !slices.ContainsFunc(c.numbers, func(q quantity) bool {
			return !q.word && !slices.ContainsFunc(have, func(h quantity) bool { return q.fits(h, -1) == fits })
		}) && denials(c.Text)%2 == denials(known)%2 {
			return true
		}
	}
	return false
}

var (
	fromWord = regexp.MustCompile(`\b(?:from|von|de|desde) (?:[$€£¥]|eur |usd )?$`)
	toWord   = regexp.MustCompile(`^.{0,25}\b(?:to|auf|a) (?:[$€£¥]|eur |usd )?$`)
)

// reversed is what a row says whose later value a claim has change "from", to the earlier one.
func (r *Reply) reversed(c *Claim) Reason {
	for i := 1; i < len(c.numbers); i++ {
		q, p := c.numbers[i-1], c.numbers[i]
		if p.From < q.To || !fromWord.MatchString(c.folded[:q.From]) || !toWord.MatchString(c.folded[q.To:p.From]) {
			continue
		}
		for _, e := range c.own {
			for _, x := range e.rows {
				for a, u := range x.values {
					for b, v := range x.values {
						if q.fits(u, x.scale) == fits && p.fits(v, x.scale) == fits && x.yearOf(a) > x.yearOf(b) && x.yearOf(b) > 0 {
							return Reason{Cause: Says, Words: x.says(b) + "; " + x.says(a), Number: p.shown, Document: e.place.Document, Page: e.page.number}
						}
					}
				}
			}
			for _, s := range e.sentences {
				for n, v := range s.quantities() {
					if n > 0 && p.fits(s.figures[n-1], -1) == fits && q.fits(v, -1) == fits && q.fits(s.figures[n-1], -1) != fits && fromWord.MatchString(s.folded[:s.figures[n-1].From]) {
						return Reason{Cause: Says, Words: reading.Shorten(s.text, 160), Number: p.shown, Document: e.place.Document, Page: e.page.number}
					}
				}
			}
		}
	}
	return Reason{}
}

// passes reports whether number i of a claim is not one to check: the page it refers to.
func (c *Claim) passes(i int) bool {
	q := c.numbers[i]
	before := c.folded[:q.From]
	if q.mark || pageWord.MatchString(before) {
		return true
	}
	inside := slices.ContainsFunc(c.numbers[:i], func(o quantity) bool { return !o.word && q.word && o.From >= q.From && o.To <= q.To })
	if inside {
		return true
	}
	for _, s := range c.sums { // the left side of an equation is checked as operands
		if strings.Contains(c.folded, s.written) {
			if at := strings.Index(c.folded, s.written); q.From >= at && q.To <= at+len(s.written) {
				return true
			}
		}
	}
	return false
}

var pageWord = regexp.MustCompile(`(?:\b(?:pages?|pp?\.?|seiten?|s\.|paginas?|pag\.|note|notes|item|section|clause|article|artikel|abschnitt|ziffer|nr\.|no\.|exhibit|appendix|table|tabelle|figure|chapter|kapitel|footnote|step|point|part|form|articulo|clausula|seccion)|§|第) ?$`)

// number says whether a number of a claim is borne out.
func (r *Reply) number(c *Claim, i int, q quantity) (Outcome, Reason) {
	hint := Reason{}
	note := func(reason Reason) {
		if hint.Cause == NoCause || hint.weak && !reason.weak {
			hint = reason
		}
	}
	w := r.window(c, i)
	for _, own := range []bool{true, false} {
		list := c.own
		if !own {
			list = r.evidence
		}
		for _, e := range list {
			if ok, reason := r.stands(c, q, w, e); ok {
				return Verified, Reason{}
			} else if reason.Cause != NoCause && (own || !c.cited) && c.speaks(e) {
				note(reason)
			}
		}
		if own && c.multiple(q) {
			return Verified, Reason{}
		}
		if own && hint.Cause == Says && !hint.weak {
			break
		}
		if own && r.derived(c, q, &hint) {
			c.derived = true
			return Verified, Reason{}
		}
	}
	for _, a := range r.asked {
		if q.isYear() && len(c.own) > 0 && a.isYear() {
			if a.Form == q.Form && slices.ContainsFunc(c.own, func(e evidence) bool { return r.dated(q, e) }) {
				return Verified, Reason{}
			}
			continue
		}
		if a.Form == q.Form || q.fits(a, -1) == fits && a.fits(q, -1) == fits {
			return Verified, Reason{}
		}
	}
	for _, a := range r.results {
		if q.fits(a, -1) == fits || q.near(a.value(), pow(q.Scale)) {
			c.derived = true
			return Verified, Reason{}
		}
	}
	if hint.Cause != NoCause && !slices.ContainsFunc(c.own, func(e evidence) bool { return r.ends(c, q, e) }) {
		return Contradicted, hint
	}
	list := c.own
	if len(list) == 0 {
		list = r.evidence
	}
	place := Place{}
	for _, e := range list {
		place = e.place
		if q.isYear() && r.dated(q, e) || q.word && r.onPage(q, e) || q.isDate() && r.onPage(q, e) || r.ends(c, q, e) {
			return Verified, Reason{}
		}
		if r.onPage(q, e) {
			return Unchecked, Reason{Cause: Elsewhere, Number: q.shown, Document: e.place.Document, Page: e.place.Page}
		}
	}
	if q.bare() && q.Decimals == 0 && q.digits <= 12 && q.unit == "" && !q.isDate() { // a count
		if r.counted(c, q) {
			return Verified, Reason{}
		}
		return Unchecked, Reason{Cause: Elsewhere, Number: q.shown, Document: place.Document, Page: place.Page}
	}
	if !c.cited && len(c.own) == 0 {
		return Unchecked, Reason{Cause: Uncited, Number: q.shown}
	}
	if q.Name {
		return Unchecked, Reason{Cause: Nowhere, Number: q.shown, Document: place.Document, Page: place.Page}
	}
	return Contradicted, Reason{Cause: Nowhere, Number: q.shown, Document: place.Document, Page: place.Page}
}
