package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"threadkeeper/docs"
	"threadkeeper/memory"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

const (
	searchQueries = 4
	similarQuery  = 0.8 // overlap of terms from which on two queries are the same
	okCover       = 0.7 // least share of a query's terms in the result for it to be ok
	weakCover     = 0.4 // below which it is weak
)

// readsDocuments is false where people of other organisations read along.
func readsDocuments(a memory.Audience) bool { return !a.NoDocuments }

var searchDocuments = tool{
	name:        "search_documents",
	keeps:       true,
	description: "Find passages in the documents. Queries are words that the passage would hold, in two to four versions.",
	parameters: map[string]any{"required": []string{"queries"}, "properties": map[string]any{
		"queries": listSchema("up to four"), "documents": listSchema(`short names, as "d1"; left out: all`)}},
	audience: readsDocuments,
	run:      (*toolUse).searchDocuments,
}

var readPages = tool{
	name:        "read_pages",
	keeps:       true,
	description: "Read whole pages of a document, two or three at a time: those around a passage, the table of contents, a statement.",
	parameters: map[string]any{"required": []string{"document", "from"}, "properties": map[string]any{
		"document": textSchema("d1"), "from": map[string]any{"type": "integer"}, "to": map[string]any{"type": "integer"}}},
	audience: readsDocuments,
	run:      (*toolUse).readPages,
}

var listDocuments = tool{
	name:        "list_documents",
	description: "List the documents that may be read here, with their pages, kind, dates, parties and headings.",
	parameters:  map[string]any{"required": []string{}, "properties": map[string]any{}},
	audience:    readsDocuments,
	run:         (*toolUse).listDocuments,
}

func (w *toolUse) searchDocuments(ctx context.Context, arguments json.RawMessage) (result, error) {
	var in struct{ Queries, Query, Documents json.RawMessage }
	if json.Unmarshal(arguments, &in) != nil {
		return failed("The arguments could not be read."), nil
	}
	queries := slices.Concat(texts(in.Queries), texts(in.Query))
	scope, unknown := w.scope(texts(in.Documents))
	switch {
	case len(w.library) == 0:
		return result{quality: resultEmpty, next: "There are no documents here."}, nil
	case len(queries) == 0:
		return failed("It takes queries."), nil
	case unknown != "":
		return failed("There is no document %s; list_documents tells the names.", unknown), nil
	}
	return w.searchAll(ctx, queries[:min(len(queries), searchQueries)], scope)
}

// searchAll searches for each query and shows what is new, the best of each first.
func (w *toolUse) searchAll(ctx context.Context, queries []string, scope library) (result, error) {
	var found [][]docs.Passage
	var fresh []string
	for _, q := range queries {
		if w.repeats(q) {
			continue
		}
		fresh = append(fresh, q)
		w.queries = append(w.queries, q)
		w.status(ctx, q)
		hits, err := w.searchIn(ctx, q, scope, passageCount)
		if err != nil {
			return result{}, err
		}
		found = append(found, hits)
	}
	if len(fresh) == 0 {
		return result{quality: resultRepeat, next: "These words were searched for before; try other words."}, nil
	}
	var out result
	best := 0.0
	for i, hits := range found {
		best = max(best, covers(hits, scope.withoutNames(reading.ContentTerms(fresh[i]))))
	}
	shownBefore := 0
	for n := range passageCount {
		for _, hits := range found {
			if n >= len(hits) {
				continue
			}
			switch p := hits[n]; {
			case holdsPassage(w.evidence, p) || holdsPassage(w.round, p):
				shownBefore++
			default:
				if err := w.show(ctx, &out, p, n == 0); err != nil {
					return out, err
				}
			}
		}
	}
	switch {
	case len(out.lines) == 0 && shownBefore > 0:
		return result{quality: resultRepeat, next: "All that fits is shown already; try other words, or read_pages."}, nil
	case len(out.lines) == 0:
		out.quality = resultEmpty
	case best >= okCover:
		out.quality = resultOK
	case best >= weakCover:
		out.quality = resultPartial
	default:
		out.quality = resultWeak
	}
	if out.quality != resultOK {
		var err error
		if out.next, err = w.whatIsMissing(ctx, fresh, scope); err != nil {
			return out, err
		}
	}
	return out, nil
}

// show adds a passage to a result, or if it is the best of a query its whole page, as far as there is room.
func (w *toolUse) show(ctx context.Context, out *result, p docs.Passage, whole bool) error {
	if whole {
		s, cost, err := w.wholePage(ctx, p.DocumentID, p.Page)
		if err != nil {
			return err
		}
		if cost <= w.room/2 {
			w.add(out, s, cost)
			return nil
		}
	}
	if cost := memory.Count(p.Head+p.Text) + pageOverhead; cost <= w.room {
		w.add(out, shown{document: p.DocumentID, page: p.Page, passage: p.ID, text: p.Text, head: p.Head}, cost)
	}
	return nil
}

func (w *toolUse) add(out *result, s shown, cost int) {
	w.round, w.room = append(w.round, s), w.room-cost
	w.tooled = append(w.tooled, s)
	out.lines = append(out.lines, w.library.line(s))
}

// whatIsMissing says which words of the queries are nowhere in the documents, and what to do about it.
func (w *toolUse) whatIsMissing(ctx context.Context, queries []string, scope library) (string, error) {
	var words []string
	for _, t := range reading.ContentTerms(strings.Join(queries, " ")) {
		if !slices.Contains(words, t) {
			words = append(words, t)
		}
	}
	held, err := w.Index.Holds(ctx, docs.Scope{Audience: w.turn.Audience, Documents: scope.ids()}, words)
	if err != nil {
		return "", fmt.Errorf("look words up: %w", err)
	}
	var missing []string
	for i, word := range words {
		if !held[i] {
			missing = append(missing, word)
		}
	}
	next := "Try other names for it, its parts, or the heading it would stand under."
	if len(missing) > 0 {
		next = fmt.Sprintf("In no document: %s. ", strings.Join(missing[:min(len(missing), 8)], ", ")) + next
	}
	return next, nil
}

func (w *toolUse) repeats(query string) bool {
	terms := rank.Terms(query)
	return len(terms) == 0 || slices.ContainsFunc(w.queries, func(old string) bool {
		return reading.Coverage(terms, old) >= similarQuery && reading.Coverage(rank.Terms(old), query) >= similarQuery
	})
}

func (w *toolUse) readPages(ctx context.Context, arguments json.RawMessage) (result, error) {
	var in struct{ Document, From, To json.RawMessage }
	if json.Unmarshal(arguments, &in) != nil {
		return failed("The arguments could not be read."), nil
	}
	n := w.library.number(loose(in.Document))
	if n == 0 && len(w.library) == 1 {
		n = 1
	}
	if n == 0 {
		return failed("There is no document %s; list_documents tells the names.", loose(in.Document)), nil
	}
	d := w.library[n-1]
	pages, err := w.Index.Pages(ctx, d.ID)
	if err != nil {
		return result{}, fmt.Errorf("count pages: %w", err)
	}
	from, to := number(in.From), number(in.To)
	if to == 0 {
		to = from
	}
	if from < 1 || from > pages || to < from {
		return failed("It has pages 1 to %d.", pages), nil
	}
	w.status(ctx, fmt.Sprintf("%s p%d", d.Name, from))
	out := result{quality: resultOK}
	for p := from; p <= min(to, pages); p++ {
		if w.showsPage(d.ID, p) || holdsPassage(w.round, docs.Passage{DocumentID: d.ID, Page: p}) {
			continue
		}
		next, cost, err := w.wholePage(ctx, d.ID, p)
		if err != nil {
			return out, err
		}
		if len(out.lines) > 0 { // it stands below the page before
			cost -= memory.Count(next.head)
			next.head = ""
		}
		if cost > w.room && len(out.lines) == 0 && w.room > w.resultRoom()/2 { // a page longer than all the room
			next.text = next.text[:reading.RuneBoundary(next.text, len(next.text)*(w.room-2*pageOverhead)/cost)]
			cost = w.room
			out.quality, out.next = resultTruncated, fmt.Sprintf("Page %d is cut; search_documents finds the rest.", p)
		}
		if cost > w.room {
			out.quality, out.next = resultTruncated, fmt.Sprintf("Cut before page %d.", p)
			break
		}
		w.add(&out, next, cost)
	}
	if len(out.lines) == 0 && out.quality == resultOK {
		return result{quality: resultRepeat, next: "These pages are shown already."}, nil
	}
	return out, nil
}

const listedHeadings = 8

func (w *toolUse) listDocuments(ctx context.Context, _ json.RawMessage) (result, error) {
	if len(w.library) == 0 {
		return result{quality: resultEmpty, next: "There are no documents here."}, nil
	}
	out := result{quality: resultOK}
	for i, d := range w.library {
		pages, total, err := sample(ctx, w.Index, d, listedHeadings)
		if err != nil {
			return out, err
		}
		line := fmt.Sprintf("d%d: %s, %d pages, posted %s", i+1, oneLine(d.Name), total, time.UnixMilli(d.CreatedAt).In(w.turn.zone()).Format("2006-01-02"))
		if d.Reason != "" {
			line += "; " + d.Reason
		}
		if len(pages) > 0 {
			for _, fact := range cardFacts(pages[0].text) {
				line += "; " + oneLine(fact)
			}
		}
		given, err := w.Index.Outline(ctx, d.ID)
		if err != nil {
			return out, err
		}
		if heads := titles(pages, given, listedHeadings); len(heads) > 0 {
			line += "; " + oneLine(strings.Join(heads, " · "))
		}
		cost := memory.Count(line)
		if cost > w.room {
			out.quality, out.next = resultTruncated, fmt.Sprintf("%d more are not listed.", len(w.library)-i)
			break
		}
		w.room -= cost
		w.tooled = append(w.tooled, shown{document: d.ID, text: line})
		out.lines = append(out.lines, line)
	}
	return out, nil
}

// scope returns the documents with some short names, all if there are no names. unknown is a name without a document.
func (w *toolUse) scope(names []string) (scope library, unknown string) {
	for _, name := range names {
		n := w.library.number(name)
		if n == 0 {
			return nil, name
		}
		scope = append(scope, w.library[n-1])
	}
	if len(scope) == 0 {
		return w.library, ""
	}
	return scope, ""
}

// number returns the position, from 1, of the document that a model calls "d2", "2" or by its name; 0 if there is none.
func (l library) number(name string) int {
	if n, err := strconv.Atoi(strings.TrimLeft(name, "dD")); err == nil {
		if n < 1 || n > len(l) {
			return 0
		}
		return n
	}
	return 1 + slices.IndexFunc(l, func(d *memory.Document) bool { return strings.EqualFold(d.Name, name) })
}
