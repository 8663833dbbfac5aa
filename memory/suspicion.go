package memory

import (
	"context"
	"slices"

	"github.com/uptrace/bun"
)

// Suspicion says that something may be gone from its platform: the message PlatformID of
// Key, with "" all of Key's thread or channel, with no channel its workspace. It is
// certain once as many looks as it Needs have found it gone, but not before Until.
type Suspicion struct {
	bun.BaseModel `bun:"table:suspicions,alias:su"`
	ID            int64 `bun:",pk,autoincrement"`
	Key
	PlatformID string
	Told       bool // the platform said that we were removed
	Looks      int  // that have found it gone
	Needs      int
	Until      int64
	NextAt     int64 // of the next look
	CreatedAt  int64
}

// Suspect stores suspicions and returns how many are new. An existing one keeps its
// looks, and its time too unless the new one needs more of them.
func (s *Store) Suspect(ctx context.Context, suspicions []Suspicion) (fresh int, err error) {
	err = s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		fresh = 0
		for _, x := range suspicions {
			found, err := s.byPlatformID(ctx, tx, x.Key, x.PlatformID)
			if err != nil {
				return err
			}
			if len(found) > 0 && !slices.ContainsFunc(found, func(m *Message) bool { return m.ErasedAt == 0 }) {
				continue // it was erased since it was missed
			}
			if x.PlatformID == "" {
				if kept, err := s.keeps(ctx, tx, x.Key); err != nil {
					return err
				} else if !kept {
					continue
				}
			}
			held, err := tx.NewSelect().Model((*Suspicion)(nil)).
				Where("platform = ? AND workspace = ? AND channel = ? AND thread = ? AND platform_id = ?", x.Platform, x.Workspace, x.Channel, x.Thread, x.PlatformID).Exists(ctx)
			if err != nil {
				return err
			}
			if !held {
				fresh++
			}
			if _, err := tx.NewInsert().Model(&x).ExcludeColumn("id").Returning("NULL").
				On("CONFLICT (platform, workspace, channel, thread, platform_id) DO UPDATE").
				Set("told = su.told OR EXCLUDED.told").
				Set("needs = CASE WHEN EXCLUDED.needs > su.needs THEN EXCLUDED.needs ELSE su.needs END").
				Set("until = CASE WHEN EXCLUDED.needs > su.needs THEN EXCLUDED.until ELSE su.until END").Exec(ctx); err != nil {
				return err
			}
		}
		return nil
	})
	return fresh, wrap("suspect", err)
}

// keeps reports whether anything is stored from a workspace, or a conversation has messages that are not erased.
func (s *Store) keeps(ctx context.Context, db bun.IDB, key Key) (bool, error) {
	if key.Channel == "" {
		return db.NewSelect().Model((*Channel)(nil)).Where("platform = ? AND workspace = ?", key.Platform, key.Workspace).Exists(ctx)
	}
	return db.NewSelect().Model((*Message)(nil)).Join("JOIN sessions AS s ON s.id = m.session_id").
		Where("s.platform = ? AND s.workspace = ? AND s.channel = ? AND (? = '' OR s.thread = ?) AND m.erased_at = 0", key.Platform, key.Workspace, key.Channel, key.Thread, key.Thread).Exists(ctx)
}

// SuspicionsOf returns the suspicions about messages of a conversation.
func (s *Store) SuspicionsOf(ctx context.Context, key Key) (all []*Suspicion, err error) {
	err = s.reader.NewSelect().Model(&all).
		Where("platform = ? AND workspace = ? AND channel = ? AND thread = ? AND platform_id <> ''", key.Platform, key.Workspace, key.Channel, key.Thread).
		Order("id").Scan(ctx)
	return all, wrap("look for suspicions", err)
}

// SuspicionsDue returns the suspicions of the platforms whose next look is due, the longest due first, at
// most limit.
func (s *Store) SuspicionsDue(ctx context.Context, platforms []string, limit int) (due []*Suspicion, err error) {
	err = s.reader.NewSelect().Model(&due).
		Where("next_at <= ? AND platform IN (?)", s.Now(), bun.List(platforms)).Order("next_at", "id").Limit(int64(limit)).Scan(ctx)
	return due, wrap("look for suspicions", err)
}

// RecordLook stores the looks of a suspicion and the time of the next one.
func (s *Store) RecordLook(ctx context.Context, x *Suspicion) error {
	return wrap("record a look", s.exec(ctx, "UPDATE suspicions SET looks = ?, next_at = ? WHERE id = ?", x.Looks, x.NextAt, x.ID))
}

// DropSuspicion deletes a suspicion.
func (s *Store) DropSuspicion(ctx context.Context, id int64) error {
	return wrap("drop a suspicion", s.exec(ctx, "DELETE FROM suspicions WHERE id = ?", id))
}

// Workspaces returns the workspaces of a platform from which anything is stored.
func (s *Store) Workspaces(ctx context.Context, platform string) (names []string, err error) {
	err = s.reader.NewSelect().Model((*Channel)(nil)).ColumnExpr("DISTINCT workspace").
		Where("platform = ?", platform).Order("workspace").Scan(ctx, &names)
	return names, wrap("list workspaces", err)
}

// LiveConversations returns the sessions of a workspace in which something is stored, those with the largest
// ids below before first (0 for all), at most limit.
func (s *Store) LiveConversations(ctx context.Context, platform, workspace string, before int64, limit int) (sessions []*Session, err error) {
	q := s.reader.NewSelect().Model(&sessions).Where("platform = ? AND workspace = ?", platform, workspace).
		Where("EXISTS (SELECT 1 FROM messages AS m WHERE m.session_id = s.id AND m.erased_at = 0)")
	if before > 0 {
		q = q.Where("id < ?", before)
	}
	err = q.OrderExpr("id DESC").Limit(int64(limit)).Scan(ctx)
	return sessions, wrap("list conversations", err)
}

// HeldMessages returns platform ids of stored messages of a conversation, the newest first, at most limit:
// messages other than the one its thread began on, and our posts.
func (s *Store) HeldMessages(ctx context.Context, key Key, limit int) (ids []string, err error) {
	err = s.reader.NewRaw(`SELECT COALESCE(p.platform_id, m.platform_id) FROM sessions AS s
		JOIN messages AS m ON m.session_id = s.id AND m.erased_at = 0 AND m.platform_id <> s.thread LEFT JOIN posts AS p ON p.message_id = m.id
		WHERE s.platform = ?0 AND s.workspace = ?1 AND s.channel = ?2 AND (s.thread = ?3 OR s.thread = ?6 || ?3 OR ?3 = '' AND s.thread LIKE ?4 AND s.thread NOT LIKE ?6 || '%') ORDER BY m.id DESC LIMIT ?5`,
		key.Platform, key.Workspace, key.Channel, key.Thread, pastThread+"%", limit, readReplies).Scan(ctx, &ids)
	return ids, wrap("look for messages", err)
}
