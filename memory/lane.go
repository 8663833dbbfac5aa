package memory

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"
)

// Burst bounds what one turn takes: at most Rows messages of one person, each
// at most Gap after the one before it.
type Burst struct {
	Rows int
	Gap  time.Duration
}

// Turn is a claimed session with what is to be answered in it.
type Turn struct {
	Lease
	Rows    []*Inbox // oldest first, with their attempts counted
	Post    *Outbox  // what will answer them
	Resumed bool     // an earlier attempt may have posted it
}

// ClaimTurn gives the session that has waited longest to owner for ttl, and begins a
// turn: it takes the open rows that the turn answers and begins the post that
// will answer the last of them, under the nonce that nonce gives. Rows a post was begun
// for are taken again as they were, whatever came since. It is nil, nil when no session
// of the platforms (of all, if none is named) has anything to do.
func (q *Queue) ClaimTurn(ctx context.Context, owner string, ttl time.Duration, b Burst, nonce func(last *Inbox) string, platforms ...string) (*Turn, error) {
	var t Turn
	err := q.write(ctx, func(ctx context.Context, tx bun.Tx) error {
		now := q.Now()
		err := tx.NewRaw(`UPDATE sessions SET lease_owner = ?, lease_epoch = lease_epoch + 1, ready_at = ?
			WHERE id = (SELECT id FROM sessions WHERE pending > 0 AND ready_at <= ? AND (? OR platform IN (?)) ORDER BY ready_at, id LIMIT 1)
			RETURNING id, lease_epoch`, owner, now+ttl.Milliseconds(), now, len(platforms) == 0, bun.List(platforms)).Scan(ctx, &t.SessionID, &t.Epoch)
		if err != nil {
			return err
		}
		if err := q.takeRows(ctx, tx, &t, b); err != nil {
			return err
		}
		if len(t.Rows) == 0 { // counted wrong: without this it would stand before all others for ever
			return q.fence(ctx, tx, &t.Lease, "pending = 0, lease_owner = ''")
		}
		last := t.Rows[len(t.Rows)-1]
		t.Post, t.Resumed, err = q.beginPost(ctx, tx, Outbox{SessionID: t.SessionID, InboxID: last.ID, Nonce: nonce(last)})
		return err
	})
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("memory: claim a session: %w", err)
	}
	if len(t.Rows) == 0 {
		return nil, nil
	}
	return &t, nil
}

func (q *Queue) takeRows(ctx context.Context, tx bun.Tx, t *Turn, b Burst) error {
	err := tx.NewSelect().Model(&t.Rows).Where("session_id = ? AND state = ?", t.SessionID, InboxNew).
		Order("seq").Limit(int64(b.Rows)).Scan(ctx)
	if err != nil {
		return err
	}
	if len(t.Rows) == 0 {
		return nil
	}
	n, err := q.burst(ctx, tx, t.Rows, b)
	if err != nil {
		return err
	}
	t.Rows = t.Rows[:n]
	for _, row := range t.Rows {
		row.Attempts++
		if row.Stop == StopEdited {
			row.Stop = ""
		}
		if _, err := tx.NewUpdate().Model(row).Column("attempts", "stop").WherePK().Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

// burst is how many of rows belong to the turn over the first.
func (q *Queue) burst(ctx context.Context, tx bun.Tx, rows []*Inbox, b Burst) (int, error) {
	var begun int64
	if err := tx.NewRaw(`SELECT COALESCE(MIN(ib.seq), 0) FROM inbox AS ib JOIN outbox AS ob ON ob.inbox_id = ib.id
		WHERE ib.session_id = ? AND ib.state = ?`, rows[0].SessionID, InboxNew).Scan(ctx, &begun); err != nil {
		return 0, err
	}
	if begun > 0 {
		n := 0
		for n < len(rows) && rows[n].Seq <= begun {
			n++
		}
		return n, nil
	}
	people := make(map[int64]int64)
	for _, row := range rows {
		var person int64
		err := tx.NewSelect().Model((*Message)(nil)).Column("person_id").Where("id = ?", row.MessageID).Scan(ctx, &person)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return 0, err
		}
		people[row.ID] = person
	}
	n := 1
	for n < len(rows) && rows[n].Kind == rows[0].Kind && rows[n].Stop == rows[0].Stop && people[rows[n].ID] == people[rows[0].ID] &&
		rows[n].CreatedAt-rows[n-1].CreatedAt <= b.Gap.Milliseconds() {
		n++
	}
	return n, nil
}

// UnclaimTurn undoes ClaimTurn for a turn that could not run to its end and was not at
// fault, and releases the lease.
func (q *Queue) UnclaimTurn(ctx context.Context, l *Lease, rows []int64) error {
	err := q.write(ctx, func(ctx context.Context, tx bun.Tx) error {
		if err := q.fence(ctx, tx, l, "lease_owner = '', ready_at = ?", q.Now()); err != nil {
			return err
		}
		_, err := tx.NewUpdate().Model((*Inbox)(nil)).Set("attempts = attempts - 1").
			Where("id IN (?) AND state = ? AND attempts > 0", bun.List(rows), InboxNew).Exec(ctx)
		return err
	})
	if errors.Is(err, ErrFenced) {
		return nil
	}
	return err
}

// NextTurnAt is when the next waiting session of the platforms (of all, if none is
// named) may be claimed, in milliseconds UTC; false when none waits.
func (q *Queue) NextTurnAt(ctx context.Context, platforms ...string) (int64, bool, error) {
	var at sql.NullInt64
	err := q.reader.NewSelect().Table("sessions").ColumnExpr("MIN(ready_at)").
		Where("pending > 0 AND (? OR platform IN (?))", len(platforms) == 0, bun.List(platforms)).Scan(ctx, &at)
	return at.Int64, at.Valid, err
}

// InboxCommands are the commands and clicks of the platforms (of all, if none is named) still
// to be applied, the oldest of every session first.
func (q *Queue) InboxCommands(ctx context.Context, limit int, platforms ...string) ([]*Inbox, error) {
	var rows []*Inbox
	err := q.reader.NewSelect().Model(&rows).Where("state = ?", InboxQuick).
		Where("? OR platform IN (?)", len(platforms) == 0, bun.List(platforms)).
		OrderExpr("ROW_NUMBER() OVER (PARTITION BY session_id ORDER BY id), id").Limit(int64(limit)).Scan(ctx)
	return rows, err
}

// InboxCommandOpen reports whether a row is still to be applied.
func (q *Queue) InboxCommandOpen(ctx context.Context, row int64) (bool, error) {
	return q.reader.NewSelect().Model((*Inbox)(nil)).Where("id = ? AND state = ?", row, InboxQuick).Exists(ctx)
}

// InboxSetPayload replaces what a command or click that is still to be applied says, if it is.
func (q *Queue) InboxSetPayload(ctx context.Context, row int64, payload string) error {
	return q.write(ctx, func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewUpdate().Model((*Inbox)(nil)).Set("payload = ?", payload).Where("id = ? AND state = ?", row, InboxQuick).Exec(ctx)
		return err
	})
}

// InboxCloseCommand ends a command or click, with the post that answers it (nil if none)
// ready to be delivered, in one transaction. It is false if it was ended before, and
// ErrNotFound if what the post shows was erased since.
func (q *Queue) InboxCloseCommand(ctx context.Context, row int64, answer *Outbox) (bool, error) {
	done := false
	err := q.write(ctx, func(ctx context.Context, tx bun.Tx) (err error) {
		if done, err = q.closeCommand(ctx, tx, row, InboxDone); err != nil || !done || answer == nil {
			return err
		}
		o := *answer
		var erased bool
		if err := tx.NewRaw(`SELECT EXISTS (SELECT 1 FROM documents WHERE id = ? AND removed_at > 0)
			OR EXISTS (SELECT 1 FROM messages WHERE id = ? AND erased_at > 0)`, o.DocumentID, o.MessageID).Scan(ctx, &erased); err != nil {
			return err
		}
		if erased {
			return ErrNotFound
		}
		o.InboxID, o.State, o.CreatedAt = row, OutboxReady, q.Now()
		_, err = tx.NewInsert().Model(&o).ExcludeColumn("id").On("CONFLICT (nonce) DO NOTHING").Returning("NULL").Exec(ctx)
		return err
	})
	if err != nil {
		return false, fmt.Errorf("memory: end command: %w", err)
	}
	return done, nil
}

func (q *Queue) closeCommand(ctx context.Context, tx bun.Tx, row int64, state InboxState) (bool, error) {
	query := tx.NewUpdate().Model((*Inbox)(nil)).Set("state = ?", state).Where("id = ? AND state = ?", row, InboxQuick)
	if state == InboxDone {
		query = query.Set("payload = '', done_at = ?", q.Now())
	}
	res, err := query.Exec(ctx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}

// InboxRequeue turns a command or click into a request for a turn over messages of one
// session, one at least, oldest first, which are asked again. note (nil if none) is posted
// meanwhile. It is false if the row was ended before, and ErrNotFound if a message is erased.
func (q *Queue) InboxRequeue(ctx context.Context, row int64, messages []int64, payload string, note *Outbox) (bool, error) {
	done := false
	err := q.write(ctx, func(ctx context.Context, tx bun.Tx) (err error) {
		if done, err = q.requeue(ctx, tx, row, messages, payload); err != nil || !done {
			return err
		}
		if err := q.showRetried(ctx, tx, messages[len(messages)-1]); err != nil || note == nil {
			return err
		}
		o := *note
		o.State, o.CreatedAt = OutboxReady, q.Now()
		_, err = tx.NewInsert().Model(&o).ExcludeColumn("id").On("CONFLICT (nonce) DO NOTHING").Returning("NULL").Exec(ctx)
		return err
	})
	if err != nil {
		return false, fmt.Errorf("memory: ask again: %w", err)
	}
	return done, nil
}

// requeue makes the row a request about the last of messages; each of the others gets a row
// like it, so that one turn takes them all.
func (q *Queue) requeue(ctx context.Context, tx bun.Tx, row int64, messages []int64, payload string) (bool, error) {
	if done, err := q.closeCommand(ctx, tx, row, InboxNew); err != nil || !done {
		return false, err
	}
	request := new(Inbox)
	if err := tx.NewSelect().Model(request).Where("id = ?", row).Scan(ctx); err != nil {
		return false, err
	}
	for i, message := range messages {
		m := new(Message)
		if err := tx.NewSelect().Model(m).Where("id = ? AND erased_at = 0", message).Scan(ctx); err != nil {
			return false, missing(err)
		}
		if err := q.memory.setInteraction(ctx, tx, m.InteractionID, InteractionOpen); err != nil {
			return false, err
		}
		session := new(Session)
		if err := tx.NewUpdate().Model(session).Where("id = ?", m.SessionID).
			Set("seq = seq + 1, pending = pending + 1, joined = TRUE").
			Set("ready_at = CASE WHEN lease_owner = '' AND ready_at > ? THEN ? ELSE ready_at END", q.Now(), q.Now()).
			Returning("*").Scan(ctx); err != nil {
			return false, err
		}
		again := *request
		again.SessionID, again.Seq, again.MessageID, again.Answer, again.Payload = session.ID, session.Seq, message, true, payload
		var err error
		if i == len(messages)-1 {
			_, err = tx.NewUpdate().Model(&again).Column("session_id", "seq", "message_id", "answer", "payload").WherePK().Exec(ctx)
		} else {
			again.EventID, again.Subject = fmt.Sprintf("%s/%d", request.EventID, message), ""
			_, err = tx.NewInsert().Model(&again).ExcludeColumn("id").Returning("NULL").Exec(ctx)
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

// AnswerByClick answers a question by a click: the question keeps answer, and the click's row
// becomes a request whose message says text. It is false, and nothing changes, when the
// question or the row was closed before.
func (q *Queue) AnswerByClick(ctx context.Context, row int64, question *Question, answer, text, author, payload string) (bool, error) {
	done := false
	err := q.write(ctx, func(ctx context.Context, tx bun.Tx) (err error) {
		if done, err = q.closeQuestion(ctx, tx, question.ID, answer, QuestionAnswered); err != nil || !done {
			return err
		}
		session := new(Session)
		if err := tx.NewSelect().Model(session).Where("id = ?", question.SessionID).Scan(ctx); err != nil {
			return missing(err)
		}
		m := &Message{SessionID: session.ID, ChannelID: session.ChannelID, InteractionID: question.InteractionID, PersonID: question.PersonID,
			Role: User, Author: author, Text: text, PlatformID: localID("click:", row)}
		if _, err := q.memory.append(ctx, tx, m, true); err != nil {
			return err
		}
		done, err = q.requeue(ctx, tx, row, []int64{m.ID}, payload)
		if err == nil && !done {
			return errDuplicate
		}
		return err
	})
	if errors.Is(err, errDuplicate) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("memory: answer question: %w", err)
	}
	return done, nil
}

// InboxRows are the inbox rows with these ids, in order.
func (q *Queue) InboxRows(ctx context.Context, ids []int64) ([]*Inbox, error) {
	var rows []*Inbox
	err := q.reader.NewSelect().Model(&rows).Where("id IN (?)", bun.List(ids)).Order("seq").Scan(ctx)
	return rows, err
}

// CountOpen is how many events and posts of the sessions of the platforms (of all, if
// none is named) are not done with.
func (q *Queue) CountOpen(ctx context.Context, platforms ...string) (int, error) {
	var n int
	err := q.reader.NewRaw(`SELECT (SELECT COALESCE(SUM(pending), 0) FROM sessions WHERE pending > 0 AND (?0 OR platform IN (?1)))
		+ (SELECT COUNT(*) FROM inbox AS ib WHERE state = ?2 AND (?0 OR platform IN (?1)))
		+ (SELECT COUNT(*) FROM outbox AS o JOIN sessions AS s ON s.id = o.session_id
			WHERE o.state = ?3 AND o.state <> 'done' AND (?0 OR s.platform IN (?1)))`,
		len(platforms) == 0, bun.List(platforms), InboxQuick, OutboxReady).Scan(ctx, &n)
	return n, err
}

// IdleSessions are the sessions with nothing pending whose last activity lies in
// (after, until], milliseconds UTC, and that have messages above the watermark.
func (s *Store) IdleSessions(ctx context.Context, after, until int64) ([]int64, error) {
	var ids []int64
	err := s.reader.NewSelect().Model((*Session)(nil)).Column("id").
		Where("updated_at > ? AND updated_at <= ? AND pending = 0", after, until).
		Where("EXISTS (SELECT 1 FROM messages AS m WHERE m.session_id = s.id AND m.id > s.watermark)").
		Order("id").Scan(ctx, &ids)
	return ids, err
}
