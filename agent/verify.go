package agent

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"threadkeeper/docs"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// judge checks one sentence: citations, numbers, addresses, and what must not leave. keep is
// false when it is not to be shown; why is added to the defects.
func (g *gate) judge(sentence string) (text string, keep bool, err error) {
	before := strings.Fields(g.said)
	g.said = strings.Join(before[max(0, len(before)-2*leakRun):], " ") + " " + sentence
	if leaks(g.said, systemRuns()) {
		return "", false, nil
	}
	if g.strict {
		sentence = footnote.ReplaceAllString(sentence, "")
	}
	checked, err := g.citations(sentence)
	if err != nil {
		return "", false, err
	}
	claim := marker.ReplaceAllString(sentence, "")
	switch {
	case checked.tried && len(checked.quotes) == 0:
		return g.drop("no quote in %q stands in the document", claim)
	case checked.tried:
		if wrong := g.unsupported(claim, checked); len(wrong) > 0 {
			return g.drop("%s in %q is not in the words cited", strings.Join(wrong, ", "), claim)
		}
	case g.strict:
		if reading.DirectsAssistant(claim) || len(g.groundless(claim, checked)) > 0 {
			return g.drop("%q has no citation", claim)
		}
	case g.run.recalling():
		if wrong := g.unsaid(claim); len(wrong) > 0 {
			return g.drop("%s in %q was not said", strings.Join(wrong, ", "), claim)
		}
	}
	text, dropped := g.addresses(checked.quotes...).filter(checked.text)
	if dropped && g.strict {
		return g.drop("%q has an address that the cited words do not hold", claim)
	}
	g.accept(checked)
	text = secrets.ReplaceAllString(neutral(text), "***")
	return text, strings.TrimSpace(text) != "", nil
}

func (g *gate) drop(form string, args ...any) (string, bool, error) {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = reading.Shorten(reading.CollapseSpace(s), 200)
		}
	}
	g.defects = append(g.defects, fmt.Sprintf(form, args...))
	return "", false, nil
}

// checkedSentence is a sentence with its markers resolved.
type checkedSentence struct {
	text   string // markers replaced by [n]
	tried  bool   // it had citations
	cites  []docs.Citation
	quotes []string
	pages  string   // text of the cited pages
	sums   []string // computations
}

// citations verifies each citation of a sentence and puts its number in its place; one that
// fails is removed.
func (g *gate) citations(sentence string) (checkedSentence, error) {
	var c checkedSentence
	var fail error
	c.text = marker.ReplaceAllStringFunc(sentence, func(m string) string {
		part := marker.FindStringSubmatch(m)
		if part[4] != "" {
			c.sums = append(c.sums, part[4])
			return ""
		}
		c.tried = true
		verified, err := g.verify(part[1], part[2], part[3])
		if err != nil {
			if !errors.Is(err, docs.ErrNotFound) {
				fail = err
			}
			return ""
		}
		verified.N = g.number(verified, c.cites)
		c.cites = append(c.cites, verified)
		c.quotes = append(c.quotes, verified.Quote)
		page, err := g.run.Index.Page(g.ctx, verified.DocumentID, verified.Page)
		if err == nil {
			c.pages += "\n" + page
		}
		return fmt.Sprintf("[%d]", verified.N)
	})
	if malformed.MatchString(c.text) { // a citation in another form, which nothing can check
		c.tried = true
		c.text = malformed.ReplaceAllString(c.text, "")
	}
	c.text = tidy.Replace(c.text)
	return c, fail
}

var tidy = strings.NewReplacer(" .", ".", " ,", ",", "] [", "][")

// verify looks a quote up in a document of this turn.
func (g *gate) verify(alias, page, quote string) (docs.Citation, error) {
	n, _ := strconv.Atoi(alias) // digits by the pattern
	p, _ := strconv.Atoi(page)
	if n < 1 || n > len(g.run.library) || reading.DirectsAssistant(quote) {
		return docs.Citation{}, docs.ErrNotFound
	}
	d := g.run.library[n-1]
	verified, err := g.run.Index.Verify(g.ctx, docs.Citation{DocumentID: d.ID, Document: d.Name, Page: p, Quote: quote})
	if err != nil && !errors.Is(err, docs.ErrNotFound) {
		return verified, fmt.Errorf("check a quote: %w", err)
	}
	return verified, err
}

// number is that of the same citation if it was made before, else the next one.
func (g *gate) number(c docs.Citation, fresh []docs.Citation) int {
	all := append(slices.Clone(g.cited), fresh...)
	next := 1
	for _, have := range all {
		if have.DocumentID == c.DocumentID && have.Page == c.Page && have.Quote == c.Quote {
			return have.N
		}
		next = max(next, have.N+1)
	}
	return next
}

// accept takes the citations of a sentence that passed into the answer's.
func (g *gate) accept(c checkedSentence) {
	for _, cite := range c.cites {
		if !slices.ContainsFunc(g.cited, func(have docs.Citation) bool { return have.N == cite.N }) {
			g.cited = append(g.cited, cite)
		}
	}
	g.grounds += "\n" + strings.Join(c.quotes, "\n") + c.pages
}

// unsupported are the numbers of a claim that neither the cited words and pages nor the
// request hold, nor a computation over cited numbers gives.
func (g *gate) unsupported(claim string, c checkedSentence) []string {
	source := strings.Join(c.quotes, "\n") + "\n" + c.pages + "\n" + g.run.request
	numbers := rank.Numbers(claim)
	missing := slices.DeleteFunc(rank.Missing(claim, source), func(m string) bool { return !slices.Contains(numbers, m) })
	if len(missing) == 0 {
		return nil
	}
	cited := strings.Join(c.quotes, "\n")
	for _, have := range g.cited {
		cited += "\n" + have.Quote
	}
	return slices.DeleteFunc(missing, func(m string) bool {
		return computed(m, c.sums, rank.Numbers(cited), rank.Numbers(strings.Join(c.quotes, "\n")))
	})
}

// groundless are the numbers and names of a sentence without a citation that neither the
// request nor anything cited holds, nor a computation over cited numbers gives.
func (g *gate) groundless(claim string, c checkedSentence) []string {
	var cited string
	for _, have := range g.cited {
		cited += "\n" + have.Quote
	}
	return slices.DeleteFunc(rank.Missing(claim, g.grounds), func(m string) bool {
		return computed(m, c.sums, rank.Numbers(cited), nil)
	})
}

// recalling reports whether the answer is to come from what was said.
func (r *run) recalling() bool {
	return r.route == routeMemory && r.understanding.intent.recall && !r.understanding.intent.next
}

// unsaid are the numbers and identifiers of three or more characters in a sentence about the
// past that nobody said.
func (g *gate) unsaid(claim string) []string {
	if g.past == nil {
		g.past = map[string]bool{}
		for _, n := range rank.Numbers(g.run.past()) {
			g.past[n] = true
		}
	}
	unknown := slices.DeleteFunc(rank.Numbers(claim), func(n string) bool { return len(n) < 3 || g.past[n] })
	if len(unknown) == 0 {
		return nil
	}
	missing := rank.Missing(claim, g.run.past()) // which knows a date by its parts
	return slices.DeleteFunc(unknown, func(n string) bool { return !slices.Contains(missing, n) })
}

// past is everything that may be repeated about the past, with the dates it was said on.
func (r *run) past() string {
	var b strings.Builder
	b.WriteString(r.request + "\n" + r.known())
	for _, m := range r.history.Messages {
		b.WriteString("\n" + r.say.date(m.At, r.zone()))
	}
	for _, f := range r.recalled {
		b.WriteString("\n" + f.Message.Text + "\n" + r.say.date(f.Message.At, r.zone()))
	}
	return b.String()
}

// addresses are those this answer may repeat.
func (g *gate) addresses(quotes ...string) allowed {
	if g.open == "" {
		texts := []string{g.run.request}
		for _, m := range slices.Concat(g.run.turn.Messages, g.run.history.Messages) {
			texts = append(texts, m.Text)
		}
		g.open = rank.Fold(strings.Join(texts, " \n"))
	}
	a := allowed{said: g.open, removed: g.run.say.removed, strict: g.strict}
	for _, q := range quotes {
		a.cited += " " + rank.Fold(q)
	}
	return a
}
