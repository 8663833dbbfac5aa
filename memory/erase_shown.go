package memory

import (
	"context"
	"errors"
	"fmt"

	"github.com/uptrace/bun"
)

// Shown is what a post of ours shows or rests on, by ids: messages, memories of sessions, documents.
// The answer to a command is erased as soon as any of them is; a turn whose prompts held one begins again;
// the answer of a turn is erased with the documents, and with the messages.
type Shown struct {
	Messages  []int64 `json:"messages,omitempty"`
	Sessions  []int64 `json:"sessions,omitempty"`
	Documents []int64 `json:"documents,omitempty"`
}

// NoteShown records what the prompts of a running turn contain, before it is sent to a model. The error is
// ErrInterrupted if any of it was erased meanwhile.
func (q *Queue) NoteShown(ctx context.Context, nonce string, s Shown) error {
	err := q.WriteRedone(ctx, func(ctx context.Context, tx bun.Tx) error { return q.setShown(ctx, tx, nonce, s) })
	if errors.Is(err, ErrNotFound) {
		return ErrInterrupted
	}
	return wrap("note what a prompt holds", err)
}

// setShown notes what the post with a nonce shows; ErrNotFound if a message or document was erased
// meanwhile.
func (q *Queue) setShown(ctx context.Context, tx bun.Tx, nonce string, s Shown) error {
	gone, err := tx.NewSelect().Model((*Message)(nil)).Where("id IN (?) AND erased_at > 0", bun.List(s.Messages)).Exists(ctx)
	if err == nil && !gone {
		gone, err = tx.NewSelect().Model((*Document)(nil)).Where("id IN (?) AND removed_at > 0", bun.List(s.Documents)).Exists(ctx)
	}
	if err != nil {
		return err
	}
	if gone {
		return fmt.Errorf("what is shown: %w", ErrNotFound)
	}
	return addShown(ctx, tx, nonce, s)
}

func addShown(ctx context.Context, tx bun.Tx, nonce string, s Shown) error {
	for column, ids := range map[string][]int64{"message_id": s.Messages, "session_id": s.Sessions, "document_id": s.Documents} {
		for _, id := range ids {
			if err := exec(ctx, tx, `INSERT INTO shown (outbox_id, ?) SELECT id, ? FROM outbox WHERE nonce = ? ON CONFLICT DO NOTHING`,
				bun.Ident(column), id, nonce); err != nil {
				return err
			}
		}
	}
	return nil
}

// setRests replaces what the prompts of a turn held by what its answer rests on: that, and what the
// answers among it rest on. Answers of the session itself are no more than the way to these. Without
// rests all that the prompts held stays, but for the session.
func (q *Queue) setRests(ctx context.Context, tx bun.Tx, o *Outbox, rests *Shown) error {
	if rests == nil {
		return exec(ctx, tx, `DELETE FROM shown WHERE outbox_id = ? AND session_id > 0`, o.ID)
	}
	if err := exec(ctx, tx, `DELETE FROM shown WHERE outbox_id = ?`, o.ID); err != nil {
		return err
	}
	if err := addShown(ctx, tx, o.Nonce, *rests); err != nil {
		return err
	}
	return execAll(ctx, tx, []string{
		`INSERT INTO shown (outbox_id, message_id, document_id) SELECT ?0, sh.message_id, sh.document_id
			FROM outbox AS o JOIN shown AS sh ON sh.outbox_id = o.id AND sh.session_id = 0 WHERE o.message_id IN (?1) ON CONFLICT DO NOTHING`,
		`INSERT INTO shown (outbox_id, document_id) SELECT ?0, ci.document_id FROM citations AS ci WHERE ci.message_id IN (?1) ON CONFLICT DO NOTHING`,
		`DELETE FROM shown WHERE outbox_id = ?0 AND message_id IN (SELECT id FROM messages WHERE id IN (?1) AND session_id = ?2)`,
	}, o.ID, bun.List(rests.Messages), o.SessionID)
}

// restingOn are the answers that cite or rest on documents, or rest on messages.
func restingOn(ctx context.Context, db bun.IDB, s Shown) ([]*Message, error) {
	return answersWhere(ctx, db, `(m.id IN (SELECT ci.message_id FROM citations AS ci WHERE ci.document_id IN (?0))
		OR m.id IN (SELECT o.message_id FROM shown AS sh JOIN outbox AS o ON o.id = sh.outbox_id
			WHERE sh.document_id IN (?0) OR sh.message_id IN (?1)))`, bun.List(s.Documents), bun.List(s.Messages))
}

// eraseShown erases the posts of commands that show what a column of shown names, and has the turns
// that run with it in their prompts begin again.
func (q *Queue) eraseShown(ctx context.Context, tx bun.IDB, column string, id int64) error {
	var posts []int64
	if err := tx.NewRaw(`SELECT DISTINCT sh.outbox_id FROM shown AS sh JOIN outbox AS o ON o.id = sh.outbox_id
		WHERE sh.? = ? AND o.message_id = 0`, bun.Ident(column), id).Scan(ctx, &posts); err != nil {
		return err
	}
	for _, post := range posts {
		if running, err := q.restart(ctx, tx, post); err != nil || running {
			if err != nil {
				return err
			}
			continue
		}
		if err := exec(ctx, tx, `DELETE FROM shown WHERE outbox_id = ?`, post); err != nil {
			return err
		}
		if err := q.erasePosts(ctx, tx, "id", post); err != nil {
			return err
		}
	}
	return nil
}

// restart has the turn that a post belongs to begin again, and reports whether it runs.
func (q *Queue) restart(ctx context.Context, tx bun.IDB, post int64) (bool, error) {
	last, err := first[Inbox](ctx, tx, "id = (SELECT inbox_id FROM outbox WHERE id = ?) AND state = ?", post, InboxNew)
	if err != nil {
		return false, orNone(err)
	}
	if err := exec(ctx, tx, `UPDATE inbox SET stop = ? WHERE session_id = ? AND state = ? AND stop IN ('', ?) AND seq <= ?`,
		StopAudience, last.SessionID, InboxNew, StopEdited, last.Seq); err != nil {
		return false, err
	}
	_, err = tx.NewRaw(`UPDATE outbox SET payload = '', state = ? WHERE id = ? AND state = ?`, OutboxNew, post, OutboxReady).Exec(ctx)
	return true, err
}

// eraseShownOf erases the posts that show a message, or the memory of its session.
func (q *Queue) eraseShownOf(ctx context.Context, tx bun.IDB, m *Message) error {
	if err := q.eraseShown(ctx, tx, "message_id", m.ID); err != nil {
		return err
	}
	return q.eraseShown(ctx, tx, "session_id", m.SessionID)
}
