package main

import (
	"context"
	"fmt"
	"strings"

	"threadkeeper/memory/rank"
)

// fullText searches as SQLite's FTS5 does by itself: any of the query's terms, ranked by its own BM25, in one document or,
// with id 0, in all. It returns how many passages it found, depth at most.
func (l *library) fullText(ctx context.Context, id int64, query string) (int, error) {
	var terms []string
	for _, t := range rank.NewQuery(query).Terms() {
		terms = append(terms, `"`+strings.ReplaceAll(t, `"`, `""`)+`"`)
	}
	if len(terms) == 0 {
		return 0, nil
	}
	match := "terms : (" + strings.Join(terms, " OR ") + ")"
	if id != 0 {
		var content int64
		if err := l.index.Store.Read().QueryRowContext(ctx, `SELECT content_id FROM documents WHERE id = ?`, id).Scan(&content); err != nil {
			return 0, err
		}
		match = fmt.Sprintf("scope : d%d AND ", content) + match
	}
	rows, err := l.index.Store.Read().QueryContext(ctx,
		`SELECT rowid FROM passages_fts WHERE passages_fts MATCH ? ORDER BY bm25(passages_fts) LIMIT ?`, match, depth)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	n := 0
	for rows.Next() {
		n++
	}
	return n, rows.Err()
}
