package memory

import (
	"context"
	"encoding/json"

	"github.com/uptrace/bun"
)

// setUnderstanding stores how a user message was read, replacing an earlier reading.
func (s *Store) setUnderstanding(ctx context.Context, tx bun.IDB, message int64, u Understanding) error {
	return putJSON(ctx, tx, "understandings", message, u)
}

// understandingOf is how a user message was read, or ErrNotFound.
func (s *Store) understandingOf(ctx context.Context, message int64) (Understanding, error) {
	var u Understanding
	err := getJSON(ctx, s.reader, "understandings", message, &u)
	return u, err
}

// ledgerOf is the bookkeeping of an assistant message, or ErrNotFound.
func (s *Store) ledgerOf(ctx context.Context, message int64) (Ledger, error) {
	var l Ledger
	err := getJSON(ctx, s.reader, "ledgers", message, &l)
	return l, err
}

func putJSON(ctx context.Context, tx bun.IDB, table string, message int64, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = tx.NewRaw(`INSERT INTO ? (message_id, json) VALUES (?, ?)
		ON CONFLICT (message_id) DO UPDATE SET json = EXCLUDED.json`, bun.Ident(table), message, string(b)).Exec(ctx)
	return err
}

func getJSON(ctx context.Context, db bun.IDB, table string, message int64, v any) error {
	var b string
	if err := db.NewSelect().Table(table).Column("json").Where("message_id = ?", message).Scan(ctx, &b); err != nil {
		return missing(err)
	}
	return json.Unmarshal([]byte(b), v)
}
