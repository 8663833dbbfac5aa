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

// answer makes the reply of a request that is clear enough.
func (r *run) answer(ctx context.Context) (*Reply, error) {
	if r.Model == nil || r.certain() {
		text, cited, err := r.deterministic(ctx)
		if err != nil {
			return nil, err
		}
		if slices.Contains([]string{r.say.hello, r.say.welcome, r.say.noted}, text) {
			r.route = routeSocial
		}
		return r.whole(&Reply{Text: text, Citations: cited}), nil
	}
	return r.withModel(ctx)
}

// certain reports whether the deterministic form is the answer, so that no model is needed.
func (r *run) certain() bool {
	in := r.understanding.intent
	return strings.TrimSpace(r.request) == "" || (in.thanks || in.greeting) && len(in.content) == 0
}

// deterministic answers without a model: the first of these that has something to say.
func (r *run) deterministic(ctx context.Context) (string, []docs.Citation, error) {
	switch in := r.understanding.intent; {
	case in.thanks:
		return r.say.welcome, nil, nil
	case in.greeting || strings.TrimSpace(r.request) == "":
		return r.say.hello, nil, nil
	case in.next:
		text, err := r.upNext(ctx)
		return text, nil, err
	case r.route == routeLookup || r.route == routeStandard:
		return r.fromDocuments(ctx)
	case noting.MatchString(rank.Fold(r.request)) && !in.question:
		return r.say.noted, nil, nil
	case r.Model == nil && r.turn.Question == nil && r.ordered():
		return r.unwritten(ctx)
	}
	if text, cited, err := r.unasked(ctx); err != nil || text != "" {
		return text, cited, err
	}
	text, err := r.fromMemory(ctx)
	return text, nil, err
}

// fromMemory answers from what was said, or says why it does not.
func (r *run) fromMemory(ctx context.Context) (string, error) {
	switch {
	case r.turn.Question != nil && r.Model == nil: // work to be done, which takes a model
		return r.say.noModel + " " + r.say.setUp, nil
	case !r.wantsAnswer():
		return r.say.noted, nil
	}
	if text, found, err := r.remember(ctx); found || err != nil {
		return text, err
	}
	return r.unanswered(ctx), nil
}

// wantsAnswer reports whether the request asks for something rather than stating it.
func (r *run) wantsAnswer() bool {
	in, f := r.understanding.intent, rank.Fold(r.request)
	return in.question || in.recall && !in.own || in.summary || imperative.MatchString(f) || wish.MatchString(f) || commission.MatchString(f)
}

// unanswered says where a request was looked up in vain, and without a model that one may know more.
func (r *run) unanswered(ctx context.Context) string {
	in := r.understanding.intent
	setUp := r.say.noModel + " " + r.say.setUp
	switch {
	case in.question && (in.recall || in.own || r.route == routeMemory && r.Model != nil):
		return r.say.notSaid
	case len(r.library) > 0 && r.Model == nil:
		return r.nothingFound(ctx) + " " + r.say.beyond
	case len(r.library) > 0:
		return r.nothingFound(ctx)
	case r.Model != nil:
		return r.say.notSaid
	case in.question && len(r.history.Messages) > 0:
		return r.say.notSaid + " " + setUp
	}
	return setUp
}

// unasked answers a question that does not name the documents from them all the same, where they
// hold the answer; about what was said, or the asker's own affairs, only if nobody said it. The
// text is "" where they do not.
func (r *run) unasked(ctx context.Context) (string, []docs.Citation, error) {
	in := r.understanding.intent
	if !in.question || in.recall || len(r.passages) == 0 {
		return "", nil, nil
	}
	if _, said, err := r.remember(ctx); said || err != nil {
		return "", nil, err
	}
	text, cited, sure, err := r.extract(ctx)
	switch {
	case err != nil:
		return "", nil, err
	case sure:
		return r.say.extract + "\n\n" + text, cited, nil
	case text != "" && !in.own:
		return fmt.Sprintf(r.say.closest, r.searched()) + "\n\n" + text, cited, nil
	}
	return "", nil, nil
}

// fromDocuments answers from the documents by extracts.
func (r *run) fromDocuments(ctx context.Context) (string, []docs.Citation, error) {
	opening := ""
	if r.understanding.assumed != "" {
		opening = r.understanding.assumed + "\n\n"
	}
	if r.Model == nil {
		opening += r.say.extract + "\n\n"
	}
	if r.understanding.intent.summary || len(reading.Wants(r.request)) == 0 { // "What is the document about?"
		text, cited, err := r.summarise(ctx)
		if err == nil && text == "" {
			return r.nothingFound(ctx), nil, nil
		}
		return opening + text, cited, err
	}
	text, cited, sure, err := r.extract(ctx)
	if err != nil {
		return "", nil, err
	}
	told, found, err := r.remember(ctx)
	if err != nil {
		return "", nil, err
	}
	terms := reading.ContentTerms(reading.QuestionOf(r.request))
	switch {
	case found && (!sure || !r.understanding.intent.document && reading.Coverage(terms, told) > reading.Coverage(terms, text)):
		return told, nil, nil
	case sure:
		return opening + text, cited, nil
	case text != "":
		return fmt.Sprintf(r.say.closest, r.searched()) + "\n\n" + text, cited, nil
	}
	return r.nothingFound(ctx), nil, nil
}

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
		d.Documents = r.documentLines()
	}
	if r.route == routeStandard {
		d.Searches = searchRounds
		if r.understanding.intent.summary {
			if err := r.spread(ctx); err != nil {
				return nil, err
			}
		}
	}
	work := search{run: r, passages: r.passages}
	var g *gate
	var failure error
	repaired := false
	for {
		d.Passages = r.passageLines(work.passages)
		d.Findings = work.lines()
		g = r.newGate(ctx, strict)
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
	text, cited, err := r.deterministic(ctx)
	if err != nil {
		return nil, err
	}
	switch {
	case reply.Err == nil || errors.Is(failure, errBudget):
		add(text)
	case !slices.Contains([]string{r.say.noted, r.say.notSaid, r.nothingFound(ctx)}, text):
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
		pages, _, err := r.sample(ctx, d, each)
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
		s.run.emit(Progress{Status: fmt.Sprintf("🔎 %s", reading.Shorten(fenceLinks(reading.CollapseSpace(q)), 80))})
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
		lines[i] = fmt.Sprintf("[%s p%d %q]", s.run.alias(f.DocumentID), f.Page, f.Quote)
	}
	return lines
}
