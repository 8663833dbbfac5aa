package memory

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"
)

// Shown is what the answer to a command shows, by ids: messages, what is kept of sessions, names of
// documents. The post is erased as soon as any of it is.
type Shown struct{ Messages, Sessions, Documents []int64 }

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
	for column, ids := range map[string][]int64{"message_id": s.Messages, "session_id": s.Sessions, "document_id": s.Documents} {
		for _, id := range ids {
			if _, err := tx.NewRaw(`INSERT INTO shown (outbox_id, ?) SELECT id, ? FROM outbox WHERE nonce = ? ON CONFLICT DO NOTHING`,
				bun.Ident(column), id, nonce).Exec(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// eraseShown erases the posts that show what a column of shown names.
func (q *Queue) eraseShown(ctx context.Context, tx bun.IDB, column string, id int64) error {
	var posts []int64
	if err := tx.NewRaw(`SELECT DISTINCT outbox_id FROM shown WHERE ? = ?`, bun.Ident(column), id).Scan(ctx, &posts); err != nil {
		return err
	}
	for _, post := range posts {
		if _, err := tx.NewRaw(`DELETE FROM shown WHERE outbox_id = ?`, post).Exec(ctx); err != nil {
			return err
		}
		if err := q.erasePosts(ctx, tx, "id", post); err != nil {
			return err
		}
	}
	return nil
}

// eraseShownOf erases the posts that show a message, or what is kept of its session.
func (q *Queue) eraseShownOf(ctx context.Context, tx bun.IDB, m *Message) error {
	if err := q.eraseShown(ctx, tx, "message_id", m.ID); err != nil {
		return err
	}
	return q.eraseShown(ctx, tx, "session_id", m.SessionID)
}
