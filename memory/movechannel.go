package memory

import (
	"context"

	"github.com/uptrace/bun"
)

// ChannelMove is a channel with a new platform id.
type ChannelMove struct {
	From, To Key
	External bool // it counts as shared with another workspace until the platform says otherwise
}

// MoveChannel gives a channel another platform id, everywhere: its
// sessions, posts and settings continue under it. It returns false, and changes nothing, if no channel has the old id or one has
// the new id already.
func (s *Store) MoveChannel(ctx context.Context, m ChannelMove) (moved bool, err error) {
	from, to := m.From, m.To
	err = s.write(ctx, func(ctx context.Context, tx bun.Tx) error {
		var id int64
		err := tx.NewRaw(`UPDATE channels SET channel = ?, external = external OR ?, unchecked = TRUE, epoch = epoch + 1, updated_at = ? WHERE platform = ? AND workspace = ? AND channel = ?
			AND NOT EXISTS (SELECT 1 FROM channels AS n WHERE n.platform = channels.platform AND n.workspace = channels.workspace AND n.channel = ?)
			RETURNING id`, to.Channel, m.External, s.Now(), from.Platform, from.Workspace, from.Channel, to.Channel).Scan(ctx, &id)
		if err != nil {
			return orNone(err)
		}
		moved = true
		// Names of posts and what is still to be done hold the id as a JSON string.
		old, now := `"`+from.Channel+`"`, `"`+to.Channel+`"`
		for _, change := range []struct {
			statement string
			args      []any
		}{
			{`UPDATE sessions SET channel = ? WHERE channel_id = ?`, []any{to.Channel, id}},
			{`UPDATE inbox SET payload = REPLACE(payload, ?, ?) WHERE payload <> '' AND session_id IN (SELECT id FROM sessions WHERE channel_id = ?)`, []any{old, now, id}},
			{`UPDATE outbox SET payload = REPLACE(payload, ?0, ?1), ref = REPLACE(ref, ?0, ?1) WHERE session_id IN (SELECT id FROM sessions WHERE channel_id = ?2)`, []any{old, now, id}},
			{`INSERT INTO tombstones (platform, workspace, channel, platform_id, created_at)
				SELECT platform, workspace, ?, platform_id, created_at FROM tombstones WHERE platform = ? AND workspace = ? AND channel = ? ON CONFLICT DO NOTHING`,
				[]any{to.Channel, from.Platform, from.Workspace, from.Channel}},
			{`INSERT INTO settings (scope, name, value) SELECT ?, name, value FROM settings WHERE scope = ? ON CONFLICT DO NOTHING`, []any{ChannelScope(to), ChannelScope(from)}},
			{`DELETE FROM settings WHERE scope = ?`, []any{ChannelScope(from)}},
			{`UPDATE settings SET value = REPLACE(value, ?, ?) WHERE scope = ? AND name IN (?, ?)`,
				[]any{" channel:" + from.Channel + " ", " channel:" + to.Channel + " ", WorkspaceScope(from), AllowSetting, DenySetting}},
			{`INSERT INTO guests SELECT platform, workspace, ?, platform_id FROM guests WHERE platform = ? AND workspace = ? AND channel = ? ON CONFLICT DO NOTHING`,
				[]any{to.Channel, from.Platform, from.Workspace, from.Channel}},
			{`DELETE FROM guests WHERE platform = ? AND workspace = ? AND channel = ?`, []any{from.Platform, from.Workspace, from.Channel}},
			// Looks under the old id may have found nothing because of the move.
			{`INSERT INTO suspicions (platform, workspace, channel, thread, platform_id, told, looks, needs, until, next_at, created_at)
				SELECT platform, workspace, ?, thread, platform_id, FALSE, 0, needs, until, next_at, created_at FROM suspicions
				WHERE platform = ? AND workspace = ? AND channel = ? AND (thread <> '' OR platform_id <> '') ON CONFLICT DO NOTHING`,
				[]any{to.Channel, from.Platform, from.Workspace, from.Channel}},
			{`DELETE FROM suspicions WHERE platform = ? AND workspace = ? AND channel = ?`, []any{from.Platform, from.Workspace, from.Channel}},
		} {
			if err := exec(ctx, tx, change.statement, change.args...); err != nil {
				return err
			}
		}
		return s.Queue.interruptReaders(ctx, tx, from.Platform, from.Workspace, m.External)
	})
	return moved && err == nil, wrap("move channel", err)
}
