package memory

import (
	"context"

	"github.com/uptrace/bun"
)

// GuestsIn returns the guests, by platform id, that are noted in a channel.
func (s *Store) GuestsIn(ctx context.Context, key Key) (guests []string, err error) {
	err = s.reader.NewRaw(`SELECT platform_id FROM guests WHERE platform = ? AND workspace = ? AND channel = ?`, key.Platform, key.Workspace, key.Channel).Scan(ctx, &guests)
	return guests, wrap("look for guests", err)
}

// SetGuest notes that a guest, by platform id, is in a channel, known or not, or is not any more. Turns begin again when one
// comes.
func (s *Store) SetGuest(ctx context.Context, key Key, guest string, in bool) error {
	err := s.write(ctx, func(ctx context.Context, tx bun.Tx) error {
		if in {
			return s.guestIn(ctx, tx, key, guest)
		}
		_, err := tx.NewRaw(`DELETE FROM guests WHERE platform = ? AND workspace = ? AND channel = ? AND platform_id = ?`,
			key.Platform, key.Workspace, key.Channel, guest).Exec(ctx)
		return err
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
