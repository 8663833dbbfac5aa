package docs

import (
	"context"

	"github.com/uptrace/bun"
)

type sqlite struct{ db bun.IDB }

func (s sqlite) holds(ctx context.Context, contents []int64, term string) (found bool, err error) {
	err = s.db.NewRaw(`SELECT EXISTS (SELECT 1 FROM passages WHERE content_id IN (?) AND instr(' ' || terms || ' ', ?) > 0)`,
		bun.List(contents), " "+term+" ").Scan(ctx, &found)
	return found, err
}

func (s sqlite) keepBytes(ctx context.Context, tx bun.Tx, sha256 string, data []byte) error {
	// Bound, not formatted: bun would write the bytes into the statement as text.
	_, err := tx.Tx.ExecContext(ctx, `INSERT INTO blobs (sha256, data) VALUES (?, ?) ON CONFLICT (sha256) DO NOTHING`, sha256, data)
	return err
}
