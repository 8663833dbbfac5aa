package memory

import (
	"context"
	"slices"

	"github.com/uptrace/bun"
)

// Fork makes the session of a key go on from a message of another session of its channel, 0 for its last: what was said up
// to there is its past, by reference, so that what is erased there is gone here. A session in which anything was said stays as it is.
// ErrNotFound if there is no such message in the channel.
func (s *Store) Fork(ctx context.Context, parent, upto int64, key Key) error {
	err := s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		at, err := s.locate(ctx, tx, key, Channel{}, Person{})
		if err != nil {
			return err
		}
		last := new(Message)
		q := tx.NewSelect().Model(last).Where("session_id = ? AND channel_id = ? AND session_id <> ? AND erased_at = 0", parent, at.session.ChannelID, at.session.ID)
		if upto > 0 {
			q = q.Where("id = ?", upto)
		}
		if err := q.Order("id DESC").Limit(1).Scan(ctx); err != nil {
			return missing(err)
		}
		return exec(ctx, tx, `UPDATE sessions SET parent_id = ?, parent_upto = ?, joined = TRUE WHERE id = ? AND parent_id = 0
			AND NOT EXISTS (SELECT 1 FROM messages WHERE session_id = sessions.id)`, parent, last.ID, at.session.ID)
	})
	return wrap("fork", err)
}

// past are the last messages of the conversations that a session continues, oldest first: as many as its threshold takes.
// Messages of another channel are none of them.
func (s *Store) past(ctx context.Context, session *Session) (past []*Message, err error) {
	if session.ParentID == 0 {
		return nil, nil
	}
	p, err := s.policyOf(ctx, s.reader, session.ID)
	if err != nil {
		return nil, err
	}
	room := p.Threshold
	for child := session; child.ParentID != 0; {
		var said []*Message
		if err := s.reader.NewSelect().Model(&said).ExcludeColumn("terms").
			Where("session_id = ? AND id <= ? AND channel_id = ? AND erased_at = 0", child.ParentID, child.ParentUpto, session.ChannelID).
			Order("id DESC").Limit(pastMessages).Scan(ctx); err != nil {
			return nil, err
		}
		for _, m := range said {
			if room -= m.Tokens; room < 0 {
				return past, nil
			}
			past = slices.Insert(past, 0, m)
		}
		if len(said) == pastMessages { // there may be more of it, before which nothing is shown
			return past, nil
		}
		if child, err = s.Session(ctx, child.ParentID); err != nil {
			return past, orNone(err)
		}
	}
	return past, nil
}

const pastMessages = 400

// pastOf are the sessions that one continues, each up to a message.
const pastOf = `WITH RECURSIVE past (id, upto) AS (SELECT parent_id, parent_upto FROM sessions WHERE id = ?
	UNION SELECT s.parent_id, s.parent_upto FROM past JOIN sessions AS s ON s.id = past.id WHERE s.parent_id > 0)`
