package memory

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"
)

// OpenQuestion is the latest unanswered clarifying question of a session, or
// ErrNotFound.
func (s *Store) OpenQuestion(ctx context.Context, session int64) (*Question, error) {
	q := new(Question)
	err := s.reader.NewSelect().Model(q).Where("session_id = ? AND state = ?", session, QuestionOpen).
		OrderExpr("id DESC").Limit(1).Scan(ctx)
	return q, missing(err)
}

// QuestionByToken is the question a button belongs to, whatever its state, or
// ErrNotFound.
func (s *Store) QuestionByToken(ctx context.Context, token string) (*Question, error) {
	q := new(Question)
	err := s.reader.NewSelect().Model(q).Where("token = ?", token).Scan(ctx)
	return q, missing(err)
}

// AnswerQuestion closes a question; false if it was closed before. The
// interaction of a cancelled one is over, unless another message of it still waits.
func (s *Store) AnswerQuestion(ctx context.Context, id int64, answer string, state QuestionState) (bool, error) {
	closed := false
	err := s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		res, err := tx.NewUpdate().Model((*Question)(nil)).
			Set("state = ?, answer = ?, answered_at = ?", state, Clean(answer), s.Now()).
			Where("id = ? AND state = ?", id, QuestionOpen).Exec(ctx)
		if err != nil {
			return err
		}
		n, _ := res.RowsAffected()
		closed = n > 0
		if !closed || state != QuestionCancelled {
			return nil
		}
		_, err = tx.NewRaw(`UPDATE interactions SET state = ?, closed_at = ?
			WHERE id = (SELECT interaction_id FROM questions WHERE id = ?) AND state = ?
			AND NOT EXISTS (SELECT 1 FROM messages AS m JOIN inbox AS ib ON ib.message_id = m.id
				WHERE m.interaction_id = interactions.id AND ib.state = ?)`,
			InteractionCancelled, s.Now(), id, InteractionOpen, InboxNew).Exec(ctx)
		return err
	})
	if err != nil {
		return false, fmt.Errorf("memory: answer question: %w", err)
	}
	return closed, nil
}
