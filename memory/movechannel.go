package memory

import (
	"context"

	"github.com/uptrace/bun"
)

// ChannelMove is a channel with a new platform id.
type ChannelMove struct {
	From, To Key
	External bool // it counts as shared with another workspace until the platform says otherwise
	Missed   bool // the platform did not tell us: there may be more that we did not hear of
}

// MoveChannel gives a channel another platform id, everywhere: its sessions, posts and settings continue under it, with what
// came under the new id before. What was deleted under that is erased. It returns false, and changes nothing, if no channel
// has the old id.
func (s *Store) MoveChannel(ctx context.Context, m ChannelMove) (moved bool, err error) {
	from, to := m.From, m.To
	err = s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		moved = false
		c, err := channelByKey(ctx, tx, from)
		if err != nil {
			return orNone(err)
		}
		id := c.ID
		there, err := channelByKey(ctx, tx, to)
		if err == nil {
			c.External, c.Stale, c.WasPublic, m.Missed = c.External || there.External, c.Stale || there.Stale, c.WasPublic || there.WasPublic, true
			err = joinChannel(ctx, tx, there.ID, id)
		}
		if orNone(err) != nil {
			return err
		}
		if err := exec(ctx, tx, `UPDATE channels SET channel = ?, external = ?, stale = ?, was_public = ?, unchecked = TRUE, unheard = unheard OR ?, epoch = epoch + 1, updated_at = ? WHERE id = ?`,
			to.Channel, c.External || m.External, c.Stale, c.WasPublic, m.Missed, s.Now(), id); err != nil {
			return err
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
		if err := s.eraseBuried(ctx, tx, id, to); err != nil {
			return err
		}
		return s.Queue.interruptReaders(ctx, tx, from.Platform, from.Workspace, m.External || m.Missed)
	})
	return moved && err == nil, wrap("move channel", err)
}

func channelByKey(ctx context.Context, db bun.IDB, key Key) (*Channel, error) {
	return first[Channel](ctx, db, "platform = ? AND workspace = ? AND channel = ?", key.Platform, key.Workspace, key.Channel)
}

// joinChannel gives a channel all that is stored of another, which came under the id that it has now. Where both have a
// conversation of the same thread, the newer one goes on from the older one.
func joinChannel(ctx context.Context, tx bun.Tx, there, id int64) error {
	const twins = `thread IN (SELECT t.thread FROM sessions AS t WHERE t.channel_id = ?0)`
	return execAll(ctx, tx, []string{
		`UPDATE sessions AS s SET parent_id = old.id, parent_upto = (SELECT COALESCE(MAX(m.id), 0) FROM messages AS m WHERE m.session_id = old.id)
			FROM sessions AS old WHERE s.channel_id = ?0 AND s.parent_id = 0 AND old.channel_id = ?1 AND old.thread = s.thread`,
		`UPDATE sessions AS s SET thread = CASE WHEN thread = '' OR thread LIKE ?2 || '%'
				OR EXISTS (SELECT 1 FROM sessions AS t WHERE t.channel_id IN (?0, ?1) AND t.thread = ?3 || s.thread) THEN ?2 || id ELSE ?3 || thread END
			WHERE channel_id = ?1 AND ` + twins,
		`UPDATE sessions SET channel_id = ?1 WHERE channel_id = ?0`,
		`UPDATE messages SET channel_id = ?1, terms = terms WHERE channel_id = ?0`, // terms: the index holds the channel
		`UPDATE facts SET channel_id = ?1 WHERE channel_id = ?0`,
		`UPDATE documents SET channel_id = ?1 WHERE channel_id = ?0`,
		`DELETE FROM posts WHERE channel_id = ?0 AND platform_id IN (SELECT platform_id FROM posts WHERE channel_id = ?1)`,
		`UPDATE posts SET channel_id = ?1 WHERE channel_id = ?0`,
		`INSERT INTO spending SELECT day, person_id, ?1, model, purpose, calls, prompt_tokens, completion_tokens, cached_tokens, micros FROM spending WHERE channel_id = ?0
			ON CONFLICT (day, person_id, channel_id, model, purpose) DO UPDATE SET calls = calls + EXCLUDED.calls, prompt_tokens = prompt_tokens + EXCLUDED.prompt_tokens,
			completion_tokens = completion_tokens + EXCLUDED.completion_tokens, cached_tokens = cached_tokens + EXCLUDED.cached_tokens, micros = micros + EXCLUDED.micros`,
		`DELETE FROM spending WHERE channel_id = ?0`,
		`DELETE FROM channels WHERE id = ?0`,
	}, there, id, pastThread, readReplies)
}

// eraseBuried erases what was deleted under the new id of a channel before it was known by it.
func (s *Store) eraseBuried(ctx context.Context, tx bun.Tx, id int64, key Key) error {
	var gone []*Message
	err := tx.NewSelect().Model(&gone).Where("m.channel_id = ? AND m.role = ? AND m.erased_at = 0", id, User).
		Where(`m.platform_id IN (SELECT platform_id FROM tombstones WHERE platform = ?0 AND workspace = ?1 AND channel = ?2
			UNION ALL SELECT ?3 || platform_id FROM tombstones WHERE platform = ?0 AND workspace = ?1 AND channel = ?2)`, key.Platform, key.Workspace, key.Channel, NotePrefix).
		Order("m.id").Scan(ctx)
	if err != nil {
		return err
	}
	return s.erase(ctx, tx, gone, 0, nil, leavingOf(gone))
}

// PrivateChannels returns the private channels of a workspace, those where something was said last first.
func (s *Store) PrivateChannels(ctx context.Context, platform, workspace string) (all []Channel, err error) {
	err = s.reader.NewSelect().Model(&all).Where("platform = ? AND workspace = ? AND kind = ?", platform, workspace, Private).
		OrderExpr("(SELECT MAX(updated_at) FROM sessions WHERE channel_id = c.id) DESC, id DESC").Scan(ctx)
	return all, wrap("look up private channels", err)
}
