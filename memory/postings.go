package memory

import (
	"cmp"
	"context"
	"math"
	"slices"

	"threadkeeper/memory/rank"
)

// Posting is one place of a query's term in a full-text index.
type Posting struct {
	Rows []int64 // row ids, at most the limit asked for
	DF   int     // rows in all; estimated from Rows if these are not all
	All  bool    // Rows are all of them
}

const (
	probeRows   = 64  // of each term: enough to tell rare ones from frequent ones
	budgetTerms = 6   // so many times the limit is read of all terms together
	scopedTerms = 2   // frequent terms that are looked up within the scope
	scopedRows  = 100 // of each of them
	wideScope   = 10  // a scope of more than one row in ten is among any rows anyway
)

// Lookup says where and how terms are looked up.
type Lookup struct {
	Index  string   // the table, "messages" or "passages", whose terms are indexed
	Scope  []string // scope tokens; a row should have at least one; nil is the whole index
	Limit  int      // rows read of each term
	Newest bool     // the newest rows of a frequent term rather than its oldest, at some cost
}

// Postings looks up the terms of a query. It reads at most the limit of each and about six
// times as many rows of all together, the rarest terms first, so that frequent words and
// long queries cost no more than others. Rows outside the scope are among them, but the
// rarest of the frequent terms give rows within it. total is at most the number of rows in the
// index.
func (s *Store) Postings(ctx context.Context, q *rank.Query, l Lookup) (postings []Posting, total int, err error) {
	newest, err := s.dialect.lastRow(ctx, s.reader, l.Index)
	if err != nil {
		return nil, 0, err
	}
	terms := make([]match, len(q.Terms()))
	for i, t := range q.Terms() {
		terms[i].term = t
	}
	within := match{scope: l.Scope}
	probe := Lookup{Index: l.Index}
	if postings, err = s.postings(ctx, probe, append(terms, within), probeRows, newest); err != nil {
		return nil, 0, err
	}
	narrow := within.any() && postings[len(terms)].DF < int(newest)/wideScope
	postings = postings[:len(terms)]
	more, left := make([]match, len(terms)), budgetTerms*l.Limit
	for _, i := range rarest(postings) {
		if left -= min(postings[i].DF, l.Limit); left < 0 {
			break
		}
		more[i] = terms[i]
	}
	if err := s.replace(ctx, l, more, newest, postings); err != nil || !narrow {
		return postings, int(newest), err
	}
	frequent := rarest(postings)
	both := make([]match, len(terms))
	for _, i := range frequent[:min(scopedTerms, len(frequent))] {
		both[i] = match{term: terms[i].term, scope: l.Scope}
	}
	scoped, err := s.postings(ctx, l, both, scopedRows, newest)
	for i := range scoped {
		if both[i].any() {
			postings[i].Rows = scoped[i].Rows
		}
	}
	return postings, int(newest), err
}

// match asks for rows that have a term, another one also, and any of the scope tokens, as
// far as they are set. The zero match asks for none.
type match struct {
	term  string
	also  string
	scope []string
}

func (m match) any() bool { return m.term != "" || len(m.scope) > 0 }

// replace looks some of the terms up again, with more rows.
func (s *Store) replace(ctx context.Context, l Lookup, more []match, newest int64, postings []Posting) error {
	found, err := s.postings(ctx, l, more, l.Limit, newest)
	for i := range found {
		if more[i].any() {
			postings[i] = found[i]
		}
	}
	return err
}

// rarest returns the indices of the postings that lack rows, rarest terms first.
func rarest(postings []Posting) []int {
	var order []int
	for i, p := range postings {
		if !p.All {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(postings[a].DF, postings[b].DF) })
	return order
}

// postings reads rows of each match.
func (s *Store) postings(ctx context.Context, l Lookup, matches []match, limit int, newest int64) ([]Posting, error) {
	// The index has to read a frequent term's rows to its end to begin with the newest.
	found, err := s.dialect.lookUp(ctx, s.reader, l.Index, matches, limit, l.Newest)
	postings := make([]Posting, len(found))
	for i, rows := range found {
		postings[i] = newPosting(rows, limit, newest)
	}
	return postings, err
}

func newPosting(rows []int64, limit int, newest int64) Posting {
	p := Posting{Rows: rows}
	p.DF, p.All = len(rows), len(rows) == 0 || len(rows) < limit
	if !p.All { // as dense among the other rows
		span := max(p.Rows[0]-p.Rows[len(p.Rows)-1], p.Rows[len(p.Rows)-1]-p.Rows[0]) + 1
		p.DF = max(p.DF, int(float64(p.DF)*float64(newest)/float64(span)))
	}
	return p
}

// Fused is a row with the summed weight of its terms.
type Fused struct {
	Row   int64
	Score float64
}

// IDF returns the weight that [Fuse] gives a term.
func IDF(p Posting, total int) float64 {
	return math.Log(1 + (math.Max(float64(total-p.DF), 0)+0.5)/(float64(p.DF)+0.5))
}

// Fuse adds up the terms of the rows in postings, weighing rare terms more, and returns at
// most limit of them, best first, newer ones first among equals. total is the number of rows
// in the index.
func Fuse(postings []Posting, total, limit int) []Fused {
	at := make(map[int64]int, 4*limit)
	var fused []Fused
	for _, p := range postings {
		idf := IDF(p, total)
		for _, id := range p.Rows {
			i, ok := at[id]
			if !ok {
				i = len(fused)
				at[id] = i
				fused = append(fused, Fused{Row: id})
			}
			fused[i].Score += idf
		}
	}
	slices.SortFunc(fused, func(a, b Fused) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Row, a.Row))
	})
	return fused[:min(limit, len(fused))]
}
