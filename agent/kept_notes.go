package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"threadkeeper/docs"
	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// Findings from reading documents whole serve the questions that follow.

const (
	keptRoom = 600 // tokens of quotes from earlier readings, besides the passages that fit
	keptFit  = 0.5 // the least share of the request's terms that one of them contains
)

// keptNotes returns the findings of earlier readings of some documents, by document, in the order of the pages.
func (r *run) keptNotes(ctx context.Context, of library) (map[int64][]memory.Finding, error) {
	kept, err := r.Store.FindingsIn(ctx, r.turn.Session.ID, of.contents())
	if err != nil {
		return nil, err
	}
	notes := map[int64][]memory.Finding{}
	for _, k := range kept {
		var found []memory.Finding
		if json.Unmarshal([]byte(k.Found), &found) != nil { // a wish
			continue
		}
		for _, d := range of {
			if d.ContentID == k.ContentID {
				notes[d.ID] = append(notes[d.ID], found...)
			}
		}
	}
	return notes, nil
}

// addKeptNotes adds what earlier readings found of the request, of the documents that are shown in part.
func (r *run) addKeptNotes(ctx context.Context) error {
	var of library
	for _, d := range r.library {
		if slices.ContainsFunc(r.evidence, func(s shown) bool { return s.document == d.ID }) {
			of = append(of, d)
		}
	}
	terms := of.withoutNames(reading.ContentTerms(reading.QuestionOf(r.searchText())))
	notes, err := r.keptNotes(ctx, of)
	if err != nil || len(terms) == 0 {
		return err
	}
	type fitting struct {
		shown
		share float64
	}
	var all []fitting
	for _, d := range of {
		for _, f := range notes[d.ID] {
			s := shown{document: d.ID, page: f.Page, passage: -1, text: f.Quote}
			if share := reading.Coverage(terms, f.Claim+" "+f.Quote); share >= keptFit && !holdsPassage(r.evidence, docs.Passage{DocumentID: d.ID, Page: f.Page}) {
				all = append(all, fitting{s, share})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b fitting) int { return cmp.Compare(b.share, a.share) })
	room := r.documentRoom(keptRoom)
	for _, f := range all {
		if cost := memory.Count(f.text) + pageOverhead; cost <= room && !slices.ContainsFunc(r.evidence, func(s shown) bool { return s.document == f.document && s.page == f.page && s.text == f.text }) {
			r.evidence, room = append(r.evidence, f.shown), room-cost
		}
	}
	return nil
}
