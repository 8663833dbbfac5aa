package memory

import "context"

// Cursor returns since when events may have been missed in a part of a platform, such as
// a workspace, in milliseconds UTC; 0 if none were.
func (s *Store) Cursor(ctx context.Context, platform, part string) (at int64, err error) {
	err = s.reader.NewSelect().Table("cursors").Column("at").Where("platform = ? AND part = ?", platform, part).Scan(ctx, &at)
	return at, wrap("read cursor", orNone(err))
}

// SetCursor sets the cursor of a part of a platform; 0 removes it.
func (s *Store) SetCursor(ctx context.Context, platform, part string, at int64) error {
	statement := `INSERT INTO cursors (platform, part, at) VALUES (?0, ?1, ?2) ON CONFLICT (platform, part) DO UPDATE SET at = EXCLUDED.at`
	if at == 0 {
		statement = "DELETE FROM cursors WHERE platform = ?0 AND part = ?1"
	}
	return wrap("set cursor", s.exec(ctx, statement, platform, part, at))
}
