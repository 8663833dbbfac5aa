package memory

import (
	"cmp"
	"context"
	"strings"

	"github.com/uptrace/bun"
)

// LastFailedRequest returns the last request of a session that failed or was answered in part, preferably one of
// person's: the user messages that one answer was for, oldest first, or
// ErrNotFound.
func (q *Queue) LastFailedRequest(ctx context.Context, session, person int64) ([]*Message, error) {
	var request int64
	err := q.reader.NewSelect().Model((*Interaction)(nil)).ColumnExpr("COALESCE(NULLIF(i.answered_with, 0), i.id)").
		Join("JOIN messages AS m ON m.interaction_id = i.id AND m.role = ? AND m.erased_at = 0", User).
		Where("i.session_id = ? AND i.state = ?", session, InteractionFailed).
		OrderExpr("m.person_id = ? DESC, m.id DESC", person).Limit(1).Scan(ctx, &request)
	if err != nil {
		return nil, missing(err)
	}
	return q.messagesAsked(ctx, q.reader, request, InteractionFailed)
}

// FailedRequest returns the request that a post in a channel, named by its nonce, answers, if it
// failed or was answered in part: the user messages it was for, oldest first, or ErrNotFound.
func (q *Queue) FailedRequest(ctx context.Context, channel int64, nonce string) ([]*Message, error) {
	m, err := q.memory.posted(ctx, nonce)
	if err != nil || m.ChannelID != channel {
		return nil, cmp.Or(err, ErrNotFound)
	}
	return q.messagesAsked(ctx, q.reader, m.InteractionID, InteractionFailed)
}

// messagesAsked are the messages that the answer to a request was for, of each interaction in one of
// the states the last one. A bare mention that stood for another message is not among them.
func (q *Queue) messagesAsked(ctx context.Context, db bun.IDB, request int64, states ...InteractionState) (list []*Message, err error) {
	err = db.NewSelect().Model(&list).
		Join("JOIN interactions AS i ON i.id = m.interaction_id AND i.state IN (?)", bun.List(states)).
		Where("i.session_id = (SELECT session_id FROM interactions WHERE id = ?0) AND (i.id = ?0 OR i.answered_with = ?0)", request).
		Where("m.id = (SELECT MAX(x.id) FROM messages AS x WHERE x.interaction_id = i.id AND x.role = ? AND x.erased_at = 0)", User).
		Where("i.id = ? OR m.text <> '' OR EXISTS (SELECT 1 FROM files AS f WHERE f.message_id = m.id)", request).
		OrderExpr("m.id").Scan(ctx)
	if err == nil && len(list) == 0 {
		err = ErrNotFound
	}
	return list, err
}

// showRetried lets the post of the answer to a message, which failed, be edited: it is asked again.
func (q *Queue) showRetried(ctx context.Context, tx bun.Tx, message int64) error {
	return exec(ctx, tx, `INSERT INTO outbox (session_id, nonce, kind, state, ref, created_at)
		SELECT o.session_id, ? || o.nonce, ?, ?, o.ref, ? FROM outbox AS o WHERE o.ref <> '' AND o.id =
			(SELECT MIN(x.id) FROM outbox AS x WHERE x.message_id > 0 AND x.message_id =
				(SELECT MAX(a.id) FROM messages AS m JOIN messages AS a ON a.interaction_id = m.interaction_id AND a.role = ? AND a.erased_at = 0 WHERE m.id = ?))
		ON CONFLICT (nonce) DO NOTHING`,
		retriedNonce, PostRetried, OutboxReady, q.Now(), Assistant, message)
}

const retriedNonce = "retried:"

// OutboxRetriedAnswer returns the answer that a post of the kind PostRetried is about, and the nonce it was
// posted under; ErrNotFound if it is no longer stored.
func (q *Queue) OutboxRetriedAnswer(ctx context.Context, o *Outbox) (*Message, string, error) {
	nonce := strings.TrimPrefix(o.Nonce, retriedNonce)
	m, err := q.memory.posted(ctx, nonce)
	return m, nonce, err
}
