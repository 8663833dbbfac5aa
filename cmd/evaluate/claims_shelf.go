package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"threadkeeper/agent"
	"threadkeeper/agent/claims"
	"threadkeeper/docs"
	"threadkeeper/memory"
	"threadkeeper/memory/rank"
)

// shelf are the documents of a reply, on the product's own index.
type shelf struct {
	ctx     context.Context
	index   *docs.Index
	room    place
	files   map[string]file
	ids     map[string]int64 // of what was read, by short name
	library []int64          // those of the reply, d1 first
	names   []string
}

// add reads a document once.
func (s shelf) add(short string) (int64, error) {
	if id, ok := s.ids[short]; ok {
		return id, nil
	}
	f, ok := s.files[short]
	if !ok {
		return 0, fmt.Errorf("no document %q", short)
	}
	data, err := f.open()
	if err != nil {
		return 0, err
	}
	defer data.Close()
	added, err := s.index.Add(s.ctx, docs.Upload{Session: s.room.session, PersonID: s.room.person.ID, Name: f.name, Media: f.media, Data: data}, nil)
	if err != nil {
		return 0, fmt.Errorf("read %s: %w", f.name, err)
	}
	s.ids[short] = added.ID
	return added.ID, nil
}

// Documents implements claims.Source.
func (s shelf) Documents() int { return len(s.library) }

// Named implements claims.Source: a name may lack its ending or its last words.
func (s shelf) Named(name string) int {
	called := strings.Join(rank.Words(strings.TrimSuffix(name, filepath.Ext(name))), "")
	if len(called) < 5 {
		return 0
	}
	return 1 + slices.IndexFunc(s.names, func(n string) bool { return strings.HasPrefix(strings.Join(rank.Words(n), ""), called) })
}

// Find implements claims.Source.
func (s shelf) Find(document, page int, words string) (claims.Place, bool, error) {
	if document < 1 || document > len(s.library) {
		return claims.Place{}, false, nil
	}
	c, err := s.index.Verify(s.ctx, docs.Citation{DocumentID: s.library[document-1], Page: page, Quote: words})
	if errors.Is(err, docs.ErrNotFound) {
		return claims.Place{}, false, nil
	}
	return claims.Place{Document: document, Page: c.Page, Quote: c.Quote}, err == nil, err
}

// Text implements claims.Source.
func (s shelf) Text(document, page int) (string, error) {
	if document < 1 || document > len(s.library) || page < 1 {
		return "", nil
	}
	text, err := s.index.Page(s.ctx, s.library[document-1], page)
	if errors.Is(err, docs.ErrNotFound) || errors.Is(err, memory.ErrNotFound) {
		return "", nil
	}
	return text, err
}

// contest has the claims that are unchecked settled and those that are verified looked at, from pages as a turn's prompt shows them.
func (s shelf) contest(r *claims.Reply, blocks []*claims.Block, judge func(*agent.Contest) error) error {
	evidence, err := s.evidence(r.Request)
	if err != nil {
		return err
	}
	k, err := agent.NewContest(r, blocks, evidence)
	if err != nil || k == nil {
		return err
	}
	return judge(k)
}

const (
	wholeRoom     = 8_000 // tokens of documents that are shown whole
	evidenceDepth = 24    // passages, as a turn looks for
	evidenceRoom  = 6_000 // tokens of them
)

// evidence are all pages of small documents, else the passages that a search for the request finds.
func (s shelf) evidence(request string) (all []agent.Material, err error) {
	room := wholeRoom
	for n, id := range s.library {
		pages, err := s.index.Pages(s.ctx, id)
		if err != nil {
			return nil, err
		}
		for page := 1; page <= pages && room >= 0; page++ {
			text, err := s.Text(n+1, page)
			if err != nil {
				return nil, err
			}
			room -= memory.Count(text)
			all = append(all, agent.Material{Document: n + 1, Page: page, Text: text})
		}
	}
	if room >= 0 {
		return all, nil
	}
	found, err := s.index.Search(s.ctx, docs.Scope{Audience: memory.Audience{Session: s.room.session.ID}, Documents: s.library}, request, evidenceDepth)
	if err != nil {
		return nil, err
	}
	all, room = nil, evidenceRoom
	for _, p := range found {
		text := p.Head + p.Text
		if room -= memory.Count(text); room < 0 {
			break
		}
		all = append(all, agent.Material{Document: 1 + slices.Index(s.library, p.DocumentID), Page: p.Page, Text: text})
	}
	return all, nil
}
