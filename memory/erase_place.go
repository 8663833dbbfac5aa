package memory

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/uptrace/bun"
)

// erasedPlaces is the scope of the settings that say when a place was erased: nothing else is left of it that could tell
// when a backup is restored.
const erasedPlaces = "erased places"

// placeName names a place in a setting: ids have no spaces.
func placeName(p Key) string { return strings.Join([]string{p.Platform, p.Workspace, p.Channel}, " ") }

// PlaceCounts says how much is stored from a place.
type PlaceCounts struct {
	Channels, Conversations, Messages, Documents int
}

// CountPlace counts what is stored from a place: a workspace, or a channel with all its threads.
func (s *Store) CountPlace(ctx context.Context, p Key) (c PlaceCounts, err error) {
	const of = ` AS t WHERE t.platform = ?0 AND t.workspace = ?1 AND (?2 = '' OR t.channel = ?2)`
	err = s.reader.NewRaw(`SELECT (SELECT COUNT(*) FROM channels`+of+`) AS channels, (SELECT COUNT(*) FROM sessions`+of+`) AS conversations,
		(SELECT COUNT(*) FROM messages WHERE erased_at = 0 AND session_id IN (SELECT id FROM sessions`+of+`)) AS messages,
		(SELECT COUNT(*) FROM documents WHERE removed_at = 0 AND session_id IN (SELECT id FROM sessions`+of+`)) AS documents`,
		p.Platform, p.Workspace, p.Channel).Scan(ctx, &c)
	return c, wrap("count what is kept of a place", err)
}

// ErasePlace deletes everything stored from a workspace or channel, and everything derived from
// it: messages, files, documents with their bytes unless they are stored elsewhere too,
// summaries, posts, settings, people known from nowhere else. Answers elsewhere
// that repeat it or cite its documents are erased. Transactions are short, so that others can
// work meanwhile; after a crash the next call erases the rest. It returns the sessions that
// were deleted. Afterwards the database file does not contain the text either.
func (s *Store) ErasePlace(ctx context.Context, p Key) (sessions []int64, err error) {
	for {
		var next []int64
		q := s.reader.NewSelect().Model((*Session)(nil)).Column("id")
		if err := q.Where("platform = ?0 AND workspace = ?1 AND (?2 = '' OR channel = ?2)", p.Platform, p.Workspace, p.Channel).Order("id").Limit(forgetBatch).Scan(ctx, &next); err != nil {
			return sessions, fmt.Errorf("memory: erase a place: %w", err)
		}
		if len(next) == 0 {
			break
		}
		for _, id := range next {
			if err := s.eraseSession(ctx, id, p.Channel == ""); err != nil {
				return sessions, fmt.Errorf("memory: erase session %d: %w", id, err)
			}
			sessions = append(sessions, id)
		}
	}
	if err = s.eraseRest(ctx, p); err == nil {
		err = s.secureErase(ctx)
	}
	return sessions, wrap("erase a place", err)
}

// eraseSession deletes a session and all that hangs on it. Answers elsewhere that repeat it go
// first, unless all of its workspace is erased.
func (s *Store) eraseSession(ctx context.Context, id int64, workspace bool) error {
	if !workspace {
		if err := s.eraseSaid(ctx, id, false); err != nil {
			return err
		}
	}
	var documents []int64
	if err := s.reader.NewSelect().Model((*Document)(nil)).Column("id").
		Where("session_id = ? AND removed_at = 0", id).Scan(ctx, &documents); err != nil {
		return err
	}
	for _, d := range documents {
		if err := s.RemoveDocument(ctx, 0, d); err != nil {
			return err
		}
	}
	for n := int64(purgeBatch); n == purgeBatch; {
		err := s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
			res, err := tx.NewRaw(`DELETE FROM messages WHERE id IN (SELECT id FROM messages WHERE session_id = ? ORDER BY id LIMIT ?)`, id, purgeBatch).Exec(ctx)
			if err != nil {
				return err
			}
			n, _ = res.RowsAffected()
			return s.oweSecureErase(ctx, tx)
		})
		if err != nil {
			return err
		}
	}
	return s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		if err := s.removeDocumentsOf(ctx, tx, "session_id = ?", id); err != nil { // of a turn that ran meanwhile
			return err
		}
		if err := execAll(ctx, tx, []string{`DELETE FROM settings WHERE scope = 'session:' || ?`, `DELETE FROM findings WHERE session_id = ? AND session_id > 0`,
			`DELETE FROM sessions WHERE id = ?`}, id); err != nil {
			return err
		}
		return s.oweSecureErase(ctx, tx)
	})
}

// eraseRest deletes what hangs on no session of a place.
func (s *Store) eraseRest(ctx context.Context, p Key) error {
	return s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		if err := execAll(ctx, tx, []string{
			`DELETE FROM spending WHERE channel_id IN (SELECT id FROM channels WHERE platform = ?0 AND workspace = ?1 AND (?2 = '' OR channel = ?2))`,
			`DELETE FROM settings WHERE scope IN (SELECT 'channel:' || platform || '/' || workspace || '/' || channel FROM channels
				WHERE platform = ?0 AND workspace = ?1 AND (?2 = '' OR channel = ?2)) OR ?2 = '' AND scope IN (?3, ?4)`,
			`DELETE FROM channels WHERE platform = ?0 AND workspace = ?1 AND (?2 = '' OR channel = ?2)
				AND NOT EXISTS (SELECT 1 FROM sessions AS s WHERE s.channel_id = channels.id)`,
			`DELETE FROM tombstones WHERE platform = ?0 AND workspace = ?1 AND (?2 = '' OR channel = ?2)`,
			`DELETE FROM guests WHERE platform = ?0 AND workspace = ?1 AND (?2 = '' OR channel = ?2)`,
			`DELETE FROM suspicions WHERE platform = ?0 AND workspace = ?1 AND (?2 = '' OR channel = ?2)`,
			`DELETE FROM cursors WHERE platform = ?0 AND part = ?1 AND ?2 = ''`,
			`DELETE FROM people WHERE platform = ?0 AND workspace = ?1
				AND id NOT IN (SELECT person_id FROM messages) AND id NOT IN (SELECT person_id FROM interactions)
				AND id NOT IN (SELECT person_id FROM documents) AND id NOT IN (SELECT person_id FROM feedback)`,
			`DELETE FROM settings WHERE scope LIKE 'person:%' AND scope NOT IN (SELECT 'person:' || id FROM people)`,
		}, p.Platform, p.Workspace, p.Channel, WorkspaceScope(p), homesScope(p)); err != nil {
			return err
		}
		if err := setSetting(ctx, tx, erasedPlaces, placeName(p), strconv.FormatInt(s.Now(), 10)); err != nil {
			return err
		}
		return s.oweSecureErase(ctx, tx)
	})
}
