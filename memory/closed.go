package memory

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"
)

// EraseConversation erases everything said in a thread, or in a channel with all its threads
// when the key names none, and returns the sessions it was said in. SecureErase makes the file forget
// the text.
func (s *Store) EraseConversation(ctx context.Context, key Key) (sessions []int64, err error) {
	q := s.reader.NewSelect().Model((*Session)(nil)).Column("id").
		Where("platform = ? AND workspace = ? AND channel = ?", key.Platform, key.Workspace, key.Channel)
	if key.Thread != "" {
		q = q.Where("thread = ?", key.Thread)
	}
	if err := q.Order("id").Scan(ctx, &sessions); err != nil {
		return nil, fmt.Errorf("memory: find sessions: %w", err)
	}
	for _, id := range sessions {
		for n := forgetBatch; n == forgetBatch; {
			if n, err = s.eraseSome(ctx, id); err != nil {
				return nil, fmt.Errorf("memory: erase session %d: %w", id, err)
			}
		}
	}
	return sessions, nil
}

// eraseSome erases messages of a session and returns how many.
func (s *Store) eraseSome(ctx context.Context, session int64) (n int, err error) {
	err = s.write(ctx, func(ctx context.Context, tx bun.Tx) error {
		var rows []*Message
		if err := tx.NewSelect().Model(&rows).Where("m.session_id = ? AND m.erased_at = 0", session).
			Order("m.id").Limit(forgetBatch).Scan(ctx); err != nil {
			return err
		}
		for _, m := range rows {
			if err := s.eraseOne(ctx, tx, m, m.PersonID); err != nil {
				return err
			}
		}
		if n = len(rows); n == 0 {
			return nil
		}
		if err := s.rederive(ctx, tx, rows); err != nil {
			return err
		}
		_, err := tx.NewRaw(`UPDATE sessions SET title = '' WHERE id = ?`, session).Exec(ctx)
		if err != nil {
			return err
		}
		return s.oweSecureErase(ctx, tx)
	})
	return n, err
}
