package memory

import (
	"context"

	"github.com/uptrace/bun"
)

// Guests returns the platform ids of the guests who are noted in a channel.
func (s *Store) Guests(ctx context.Context, key Key) (ids []string, err error) {
	err = s.reader.NewSelect().Table("guests").Column("platform_id").
		Where("platform = ? AND workspace = ? AND channel = ?", key.Platform, key.Workspace, key.Channel).Order("platform_id").Scan(ctx, &ids)
	return ids, wrap("look for guests", err)
}

// SetGuest notes that a guest, by platform id, is in a channel, known or not, or is not any more. Turns begin again when one
// comes.
func (s *Store) SetGuest(ctx context.Context, key Key, guest string, in bool) error {
	err := s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		if in {
			return s.guestIn(ctx, tx, key, guest)
		}
		return exec(ctx, tx, `DELETE FROM guests WHERE platform = ? AND workspace = ? AND channel = ? AND platform_id = ?`,
			key.Platform, key.Workspace, key.Channel, guest)
	})
	return wrap("note a guest", err)
}

func (s *Store) guestIn(ctx context.Context, db bun.IDB, key Key, guest string) error {
	fresh, err := affects(db.NewRaw(`INSERT INTO guests (platform, workspace, channel, platform_id) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		key.Platform, key.Workspace, key.Channel, guest).Exec(ctx))
	if err != nil || !fresh {
		return err
	}
	return s.Queue.interruptReaders(ctx, db, key.Platform, key.Workspace, true)
}
