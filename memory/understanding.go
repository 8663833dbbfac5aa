package memory

import (
	"context"
	"encoding/json"

	"github.com/uptrace/bun"
)

// setUnderstanding stores how a user message was read, replacing an earlier reading.
func (s *Store) setUnderstanding(ctx context.Context, tx bun.IDB, message int64, u Understanding) error {
	b, err := json.Marshal(u)
	if err != nil {
		return err
	}
	return exec(ctx, tx, `INSERT INTO understandings (message_id, json) VALUES (?, ?)
		ON CONFLICT (message_id) DO UPDATE SET json = EXCLUDED.json`, message, string(b))
}

// understandingOf is how a user message was read, or ErrNotFound.
func (s *Store) understandingOf(ctx context.Context, message int64) (u Understanding, err error) {
	var b string
	if err := s.reader.NewSelect().Table("understandings").Column("json").Where("message_id = ?", message).Scan(ctx, &b); err != nil {
		return u, missing(err)
	}
	return u, json.Unmarshal([]byte(b), &u)
}

type ledgerRow struct {
	bun.BaseModel `bun:"table:ledgers,alias:l"`
	MessageID     int64  `bun:",pk"`
	JSON          string `bun:"json"` // "": an earlier version kept the ledger here
	Ledger
}

// setLedger stores the bookkeeping of an assistant message, replacing an earlier one.
func setLedger(ctx context.Context, tx bun.IDB, message int64, l Ledger) error {
	row := &ledgerRow{MessageID: message, Ledger: l}
	if _, err := tx.NewDelete().Model(row).WherePK().Exec(ctx); err != nil {
		return err
	}
	_, err := tx.NewInsert().Model(row).Returning("NULL").Exec(ctx)
	return err
}

// ledgerOf is the bookkeeping of an assistant message, or ErrNotFound.
func (s *Store) ledgerOf(ctx context.Context, message int64) (Ledger, error) {
	row, err := first[ledgerRow](ctx, s.reader, "message_id = ?", message)
	return row.Ledger, err
}
