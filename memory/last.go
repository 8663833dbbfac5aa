package memory

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/uptrace/bun"
)

// LastFailedRequest is the last request of a session that failed or was answered in part, one of
// person's if there is any: the user messages that one answer was for, oldest first, or
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
	return q.failedMessages(ctx, request)
}

// FailedRequest is the request that the post with a nonce, in a channel, answers, if it
// failed or was answered in part: the user messages it was for, oldest first, or ErrNotFound.
func (q *Queue) FailedRequest(ctx context.Context, channel int64, nonce string) ([]*Message, error) {
	var request int64
	err := q.reader.NewSelect().Model((*Message)(nil)).Column("m.interaction_id").
		Join("JOIN outbox AS o ON o.message_id = m.id AND o.nonce = ?", nonce).Where("m.channel_id = ?", channel).Scan(ctx, &request)
	if err != nil {
		return nil, missing(err)
	}
	return q.failedMessages(ctx, request)
}

// failedMessages are the messages that the answer to a request was for, of each interaction the
// last one. A bare mention that stood for another message is not among them.
func (q *Queue) failedMessages(ctx context.Context, request int64) ([]*Message, error) {
	var list []*Message
	err := q.reader.NewSelect().Model(&list).
		Join("JOIN interactions AS i ON i.id = m.interaction_id AND i.state = ?", InteractionFailed).
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
	_, err := tx.NewRaw(`INSERT INTO outbox (session_id, nonce, state, ref, payload, created_at)
		SELECT o.session_id, ? || o.nonce, ?, o.ref, ?, ? FROM outbox AS o WHERE o.ref <> '' AND o.id =
			(SELECT MIN(x.id) FROM outbox AS x WHERE x.message_id > 0 AND x.message_id =
				(SELECT MAX(a.id) FROM messages AS m JOIN messages AS a ON a.interaction_id = m.interaction_id AND a.role = ? AND a.erased_at = 0 WHERE m.id = ?))
		ON CONFLICT (nonce) DO NOTHING`,
		retriedNonce, OutboxReady, RetriedPost, q.Now(), Assistant, message).Exec(ctx)
	return err
}

const retriedNonce = "retried:"

// OutboxRetriedAnswer is the answer that a post with the payload RetriedPost is about, and the nonce it was
// posted under; ErrNotFound if it is not kept any more.
func (q *Queue) OutboxRetriedAnswer(ctx context.Context, o *Outbox) (*Message, string, error) {
	nonce := strings.TrimPrefix(o.Nonce, retriedNonce)
	m := new(Message)
	err := q.reader.NewSelect().Model(m).Join("JOIN outbox AS o ON o.message_id = m.id").
		Where("o.nonce = ? AND m.erased_at = 0", nonce).Scan(ctx)
	return m, nonce, missing(err)
}

// LastCitations are the citations of the last answer of a session that has any,
// with their documents' names and links; none is no error.
func (v *Views) LastCitations(ctx context.Context, session int64) ([]Citation, error) {
	var id int64
	err := v.reader.NewRaw(`SELECT COALESCE(MAX(m.id), 0) FROM messages AS m JOIN citations AS x ON x.message_id = m.id
		WHERE m.session_id = ?`, session).Scan(ctx, &id)
	if err != nil || id == 0 {
		return nil, err
	}
	return v.memory.Citations(ctx, id)
}

// PostedCitation is the answer that was posted under a nonce and its citation n;
// ErrNotFound if there is none, or its document was removed.
func (v *Views) PostedCitation(ctx context.Context, nonce string, n int) (*Message, *Citation, error) {
	m := new(Message)
	err := v.reader.NewSelect().Model(m).Join("JOIN outbox AS o ON o.message_id = m.id").
		Where("o.nonce = ? AND m.erased_at = 0", nonce).Scan(ctx)
	if err != nil {
		return nil, nil, missing(err)
	}
	cited, err := v.memory.Citations(ctx, m.ID)
	if err != nil {
		return nil, nil, err
	}
	i := slices.IndexFunc(cited, func(c Citation) bool { return c.N == n })
	if i < 0 {
		return nil, nil, ErrNotFound
	}
	return m, &cited[i], nil
}

// LastUnderstanding is the last user message of a session that a turn has read, one of
// person's if there is any, and how, or ErrNotFound.
func (v *Views) LastUnderstanding(ctx context.Context, session, person int64) (*Message, Understanding, error) {
	m := new(Message)
	err := v.reader.NewSelect().Model(m).
		Join("JOIN understandings AS u ON u.message_id = m.id").
		Where("m.session_id = ?", session).OrderExpr("m.person_id = ? DESC, m.id DESC", person).Limit(1).Scan(ctx)
	if err != nil {
		return nil, Understanding{}, missing(err)
	}
	u, err := v.memory.UnderstandingOf(ctx, m.ID)
	return m, u, err
}

// saidLength is how many characters of a message LastTexts returns.
const saidLength = 1000

// LastTexts are the beginnings of what a person, and of what others, said in the last
// limit messages of a session, newest first.
func (s *Store) LastTexts(ctx context.Context, session, person int64, limit int) (own, others []string, err error) {
	var last []Message
	err = s.reader.NewSelect().Model(&last).Column("person_id").ColumnExpr("SUBSTR(text, 1, ?) AS text", saidLength).
		Where("session_id = ? AND role = ? AND erased_at = 0", session, User).OrderExpr("id DESC").Limit(int64(limit)).Scan(ctx)
	for _, m := range last {
		if m.PersonID == person {
			own = append(own, m.Text)
		} else {
			others = append(others, m.Text)
		}
	}
	return own, others, err
}

// LastLedger is the bookkeeping of the last answer of a session, or ErrNotFound.
func (v *Views) LastLedger(ctx context.Context, session int64) (Ledger, error) {
	var id int64
	err := v.reader.NewRaw(`SELECT m.id FROM messages AS m JOIN ledgers AS l ON l.message_id = m.id
		WHERE m.session_id = ? ORDER BY m.id DESC LIMIT 1`, session).Scan(ctx, &id)
	if err != nil {
		return Ledger{}, missing(err)
	}
	return v.memory.LedgerOf(ctx, id)
}

// SetFeedback stores what a person thinks of the answer that was posted under a
// nonce at a time (milliseconds UTC), replacing what they thought before then.
// ErrNotFound if there is no such answer in the channel.
func (s *Store) SetFeedback(ctx context.Context, channel int64, nonce string, person int64, value string, at int64) error {
	err := s.write(ctx, func(ctx context.Context, tx bun.Tx) error {
		var message int64
		if err := tx.NewSelect().Model((*Outbox)(nil)).Column("message_id").
			Where("nonce = ? AND message_id IN (SELECT id FROM messages WHERE channel_id = ?)", nonce, channel).Scan(ctx, &message); err != nil {
			return missing(err)
		}
		_, err := tx.NewRaw(`INSERT INTO feedback (message_id, person_id, value, at) VALUES (?, ?, ?, ?)
			ON CONFLICT (message_id, person_id) DO UPDATE SET value = EXCLUDED.value, at = EXCLUDED.at
			WHERE EXCLUDED.at >= feedback.at`, message, person, value, at).Exec(ctx)
		return err
	})
	if err != nil {
		return fmt.Errorf("memory: store feedback: %w", err)
	}
	return nil
}

// CountFeedback counts what people thought of answers, by value.
func (v *Views) CountFeedback(ctx context.Context) (map[string]int, error) {
	var rows []struct {
		Value string
		N     int
	}
	err := v.reader.NewSelect().Table("feedback").Column("value").ColumnExpr("COUNT(*) AS n").Group("value").Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("memory: count feedback: %w", err)
	}
	given := make(map[string]int, len(rows))
	for _, r := range rows {
		given[r.Value] = r.N
	}
	return given, nil
}

// Said is a conversation, the platform ids of what people said in it and those of the
// messages that show our answers, newest first.
type Said struct {
	Key      Key
	Messages []string
	Posts    []string
}

// RecentConversations are the latest conversations of a platform, those in which something was said
// within so many milliseconds of the last of all, with the latest messages of people and of
// ours that were not erased.
func (s *Store) RecentConversations(ctx context.Context, platform string, within int64, sessions, messages int) ([]Said, error) {
	var latest []*Session
	err := s.reader.NewSelect().Model(&latest).
		Where("platform = ?0 AND updated_at >= (SELECT MAX(updated_at) FROM sessions WHERE platform = ?0) - ?1", platform, within).
		OrderExpr("updated_at DESC, id DESC").Limit(int64(sessions)).Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("memory: look up conversations: %w", err)
	}
	said := make([]Said, len(latest))
	for i, session := range latest {
		said[i].Key = session.Key
		err := s.reader.NewSelect().Model((*Message)(nil)).Column("platform_id").
			Where("session_id = ? AND role = ? AND erased_at = 0", session.ID, User).
			OrderExpr("id DESC").Limit(int64(messages)).Scan(ctx, &said[i].Messages)
		if err != nil {
			return nil, fmt.Errorf("memory: look up what was said: %w", err)
		}
		err = s.reader.NewSelect().Table("posts").Column("posts.platform_id").
			Join("JOIN messages AS m ON m.id = posts.message_id AND m.erased_at = 0").
			Where("m.session_id = ?", session.ID).OrderExpr("m.id DESC").Limit(int64(messages)).Scan(ctx, &said[i].Posts)
		if err != nil {
			return nil, fmt.Errorf("memory: look up what we said: %w", err)
		}
	}
	return said, nil
}
