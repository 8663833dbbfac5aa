package memory

import (
	"context"

	"github.com/uptrace/bun"
)

// goesOn is the reason of the rest of a fold that took several jobs.
const goesOn = "rest"

// inHand is an SQL condition on facts AS fa that people have taken in hand: pinned, remembered, corrected, or what a
// correction stands for. They outlive the segment that their message was folded into.
const inHand = `(fa.pinned OR fa.origin IN ('remembered', 'corrected') OR EXISTS (SELECT 1 FROM facts AS hand WHERE hand.id = fa.superseded_by AND hand.origin = 'corrected'))`

// UndoFold undoes the last fold of a session: its messages are verbatim in the prompt again, and segments,
// watermark and snapshot are as before, except for later changes by people. No fold is due again before
// the context has grown by a fifth of the threshold. ErrNotFound if there is nothing to undo.
func (s *Store) UndoFold(ctx context.Context, session int64) (undone *Compaction, err error) {
	err = s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		if undone, err = s.undoFold(ctx, tx, session); err != nil {
			return err
		}
		if err := s.decideFacts(ctx, tx, session); err != nil {
			return err
		}
		if err := execAll(ctx, tx, []string{"DELETE FROM snapshots WHERE session_id = ?0 AND watermark >= ?1",
			"DELETE FROM compactions WHERE session_id = ?0 AND state = 'due' AND kind = ?2"}, session, undone.FromID, Fold); err != nil {
			return err
		}
		if err := s.renderSnapshot(ctx, tx, session); err != nil { // those of before lack what people changed since
			return err
		}
		st, err := s.loadFoldState(ctx, tx, session)
		if err != nil {
			return err
		}
		_, err = tx.NewUpdate().Model((*Session)(nil)).Set("fold_after = ?", st.size()+s.Policy.with(st.Threshold).share(worthShare)).
			Where("id = ?", session).Exec(ctx)
		return err
	})
	return undone, wrap("undo a fold", err)
}

// undoFold undoes the rows of the last fold, newest first, and returns the first of them.
func (s *Store) undoFold(ctx context.Context, tx bun.Tx, session int64) (*Compaction, error) {
	for {
		c := new(Compaction)
		err := tx.NewSelect().Model(c).Where("session_id = ? AND kind = ? AND state = 'done'", session, Fold).
			Where("to_id = (SELECT watermark FROM sessions WHERE id = ?)", session).OrderExpr("id DESC").Limit(1).Scan(ctx)
		if err != nil {
			return nil, missing(err)
		}
		if _, err := dropFacts(ctx, tx, session, c.FromID, c.ToID); err != nil {
			return nil, err
		}
		if err := execAll(ctx, tx, []string{
			`DELETE FROM segments WHERE session_id = ?0 AND from_id >= ?1`,
			`UPDATE sessions SET watermark = COALESCE((SELECT MAX(to_id) FROM segments WHERE session_id = ?0), 0) WHERE id = ?0`,
			`UPDATE compactions SET state = 'undone' WHERE id = ?2`,
		}, session, c.FromID, c.ID); err != nil {
			return nil, err
		}
		if c.Reason != goesOn {
			return c, nil
		}
	}
}

// SetThreshold gives a session its own threshold in tokens, 0 for its channel's or the program's, and applies the policy again.
func (s *Store) SetThreshold(ctx context.Context, session int64, tokens int) error {
	return s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		if _, err := tx.NewUpdate().Model((*Session)(nil)).Set("threshold = ?, fold_after = 0", tokens).Where("id = ?", session).Exec(ctx); err != nil {
			return err
		}
		if err := s.renderSnapshot(ctx, tx, session); err != nil { // its room is another
			return err
		}
		_, err := s.scheduleCompaction(ctx, tx, session)
		return err
	})
}
