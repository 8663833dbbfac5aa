package memory

import (
	"context"

	"github.com/uptrace/bun"
)

// Since a backup was made people spoke, and we answered. What we posted then is not in the database that was restored from it, and
// would stay when what it was made of is erased, if it were not read back.

// restoredAfter is the setting of a session from a backup that says what its last message is, until what came since was read.
const restoredAfter = "restored after"

// SinceBackup is a conversation from a backup, of which nothing since was read yet, or one that began since.
type SinceBackup struct {
	Session `bun:",extend"`
	After   int64 // the last message of the backup, by id
	Since   int64 // when people last said something in it, in milliseconds UTC; 0 if it began since
}

// BeganSince notes that a conversation began since a backup if it holds no more than its first message.
func (s *Store) BeganSince(ctx context.Context, session int64) error {
	return wrap("note a conversation since a backup", s.exec(ctx, `INSERT INTO settings (scope, name, value) SELECT 'session:' || m.session_id, ?1, '0' FROM messages AS m
		WHERE m.session_id = ?0 GROUP BY m.session_id HAVING COUNT(*) = 1 ON CONFLICT DO NOTHING`, session, restoredAfter))
}

// SinceBackups returns those in a channel, with a message only those that hold it.
func (s *Store) SinceBackups(ctx context.Context, channel Key, message string) (all []*SinceBackup, err error) {
	q := s.reader.NewSelect().Model(&all).Column("s.*").ColumnExpr("CAST(st.value AS BIGINT) AS after").
		ColumnExpr("COALESCE((SELECT MAX(m.at) FROM messages AS m WHERE m.session_id = s.id AND m.id <= CAST(st.value AS BIGINT) AND m.role = ?), 0) AS since", User).
		Join("JOIN settings AS st ON st.scope = 'session:' || s.id AND st.name = ?", restoredAfter).Order("s.id")
	at := []any{channel.Platform, channel.Workspace, channel.Channel}
	if message == "" {
		q = q.Where("s.platform = ? AND s.workspace = ? AND s.channel = ?", at...)
	} else { // each edit asks, and a channel may have very many
		q = q.Where(`s.id IN (SELECT m.session_id FROM messages AS m JOIN channels AS c ON c.id = m.channel_id
			WHERE c.platform = ? AND c.workspace = ? AND c.channel = ? AND m.platform_id = ?)`, append(at, message)...)
	}
	err = q.Scan(ctx)
	return all, wrap("look for conversations from a backup", err)
}

// KeepSince stores what was said in a conversation since its backup was made, as Backfill does.
func (s *Store) KeepSince(ctx context.Context, c *SinceBackup, said []Incoming) (n int, err error) {
	err = s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		if n, err = s.keepPast(ctx, tx, &c.Session, c.After, said); err != nil {
			return err
		}
		return execAll(ctx, tx, []string{"DELETE FROM settings WHERE scope = 'session:' || ?0 AND name = ?1", "UPDATE sessions SET joined = joined OR ?2 WHERE id = ?0"},
			c.ID, restoredAfter, c.Joined)
	})
	return n, wrap("keep what was said since a backup", err)
}

// adoptedPrefix begins the nonces of posts that we learnt of from the platform.
const adoptedPrefix = "adopted/"

// adopt makes a message of ours that the platform showed a post that can be changed. It may have been made of any document of its
// conversation.
func (s *Store) adopt(ctx context.Context, tx bun.Tx, m *Message, ref string) error {
	if ref == "" {
		return nil
	}
	if err := postedAs(ctx, tx, m, []string{m.PlatformID}); err != nil {
		return err
	}
	o, err := s.Queue.addPosted(ctx, tx, m, ref)
	if err != nil {
		return err
	}
	return exec(ctx, tx, `INSERT INTO shown (outbox_id, document_id) SELECT ?, id FROM documents WHERE session_id = ? AND removed_at = 0`, o.ID, m.SessionID)
}

// addPosted adds a post that stands on the platform already and shows a message, with which it is erased.
func (q *Queue) addPosted(ctx context.Context, tx bun.Tx, m *Message, ref string) (*Outbox, error) {
	o := &Outbox{SessionID: m.SessionID, MessageID: m.ID, Nonce: localID(adoptedPrefix, m.ID), State: OutboxDone, Ref: ref, CreatedAt: m.At, DoneAt: m.At}
	_, err := tx.NewInsert().Model(o).ExcludeColumn("id").Returning("id").Exec(ctx)
	return o, err
}
