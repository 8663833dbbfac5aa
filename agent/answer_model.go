package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"threadkeeper/agent/claims"
	"threadkeeper/agent/model"
	"threadkeeper/docs"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

const (
	searchRounds  = 3
	searchQueries = 3
	roundPassages = 6
	findingCount  = 20
	similarQuery  = 0.8 // overlap of terms from which on two queries are the same
)

// withModel answers with the model: one streamed call, more when it searches, one to repair.
func (r *run) withModel(ctx context.Context) (*Reply, error) {
	strict := r.route == routeLookup || r.route == routeStandard
	d := requestData{Recalled: r.recalledLines(), Searched: r.understanding.intent.recall}
	if len(r.library) > 0 {
		d.Documents = r.library.lines()
	}
	if r.route == routeStandard {
		d.Searches = searchRounds
		if r.understanding.intent.summary {
			if err := r.spread(ctx); err != nil {
				return nil, err
			}
		}
	}
	var err error
	if r.untrusted, err = r.readsOthers(ctx); err != nil {
		return nil, err
	}
	work := search{run: r, passages: r.passages}
	var g *gate
	var failure error
	repaired := false
	for {
		d.Passages = r.library.passageLines(work.passages)
		d.Findings = work.lines()
		g = r.newGate(ctx, strict)
		g.material = slices.Concat(d.Recalled, d.Documents, d.Findings, d.Passages)
		failure = r.call(ctx, r.prompt(d, r.promptLimit()), g.write)
		if g.err != nil {
			return nil, g.err
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := g.finish(); err != nil && failure == nil {
			return nil, err
		}
		if failure != nil {
			break
		}
		if g.verb == verbSearch && d.Searches > 0 {
			fresh, err := work.next(ctx, g.buffer)
			if err != nil {
				return nil, err
			}
			if d.Searches--; !fresh {
				d.Searches = 0
			}
			continue
		}
		if q := r.modelQuestion(g); q != nil {
			return r.asking(g, q), nil
		}
		if g.released.Len() > 0 || g.verb == verbNotFound || repaired {
			break
		}
		repaired = true
		if d.Defects = g.defects; len(d.Defects) == 0 {
			d.Defects = []string{"the reply held no citation, or no text"}
		}
		d.Searches = 0
	}
	return r.close(ctx, g, failure)
}

// close makes the reply of what the gate released, or the deterministic one where that is nothing. After a failure
// it may be empty: then the error is all there is to say.
func (r *run) close(ctx context.Context, g *gate, failure error) (*Reply, error) {
	reply := &Reply{Text: g.released.String(), Citations: g.cited}
	if g.long {
		reply.Whole = g.all.String()
	}
	if failure != nil {
		reply.Partial, reply.Err = true, failure
	}
	add := func(text string) {
		if reply.Text != "" {
			text = "\n\n" + text
		}
		reply.Text += text
		r.emit(Progress{Text: text})
	}
	switch {
	case reply.Text != "" && failure != nil:
		add(r.say.stopped)
		return reply, nil
	case reply.Text != "":
		if g.long {
			add(r.say.cutShort)
		}
		return reply, nil
	case errors.Is(failure, errBudget):
		add(r.say.tooLong)
	case failure != nil:
	case g.verb == verbNotFound && g.strict:
	case g.verb == verbNotFound:
		add(r.say.notSaid)
		return reply, nil
	case g.strict:
		add(r.say.unproven)
	case r.recalling() && len(g.defects) > 0:
		add(r.say.notSaid)
		return reply, nil
	case g.verb == verbAsk && r.inWords(g) != "": // though it may not, and was told so
		add(r.inWords(g))
		return reply, nil
	default:
		reply.Partial, reply.Err = true, &model.Error{Kind: model.Garbage, Message: "the answer is empty"}
	}
	if g.verb == verbNotFound && !r.understanding.intent.summary {
		add(r.nothingFound(ctx))
		return reply, nil
	}
	if err := r.recall(ctx, false); err != nil {
		return nil, err
	}
	text, cited, err := r.answerByRule(ctx)
	if err != nil {
		return nil, err
	}
	switch {
	case reply.Err == nil || errors.Is(failure, errBudget):
		add(text)
	case text != "":
		add(r.say.down + "\n\n" + text)
	}
	reply.Citations = cited
	return reply, nil
}

// spread replaces the passages found by the pages' key parts, so that a summary sees the whole
// document and not only what resembles the request.
func (r *run) spread(ctx context.Context) error {
	var all []docs.Passage
	for _, d := range r.library[:min(len(r.library), 4)] {
		each := 2 * passageCount / min(len(r.library), 4)
		pages, _, err := sample(ctx, r.Index, d, each)
		if err != nil {
			return err
		}
		for _, p := range pages {
			all = append(all, docs.Passage{ID: -int64(p.number) - d.ID<<20, DocumentID: d.ID, Document: d.Name, Page: p.number,
				Text: p.text[:reading.RuneBoundary(p.text, pieceLength)]})
		}
	}
	r.passages = all
	return nil
}

// search is the work of a standard turn that searches again: raw passages live one round,
// verified findings are carried.
type search struct {
	run      *run
	passages []docs.Passage
	findings []docs.Citation
	asked    []string
}

// next takes a SEARCH reply: it keeps its findings that stand in a document, and searches for
// its queries. fresh is false when that brings nothing new.
func (s *search) next(ctx context.Context, reply string) (fresh bool, err error) {
	var in struct {
		Queries  []string
		Findings []struct {
			Document string
			Page     int
			Quote    string
		}
	}
	if json.Unmarshal([]byte(braces(reply)), &in) != nil {
		return false, nil
	}
	g := s.run.newGate(ctx, true)
	for _, f := range in.Findings {
		document, _ := strconv.Atoi(strings.TrimPrefix(f.Document, "d")) // 0, which is none, if it is no number
		c, err := g.verify(claims.Quote{Document: document, Page: f.Page, Words: f.Quote})
		if errors.Is(err, docs.ErrNotFound) || len(s.findings) == findingCount {
			continue
		}
		if err != nil {
			return false, err
		}
		s.findings = append(s.findings, c)
	}
	seen := map[int64]bool{}
	for _, p := range s.passages {
		seen[p.ID] = true
	}
	var found []docs.Passage
	for _, q := range in.Queries[:min(len(in.Queries), searchQueries)] {
		if s.repeats(q) {
			continue
		}
		s.asked = append(s.asked, q)
		s.run.emit(Progress{Status: fmt.Sprintf("🔎 %s", reading.Shorten(g.clean(reading.CollapseSpace(reading.Visible(q)), nil), 80))})
		hits, err := s.run.search(ctx, q)
		if err != nil {
			return false, err
		}
		for _, p := range hits {
			if !seen[p.ID] && len(found) < roundPassages {
				seen[p.ID] = true
				found = append(found, p)
			}
		}
	}
	if len(found) == 0 {
		return false, nil
	}
	s.passages = found
	return true, nil
}

// repeats reports whether a query says what an earlier one said.
func (s *search) repeats(query string) bool {
	terms := rank.Terms(query)
	return len(terms) == 0 || slices.ContainsFunc(s.asked, func(old string) bool {
		return reading.Coverage(terms, old) >= similarQuery && reading.Coverage(rank.Terms(old), query) >= similarQuery
	})
}

func (s *search) lines() []string {
	lines := make([]string, len(s.findings))
	for i, f := range s.findings {
		lines[i] = fmt.Sprintf("[%s p%d %q]", s.run.library.alias(f.DocumentID), f.Page, f.Quote)
	}
	return lines
}
