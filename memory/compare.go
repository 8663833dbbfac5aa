package memory

import (
	"context"

	"github.com/uptrace/bun"
)

// ConversationPart returns the next part of what is stored from a platform, to be compared with it: the messages of one session
// behind a message (0 for the first), in the order in which they were stored, at most limit. last is the last of them, for
// the next call; 0 if there are no more.
func (s *Store) ConversationPart(ctx context.Context, platform string, after int64, limit int) (part Conversation, last int64, err error) {
	var session int64
	var rows []struct {
		ID        int64
		SessionID int64
		Said      string // the platform id of a person's message, "" of ours
	}
	err = s.reader.NewRaw("SELECT COALESCE((SELECT session_id FROM messages WHERE id = ?), 0)", after).Scan(ctx, &session)
	if err == nil {
		err = s.reader.NewRaw(`SELECT m.id, m.session_id, CASE WHEN m.role = ?0 AND m.platform_id NOT LIKE ?1 THEN m.platform_id ELSE '' END AS said
			FROM messages AS m WHERE m.erased_at = 0 AND (m.session_id = ?2 AND m.id > ?3 OR m.session_id = (
				SELECT MIN(s.id) FROM sessions AS s WHERE s.platform = ?4 AND s.id > ?2 AND EXISTS (SELECT 1 FROM messages AS x WHERE x.session_id = s.id AND x.erased_at = 0)))
			ORDER BY m.session_id, m.id LIMIT ?5`, User, NotePrefix+"%", session, after, platform, limit).Scan(ctx, &rows)
	}
	if err != nil || len(rows) == 0 {
		return part, 0, wrap("look up what is to be compared", err)
	}
	at, err := s.Session(ctx, rows[0].SessionID)
	if err != nil {
		return part, 0, wrap("look up what is to be compared", err)
	}
	part.Key = at.Key
	for _, m := range rows {
		if m.SessionID != at.ID {
			break
		}
		last = m.ID
		if m.Said != "" {
			part.Messages = append(part.Messages, m.Said)
			continue
		}
		var posts []string
		if err := s.reader.NewRaw("SELECT platform_id FROM posts WHERE message_id = ?", m.ID).Scan(ctx, &posts); err != nil {
			return part, 0, wrap("look up what is to be compared", err)
		}
		part.Posts = append(part.Posts, posts...)
	}
	return part, last, nil
}

// EditedSince reports whether the text of a message was changed at or after a time (milliseconds UTC).
func (s *Store) EditedSince(ctx context.Context, key Key, platformID string, at int64) (bool, error) {
	found, err := s.byPlatformID(ctx, s.reader, key, platformID)
	edited := false
	if err == nil {
		edited, err = s.reader.NewSelect().Model((*Revision)(nil)).Where("message_id IN (?) AND at >= ?", bun.List(idsOf(found)), at).Exists(ctx)
	}
	return edited, wrap("look for edits", err)
}
