package claims

import (
	"slices"
	"strings"

	"threadkeeper/memory/reading"
)

// A reader of the pages may settle a claim that the rules leave unchecked, or dispute one that they verified. What it quotes is compared here.

// Heads are the heads of a table's row, or the heading above a sentence; "" for none.
func (c *Claim) Heads() string {
	if c.cells != nil {
		return strings.Join(c.cells, " | ")
	}
	return c.context
}

// Counts reports whether a claim has a number that is more than a count in words.
func (c *Claim) Counts() bool { return slices.ContainsFunc(c.numbers, reading.Quantity.Measures) }

// Invented reports whether a claim is contradicted for nothing but that the words it cites stand nowhere: its own may be right.
func (c *Claim) Invented() bool { return c.Outcome == Contradicted && c.Reason.Cause == Invented }

// Support makes an unchecked claim, or one that cites invented words, verified by places, which it then cites too, unless the rules find something else there,
// or a number of it stands neither on their pages, nor on those it cites, nor in the request, and is not computed from such.
func (r *Reply) Support(b *Block, c *Claim, places []Place) (bool, error) {
	with, about, err := r.citing(c, places)
	if err != nil || len(with.own) == 0 || about == 0 && !r.asks(with) {
		return false, err
	}
	with.own = append(with.own, c.own...)
	if outcome, why := r.compare(with); outcome == Contradicted && !why.doubtful() {
		return false, nil
	}
	for _, q := range c.numbers {
		if with.passes(q) || q.Name || q.Word || isCount(q) || r.repeats(with, q) || slices.ContainsFunc(with.own, func(e *evidence) bool {
			return e.page.Holds(func(v reading.Quantity) bool {
				return q.Fits(v, -1) || q.Scale > 0 && v.Bare() && q.InSomeScale(v.Digits)
			})
		}) {
			continue
		}
		if ok, _ := r.computed(with, q); !ok {
			return false, nil
		}
	}
	c.Outcome, c.Reason, c.Places = Verified, Reason{}, append(c.Places, places...)
	for _, e := range with.own[:len(with.own)-len(c.own)] {
		b.cite(c, e)
	}
	return true, nil
}

// asks reports whether what a claim cites has something of what was asked, as it has where the claim speaks of "it", or stands in
// writing that is not the claim's.
func (r *Reply) asks(c *Claim) bool {
	return slices.ContainsFunc(c.own, func(e *evidence) bool {
		in := e.passages()[0].terms
		return reading.Packed(c.Text) != reading.Packed(e.place.Quote) || slices.ContainsFunc(slices.Concat(reading.ContentTerms(r.Request), reading.ContentTerms(c.Text)), func(t string) bool { return reading.HasForm(in, t) })
	})
}

// Excuse makes an unchecked claim plain that says nothing of its own to a reader, unless it cites something, names a cause, or has a
// number: whatever a reader makes of it, that is for a page to bear out.
func (r *Reply) Excuse(c *Claim) bool {
	if c.cited || reading.HasPhrase(c.folded, causes) || slices.ContainsFunc(c.numbers, func(q reading.Quantity) bool { return !c.passes(q) && !q.Word }) {
		return false
	}
	c.Outcome, c.Reason = Plain, Reason{}
	return true
}

// causes are words behind which a cause is named: English, German, French, Spanish.
const causes = `because|due to|owing to|thanks to|driven by|caused by|led by|fuelled by|fueled by|as a result of|resulting from|attributable to|on account of` +
	`|weil|wegen|aufgrund|auf grund|infolge|dank|bedingt durch|getrieben von|verursacht durch|zuruckzufuhren auf` +
	`|parce que|en raison de|en raison des|en raison du|a cause de|a cause des|a cause du|grace a|grace aux|grace au|du fait de|du fait des|du a la|suite a|porte par|portee par` +
	`|porque|debido a|debido al|gracias a|gracias al|a causa de|a causa del|impulsado por|impulsada por|como resultado de`

// Refute makes an unchecked claim contradicted by a place, unless that says little of it, or the rules find the claim there.
func (r *Reply) Refute(c *Claim, p Place) (bool, error) {
	with, about, err := r.citing(c, []Place{p})
	if err != nil || len(with.own) == 0 || about < cover {
		return false, err
	}
	if outcome, _ := r.compare(with); outcome == Verified && len(c.numbers) > 0 {
		return false, nil
	}
	c.Outcome, c.Reason = Contradicted, Reason{Cause: Says, Words: p.Quote, Document: p.Document, Page: p.Page}
	return true, nil
}

// Dispute makes a verified claim unchecked by a place that contradicts it to a reader, unless that says little of it: the rules
// and the reader differ, so people are told to look.
func (r *Reply) Dispute(c *Claim, p Place) (bool, error) {
	with, about, err := r.citing(c, []Place{p})
	if err != nil || len(with.own) == 0 || about == 0 && (c.cited || !r.asks(with)) {
		return false, err
	}
	c.Outcome, c.Reason = Unchecked, Reason{Cause: Disputed, Words: p.Quote, Document: p.Document, Page: p.Page}
	return true, nil
}

// Miss makes a verified claim unchecked that a reader does not find on the pages it cites.
func (r *Reply) Miss(c *Claim) {
	p := c.Places[0]
	c.Outcome, c.Reason = Unchecked, Reason{Cause: Unlike, Document: p.Document, Page: p.Page}
}

// citing is a claim that cites places and nothing else, and the share of its words and numbers that they have, not counting
// synonyms: a page that tries to steer the reader has some of those by chance.
func (r *Reply) citing(c *Claim, places []Place) (with *Claim, about float64, err error) {
	of := *c
	with, of.cited, of.own, of.missing = &of, true, nil, nil
	in := map[string]bool{}
	for _, p := range places {
		page, err := r.page(p.Document, p.Page)
		if err != nil || page == nil {
			return with, 0, err
		}
		e := newEvidence(p, page)
		with.own = append(with.own, e)
		for t := range e.passages()[0].terms {
			in[t] = true
		}
	}
	terms := reading.ContentTerms(c.Text)
	return with, float64(hits(terms, in)) / float64(max(len(terms), 1)), nil
}

// cite puts a place behind a claim, beside what it cites.
func (b *Block) cite(c *Claim, e *evidence) {
	for _, m := range slices.Backward(c.marks) {
		if len(m.cites) > 0 {
			if !slices.ContainsFunc(m.found, func(o *evidence) bool { return o.place == e.place }) {
				m.found = append(m.found, e)
			}
			return
		}
	}
	m, at := &mark{cites: []cite{{}}, found: []*evidence{e}}, c.from+len(strings.TrimRight(b.skeleton[c.from:c.to], " \n|"))
	written := string(placeholder(len(b.marks)))
	if !strings.HasSuffix(b.skeleton[:at], " ") {
		written = " " + written
	}
	b.marks, c.marks = append(b.marks, m), append(c.marks, m)
	b.skeleton = b.skeleton[:at] + written + b.skeleton[at:]
	for _, o := range b.Claims {
		if o.from >= at {
			o.from += len(written)
		}
		if o.to >= at {
			o.to += len(written)
		}
	}
}
