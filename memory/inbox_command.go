package memory

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"
)

// InboxCommands returns the pending commands and clicks of the platforms (of all, if none is named),
// the oldest of every session first, without those of stale channels.
func (q *Queue) InboxCommands(ctx context.Context, limit int, platforms ...string) (rows []*Inbox, err error) {
	err = q.reader.NewSelect().Model(&rows).Where("state = ? AND "+freshSession, InboxCommand).
		Where("? OR platform IN (?)", len(platforms) == 0, bun.List(platforms)).Where("?", q.mine("session_id")).
		OrderExpr("ROW_NUMBER() OVER (PARTITION BY session_id ORDER BY id), id").Limit(int64(limit)).Scan(ctx)
	return rows, err
}

// InboxCommandOpen returns a command or click as it is now, ErrNotFound if it is no longer pending.
func (q *Queue) InboxCommandOpen(ctx context.Context, row int64) (*Inbox, error) {
	return first[Inbox](ctx, q.reader, "id = ? AND state = ?", row, InboxCommand)
}

// InboxCommandIn returns the last command that was typed in a message of a session, pending or not; ErrNotFound without one.
func (q *Queue) InboxCommandIn(ctx context.Context, session int64, message string) (*Inbox, error) {
	row := new(Inbox)
	err := q.reader.NewSelect().Model(row).Where("session_id = ? AND subject <> ''", session).
		Where("subject = ? OR subject LIKE ?", message, message+"/%").OrderExpr("id DESC").Limit(1).Scan(ctx)
	return row, missing(err)
}

// InboxSetPayload replaces the payload of a command or click that is still pending, and reports whether it is.
func (q *Queue) InboxSetPayload(ctx context.Context, row int64, payload string) (pending bool, err error) {
	err = q.Write(ctx, func(ctx context.Context, tx bun.Tx) (err error) {
		pending, err = affects(tx.NewUpdate().Model((*Inbox)(nil)).Set("payload = ?", payload).Where("id = ? AND state = ?", row, InboxCommand).Exec(ctx))
		return err
	})
	return pending && err == nil, err
}

// InboxCloseCommand ends a command or click, with the post that answers it (nil if none)
// ready to be delivered, in one transaction. It returns false if it was ended before,
// ErrNotFound if something the post shows was erased since, and ErrInterrupted, once, if the post may
// contain something that not everybody may see any more.
func (q *Queue) InboxCloseCommand(ctx context.Context, row int64, answer *Outbox) (bool, error) {
	done, interrupted := false, false
	err := q.Write(ctx, func(ctx context.Context, tx bun.Tx) (err error) {
		interrupted, err = q.takeStop(ctx, tx, row)
		if interrupted || err != nil {
			return err
		}
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
		o.InboxID = row
		_, err = q.addPost(ctx, tx, o)
		return err
	})
	if err != nil {
		return false, fmt.Errorf("memory: end command: %w", err)
	}
	if interrupted {
		return false, ErrInterrupted
	}
	return done, nil
}

// takeStop withdraws the request to run a command again, and reports whether there was one.
func (q *Queue) takeStop(ctx context.Context, tx bun.Tx, row int64) (bool, error) {
	return affects(tx.NewUpdate().Model((*Inbox)(nil)).Set("stop = ''").Where("id = ? AND state = ? AND stop = ?", row, InboxCommand, StopAudience).Exec(ctx))
}

func (q *Queue) closeCommand(ctx context.Context, tx bun.Tx, row int64, state InboxState) (bool, error) {
	query := tx.NewUpdate().Model((*Inbox)(nil)).Set("state = ?, stop = ''", state).Where("id = ? AND state = ?", row, InboxCommand)
	if state == InboxDone {
		query = query.Set("payload = '', done_at = ?", q.Now())
	}
	return affects(query.Exec(ctx))
}

// InboxRequeue turns a command or click into a request for a turn over messages of one
// session, at least one, oldest first, which are asked again. note (nil if none) is posted
// meanwhile. It returns false if the row was ended before, and ErrNotFound if a message is erased.
func (q *Queue) InboxRequeue(ctx context.Context, row int64, messages []int64, payload string, note *Outbox) (bool, error) {
	done := false
	err := q.Write(ctx, func(ctx context.Context, tx bun.Tx) (err error) {
		if done, err = q.requeue(ctx, tx, row, messages, payload); err != nil || !done {
			return err
		}
		if err := q.showRetried(ctx, tx, messages[len(messages)-1]); err != nil || note == nil {
			return err
		}
		_, err = q.addPost(ctx, tx, *note)
		return err
	})
	return done && err == nil, wrap("ask again", err)
}

// requeue makes a command's row a request about messages; see askAgain.
func (q *Queue) requeue(ctx context.Context, tx bun.Tx, row int64, messages []int64, payload string) (bool, error) {
	if done, err := q.closeCommand(ctx, tx, row, InboxNew); err != nil || !done {
		return false, err
	}
	return true, q.askAgain(ctx, tx, row, messages, payload)
}

// askAgain makes a row a request about the last of messages; each of the others gets a row
// like it, so that one turn takes them all.
func (q *Queue) askAgain(ctx context.Context, tx bun.Tx, row int64, messages []int64, payload string) error {
	request := new(Inbox)
	if err := tx.NewSelect().Model(request).Where("id = ?", row).Scan(ctx); err != nil {
		return err
	}
	for i, message := range messages {
		m := new(Message)
		if err := tx.NewSelect().Model(m).Where("id = ? AND erased_at = 0", message).Scan(ctx); err != nil {
			return missing(err)
		}
		if err := q.memory.setInteraction(ctx, tx, m.InteractionID, InteractionOpen); err != nil {
			return err
		}
		session := new(Session)
		if err := tx.NewUpdate().Model(session).Where("id = ?", m.SessionID).
			Set("seq = seq + 1, pending = pending + 1, joined = TRUE").
			Set("ready_at = CASE WHEN lease_owner = '' AND ready_at > ? THEN ? ELSE ready_at END", q.Now(), q.Now()).
			Returning("*").Scan(ctx); err != nil {
			return err
		}
		again := *request
		again.SessionID, again.Seq, again.MessageID, again.Answer, again.State, again.Payload = session.ID, session.Seq, message, true, InboxNew, payload
		var err error
		if i == len(messages)-1 {
			_, err = tx.NewUpdate().Model(&again).Column("session_id", "seq", "message_id", "answer", "state", "payload").WherePK().Exec(ctx)
		} else {
			again.EventID, again.Subject = fmt.Sprintf("%s/%d", request.EventID, message), ""
			_, err = tx.NewInsert().Model(&again).ExcludeColumn("id").Returning("NULL").Exec(ctx)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
