package agent

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"threadkeeper/agent/claims"
	"threadkeeper/docs"
	"threadkeeper/memory"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// A reply that stops at a contradicted block is corrected once: the model is shown its reply, the part of it that people
// have read, and the error, and returns the rest.

// wrong tells the model what stopped a reply.
func (g *gate) wrong() []string {
	b := g.queue[0]
	list := []string{"the block: " + reading.CollapseSpace(b.text)}
	for _, c := range b.block.Claims {
		if c.Outcome == claims.Contradicted {
			list = append(list, fmt.Sprintf("%q: %s", reading.Shorten(c.Text, 200), c.Reason.At(g.placeOf(c.Reason, docs.PlacesIn("en")))))
		}
	}
	return list
}

// How many tokens of documents the call that corrects a reply is shown, and of notes where it was made from these.
const (
	repairRoom = 2_500
	notesRoom  = 4_000
)

// narrow leaves of the evidence what a correction needs: the pages that contradicted claims cite, those that say otherwise,
// and what a search for the claims finds, or the notes on the pages that the rest of the reply cites.
func (r *run) narrow(ctx context.Context, queue []piece) error {
	room := r.documentRoom(repairRoom)
	if r.noted {
		room = r.documentRoom(notesRoom)
	}
	if memory.Count(strings.Join(r.evidenceTexts(), "\n")) <= room {
		return nil
	}
	before := r.evidence
	r.tooled = append(r.tooled, before...) // the answer rests on it still
	r.evidence, r.complete = nil, false
	query, pages, share := "", map[claims.Place]bool{}, 2
	if r.noted {
		share = 1
	}
	for i, p := range queue {
		for _, c := range p.claims() {
			for _, p := range c.Places {
				pages[claims.Place{Document: p.Document, Page: p.Page}] = true
			}
			if i > 0 || c.Outcome != claims.Contradicted {
				continue
			}
			query += c.Text + "\n"
			for _, p := range append(slices.Clone(c.Places), claims.Place{Document: c.Reason.Document, Page: c.Reason.Page}) {
				if p.Document < 1 || p.Document > len(r.library) || r.showsPage(r.library[p.Document-1].ID, p.Page) {
					continue
				}
				id := r.library[p.Document-1].ID
				text, err := r.page(ctx, id, p.Page)
				if err != nil {
					return err
				}
				if cost := memory.Count(text) + pageOverhead; text != "" && cost <= room*share/3 {
					r.evidence = append(r.evidence, shown{document: id, page: p.Page, text: text})
					room -= cost
				}
			}
		}
	}
	if r.noted {
		for _, s := range before {
			n := 1 + slices.IndexFunc(r.library, func(d *memory.Document) bool { return d.ID == s.document })
			if cost := memory.Count(s.text) + pageOverhead; cost <= room && pages[claims.Place{Document: n, Page: s.page}] && !r.showsPage(s.document, s.page) {
				r.evidence, room = append(r.evidence, s), room-cost
			}
		}
	} else {
		found, err := r.searchIn(ctx, reading.Shorten(query, 600), r.library, searchDepth)
		if err != nil {
			return err
		}
		if err := r.addBest(ctx, found, room); err != nil {
			return err
		}
	}
	if r.sortEvidence(); len(r.evidence) == 0 {
		r.evidence = before
	}
	return nil
}

// goOn returns the gate of the reply that corrects this one. Its output follows the released text.
func (g *gate) goOn() (*gate, error) {
	next := g.run.newGate(g.ctx)
	next.again, next.leaving, next.decided = true, true, true
	next.untrusted, next.strict = g.untrusted, g.strict
	next.released.WriteString(g.released.String())
	next.all.WriteString(g.all.String())
	next.long, next.shown, next.cited, next.checks, next.replaced = g.long, slices.Clone(g.shown), slices.Clone(g.cited), g.checks, slices.Clone(g.replaced)
	next.unproven, next.said = slices.Clone(g.unproven), slices.Clone(g.said)
	next.check = g.check.Again()
	next.check.Source = next.source()
	maps.Copy(next.found, g.found)
	for _, text := range g.passed { // cited numbers may be used in computations
		b, err := next.check.Add(text)
		if err != nil {
			return nil, err
		}
		next.check.Judge(b, true)
	}
	return next, nil
}

func (g *gate) leaveRest() error {
	g.stopped, g.leaving = false, true
	return g.advance(true)
}

// missing records the contradicted claims of a block that no claim of the correction stands for.
func (g *gate) missing(b *claims.Block) {
	g.corrects = true
	for _, c := range b.Claims {
		if c.Outcome == claims.Contradicted && !g.madeGood(c.Text) {
			g.leaveOut(c)
		}
	}
}

// madeGood reports whether a correction shows a claim in place of one that was left out: of the same words and years,
// whatever its figures, or all of its figures.
func (g *gate) madeGood(text string) bool {
	terms, years := reading.WordTerms(text), reading.YearsIn(rank.Fold(text))
	return g.corrects && (showsFigures(g.stands, text) || len(terms) > 0 && slices.ContainsFunc(g.stands, func(said string) bool {
		shown := reading.YearsIn(rank.Fold(said))
		return reading.Coverage(terms, said) >= 0.6 && !slices.ContainsFunc(years, func(y int) bool { return !slices.Contains(shown, y) })
	}))
}

// showsFigures reports whether all figures of a text, two at least, stand in claims.
func showsFigures(stands []string, text string) bool {
	figures := func(text string) []reading.Quantity {
		_, all := reading.Quantities(text)
		return slices.DeleteFunc(all, func(q reading.Quantity) bool { return !q.Measures() })
	}
	want, have := figures(text), figures(strings.Join(stands, "\n"))
	return len(want) > 1 && !slices.ContainsFunc(want, func(q reading.Quantity) bool {
		return !slices.ContainsFunc(have, func(h reading.Quantity) bool { return q.Fits(h, -1) })
	})
}

// footnotes are the lines below an answer: why it ends, what is not checked, what is left out.
func (g *gate) footnotes(failure error) (lines []string) {
	say := g.run.say
	switch {
	case failure != nil:
		lines = append(lines, say.stopped)
	case g.long:
		lines = append(lines, say.cutShort)
	}
	if n := g.checks.Unchecked; n > 0 {
		line := say.oneUnchecked
		if n > 1 {
			line = fmt.Sprintf(say.manyUnchecked, n)
		}
		if n := g.inventedQuotes(); n > 0 {
			line += " " + fmt.Sprintf(say.inventedToo, n)
		}
		lines = append(lines, line+g.namesUnproven())
	}
	if line := g.leftOut(); line != "" {
		lines = append(lines, line)
	}
	return lines
}

// inventedQuotes is how many statements are shown, unchecked, that quote words which are not in the document.
func (g *gate) inventedQuotes() (n int) {
	for _, p := range g.said {
		for _, c := range p.claims() {
			if c.Outcome == claims.Unchecked && c.Reason.Cause == claims.Invented {
				n++
			}
		}
	}
	return n
}

// namesUnproven names, behind the line that counts them, the statements of a draft that could not be checked: it has no marks.
func (g *gate) namesUnproven() string {
	if !g.isDraft() || len(g.unproven) == 0 {
		return ""
	}
	var all []string
	for _, text := range g.unproven[:min(len(g.unproven), reasonsShown)] {
		all = append(all, "“"+g.clean(reading.Shorten(reading.CollapseSpace(text), 100), nil)+"”")
	}
	if len(g.unproven) > reasonsShown {
		all = append(all, "…")
	}
	return " " + strings.Join(all, " ")
}

// marks matches what we set below and behind statements, in every language.
var marks = sync.OnceValue(func() *reading.Regexp {
	var forms []string
	line := strings.NewReplacer("%d", `\d+`, "%s", `.*`)
	for _, p := range phrasesIn {
		forms = append(forms, ` ?`+regexp.QuoteMeta(p.unchecked), ` ?`+line.Replace(regexp.QuoteMeta(p.uncheckedRun)))
		for _, form := range []string{p.oneUnchecked, p.manyUnchecked, p.oneLeftOut, p.manyLeftOut, p.inventedToo} {
			forms = append(forms, `\s*`+line.Replace(regexp.QuoteMeta(form))+`(?: “[^\n]*)?`)
		}
	}
	return reading.Lazy(strings.Join(forms, "|"))
})

// markOf is the mark behind n statements that follow each other: all marks of an answer add up to the count below it.
func (p *phrases) markOf(n int) string {
	if n == 1 {
		return p.unchecked
	}
	return fmt.Sprintf(p.uncheckedRun, n)
}

// uncheckedBehind matches the mark of a statement that is not checked, in every language, at the beginning of a text.
var uncheckedBehind = sync.OnceValue(func() *reading.Regexp {
	var forms []string
	for _, p := range phrasesIn {
		forms = append(forms, regexp.QuoteMeta(p.unchecked), strings.Replace(regexp.QuoteMeta(p.uncheckedRun), "%d", `\d+`, 1))
	}
	return reading.Lazy(`^(?:` + strings.Join(forms, "|") + `)\s*`)
})

// withoutMarks is an answer of ours without what says how it was checked.
func withoutMarks(text string) string { return marks().ReplaceAllString(text, "") }

const reasonsShown = 3

// leftOut says how many statements are not shown, and why; "" for none. What a correction made good is no loss.
func (g *gate) leftOut() string {
	lost := slices.DeleteFunc(slices.Clone(g.checks.LeftOut), func(l memory.LeftOut) bool { return g.madeGood(l.Text) })
	n := len(lost)
	if n == 0 {
		return ""
	}
	var why []string
	for _, l := range lost {
		if !slices.Contains(why, l.Reason) && len(why) < reasonsShown {
			why = append(why, l.Reason)
		}
	}
	if n == 1 {
		return fmt.Sprintf(g.run.say.oneLeftOut, why[0])
	}
	return fmt.Sprintf(g.run.say.manyLeftOut, n, strings.Join(why, "; "))
}
