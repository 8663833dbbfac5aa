package memory

import (
	"context"
	"fmt"
	"slices"
)

// MessagesBetween are the newest messages of people in [from, to) milliseconds UTC that an audience may
// see and that stand before a message, oldest first.
func (s *Store) MessagesBetween(ctx context.Context, a Audience, from, to, before int64, limit int) ([]*Message, error) {
	var list []*Message
	q := s.reader.NewSelect().Model(&list).ExcludeColumn("terms").
		Where("m.role = ? AND m.erased_at = 0 AND m.text <> '' AND m.id < ? AND m.at >= ? AND m.at < ?", User, before, from, to)
	if err := a.Visible(q, "m.channel_id").OrderExpr("m.id DESC").Limit(int64(limit)).Scan(ctx); err != nil {
		return nil, fmt.Errorf("memory: what was said: %w", err)
	}
	slices.Reverse(list)
	return list, nil
}
