package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/uptrace/bun"
)

// ReceiveEdit stores the event that a message has a new text, and the text, in
// one transaction, once by event id, wherever in the channel the message is held. The
// turn over one that is not answered yet is taken again. An edit of a message that is
// not known, or is erased, or is ours, changes nothing.
func (q *Queue) ReceiveEdit(ctx context.Context, in Incoming, platformID, text string) (*Received, error) {
	text = Clean(text)
	return q.receiveChange(ctx, in, func(ctx context.Context, tx bun.Tx) ([]*Message, error) {
		return q.memory.editable(ctx, tx, in.Key, platformID, text)
	}, func(ctx context.Context, tx bun.Tx, m *Message) error {
		if err := q.memory.edit(ctx, tx, m, text); err != nil {
			return err
		}
		_, err := q.interrupt(ctx, tx, m.SessionID, m.ID, StopEdited)
		return err
	})
}

// ReceiveErase stores the event that a message is gone, and erases it, in one
// transaction, once by event id, wherever in the channel the message is held. The turn
// over it ends. An answer of ours that somebody deleted is forgotten as well. A
// message that is not known leaves a tombstone. SecureErase makes the file forget the text.
func (q *Queue) ReceiveErase(ctx context.Context, in Incoming, platformID string) (*Received, error) {
	before, err := q.memory.searchesNamed(ctx, in.Key, platformID)
	if err != nil {
		return nil, fmt.Errorf("memory: receive event %s: %w", in.EventID, err)
	}
	return q.receiveChange(ctx, in, func(ctx context.Context, tx bun.Tx) ([]*Message, error) {
		found, err := q.memory.byPlatformID(ctx, tx, in.Key, platformID)
		if err == nil && len(found) == 0 {
			err = q.memory.entomb(ctx, tx, in.Key, platformID)
		}
		return slices.DeleteFunc(found, func(m *Message) bool { return m.Role == Assistant && m.ErasedAt > 0 }), err
	}, func(ctx context.Context, tx bun.Tx, m *Message) error {
		if err := q.memory.erase(ctx, tx, []*Message{m}, m.PersonID, before); err != nil || m.Role == User {
			return err
		}
		return q.leaveDeleted(ctx, tx, m)
	})
}

// leaveDeleted keeps us from editing the post of an erased answer that is no
// longer there; one of several posts leaves the others to be edited.
func (q *Queue) leaveDeleted(ctx context.Context, tx bun.Tx, m *Message) error {
	_, err := tx.NewRaw(`UPDATE outbox SET state = 'done' WHERE kind = ? AND nonce = (
			SELECT nonce FROM outbox WHERE message_id = ? ORDER BY id LIMIT 1)
		AND (SELECT COUNT(*) FROM posts WHERE message_id = ?) = 1`, PostErased, m.ID, m.ID).Exec(ctx)
	return err
}

// receiveChange stores an event about messages and applies it, once.
func (q *Queue) receiveChange(ctx context.Context, in Incoming,
	find func(context.Context, bun.Tx) ([]*Message, error), apply func(context.Context, bun.Tx, *Message) error) (*Received, error) {
	var r Received
	err := q.write(ctx, func(ctx context.Context, tx bun.Tx) error {
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
			if err := apply(ctx, tx, m); err != nil {
				return err
			}
		}
		return nil
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
