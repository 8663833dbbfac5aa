package memory

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/uptrace/bun"
)

// OutboxState is the life of something to be posted.
type OutboxState string

const (
	OutboxNew   OutboxState = "new"   // a post may have been begun; what it will say is not known yet
	OutboxReady OutboxState = "ready" // payload holds what it says for good
	OutboxDone  OutboxState = "done"  // delivered and recorded
)

// Outbox is one post of ours. The row exists before anything is posted, so that
// a crash can look for the post by Nonce; Ref is the platform's own name for the post,
// "" until it is known.
type Outbox struct {
	bun.BaseModel `bun:"table:outbox,alias:ob"`
	ID            int64 `bun:",pk,autoincrement"`
	SessionID     int64
	InboxID       int64 // the last inbox row it answers, 0 if none
	MessageID     int64 // our stored message, once done
	Nonce         string
	State         OutboxState
	Ref           string
	Payload       string
	Attempts      int
	NextAt        int64
	Error         string
	CreatedAt     int64
	DoneAt        int64
}

// ErasedPost is the payload of a delivered post whose message was erased: it is to be edited
// so that the platform does not show the text any more either.
const ErasedPost = "erased"

// begin finds or creates the outbox row of a nonce. One that is there already
// (resumed) tells how far an earlier attempt came.
func (s *Store) begin(ctx context.Context, tx bun.Tx, o Outbox) (row *Outbox, resumed bool, err error) {
	o.State, o.CreatedAt = OutboxNew, s.Now()
	_, err = tx.NewInsert().Model(&o).ExcludeColumn("id").On("CONFLICT (nonce) DO NOTHING").Returning("id").Exec(ctx)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, false, err
	}
	if err == nil && o.ID > 0 {
		return &o, false, nil
	}
	err = tx.NewSelect().Model(&o).Where("nonce = ?", o.Nonce).Scan(ctx)
	return &o, true, err
}

// Posted records what the platform calls a post.
func (s *Store) Posted(ctx context.Context, id int64, ref string) error {
	return s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewUpdate().Model((*Outbox)(nil)).Set("ref = ?", ref).Where("id = ?", id).Exec(ctx)
		return err
	})
}

// Ready stores what the post of a turn says for good, before its final state is
// delivered, with the name it has if it is known. It is fenced: ErrFenced, and nothing
// stored, if the lease was lost.
func (s *Store) Ready(ctx context.Context, l *Lease, o *Outbox) error {
	return s.Write(ctx, func(ctx context.Context, tx bun.Tx) error { return s.ready(ctx, tx, l, o) })
}

func (s *Store) ready(ctx context.Context, tx bun.Tx, l *Lease, o *Outbox) error {
	if err := s.fence(ctx, tx, l, "updated_at = ?", s.Now()); err != nil {
		return err
	}
	_, err := tx.NewUpdate().Model((*Outbox)(nil)).
		Set("state = ?, payload = ?, ref = ?", OutboxReady, o.Payload, o.Ref).Where("id = ? AND state <> ?", o.ID, OutboxDone).Exec(ctx)
	return err
}

// Announce stores a post that nothing asked for, ready to be delivered, once by
// its nonce. It is false if it was stored before.
func (s *Store) Announce(ctx context.Context, o Outbox) (bool, error) {
	known, err := s.reader.NewSelect().Model((*Outbox)(nil)).Where("nonce = ?", o.Nonce).Exists(ctx)
	if err == nil && !known {
		err = s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
			o.State, o.CreatedAt = OutboxReady, s.Now()
			res, err := tx.NewInsert().Model(&o).ExcludeColumn("id").On("CONFLICT (nonce) DO NOTHING").Returning("NULL").Exec(ctx)
			if err != nil {
				return err
			}
			n, err := res.RowsAffected()
			known = n == 0
			return err
		})
	}
	if err != nil {
		return false, fmt.Errorf("memory: announce: %w", err)
	}
	return !known, nil
}

// Defer puts an undelivered post off until next (milliseconds UTC), with the reason.
func (s *Store) Defer(ctx context.Context, id, next int64, reason string) error {
	return s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewUpdate().Model((*Outbox)(nil)).
			Set("next_at = ?, error = ?, attempts = attempts + 1", next, reason).Where("id = ?", id).Exec(ctx)
		return err
	})
}

// Postpone changes when the next attempt is made, without counting one.
func (s *Store) Postpone(ctx context.Context, id, next int64, reason string) error {
	return s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewUpdate().Model((*Outbox)(nil)).Set("next_at = ?, error = ?", next, reason).Where("id = ?", id).Exec(ctx)
		return err
	})
}

// Delivered ends a post that no turn stands behind. With a reason it was given up.
func (s *Store) Delivered(ctx context.Context, id int64, ref, reason string) error {
	err := s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewUpdate().Model((*Outbox)(nil)).
			Set("state = ?, ref = ?, payload = '', error = ?, done_at = ?", OutboxDone, ref, reason, s.Now()).Where("id = ?", id).Exec(ctx)
		return err
	})
	if err != nil {
		return fmt.Errorf("memory: record post: %w", err)
	}
	return nil
}

// Revive makes unfinished deliveries due at once. It is for start-up of the only
// process.
func (s *Store) Revive(ctx context.Context) error {
	return s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewUpdate().Model((*Outbox)(nil)).Set("next_at = 0").Where("state = ? AND next_at > 0", OutboxReady).Exec(ctx)
		return err
	})
}

// Undelivered are the ready posts whose time has come and that no turn will
// deliver (it does as long as its inbox row is open), oldest first.
func (s *Store) Undelivered(ctx context.Context, limit int) ([]*Outbox, error) {
	var rows []*Outbox
	err := s.reader.NewSelect().Model(&rows).
		Where("state = ? AND next_at <= ?", OutboxReady, s.Now()).
		Where("inbox_id NOT IN (SELECT id FROM inbox WHERE state = ?)", InboxNew).Order("id").Limit(int64(limit)).Scan(ctx)
	return rows, err
}

// Answer is what a turn leaves behind once it was delivered.
type Answer struct {
	Outbox        int64
	Ref           string
	Inbox         []int64    // the rows it answers
	Settle        InboxState // what becomes of them; "" is InboxDone
	Interactions  []int64    // closed by it; empty when it is a clarifying question
	State         InteractionState
	Message       Message                 // role assistant; ids and tokens are filled in; without a text none is stored
	Understanding map[int64]Understanding // by user message id
	Ledger        Ledger
	Citations     []Citation
	Question      *Question
	Idle          bool // nobody is talking any more: the compaction rule asks for less
}

// Finish records a delivered answer in one transaction: message, citations,
// understanding, ledger and question stored, interactions closed, inbox and outbox rows
// done, compaction made due by the policy, the session given back. It is fenced by the
// lease, and done once per outbox row. The error is ErrInterrupted, and nothing
// stored, when a message that it answers was erased meanwhile.
func (s *Store) Finish(ctx context.Context, l *Lease, a Answer) (*Message, error) {
	m := a.Message
	err := s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		if err := s.fence(ctx, tx, l, "updated_at = ?, lease_owner = '', ready_at = ?", s.Now(), s.Now()); err != nil {
			return err
		}
		o := new(Outbox)
		if err := tx.NewSelect().Model(o).Where("id = ?", a.Outbox).Scan(ctx); err != nil {
			return missing(err)
		}
		if a.Settle != InboxCancelled {
			erased, err := tx.NewSelect().Model((*Inbox)(nil)).Where("id IN (?) AND stop = ?", bun.List(a.Inbox), StopErased).Exists(ctx)
			if err != nil {
				return err
			}
			if erased {
				return ErrInterrupted
			}
		}
		if o.State != OutboxDone {
			if err := s.record(ctx, tx, &m, a); err != nil {
				return err
			}
			if _, err := tx.NewUpdate().Model(o).WherePK().
				Set("state = ?, ref = ?, message_id = ?, payload = '', done_at = ?", OutboxDone, a.Ref, m.ID, s.Now()).Exec(ctx); err != nil {
				return err
			}
		}
		if err := s.end(ctx, tx, l.SessionID, a); err != nil {
			return err
		}
		_, err := s.due(ctx, tx, l.SessionID, a.Idle)
		return err
	})
	if err != nil {
		if errors.Is(err, ErrFenced) || errors.Is(err, ErrInterrupted) {
			return nil, err
		}
		return nil, fmt.Errorf("memory: record answer: %w", err)
	}
	return &m, nil
}

// end settles the rows of an answer.
func (s *Store) end(ctx context.Context, tx bun.Tx, session int64, a Answer) error {
	switch a.Settle {
	case InboxCancelled:
		return s.cancelOpen(ctx, tx, session, a.Inbox, "")
	case "":
		a.Settle = InboxDone
	}
	return s.settle(ctx, tx, session, a.Inbox, a.Settle, "")
}

// record stores an answer and everything known of it.
func (s *Store) record(ctx context.Context, tx bun.Tx, m *Message, a Answer) error {
	if m.Text == "" {
		return nil
	}
	m.Role = Assistant
	if m.PlatformID == "" {
		m.PlatformID = localID("answer:", a.Outbox)
	}
	if _, err := s.append(ctx, tx, m, false); err != nil {
		return err
	}
	for id, u := range a.Understanding {
		if err := s.understood(ctx, tx, id, u); err != nil {
			return err
		}
	}
	if err := putJSON(ctx, tx, "ledgers", m.ID, a.Ledger); err != nil {
		return err
	}
	for _, c := range a.Citations {
		c.MessageID = m.ID
		if _, err := tx.NewInsert().Model(&c).ExcludeColumn("id").Returning("NULL").Exec(ctx); err != nil {
			return err
		}
	}
	if a.Question != nil {
		q := *a.Question
		q.SessionID, q.State, q.CreatedAt = m.SessionID, QuestionOpen, s.Now()
		if _, err := tx.NewInsert().Model(&q).ExcludeColumn("id").Returning("NULL").Exec(ctx); err != nil {
			return err
		}
	}
	for _, id := range a.Interactions {
		if err := s.setInteraction(ctx, tx, id, a.State); err != nil {
			return err
		}
	}
	return nil
}
