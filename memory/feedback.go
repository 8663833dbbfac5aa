package memory

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"
)

// Feedback is a person's opinion of the answer that was posted in a channel under a nonce.
type Feedback struct {
	Channel int64
	Nonce   string
	Person  int64
	Value   string
	At      int64
	Reason  string // why the answer was unhelpful; "" if not given
}

// SetFeedback stores a person's opinion of an answer, replacing their earlier
// one; the same opinion without a reason keeps the reason. ErrNotFound if there is no such answer in the channel.
func (s *Store) SetFeedback(ctx context.Context, f Feedback) error {
	err := s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		var message int64
		if err := tx.NewSelect().Model((*Outbox)(nil)).Column("message_id").
			Where("nonce = ? AND message_id IN (SELECT id FROM messages WHERE channel_id = ?)", f.Nonce, f.Channel).Scan(ctx, &message); err != nil {
			return missing(err)
		}
		return exec(ctx, tx, `INSERT INTO feedback (message_id, person_id, value, at, reason) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (message_id, person_id) DO UPDATE SET value = EXCLUDED.value, at = EXCLUDED.at,
				reason = CASE WHEN EXCLUDED.reason = '' AND EXCLUDED.value = feedback.value THEN feedback.reason ELSE EXCLUDED.reason END
			WHERE EXCLUDED.at >= feedback.at`, message, f.Person, f.Value, f.At, f.Reason)
	})
	return wrap("store feedback", err)
}

// CountFeedback counts the opinions of answers, by value.
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
