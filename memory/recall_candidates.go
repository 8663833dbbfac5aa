package memory

import (
	"context"
	"fmt"
	"slices"

	"threadkeeper/memory/rank"
)

const (
	recallRows       = 500 // read of each term's messages, and of each pair's
	recallCandidates = 400 // scored of each place, more for a large budget
	recallBatches    = 4   // of candidates looked at to find visible ones
	leastMessage     = 16  // tokens a short message takes, to tell how many a budget can hold
	pairedTerms      = 4   // frequent terms of which every two are looked up together
)

// candidates reads the messages to score where there are too many to score them all. The
// asking session is read by its own postings, then its channel, then everything
// visible: what was said here is found however much is said elsewhere later.
func (s *Store) candidates(ctx context.Context, q RecallQuery, r *recollection, scope []string) error {
	wanted := max(recallCandidates, q.Budget/leastMessage)
	visible, total, err := s.Postings(ctx, r.query, Lookup{Index: "messages", Scope: scope, Limit: max(recallRows, wanted), Newest: true})
	if err != nil {
		return err
	}
	r.stats = &rank.Stats{N: total, Avg: 1}
	for _, p := range visible {
		r.stats.DF = append(r.stats.DF, p.DF)
	}
	channel := fmt.Sprint("c", q.Audience.Channel.ID)
	own := []string{channel}
	if q.Audience.Session > 0 {
		own = []string{fmt.Sprint("s", q.Audience.Session), channel}
	}
	for _, place := range own {
		postings, err := s.within(ctx, r, place)
		if err != nil {
			return err
		}
		if err := s.loadBest(ctx, q, r, postings, wanted); err != nil {
			return err
		}
	}
	if slices.Equal(scope, []string{channel}) { // nothing else is visible
		return nil
	}
	if err := s.addPairs(ctx, r, visible, ""); err != nil {
		return err
	}
	return s.loadBest(ctx, q, r, visible, wanted)
}

// within returns the postings of the query's terms in one session or channel.
func (s *Store) within(ctx context.Context, r *recollection, place string) ([]Posting, error) {
	var matches []match
	for _, t := range r.query.Terms() {
		matches = append(matches, match{term: t, scope: []string{place}})
	}
	found, err := s.dialect.lookUp(ctx, s.reader, "messages", matches, recallRows, true)
	if err != nil {
		return nil, err
	}
	postings := make([]Posting, len(found))
	for i, rows := range found {
		postings[i] = Posting{Rows: rows, DF: r.stats.DF[i], All: len(rows) < recallRows}
	}
	return postings, s.addPairs(ctx, r, postings, place)
}

// addPairs adds to the rows of frequent terms, of which the newest were read, those with
// two of them: the best old ones are among these. An empty place is the whole index.
func (s *Store) addPairs(ctx context.Context, r *recollection, postings []Posting, place string) error {
	terms, frequent := r.query.Terms(), rarest(postings)
	frequent = frequent[:min(pairedTerms, len(frequent))]
	var matches []match
	var pairs [][2]int
	for i, a := range frequent {
		for _, b := range frequent[:i] {
			m := match{term: terms[a], also: terms[b]}
			if place != "" {
				m.scope = []string{place}
			}
			matches, pairs = append(matches, m), append(pairs, [2]int{a, b})
		}
	}
	found, err := s.dialect.lookUp(ctx, s.reader, "messages", matches, recallRows, true)
	if err != nil {
		return err
	}
	for i, rows := range found {
		for _, term := range pairs[i] {
			postings[term].Rows = append(postings[term].Rows, rows...)
		}
	}
	for _, term := range frequent {
		slices.Sort(postings[term].Rows)
		postings[term].Rows = slices.Compact(postings[term].Rows)
	}
	return nil
}

// loadBest loads the messages that share the query's rarest terms, and are not loaded yet.
func (s *Store) loadBest(ctx context.Context, q RecallQuery, r *recollection, postings []Posting, wanted int) error {
	best := slices.DeleteFunc(Fuse(postings, r.stats.N, recallBatches*wanted), func(f Fused) bool {
		_, loaded := r.at[f.Row]
		return loaded
	})
	before := len(r.lines)
	for batch := range slices.Chunk(best, wanted) {
		ids := make([]int64, len(batch))
		for i, f := range batch {
			ids[i] = f.Row
		}
		if err := s.load(ctx, q, r, ids); err != nil {
			return err
		}
		if len(r.lines)-before >= wanted/2 {
			break
		}
	}
	return nil
}
