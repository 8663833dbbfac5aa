package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"threadkeeper/memory/rank"
)

const (
	recallOwn        = 1000   // up to this many messages of the asking session, all are scored
	recallRows       = 500    // read of each term's messages, and of each pair's
	recallCandidates = 400    // scored of each place
	recallBatches    = 4      // of candidates looked at to find visible ones
	pairedTerms      = 6      // frequent terms whose pairs may be looked up together
	passedRows       = 50_000 // of frequent terms, which such lookups may pass in the index
)

// candidates reads the messages to score where there are too many to score them all: the
// asking session's, its channel's, then whatever is visible. What was said here is found
// however much is said elsewhere later.
func (s *Store) candidates(ctx context.Context, q RecallQuery, r *recollection, scope []string) error {
	visible, total, err := s.Postings(ctx, r.query, Lookup{Index: "messages", Scope: scope, Limit: recallRows, Newest: true})
	if err != nil {
		return err
	}
	r.stats = &rank.Stats{N: total, Avg: 1}
	for _, p := range visible {
		r.stats.DF = append(r.stats.DF, p.DF)
	}
	places := []string{fmt.Sprint("c", q.Audience.Channel.ID)}
	if session := q.Audience.Session; session > 0 {
		whole, err := s.loadSession(ctx, q, r)
		if err != nil {
			return err
		}
		if !whole {
			places = []string{fmt.Sprint("s", session), places[0]}
		}
	}
	for _, place := range places {
		postings, err := s.within(ctx, r, place)
		if err != nil {
			return err
		}
		if err := s.loadBest(ctx, q, r, postings); err != nil {
			return err
		}
	}
	if slices.Equal(scope, places[len(places)-1:]) { // nothing else is visible
		return nil
	}
	if err := s.addPairs(ctx, r, visible, ""); err != nil {
		return err
	}
	return s.loadBest(ctx, q, r, visible)
}

// loadSession loads all messages of the asking session. It is false, and loads none, if
// there are too many.
func (s *Store) loadSession(ctx context.Context, q RecallQuery, r *recollection) (bool, error) {
	var ids []int64
	err := s.reader.NewSelect().Table("messages").Column("id").Where("session_id = ?", q.Audience.Session).
		Limit(recallOwn+1).Scan(ctx, &ids)
	if err != nil || len(ids) > recallOwn {
		return false, err
	}
	return true, s.load(ctx, q, r, ids)
}

// within returns the postings of the query's terms in one session or channel.
func (s *Store) within(ctx context.Context, r *recollection, place string) ([]Posting, error) {
	terms := r.query.Terms()
	postings, order := make([]Posting, len(terms)), make([]int, len(terms))
	for i := range terms {
		postings[i].DF, order[i] = r.stats.DF[i], i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(postings[a].DF, postings[b].DF) })
	matches := make([]match, len(terms))
	left := passedRows
	for n, i := range order {
		if left -= postings[i].DF; left < 0 && n > 0 {
			break
		}
		matches[i] = match{term: terms[i], scope: []string{place}}
	}
	found, err := s.dialect.lookUp(ctx, s.reader, "messages", matches, recallRows, true)
	if err != nil {
		return nil, err
	}
	for i, rows := range found {
		postings[i].Rows, postings[i].All = rows, len(rows) < recallRows
	}
	return postings, s.addPairs(ctx, r, postings, place)
}

// addPairs adds to the rows of frequent terms, whose newest were read, those with
// two of them: the best old ones are among these. An empty place is the whole index.
func (s *Store) addPairs(ctx context.Context, r *recollection, postings []Posting, place string) error {
	terms, frequent := r.query.Terms(), rarest(postings)
	frequent = frequent[:min(pairedTerms, len(frequent))]
	var pairs [][2]int
	for i, a := range frequent {
		for _, b := range frequent[:i] {
			pairs = append(pairs, [2]int{a, b})
		}
	}
	passed := func(p [2]int) int { return postings[p[0]].DF + postings[p[1]].DF }
	slices.SortStableFunc(pairs, func(a, b [2]int) int { return cmp.Compare(passed(a), passed(b)) })
	var matches []match
	left := passedRows
	for _, p := range pairs {
		if left -= passed(p); left < 0 && len(matches) > 0 {
			break
		}
		m := match{term: terms[p[0]], also: terms[p[1]]}
		if place != "" {
			m.scope = []string{place}
		}
		matches = append(matches, m)
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
func (s *Store) loadBest(ctx context.Context, q RecallQuery, r *recollection, postings []Posting) error {
	best := slices.DeleteFunc(Fuse(postings, r.stats.N, recallBatches*recallCandidates), func(f Fused) bool {
		_, loaded := r.at[f.Row]
		return loaded
	})
	before := len(r.lines)
	for batch := range slices.Chunk(best, recallCandidates) {
		ids := make([]int64, len(batch))
		for i, f := range batch {
			ids[i] = f.Row
		}
		if err := s.load(ctx, q, r, ids); err != nil {
			return err
		}
		if len(r.lines)-before >= recallCandidates/2 {
			break
		}
	}
	return nil
}
