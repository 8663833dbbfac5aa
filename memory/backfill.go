package memory

import (
	"context"
	"errors"
	"slices"

	"github.com/uptrace/bun"
)

// Backfill stores messages of a session from before we joined it, oldest first,
// and marks the session, in one transaction. Messages already stored stay as
// they are. Ids follow the order of the conversation: messages received meanwhile
// move behind the older ones, unless they were compacted. A new message that asks for an
// Answer gets its inbox row with it: the platform's wire lost it, or delivers it later under the same
// event id. It returns the number of new messages.
func (s *Store) Backfill(ctx context.Context, session *Session, past []Incoming) (n int, err error) {
	err = s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		if n, err = s.keepPast(ctx, tx, session, 0, past); err != nil {
			return err
		}
		session.BackfilledAt = s.Now()
		_, err := tx.NewUpdate().Model(session).Column("backfilled_at").WherePK().Exec(ctx)
		return err
	})
	return n, wrap("backfill", err)
}

// keepPast stores messages of a session, in their order, before what it holds beyond the message after and them, and returns how
// many are new.
func (s *Store) keepPast(ctx context.Context, tx bun.Tx, session *Session, after int64, past []Incoming) (n int, err error) {
	if err := tx.NewSelect().Model(session).Column("watermark").WherePK().Scan(ctx); err != nil {
		return 0, err
	}
	var present []int64 // those that may move
	if err := tx.NewSelect().Model((*Message)(nil)).Column("id").Where("session_id = ? AND id > ?", session.ID, max(after, session.Watermark)).
		Order("id").Scan(ctx, &present); err != nil {
		return 0, err
	}
	request := int64(0) // the one that a message of ours answers
	if err := tx.NewSelect().Model((*Message)(nil)).Column("interaction_id").Where("session_id = ? AND id <= ?", session.ID, after).
		OrderExpr("id DESC").Limit(1).Scan(ctx, &request); orNone(err) != nil {
		return 0, err
	}
	for _, in := range past {
		m, fresh, err := s.backfill(ctx, tx, session, in, request)
		if err != nil {
			return n, err
		}
		request = m.InteractionID
		if fresh {
			n++
			continue
		}
		known := slices.Index(present, m.ID) + 1
		if err := s.follow(ctx, tx, present[:known], n > 0); err != nil {
			return n, err
		}
		present = present[known:]
	}
	return n, s.follow(ctx, tx, present, n > 0)
}

// follow moves messages behind all others, if anything new was stored before them.
func (s *Store) follow(ctx context.Context, tx bun.Tx, messages []int64, fresh bool) error {
	for i := 0; i < len(messages) && fresh; i++ {
		if err := s.moveBehind(ctx, tx, messages[i]); err != nil {
			return err
		}
	}
	return nil
}

// BackfillMissed is Session.BackfilledAt while the messages before us could not be
// read.
const BackfillMissed = -1

// MarkBackfillMissed makes the next turn of a session try again.
func (s *Store) MarkBackfillMissed(ctx context.Context, session *Session) error {
	session.BackfilledAt = BackfillMissed
	return wrap("backfill", s.exec(ctx, "UPDATE sessions SET backfilled_at = ? WHERE id = ?", BackfillMissed, session.ID))
}

// AskedSince returns when the first message that asked for a turn was said in a session, in milliseconds UTC, 0
// if there is none.
func (s *Store) AskedSince(ctx context.Context, session int64) (at int64, err error) {
	err = s.reader.NewRaw(`SELECT COALESCE(MIN(m.at), 0) FROM messages AS m JOIN inbox AS ib ON ib.message_id = m.id AND ib.answer
		WHERE m.session_id = ?`, session).Scan(ctx, &at)
	return at, err
}

func (s *Store) backfill(ctx context.Context, tx bun.Tx, session *Session, in Incoming, request int64) (m Message, fresh bool, err error) {
	at, err := s.locate(ctx, tx, session.Key, Channel{}, in.Person)
	if err != nil {
		return m, false, err
	}
	m = *in.Message
	located{session: session, person: at.person}.place(&m)
	if m.Role == Assistant {
		m.InteractionID = request
		known, err := tx.NewSelect().Model((*Outbox)(nil)).Where("session_id = ? AND (ref = ? OR ?)", session.ID, in.Ref, s.dialect.contains("ref", `"`+m.PlatformID+`"`)).Exists(ctx)
		if err != nil || known { // perhaps as a notice
			return m, false, err
		}
	}
	fresh, err = s.append(ctx, tx, &m, in.Answer)
	if err != nil || !fresh || m.ErasedAt > 0 {
		return m, false, err
	}
	if m.Role == Assistant {
		return m, true, s.adopt(ctx, tx, &m, in.Ref)
	}
	if err := s.attach(ctx, tx, &m, in.Files); err != nil || !in.Answer {
		return m, true, err
	}
	err = s.Queue.enqueue(ctx, tx, &Received{Session: at.session, Inbox: &Inbox{SessionID: at.session.ID, Seq: at.session.Seq + 1, Platform: in.Platform,
		EventID: in.EventID, Kind: in.Kind, MessageID: m.ID, Answer: true, Payload: in.Payload, State: InboxNew, CreatedAt: s.Now()}})
	if errors.Is(err, errDuplicate) { // it was received in another conversation
		err = s.setInteraction(ctx, tx, m.InteractionID, InteractionClosed)
	}
	return m, true, err
}

// byMessage are the columns that contain a message's id.
var byMessage = []struct{ table, column string }{
	{"revisions", "message_id"}, {"understandings", "message_id"}, {"ledgers", "message_id"}, {"feedback", "message_id"}, {"wholes", "message_id"},
	{"inbox", "message_id"}, {"outbox", "message_id"}, {"questions", "message_id"}, {"questions", "asked_id"}, {"files", "message_id"},
	{"posts", "message_id"}, {"documents", "message_id"}, {"citations", "message_id"}, {"fact_sources", "message_id"}, {"shown", "message_id"}, {"messages", "reply_to"},
	{"sessions", "parent_upto"},
}

// moveBehind gives a message the newest id, and everything that names it.
func (s *Store) moveBehind(ctx context.Context, tx bun.Tx, id int64) error {
	m, err := first[Message](ctx, tx, "id = ?", id)
	if err != nil {
		return err
	}
	platformID := m.PlatformID
	m.PlatformID = localID("moving:", id)
	if _, err := tx.NewInsert().Model(m).ExcludeColumn("id").Returning("id").Exec(ctx); err != nil {
		return err
	}
	for _, by := range byMessage {
		q := tx.NewUpdate().Table(by.table).Set("? = ?", bun.Ident(by.column), m.ID).Where("? = ?", bun.Ident(by.column), id)
		switch by.table { // an index on another column
		case "messages":
			q = q.Where("session_id = ?", m.SessionID)
		case "sessions":
			q = q.Where("channel_id = ?", m.ChannelID)
		}
		if _, err := q.Exec(ctx); err != nil {
			return err
		}
	}
	if _, err := tx.NewDelete().Model((*Message)(nil)).Where("id = ?", id).Exec(ctx); err != nil {
		return err
	}
	_, err = tx.NewUpdate().Model(m).Set("platform_id = ?", platformID).WherePK().Exec(ctx)
	return err
}
