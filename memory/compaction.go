package memory

import (
	"context"
	"errors"
	"time"

	"github.com/uptrace/bun"
)

// ErrChanged reports that the messages of a summary have changed since it was
// made. Nothing was stored; the work must be done again.
var ErrChanged = errors.New("messages changed")

// Compaction is one row of table compactions. It folded the messages FromID to ToID;
// tokens are those of the context (snapshot and messages above the watermark).
type Compaction struct {
	bun.BaseModel `bun:"table:compactions,alias:co" json:"-"`
	ID            int64         `bun:",pk,autoincrement" json:"id"`
	SessionID     int64         `json:"-"`
	FromID        int64         `json:"from"`
	ToID          int64         `json:"to"`
	Kind          string        `json:"kind"`
	State         string        `json:"-"` // due | done
	Method        SegmentMethod `json:"method"`
	Attempts      int           `json:"-"`
	NextAt        int64         `json:"-"`
	LeaseOwner    string        `json:"-"`
	LeaseEpoch    int64         `json:"-"`
	TokensBefore  int           `json:"tokens_before"`
	TokensAfter   int           `json:"tokens_after"`
	Error         string        `json:"-"`
	Reason        string        `json:"reason,omitempty"`       // why it was due; "" for a rebuild
	Instructions  string        `json:"instructions,omitempty"` // what somebody asked it to keep, until it is done
	FromN         int           `bun:"-" json:"-"`              // of the status: FromID and ToID as places in the conversation, from 1
	ToN           int           `bun:"-" json:"-"`
	CreatedAt     int64         `json:"-"`
	DoneAt        int64         `json:"done_at"`
}

// Job is a claimed compaction: the slice to summarise. A longer fold takes several jobs, so that each is stored quickly.
// Failures is how often a model has failed at it, RetryAfter the pause it asked for.
type Job struct {
	Compaction
	Failures   int
	RetryAfter time.Duration
	Slice      *Slice
	more       bool // the fold continues in another job
}

// Claim is a fact that a summary states and that is not stored yet. ExpiresAt (milliseconds
// UTC) is 0 unless it holds for a limited time. Replaces is the fact that it changes, takes back or settles, 0 for none but those
// of its slot. Done says that a todo or an open question of the same slot is settled. Quarantined ones are stored and never shown.
type Claim struct {
	Kind        FactKind
	Subject     string
	Slot        string
	Text        string
	MessageID   int64
	Quote       string
	ExpiresAt   int64
	Replaces    int64
	Done        bool
	Quarantined bool
	found       bool // in a document
	quoted      bool // found by cue: a sentence as it stands
	weight      int  // salience of the quote, 0 if it was not looked at
}

// Summary is the result for one slice.
type Summary struct {
	Narrative     string
	Claims        []Claim
	Method        SegmentMethod
	Model         string
	PromptVersion string
	Stale         bool // replaces a model's segment until it is made again
}

// ClaimCompaction gives the due compaction that has waited longest to owner for
// ttl. It returns nil, nil if there is none. A job with nothing left to do is ended.
func (s *Store) ClaimCompaction(ctx context.Context, owner string, ttl time.Duration) (*Job, error) {
	for {
		if due, err := s.anyDue(ctx, "compactions", "due"); err != nil || !due {
			return nil, wrap("look for a compaction", err)
		}
		c := new(Compaction)
		err := s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
			return tx.NewRaw(`UPDATE compactions SET lease_owner = ?, lease_epoch = lease_epoch + 1, next_at = ?
				WHERE id = (SELECT id FROM compactions WHERE state = 'due' AND next_at <= ? AND ? AND `+freshSession+` ORDER BY next_at, id LIMIT 1)
				RETURNING *`, owner, s.Now()+ttl.Milliseconds(), s.Now(), s.mine("session_id")).Scan(ctx, c)
		})
		if err != nil {
			return nil, wrap("claim a compaction", orNone(err))
		}
		j := &Job{Compaction: *c, Failures: c.Attempts}
		if err := s.plan(ctx, s.reader, j); err != nil { // of a long conversation it takes longer than the writer may be held
			return nil, wrap("plan a compaction", errors.Join(err, s.ReleaseCompaction(context.WithoutCancel(ctx), j, 0, nil)))
		}
		if j.Slice != nil {
			return j, nil
		}
		err = s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
			ended, err := affects(tx.NewDelete().Model(c).WherePK().Where("state = 'due' AND lease_epoch = ?", c.LeaseEpoch).Exec(ctx))
			if err == nil && ended {
				err = s.enlistNext(ctx, tx, j, false) // what came meanwhile relied on it
			}
			return err
		})
		if err != nil {
			return nil, wrap("end a compaction", err)
		}
	}
}

// plan loads what a job works on: the oldest of what is to be folded, or the oldest stale
// segment; nil if there is none. It is decided when the job is claimed, from what is there by then.
func (s *Store) plan(ctx context.Context, tx bun.IDB, j *Job) error {
	session := new(Session)
	if err := tx.NewSelect().Model(session).Where("id = ?", j.SessionID).Scan(ctx); err != nil {
		return err
	}
	span, err := s.span(ctx, tx, j, session)
	if err == nil && span != [2]int64{} {
		j.Slice, err = slice(ctx, tx, j.SessionID, span[0], span[1])
	}
	return err
}

// span is the first and the last message that a job works on, zero for none.
func (s *Store) span(ctx context.Context, tx bun.IDB, j *Job, session *Session) (span [2]int64, err error) {
	if j.Kind == Rebuild {
		var stale Segment
		err := tx.NewSelect().Model(&stale).Where("session_id = ? AND stale", j.SessionID).
			Order("from_id").Limit(1).Scan(ctx)
		return [2]int64{stale.FromID, stale.ToID}, orNone(err)
	}
	weights, err := weigh(ctx, tx, session.ID, session.Watermark)
	if err != nil {
		return span, err
	}
	p, err := s.policyOf(ctx, tx, session.ID)
	if err == nil {
		span, j.more = firstRange(weights, p.cut(weights))
	}
	return span, err
}

// RenewCompaction extends the lease of a job to ttl from now; ErrFenced if it was lost.
func (s *Store) RenewCompaction(ctx context.Context, j *Job, ttl time.Duration) error {
	return s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		return fenceJob(ctx, tx, j, "next_at = ?", s.Now()+ttl.Milliseconds())
	})
}

// ReleaseCompaction postpones a job by delay, because of failure if that is not
// nil. It is no error if the lease was lost meanwhile.
func (s *Store) ReleaseCompaction(ctx context.Context, j *Job, delay time.Duration, failure error) error {
	failed, reason := 0, ""
	if failure != nil {
		failed, reason = 1, failure.Error()
	}
	err := s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		return fenceJob(ctx, tx, j, "lease_owner = '', next_at = ?, attempts = attempts + ?, error = ?",
			s.Now()+delay.Milliseconds(), failed, reason)
	})
	if errors.Is(err, ErrFenced) {
		return nil
	}
	return err
}

// fenceJob updates the row of a job, or returns ErrFenced.
func fenceJob(ctx context.Context, tx bun.IDB, j *Job, set string, args ...any) error {
	held, err := affects(tx.NewUpdate().Model((*Compaction)(nil)).Set(set, args...).
		Where("id = ? AND state = 'due' AND lease_epoch = ?", j.ID, j.LeaseEpoch).Exec(ctx))
	if err == nil && !held {
		err = ErrFenced
	}
	return err
}

// MarkSegmentsStale marks every segment of a session, or of all sessions if it is 0, to
// be made again from its messages.
func (s *Store) MarkSegmentsStale(ctx context.Context, session int64) error {
	err := s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		var sessions []int64
		q := tx.NewSelect().Model((*Segment)(nil)).ColumnExpr("DISTINCT session_id")
		if session != 0 {
			q = q.Where("session_id = ?", session)
		}
		if err := q.Scan(ctx, &sessions); err != nil {
			return err
		}
		for _, id := range sessions {
			if _, err := tx.NewUpdate().Model((*Segment)(nil)).Set("stale = TRUE").Where("session_id = ?", id).Exec(ctx); err != nil {
				return err
			}
			if err := s.enlist(ctx, tx, Compaction{SessionID: id, Kind: Rebuild}); err != nil {
				return err
			}
		}
		return nil
	})
	return wrap("mark segments stale", err)
}
