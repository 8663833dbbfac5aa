package main

import (
	"context"
	"fmt"
	"strings"

	"threadkeeper/memory/rank"
)

// fullText searches as SQLite's FTS5 does by itself: any of the query's terms, ranked by its own BM25, in one document or,
// with id 0, in all, for at most depth passages.
func (l *library) fullText(ctx context.Context, id int64, query string) error {
	var terms []string
	for _, t := range rank.NewQuery(query).Terms() {
		terms = append(terms, `"`+strings.ReplaceAll(t, `"`, `""`)+`"`)
	}
	if len(terms) == 0 {
		return nil
	}
	match := "terms : (" + strings.Join(terms, " OR ") + ")"
	if id != 0 {
		var content int64
		if err := l.index.Store.Read().QueryRowContext(ctx, `SELECT content_id FROM documents WHERE id = ?`, id).Scan(&content); err != nil {
			return err
		}
		match = fmt.Sprintf("scope : d%d AND ", content) + match
	}
	var n int
	return l.index.Store.Read().QueryRowContext(ctx,
		`SELECT count(*) FROM (SELECT rowid FROM passages_fts WHERE passages_fts MATCH ? ORDER BY bm25(passages_fts) LIMIT ?)`, match, depth).Scan(&n)
}
