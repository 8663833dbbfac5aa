package memory

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/uptrace/bun"
)

// Cursor returns since when events may have been missed in a part of a platform, such as
// a workspace, in milliseconds UTC; 0 if none were.
func (s *Store) Cursor(ctx context.Context, platform, part string) (at int64, err error) {
	err = s.reader.NewSelect().Table("cursors").Column("at").Where("platform = ? AND part = ?", platform, part).Scan(ctx, &at)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, fmt.Errorf("memory: read cursor: %w", err)
	}
	return at, nil
}

// SetCursor sets the cursor of a part of a platform; 0 removes it.
func (s *Store) SetCursor(ctx context.Context, platform, part string, at int64) error {
	err := s.write(ctx, func(ctx context.Context, tx bun.Tx) error {
		if at == 0 {
			_, err := tx.NewRaw("DELETE FROM cursors WHERE platform = ? AND part = ?", platform, part).Exec(ctx)
			return err
		}
		_, err := tx.NewRaw(`INSERT INTO cursors (platform, part, at) VALUES (?, ?, ?)
			ON CONFLICT (platform, part) DO UPDATE SET at = EXCLUDED.at`, platform, part, at).Exec(ctx)
		return err
	})
	return wrap("set cursor", err)
}
