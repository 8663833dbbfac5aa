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
	Rows []int64 // row ids, newest first, at most the limit asked for
	DF   int     // rows in all; estimated from the newest ones if Whole is false
	All  bool    // Rows are all of them
}

const (
	probeRows   = 64  // of each term: enough to tell rare ones from frequent ones
	budgetTerms = 6   // so many times the limit is read of all terms together
	scopedTerms = 2   // frequent terms that are looked up within the scope
	scopedRows  = 100 // of each of them
)

// Postings looks the terms of a query up in a full-text index over stored terms. Of each it
// reads at most limit rows and of all together about six times as many, the rarest terms
// first, so that frequent words and long queries cost no more than others. Rows outside the
// scope (any of these scope tokens; nil is the whole index) are among them, but the rarest
// of the frequent terms give rows within it. total is the number of rows in the index, at
// most.
func Postings(ctx context.Context, db bun.IDB, index string, q *rank.Query, scope []string, limit int) (postings []Posting, total int, err error) {
	newest := int64(0)
	err = db.NewSelect().Table(index).Column("rowid").OrderExpr("rowid DESC").Limit(1).Scan(ctx, &newest)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, 0, err
	}
	match := make([]string, len(q.Terms()))
	for i, t := range q.Terms() {
		match[i] = anyOf("terms", []string{t})
	}
	if postings, err = lookUp(ctx, db, index, match, probeRows, newest); err != nil {
		return nil, 0, err
	}
	more, left := make([]string, len(match)), budgetTerms*limit
	for _, i := range rarest(postings) {
		if left -= min(postings[i].DF, limit); left < 0 {
			break
		}
		more[i] = match[i]
	}
	if err := replace(ctx, db, index, more, limit, newest, postings); err != nil || len(scope) == 0 {
		return postings, int(newest), err
	}
	frequent := rarest(postings)
	within := make([]string, len(match))
	for _, i := range frequent[:min(scopedTerms, len(frequent))] {
		within[i] = match[i] + " AND " + anyOf("scope", scope)
	}
	scoped, err := lookUp(ctx, db, index, within, scopedRows, newest)
	for i := range scoped {
		if within[i] != "" {
			postings[i].Rows = scoped[i].Rows
		}
	}
	return postings, int(newest), err
}

// replace looks some of the terms up again, with more rows.
func replace(ctx context.Context, db bun.IDB, index string, match []string, limit int, newest int64, postings []Posting) error {
	found, err := lookUp(ctx, db, index, match, limit, newest)
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

// lookUp reads the newest rows of each expression, in one statement; "" finds nothing.
func lookUp(ctx context.Context, db bun.IDB, index string, match []string, limit int, newest int64) ([]Posting, error) {
	postings := make([]Posting, len(match))
	for i := range postings {
		postings[i].All = true // unless rows say otherwise
	}
	var parts []string
	var args []any
	for i, m := range match {
		if m != "" {
			parts = append(parts, `SELECT ?, (SELECT group_concat(id, ' ') FROM
				(SELECT rowid AS id FROM ? WHERE ? MATCH ? ORDER BY rowid DESC LIMIT ?))`)
			args = append(args, i, bun.Ident(index), bun.Ident(index), m, limit)
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
	if !p.All { // as dense among the older rows as among the newest
		span := p.Rows[0] - p.Rows[len(p.Rows)-1] + 1
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
