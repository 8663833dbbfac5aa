package agent

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"threadkeeper/agent/claims"
	"threadkeeper/docs"
	"threadkeeper/memory/reading"
)

// checkSentence checks one sentence: citations, numbers, addresses, and what must not leave. keep is
// false when it is not to be shown; why is added to the defects.
func (g *gate) checkSentence(sentence string) (text string, keep bool, err error) {
	if g.strict {
		sentence = claims.WithoutFootnotes(sentence)
	}
	s := claims.Parse(sentence)
	found, err := g.lookUp(s)
	if err != nil {
		return "", false, err
	}
	if defect := g.claims.Judge(s, found.evidence); defect != "" {
		g.defects = append(g.defects, defect)
		return "", false, nil
	}
	text = g.clean(s.Text(found.numbers), found.evidence)
	said := g.unended + text
	if g.unended = ""; !ended.MatchString(text) {
		g.unended = said[reading.RuneBoundary(said, max(0, len(said)-longestAct)):]
	}
	draft := drafts(g.run.request)
	switch {
	case !draft && claims.Deed(said):
		return g.instead(g.run.say.noDeed, text), true, nil
	case !draft && g.untrusted && claims.Imposes(said, g.run.request):
		return g.instead(g.run.say.noOrder, text), true, nil
	}
	g.accept(found)
	return text, strings.TrimSpace(text) != "", nil
}

const longestAct = 200 // bytes of an act that is told over several lines

// ended matches a text after which another sentence begins.
var ended = regexp.MustCompile(`[.!?…:|。！？]["'”’»)\]*_]*\s*(?:\[\d+\]\s*)*$|\n\s*\n$`)

// instead is what takes the place of a sentence that may not be said: a phrase, once in an answer.
func (g *gate) instead(phrase, sentence string) string {
	g.unended = ""
	if slices.Contains(g.replaced, phrase) {
		return ""
	}
	g.replaced, g.ours = append(g.replaced, phrase), true
	return phrase + sentence[len(strings.TrimRight(sentence, " \n")):]
}

// clean is a text as it may leave; evidence is what it cites.
func (g *gate) clean(text string, evidence []claims.Evidence) string {
	if len(reading.Addresses(text)) == 0 {
		evidence = nil // a page is long
	}
	allowed := g.addresses(evidence)
	return settled(text, func(text string) string {
		text = g.run.withoutMarker(neutral(text))
		if g.untrusted {
			text = allowed.filter(text)
		}
		return hideKeys(text)
	})
}

// lookedUp is what was found of the quotes of a sentence.
type lookedUp struct {
	numbers  []int // of each quote, 0 for one that stands in no document
	cites    []docs.Citation
	evidence []claims.Evidence
}

// lookUp verifies each quote of a sentence.
func (g *gate) lookUp(s claims.Sentence) (lookedUp, error) {
	f := lookedUp{numbers: make([]int, len(s.Quotes))}
	for i, q := range s.Quotes {
		verified, err := g.verify(q)
		if errors.Is(err, docs.ErrNotFound) {
			continue
		}
		if err != nil {
			return f, err
		}
		verified.N = g.number(verified, f.cites)
		page, err := g.run.Index.Page(g.ctx, verified.DocumentID, verified.Page)
		if err != nil {
			page = ""
		}
		f.numbers[i], f.cites = verified.N, append(f.cites, verified)
		f.evidence = append(f.evidence, claims.Evidence{Quote: verified.Quote, Page: page})
	}
	return f, nil
}

// verify looks a quote up in a document of this turn.
func (g *gate) verify(q claims.Quote) (docs.Citation, error) {
	if q.Document < 1 || q.Document > len(g.run.library) || reading.DirectsAssistant(q.Words) {
		return docs.Citation{}, docs.ErrNotFound
	}
	d := g.run.library[q.Document-1]
	verified, err := g.run.Index.Verify(g.ctx, docs.Citation{DocumentID: d.ID, Document: d.Name, Page: q.Page, Quote: q.Words})
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
func (g *gate) accept(f lookedUp) {
	for _, cite := range f.cites {
		if !slices.ContainsFunc(g.cited, func(have docs.Citation) bool { return have.N == cite.N }) {
			g.cited = append(g.cited, cite)
		}
	}
	g.claims.Accept(f.evidence)
}

// addresses are those this answer may repeat, with those of the pages that a sentence cites.
func (g *gate) addresses(evidence []claims.Evidence) allowed {
	a := allowed{said: g.run.trusted()}
	for _, e := range evidence {
		a.cited = append(a.cited, reading.Addresses(e.Quote+"\n"+e.Page)...)
	}
	return a
}
