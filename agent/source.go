package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"threadkeeper/agent/claims"
	"threadkeeper/docs"
	"threadkeeper/memory"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// source are documents that claims are checked against.
type source struct {
	ctx   context.Context
	index *docs.Index
	library
	found map[claims.Place]docs.Citation // places looked up
}

func (g *gate) source() source { return source{g.ctx, g.run.Index, g.run.library, g.found} }

func (s source) Documents() int { return len(s.library) }

// Named finds a document by its name, with or without its extension, or by the beginning of the name, if only one matches.
func (s source) Named(name string) int {
	const least = 5 // letters and digits of a beginning
	called, found := strings.Join(rank.Words(name), ""), 0
	if reading.AllDigits(called) {
		return 0
	}
	for i, d := range s.library {
		full, bare := strings.Join(rank.Words(d.Name), ""), strings.Join(rank.Words(withoutEnding(d.Name)), "")
		switch {
		case called == full || called == bare:
			return i + 1
		case len(called) >= least && strings.HasPrefix(full, called) && found > 0:
			return 0
		case len(called) >= least && strings.HasPrefix(full, called):
			found = i + 1
		}
	}
	return found
}

// Find looks words up in a document.
func (s source) Find(document, page int, words string) (claims.Place, bool, error) {
	c, err := s.verify(document, page, words)
	if errors.Is(err, docs.ErrNotFound) {
		return claims.Place{}, false, nil
	}
	place := claims.Place{Document: document, Page: c.Page, Quote: c.Quote}
	s.found[place] = c
	return place, err == nil, err
}

// Text returns the text of a page, "" if there is none.
func (s source) Text(document, page int) (string, error) {
	if document < 1 || document > len(s.library) || page < 1 {
		return "", nil
	}
	text, err := s.index.Page(s.ctx, s.library[document-1].ID, page)
	if errors.Is(err, memory.ErrNotFound) || errors.Is(err, docs.ErrNotFound) {
		return "", nil
	}
	return text, err
}

// verify is the citation of a quote, or docs.ErrNotFound.
func (s source) verify(document, page int, words string) (docs.Citation, error) {
	if document < 1 || document > len(s.library) || reading.DirectsAssistant(words) {
		return docs.Citation{}, docs.ErrNotFound
	}
	d := s.library[document-1]
	verified, err := s.index.Verify(s.ctx, docs.Citation{DocumentID: d.ID, Document: d.Name, Page: page, Quote: words})
	if err != nil && !errors.Is(err, docs.ErrNotFound) {
		return verified, fmt.Errorf("check a quote: %w", err)
	}
	return verified, err
}
