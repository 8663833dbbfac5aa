package agent

import (
	"context"
	"slices"
	"unicode"

	"threadkeeper/docs"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// A question may ask for nothing but what a section of a long document is about: "what are the risks" where one is titled "Risk
// Factors". What such a section says first, under its own headings, answers better than single sentences with the word.

const (
	sectionPieces = 5   // shown of a section
	leastSection  = 500 // characters of one that says something
)

// section returns the main statements of the section of a document whose title says what is sought; none if there is none.
func (r *run) section(ctx context.Context, s sought, of library) ([]foundPiece, error) {
	if len(of) != 1 || s.amount || s.figure {
		return nil, nil
	}
	given, err := r.Index.Outline(ctx, of[0].ID)
	if err != nil {
		return nil, err
	}
	own := slices.DeleteFunc(slices.Clone(given), func(h docs.Heading) bool { return h.Level > 0 })
	i := slices.IndexFunc(own, s.isTitled)
	if i < 0 {
		return nil, nil
	}
	last := own[i].Page + foundPages
	if i+1 < len(own) {
		last = own[i+1].Page
	}
	pages, err := r.pagesOf(ctx, of[0], own[i].Page, last)
	if err != nil {
		return nil, err
	}
	begin, end := slices.Index(given, own[i]), len(given)
	if i+1 < len(own) {
		end = slices.Index(given, own[i+1])
	}
	inside := slices.DeleteFunc(slices.Clone(given[begin+1:end]), func(h docs.Heading) bool {
		return unicode.IsLower([]rune(h.Title)[0]) || !names(h.Title) && !informs(h.Title)
	})
	within := append(append([]docs.Heading{own[i]}, inside...), given[end:min(end+1, len(given))]...)
	under := sectionsUnder(pages, within)
	if end < len(given) { // the next section is none of it
		under = slices.DeleteFunc(under, func(u section) bool { return u.heading == len(within)-1 })
	}
	size := 0
	for _, u := range under {
		size += u.size
	}
	if size < leastSection {
		return nil, nil
	}
	if len(under) == 1 { // it has no headings of its own
		under = statementsOf(pages, own[i], given[end:min(end+1, len(given))])
	}
	var pieces []foundPiece
	for _, u := range choose(under, sectionPieces) {
		quote, page := u.lead, u.page
		if h := within[u.heading]; u.heading > 0 && informs(h.Title) { // a heading that is a sentence
			quote, page = h.Title, h.Page
		}
		if !showable(quote) {
			continue
		}
		p := foundPiece{document: of[0], page: page, title: own[i].Title, quote: reading.Quotable(quote), cover: 1, score: 1}
		for range s.parts {
			p.parts = append(p.parts, true)
		}
		p.shown = []string{bold(p.quote)}
		if u.heading > 0 && quote == u.lead {
			p.title = u.title
		}
		pieces = append(pieces, p)
	}
	return pieces, nil
}

// isTitled reports whether a heading says what is sought, and hardly anything else.
func (s sought) isTitled(h docs.Heading) bool {
	terms := termsOf(h.Title)
	for _, p := range s.parts {
		if p.light || p.digits || p.inherited || p.in(terms) < 1 {
			return false
		}
	}
	words := 0
	for _, w := range rank.Words(h.Title) {
		if !rank.Stop(w) && !reading.AllDigits(w[:1]) && !reading.HasPhrase(w, numberedParts) {
			words++
		}
	}
	return len(s.parts) > 0 && words <= len(s.parts)+1
}

// statementsOf are the statements between a heading and the next.
func statementsOf(pages []foundPage, h docs.Heading, next []docs.Heading) (all []section) {
	for _, p := range pages {
		from, to := 0, len(p.text)
		if p.number == h.Page {
			from = h.End
		}
		if len(next) > 0 && next[0].Page == p.number {
			to = next[0].At
		}
		for _, st := range reading.Statements(p.text[from:max(from, to)]) {
			if leads(st) && informs(st.Text) {
				all = append(all, section{page: p.number, lead: st.Text, size: saysMuch(st.Text)})
			}
		}
	}
	return all
}
