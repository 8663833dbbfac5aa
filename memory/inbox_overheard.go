package memory

import (
	"context"
	"time"

	"github.com/uptrace/bun"
)

// A message that is perhaps for us is overheard. Its rows are open like others, but leave no trace
// until it is known to be for us: no interaction is open, and the outbox row of their turn is
// OutboxHeard, which has no post. They wait for the end of their burst, so that
// one turn decides about all of it.
const (
	overheardGap  = 2 * time.Second // without another line, after which a burst is over
	overheardMost = 6 * time.Second // that its first line waits at most
)

// overheardUntil is when the turn over rows is due, in milliseconds UTC; 0 if that is now.
func overheardUntil(rows []*Inbox, now int64) int64 {
	first, last := rows[0], rows[len(rows)-1]
	due := min(last.CreatedAt+overheardGap.Milliseconds(), first.CreatedAt+overheardMost.Milliseconds())
	if due <= now || due-now > overheardGap.Milliseconds() { // or the clock was set back
		return 0
	}
	return due
}

// settleBurst decides what becomes of the overheard among the rows of a turn that is not begun. What
// others than its last speaker said is over, as context. The rest is for us if any of it is.
// It returns the rows left, and whether all of them are overheard.
func (q *Queue) settleBurst(ctx context.Context, tx bun.Tx, rows []*Inbox, people map[int64]int64) ([]*Inbox, bool, error) {
	speaker := people[rows[len(rows)-1].ID]
	var own []*Inbox
	var others []int64
	overheard := true
	for _, row := range rows {
		if people[row.ID] != speaker {
			others = append(others, row.ID)
			continue
		}
		own = append(own, row)
		overheard = overheard && row.Overheard
	}
	if err := q.closeRows(ctx, tx, rows[0].SessionID, others, InboxSilent, ""); err != nil || overheard {
		return own, overheard, err
	}
	var ids []int64
	for _, row := range own {
		if row.Overheard {
			ids = append(ids, row.ID)
			row.Overheard, row.Answer = false, true
		}
	}
	return own, false, q.answerOverheard(ctx, tx, "id IN (?)", bun.List(ids))
}

// answerOverheard makes open overheard rows requests as others are; which, says a condition.
func (q *Queue) answerOverheard(ctx context.Context, tx bun.Tx, condition string, args ...any) error {
	var rows []*Inbox
	err := tx.NewSelect().Model(&rows).Where("overheard AND state = ?", InboxNew).Where(condition, args...).Scan(ctx)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if _, err := tx.NewUpdate().Model(row).Set("overheard = FALSE, answer = TRUE").WherePK().Exec(ctx); err != nil {
			return err
		}
		if err := exec(ctx, tx, `UPDATE interactions SET state = ?, closed_at = 0
			WHERE id = (SELECT interaction_id FROM messages WHERE id = ?)`, InteractionOpen, row.MessageID); err != nil {
			return err
		}
	}
	return nil
}

// AnswerOverheard turns the turn over overheard rows into an ordinary one, before anything of its answer
// is posted. The error is ErrInterrupted, and nothing is stored, if the turn must end; ErrFenced if
// the lease was lost.
func (q *Queue) AnswerOverheard(ctx context.Context, l *Lease, outbox int64, rows []int64) error {
	err := q.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		if err := q.fence(ctx, tx, l, "updated_at = ?", q.Now()); err != nil {
			return err
		}
		if err := q.mayContinue(ctx, tx, rows); err != nil {
			return err
		}
		if _, err := tx.NewUpdate().Model((*Outbox)(nil)).Set("state = ?", OutboxNew).
			Where("id = ? AND state = ?", outbox, OutboxHeard).Exec(ctx); err != nil {
			return err
		}
		return q.answerOverheard(ctx, tx, "id IN (?)", bun.List(rows))
	})
	return wrap("answer what was overheard", err)
}

// Silence is the outcome of an overheard turn that ends without an answer.
type Silence struct {
	Outbox  int64
	Inbox   []int64
	Message int64  // the last it was about, which keeps what the turn cost
	Ledger  Ledger // stored if a model was called
}

// FinishInSilence ends an overheard turn: its rows are silent, its outbox row is deleted, and the
// messages stay as context. It releases the session. The error is
// ErrInterrupted, and nothing is stored, if the turn must end for another reason or is for us after all;
// ErrFenced if the lease was lost.
func (q *Queue) FinishInSilence(ctx context.Context, l *Lease, s Silence) error {
	err := q.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		if err := q.fence(ctx, tx, l, "updated_at = ?, lease_owner = '', ready_at = ?", q.Now(), q.Now()); err != nil {
			return err
		}
		if err := q.mayContinue(ctx, tx, s.Inbox); err != nil {
			return err
		}
		sure, err := tx.NewSelect().Model((*Inbox)(nil)).Where("id IN (?) AND NOT overheard", bun.List(s.Inbox)).Exists(ctx)
		if err != nil {
			return err
		}
		if sure {
			return ErrInterrupted
		}
		if _, err := tx.NewDelete().Model((*Outbox)(nil)).Where("id = ? AND state = ?", s.Outbox, OutboxHeard).Exec(ctx); err != nil {
			return err
		}
		if s.Ledger.ModelCalls > 0 {
			if err := setLedger(ctx, tx, s.Message, s.Ledger); err != nil {
				return err
			}
		}
		return q.closeRows(ctx, tx, l.SessionID, s.Inbox, InboxSilent, "")
	})
	return wrap("end in silence", err)
}

// forgetHeard removes the outbox rows of turns over overheard messages that did not come to an end in a
// session: nothing was posted for them, and what they are about may be put together anew.
func (q *Queue) forgetHeard(ctx context.Context, tx bun.Tx, session int64) error {
	_, err := tx.NewDelete().Model((*Outbox)(nil)).Where("state = ?", OutboxHeard).
		Where("inbox_id IN (SELECT id FROM inbox WHERE session_id = ? AND state = ?)", session, InboxNew).Exec(ctx)
	return err
}

// wasNotAsked reports whether no answer was asked for with a message: it was not for us.
func (q *Queue) wasNotAsked(ctx context.Context, tx bun.Tx, message int64) (bool, error) {
	asked, err := tx.NewSelect().Model((*Inbox)(nil)).Where("message_id = ? AND answer", message).Exists(ctx)
	return !asked, err
}
