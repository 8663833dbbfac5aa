package memory

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/uptrace/bun"
)

// Burst limits what one turn takes: at most Rows messages of one person, each
// at most Gap after the one before it. Overheard messages of others between them, in quick
// succession, are part of the burst and end with it.
type Burst struct {
	Rows int
	Gap  time.Duration
}

// Turn is a claimed session with the messages to answer.
type Turn struct {
	Lease
	Rows    []*Inbox // oldest first, with their attempts counted
	Post    *Outbox  // what will answer them
	Resumed bool     // an earlier attempt may have posted it

	Overheard bool // none of the rows is certain to be for us; see AnswerOverheard and FinishInSilence
}

// TurnClaim holds the inputs of ClaimTurn.
type TurnClaim struct {
	Owner     string
	TTL       time.Duration
	Burst     Burst
	Nonce     func(last *Inbox) string // of the post that answers the turn
	Platforms []string                 // none is all
	Without   []int64                  // people: sessions in which something of theirs waits are left out
}

// ClaimTurn gives the session of the platforms that has waited longest to the owner, and
// begins a turn: it takes the open rows that the turn answers and begins the post that
// will answer the last of them. If a post was begun for rows before, the same rows are taken again,
// whatever has arrived since. It returns nil, nil if no session has work, apart from those of stale channels.
func (q *Queue) ClaimTurn(ctx context.Context, c TurnClaim) (*Turn, error) {
	var t Turn
	err := q.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		for {
			t = Turn{}
			if found, err := q.claimSession(ctx, tx, &t.Lease, c); err != nil || !found {
				return err
			}
			due, err := q.takeRows(ctx, tx, &t, c.Burst)
			switch {
			case err != nil:
				return err
			case due > 0: // more may be said
				err = q.fence(ctx, tx, &t.Lease, "lease_owner = '', ready_at = ?", due)
			case len(t.Rows) == 0: // counted wrong: without this it would block all others for ever
				err = q.fence(ctx, tx, &t.Lease, "pending = 0, lease_owner = ''")
			default:
				return q.beginTurn(ctx, tx, &t, c)
			}
			if err != nil {
				return err
			}
		}
	})
	if err != nil {
		return nil, fmt.Errorf("memory: claim a session: %w", err)
	}
	if len(t.Rows) == 0 {
		return nil, nil
	}
	return &t, nil
}

// claimSession takes the lease of the session that has waited longest, if one waits.
func (q *Queue) claimSession(ctx context.Context, tx bun.Tx, l *Lease, c TurnClaim) (bool, error) {
	now := q.Now()
	others, people := "", []any{}
	if len(c.Without) > 0 {
		others = ` AND NOT EXISTS (SELECT 1 FROM inbox AS ib JOIN messages AS m ON m.id = ib.message_id
			WHERE ib.session_id = sessions.id AND ib.state = 'new' AND m.person_id IN (?))`
		people = append(people, bun.List(c.Without))
	}
	err := tx.NewRaw(`UPDATE sessions SET lease_owner = ?, lease_epoch = lease_epoch + 1, ready_at = ?
		WHERE id = (SELECT id FROM sessions WHERE pending > 0 AND ready_at <= ? AND (? OR platform IN (?)) AND ? AND `+freshChannel+others+` ORDER BY ready_at, id LIMIT 1)
		RETURNING id, lease_epoch`, append([]any{c.Owner, now + c.TTL.Milliseconds(), now, len(c.Platforms) == 0, bun.List(c.Platforms), q.mine("id")}, people...)...).Scan(ctx, &l.SessionID, &l.Epoch)
	return err == nil, orNone(err)
}

// beginTurn counts an attempt over the rows of a turn and begins the post that answers them.
func (q *Queue) beginTurn(ctx context.Context, tx bun.Tx, t *Turn, c TurnClaim) (err error) {
	for _, row := range t.Rows {
		row.Attempts++
		if row.Stop.again() {
			row.Stop = ""
		}
		if _, err := tx.NewUpdate().Model(row).Column("attempts", "stop").WherePK().Exec(ctx); err != nil {
			return err
		}
	}
	last := t.Rows[len(t.Rows)-1]
	o := Outbox{SessionID: t.SessionID, InboxID: last.ID, Nonce: c.Nonce(last), State: OutboxNew}
	if t.Overheard {
		o.State = OutboxHeard
	}
	if t.Post, t.Resumed, err = q.beginPost(ctx, tx, o); err != nil || t.Post.State == OutboxReady {
		return err
	}
	_, err = tx.NewRaw(`DELETE FROM shown WHERE outbox_id = ?`, t.Post.ID).Exec(ctx) // from the prompts of an earlier attempt
	return err
}

// takeRows finds the rows of a turn, or returns when it is due if that is later: rows that are
// overheard wait for the end of their burst.
func (q *Queue) takeRows(ctx context.Context, tx bun.Tx, t *Turn, b Burst) (due int64, err error) {
	if err := q.forgetHeard(ctx, tx, t.SessionID); err != nil {
		return 0, err
	}
	err = tx.NewSelect().Model(&t.Rows).Where("session_id = ? AND state = ?", t.SessionID, InboxNew).
		Order("seq").Limit(int64(b.Rows)).Scan(ctx)
	if err != nil || len(t.Rows) == 0 {
		return 0, err
	}
	var begun int64
	if err := tx.NewRaw(`SELECT COALESCE(MIN(ib.seq), 0) FROM inbox AS ib JOIN outbox AS ob ON ob.inbox_id = ib.id
		WHERE ib.session_id = ? AND ib.state = ?`, t.SessionID, InboxNew).Scan(ctx, &begun); err != nil {
		return 0, err
	}
	if begun > 0 {
		n := 0
		for n < len(t.Rows) && t.Rows[n].Seq <= begun {
			n++
		}
		t.Rows = t.Rows[:n]
		return 0, nil
	}
	people, err := authorsOf(ctx, tx, t.Rows)
	if err != nil {
		return 0, err
	}
	t.Rows = t.Rows[:burst(t.Rows, people, b)]
	if !slices.ContainsFunc(t.Rows, func(row *Inbox) bool { return !row.Overheard }) {
		if due := overheardUntil(t.Rows, q.Now()); due > 0 {
			return due, nil
		}
	}
	t.Rows, t.Overheard, err = q.settleBurst(ctx, tx, t.Rows, people)
	return 0, err
}

func authorsOf(ctx context.Context, tx bun.Tx, rows []*Inbox) (map[int64]int64, error) {
	people := make(map[int64]int64)
	for _, row := range rows {
		var person int64
		err := tx.NewSelect().Model((*Message)(nil)).Column("person_id").Where("id = ?", row.MessageID).Scan(ctx, &person)
		if orNone(err) != nil {
			return nil, err
		}
		people[row.ID] = person
	}
	return people, nil
}

// burst is how many of rows belong to the turn over the first. With what is certain to be for us it
// ends at another person.
func burst(rows []*Inbox, people map[int64]int64, b Burst) int {
	n, overheard := 1, rows[0].Overheard
	for n < len(rows) && rows[n].Kind == rows[0].Kind && rows[n].Stop.ends() == rows[0].Stop.ends() {
		row, before := rows[n], rows[n-1]
		gap := b.Gap
		if people[row.ID] != people[before.ID] {
			if !overheard {
				break
			}
			gap = overheardGap
		}
		if row.CreatedAt-before.CreatedAt > gap.Milliseconds() {
			break
		}
		overheard = overheard && row.Overheard
		n++
	}
	return n
}

// UnclaimTurn undoes ClaimTurn for a turn that could not finish through no fault
// of its own, and releases the lease.
func (q *Queue) UnclaimTurn(ctx context.Context, l *Lease, rows []int64) error {
	err := q.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		if err := q.fence(ctx, tx, l, "lease_owner = '', ready_at = ?", q.Now()); err != nil {
			return err
		}
		_, err := tx.NewUpdate().Model((*Inbox)(nil)).Set("attempts = attempts - 1").
			Where("id IN (?) AND state = ? AND attempts > 0", bun.List(rows), InboxNew).Exec(ctx)
		return err
	})
	if errors.Is(err, ErrFenced) {
		return nil
	}
	return err
}

// NextTurnAt returns when the next waiting session of the platforms (of all, if none is
// named) may be claimed, in milliseconds UTC; false if none waits.
func (q *Queue) NextTurnAt(ctx context.Context, platforms ...string) (int64, bool, error) {
	var at sql.NullInt64
	err := q.reader.NewSelect().Table("sessions").ColumnExpr("MIN(ready_at)").
		Where("pending > 0 AND (? OR platform IN (?)) AND ? AND "+freshChannel, len(platforms) == 0, bun.List(platforms), q.mine("id")).Scan(ctx, &at)
	return at.Int64, at.Valid, err
}

// Lease is the right of one worker to take turns of one session, until it
// expires. Epoch fences: it grows with every claim, so that a worker that lost its lease cannot write.
type Lease struct {
	SessionID int64
	Epoch     int64
}

// RenewLease extends a lease to ttl from now; ErrFenced if it was lost.
func (q *Queue) RenewLease(ctx context.Context, l *Lease, ttl time.Duration) error {
	return q.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		return q.fence(ctx, tx, l, "ready_at = ?", q.Now()+ttl.Milliseconds())
	})
}

// ReleaseLease releases the session; it may be claimed again after delay. It is no
// error if the lease was lost meanwhile.
func (q *Queue) ReleaseLease(ctx context.Context, l *Lease, delay time.Duration) error {
	err := q.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		return q.fence(ctx, tx, l, "lease_owner = '', ready_at = ?", q.Now()+delay.Milliseconds())
	})
	if errors.Is(err, ErrFenced) {
		return nil
	}
	return err
}

// ResetLeases ends every lease. It is for the start of the only process: a turn
// that still has one died with the previous process, which counts as a crash, not
// as an attempt.
func (q *Queue) ResetLeases(ctx context.Context) error {
	return q.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		return execAll(ctx, tx, []string{
			`UPDATE inbox SET attempts = attempts - 1, crashes = crashes + 1 WHERE state = 'new' AND attempts > 0
				AND session_id IN (SELECT id FROM sessions WHERE pending > 0 AND lease_owner <> '')`,
			`UPDATE sessions SET lease_owner = '', ready_at = 0 WHERE pending > 0`,
			`UPDATE compactions SET lease_owner = '', next_at = 0 WHERE state = 'due'`,
		})
	})
}

// fence updates the session of a lease, or returns ErrFenced.
func (q *Queue) fence(ctx context.Context, tx bun.Tx, l *Lease, set string, args ...any) error {
	held, err := affects(tx.NewUpdate().Model((*Session)(nil)).Set(set, args...).
		Where("id = ? AND lease_epoch = ?", l.SessionID, l.Epoch).Exec(ctx))
	if err == nil && !held {
		err = ErrFenced
	}
	return err
}
