package memory

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/uptrace/bun"

	"threadkeeper/memory/rank"
)

// Posting is where one term of a query stands in a full-text index.
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
	Index  string   // a full-text index with the columns terms and scope
	Scope  []string // scope tokens, any of which a row should have; nil is the whole index
	Limit  int      // rows read of each term
	Newest bool     // the newest rows of a frequent term rather than its oldest, at some cost
}

// Postings looks the terms of a query up. Of each it reads at most the limit and of all
// together about six times as many rows, the rarest terms first, so that frequent words and
// long queries cost no more than others. Rows outside the scope are among them, but the
// rarest of the frequent terms give rows within it. total is the number of rows in the
// index, at most.
func Postings(ctx context.Context, db bun.IDB, q *rank.Query, l Lookup) (postings []Posting, total int, err error) {
	newest := int64(0)
	err = db.NewSelect().Table(l.Index).Column("rowid").OrderExpr("rowid DESC").Limit(1).Scan(ctx, &newest)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, 0, err
	}
	match := make([]string, len(q.Terms()))
	for i, t := range q.Terms() {
		match[i] = anyOf("terms", []string{t})
	}
	within := anyOf("scope", l.Scope)
	probe := Lookup{Index: l.Index}
	if postings, err = probe.rows(ctx, db, append(match, within), probeRows, newest); err != nil {
		return nil, 0, err
	}
	narrow := within != "" && postings[len(match)].DF < int(newest)/wideScope
	postings = postings[:len(match)]
	more, left := make([]string, len(match)), budgetTerms*l.Limit
	for _, i := range rarest(postings) {
		if left -= min(postings[i].DF, l.Limit); left < 0 {
			break
		}
		more[i] = match[i]
	}
	if err := l.replace(ctx, db, more, newest, postings); err != nil || !narrow {
		return postings, int(newest), err
	}
	frequent := rarest(postings)
	both := make([]string, len(match))
	for _, i := range frequent[:min(scopedTerms, len(frequent))] {
		both[i] = match[i] + " AND " + within
	}
	scoped, err := l.rows(ctx, db, both, scopedRows, newest)
	for i := range scoped {
		if both[i] != "" {
			postings[i].Rows = scoped[i].Rows
		}
	}
	return postings, int(newest), err
}

// replace looks some of the terms up again, with more rows.
func (l Lookup) replace(ctx context.Context, db bun.IDB, match []string, newest int64, postings []Posting) error {
	found, err := l.rows(ctx, db, match, l.Limit, newest)
	for i := range found {
		if match[i] != "" {
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

// anyOf is the full-text expression for rows whose column has one of these tokens, "" for none.
func anyOf(column string, tokens []string) string {
	if len(tokens) == 0 {
		return ""
	}
	return column + ` : ("` + strings.Join(tokens, `" OR "`) + `")`
}

// rows reads rows of each expression, in one statement; "" finds nothing.
func (l Lookup) rows(ctx context.Context, db bun.IDB, match []string, limit int, newest int64) ([]Posting, error) {
	postings := make([]Posting, len(match))
	for i := range postings {
		postings[i].All = true // unless rows say otherwise
	}
	order := "ASC" // the index has to read a frequent term's rows to its end to begin there
	if l.Newest {
		order = "DESC"
	}
	var parts []string
	var args []any
	for i, m := range match {
		if m != "" {
			parts = append(parts, `SELECT ?, (SELECT group_concat(id, ' ') FROM
				(SELECT rowid AS id FROM ? WHERE ? MATCH ? ORDER BY rowid ? LIMIT ?))`)
			args = append(args, i, bun.Ident(l.Index), bun.Ident(l.Index), m, bun.Safe(order), limit)
		}
	}
	if len(parts) == 0 {
		return postings, nil
	}
	rows, err := db.QueryContext(ctx, strings.Join(parts, " UNION ALL "), args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var i int
		var ids *string
		if err := rows.Scan(&i, &ids); err != nil {
			return nil, err
		}
		if ids != nil {
			postings[i] = newPosting(*ids, limit, newest)
		}
	}
	return postings, rows.Err()
}

func newPosting(ids string, limit int, newest int64) Posting {
	p := Posting{Rows: make([]int64, 0, strings.Count(ids, " ")+1)}
	for id := range strings.FieldsSeq(ids) {
		n, _ := strconv.ParseInt(id, 10, 64) // the database wrote it
		p.Rows = append(p.Rows, n)
	}
	p.DF, p.All = len(p.Rows), len(p.Rows) < limit
	if !p.All { // as dense among the other rows
		span := max(p.Rows[0]-p.Rows[len(p.Rows)-1], p.Rows[len(p.Rows)-1]-p.Rows[0]) + 1
		p.DF = max(p.DF, int(float64(p.DF)*float64(newest)/float64(span)))
	}
	return p
}

// Fused is a row with the summed weight of the terms it holds.
type Fused struct {
	Row   int64
	Score float64
}

// Fuse adds up what the rows of postings hold, the rarer a term the more, and returns at
// most limit of them, best first, newer ones first among equals. total is the number of rows
// in the index.
func Fuse(postings []Posting, total, limit int) []Fused {
	at := make(map[int64]int, 4*limit)
	var fused []Fused
	for _, p := range postings {
		idf := math.Log(1 + (math.Max(float64(total-p.DF), 0)+0.5)/(float64(p.DF)+0.5))
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
