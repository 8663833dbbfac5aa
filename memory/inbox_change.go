package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/uptrace/bun"
)

// ReceiveEdit stores an edit event and the message's new text, in
// one transaction, once by event id, wherever in the channel the message is stored, and erases
// the text the message loses. A turn over a message not yet answered starts again; a message whose answer
// was erased is answered again, with the event's payload. With in.Answer an overheard message is now for us. An edit of a message that is
// unknown, erased or ours changes nothing. SecureErase erases the old text from the file.
func (q *Queue) ReceiveEdit(ctx context.Context, in Incoming, platformID, text string) (*Received, error) {
	text = Clean(text)
	before, err := q.memory.searchesNamed(ctx, in.Key, platformID, text)
	if err != nil {
		return nil, fmt.Errorf("memory: receive event %s: %w", in.EventID, err)
	}
	return q.receiveChange(ctx, in, func(ctx context.Context, tx bun.Tx) ([]*Message, error) {
		return q.memory.editable(ctx, tx, in.Key, platformID, text)
	}, func(ctx context.Context, tx bun.Tx, found []*Message, row int64) error {
		var asked []int64
		for _, m := range found {
			lost := wordsLost(m.Text, text)
			again, err := q.memory.edit(ctx, tx, m, text, before, leavingOf(found), in.Quiet)
			if err != nil {
				return err
			}
			waiting, err := q.interrupt(ctx, tx, m.SessionID, m.ID, StopEdited)
			if err != nil {
				return err
			}
			if lost.reworded() {
				if err := q.retakeTurn(ctx, tx, m.SessionID); err != nil {
					return err
				}
			}
			if len(waiting) > 0 && in.Answer {
				if err := q.answerOverheard(ctx, tx, "message_id = ?", m.ID); err != nil {
					return err
				}
			}
			if in.Answer && !again {
				if again, err = q.wasNotAsked(ctx, tx, m.ID); err != nil {
					return err
				}
			}
			if again {
				// A program may edit its message as often as it reads an answer.
				program, err := tx.NewSelect().Model((*Person)(nil)).Where("id = ? AND kind = ?", m.PersonID, Bot).Exists(ctx)
				if err != nil {
					return err
				}
				again = !program && !in.Quiet
			}
			if len(waiting) > 0 || !again {
				continue
			}
			if in.Refuse != nil {
				if refused, err := in.Refuse(); err != nil {
					return err
				} else if refused {
					continue
				}
			}
			if asked, err = q.addAsked(ctx, tx, asked, m); err != nil {
				return err
			}
		}
		if len(asked) == 0 {
			return nil
		}
		return q.askAgain(ctx, tx, row, asked, in.Payload)
	})
}

// retakeTurn has the turn that runs in a session worked out anew, though its answer may be complete: it
// is not recorded yet, and was made with the old text.
func (q *Queue) retakeTurn(ctx context.Context, tx bun.Tx, session int64) error {
	if err := exec(ctx, tx, `UPDATE inbox SET stop = ?0 WHERE session_id = ?1 AND state = ?2 AND stop = ''
		AND seq <= (SELECT COALESCE(MAX(ib.seq), 0) FROM inbox AS ib JOIN outbox AS ob ON ob.inbox_id = ib.id WHERE ib.session_id = ?1 AND ib.state = ?2)`,
		StopEdited, session, InboxNew); err != nil {
		return err
	}
	return exec(ctx, tx, `UPDATE outbox SET payload = '', state = ? WHERE state = ? AND inbox_id IN
		(SELECT id FROM inbox WHERE session_id = ? AND state = ? AND stop = ?)`, OutboxNew, OutboxReady, session, InboxNew, StopEdited)
}

// addAsked adds the messages that were answered together with m, those of each session in order, unless
// they wait for their answer.
func (q *Queue) addAsked(ctx context.Context, tx bun.Tx, asked []int64, m *Message) ([]int64, error) {
	var request int64
	err := tx.NewSelect().Model((*Interaction)(nil)).ColumnExpr("COALESCE(NULLIF(answered_with, 0), id)").Where("id = ?", m.InteractionID).Scan(ctx, &request)
	if err != nil {
		return nil, err
	}
	messages, err := q.messagesAsked(ctx, tx, request, InteractionOpen, InteractionClosed, InteractionFailed)
	if errors.Is(err, ErrNotFound) { // the request was closed with the question about it
		messages, err = []*Message{m}, nil
	}
	if err != nil {
		return nil, err
	}
	for _, m := range messages {
		waits, err := tx.NewSelect().Model((*Inbox)(nil)).Where("message_id = ? AND state = ?", m.ID, InboxNew).Exists(ctx)
		if err != nil {
			return nil, err
		}
		if !waits && !slices.Contains(asked, m.ID) {
			asked = append(asked, m.ID)
		}
	}
	return asked, nil
}

// ReceiveErase stores a deletion event, and erases the message, in one
// transaction, once by event id, wherever in the channel the message is stored. The turn
// over it ends. An answer of ours that somebody deleted is erased as well. A
// message that is still unknown leaves a tombstone. SecureErase erases the text from the file.
func (q *Queue) ReceiveErase(ctx context.Context, in Incoming, platformID string) (*Received, error) {
	before, err := q.memory.searchesNamed(ctx, in.Key, platformID, "")
	if err != nil {
		return nil, fmt.Errorf("memory: receive event %s: %w", in.EventID, err)
	}
	return q.receiveChange(ctx, in, func(ctx context.Context, tx bun.Tx) ([]*Message, error) {
		found, err := q.memory.byPlatformID(ctx, tx, in.Key, platformID)
		if err == nil && len(found) == 0 { // it may be the command that made a note
			found, err = q.memory.byPlatformID(ctx, tx, in.Key, NotePrefix+platformID)
		}
		if err == nil && len(found) == 0 {
			err = q.memory.entomb(ctx, tx, in.Key, platformID)
		}
		return slices.DeleteFunc(found, func(m *Message) bool { return m.Role == Assistant && m.ErasedAt > 0 }), err
	}, func(ctx context.Context, tx bun.Tx, found []*Message, _ int64) error {
		for _, m := range found {
			if err := q.memory.erase(ctx, tx, []*Message{m}, m.PersonID, before, leavingOf(found)); err != nil {
				return err
			}
			if err := q.leaveDeleted(ctx, tx, m); err != nil {
				return err
			}
		}
		return nil
	})
}

// ReceiveNoteEdit stores the edit of a message in which a note was typed, and gives the note, with the fact it made, its new
// text; "" erases it. Received.Message is nil if there is no such note, or if it says that already. SecureErase erases the old
// text from the file.
func (q *Queue) ReceiveNoteEdit(ctx context.Context, in Incoming, platformID, text string, forChannel bool) (*Received, error) {
	text = Clean(text)
	return q.receiveChange(ctx, in, func(ctx context.Context, tx bun.Tx) ([]*Message, error) {
		return q.memory.editable(ctx, tx, in.Key, NotePrefix+platformID, text)
	}, func(ctx context.Context, tx bun.Tx, found []*Message, _ int64) error {
		for _, m := range found {
			err := error(nil)
			if text == "" {
				err = q.memory.erase(ctx, tx, []*Message{m}, m.PersonID, nil, leavingOf(found))
			} else {
				err = q.memory.editNote(ctx, tx, m, text, forChannel)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// leaveDeleted keeps us from editing the post of an erased message that is no
// longer there; one of several posts leaves the others to be edited.
func (q *Queue) leaveDeleted(ctx context.Context, tx bun.Tx, m *Message) error {
	return exec(ctx, tx, `UPDATE outbox SET state = 'done' WHERE kind = ? AND nonce = (
			SELECT nonce FROM outbox WHERE message_id = ? ORDER BY id LIMIT 1)
		AND (SELECT COUNT(*) FROM posts WHERE message_id = ?) <= 1`, PostErased, m.ID, m.ID)
}

// receiveChange stores an event about messages and applies it, once.
func (q *Queue) receiveChange(ctx context.Context, in Incoming,
	find func(context.Context, bun.Tx) ([]*Message, error), apply func(ctx context.Context, tx bun.Tx, found []*Message, row int64) error) (*Received, error) {
	var r Received
	err := q.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		found, err := find(ctx, tx)
		if err != nil || len(found) == 0 {
			return err
		}
		r.Message, r.Session = found[0], new(Session)
		if err := tx.NewSelect().Model(r.Session).Where("id = ?", r.Message.SessionID).Scan(ctx); err != nil {
			return err
		}
		r.Inbox = &Inbox{SessionID: r.Session.ID, Seq: r.Session.Seq + 1, Platform: in.Platform, EventID: in.EventID,
			Kind: in.Kind, MessageID: r.Message.ID, State: InboxDone, CreatedAt: q.Now(), DoneAt: q.Now()}
		if err := q.enqueue(ctx, tx, &r); err != nil {
			return err
		}
		for _, m := range found {
			r.Changed = append(r.Changed, m.SessionID)
		}
		return apply(ctx, tx, found, r.Inbox.ID)
	})
	if errors.Is(err, errDuplicate) {
		return &Received{Session: r.Session}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("memory: receive event %s: %w", in.EventID, err)
	}
	r.New = r.Message != nil
	return &r, nil
}
