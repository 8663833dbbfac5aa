package memory

import (
	"context"
)

// AnsweredBefore returns the last answer to the same request that this audience may see, ErrNotFound if there is none. hash is the
// request's Ledger.Answers, since the oldest time that counts. Answers that somebody found unhelpful do not count.
func (s *Store) AnsweredBefore(ctx context.Context, a Audience, hash string, since int64) (*Message, error) {
	m := new(Message)
	q := s.reader.NewSelect().Model(m).Join("JOIN ledgers AS l ON l.message_id = m.id").
		Where("l.answers = ? AND l.answers <> '' AND m.at >= ? AND m.erased_at = 0 AND m.role = ?", hash, since, Assistant).
		Where("NOT EXISTS (SELECT 1 FROM feedback AS fe WHERE fe.message_id = m.id AND fe.value = 'unhelpful')")
	err := a.VisibleMessages(q).OrderExpr("m.id DESC").Limit(1).Scan(ctx)
	return m, wrap("look for an answer", missing(err))
}
