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
// Factors". The outline of such a section answers better than single sentences with the word.

const (
	sectionPieces = 5   // shown of a section
	leastSection  = 500 // characters of one that says something
)

// section returns the outline of the section of a document whose title says what is sought; "" if there is none with headings of
// its own.
func (r *run) section(ctx context.Context, s sought, of library) (text string, cited []docs.Citation, err error) {
	if len(of) != 1 || s.amount || s.figure || s.saying || len(s.numbered) > 0 {
		return "", nil, nil
	}
	s.parts = of.withoutNamed(s)
	given, err := r.Index.Outline(ctx, of[0].ID)
	if err != nil {
		return "", nil, err
	}
	i := slices.IndexFunc(given, func(h docs.Heading) bool { return h.Level == 0 && s.isTitled(h) })
	if i < 0 {
		return "", nil, nil
	}
	within, last := given[i:], given[i].Page+foundPages
	next := slices.IndexFunc(within[1:], func(h docs.Heading) bool { return h.Level == 0 }) + 1
	if next > 0 {
		within, last = within[:next+1], within[next].Page
	}
	inside := slices.DeleteFunc(slices.Clone(within), func(h docs.Heading) bool {
		return h.Level > 0 && (unicode.IsLower([]rune(h.Title)[0]) || !names(h.Title) && !informs(h.Title))
	})
	pages, err := r.pagesOf(ctx, of[0], given[i].Page, last)
	if err != nil {
		return "", nil, err
	}
	under := sectionsUnder(pages, inside)
	if next > 0 { // the next section is none of it
		under = slices.DeleteFunc(under, func(u section) bool { return u.heading == len(inside)-1 })
	}
	size := 0
	for _, u := range under {
		size += u.size
	}
	if size < leastSection || len(under) == 1 {
		return "", nil, nil
	}
	reply := &Reply{}
	text, err = r.outlined(ctx, reply, of[0], given[i].Title, choose(under, sectionPieces))
	return text, reply.Citations, err
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
