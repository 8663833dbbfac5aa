package memory

import (
	"cmp"
	"context"
	"errors"

	"github.com/uptrace/bun"
)

// Stop says why a turn must end before it has answered.
type Stop string

const (
	StopAsked  Stop = "asked"  // somebody said stop
	StopErased Stop = "erased" // its message was erased
	StopEdited Stop = "edited" // its message has a new text: take the turn again
	// StopAudience: somebody may no longer see what the turn has read. Start it again.
	StopAudience Stop = "audience"
)

func (s Stop) again() bool { return s == StopEdited || s == StopAudience }

// ends is s if it ends the turn for good.
func (s Stop) ends() Stop {
	if s.again() {
		return ""
	}
	return s
}

// ErrInterrupted reports that a turn was told to end; see Interruption.
var ErrInterrupted = errors.New("turn interrupted")

// Interrupt ends the waiting work in the place of a session: rows without a turn are
// cancelled, a running turn is told to end. It returns how many rows those were, without
// overheard ones, which nobody knows about, and whether one of them has begun to be answered: its post says that it was stopped.
func (q *Queue) Interrupt(ctx context.Context, session int64) (n int, begun bool, err error) {
	err = q.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		n, begun = 0, false
		here, err := q.memory.here(ctx, tx, session)
		for _, session := range here {
			open, err := q.interrupt(ctx, tx, session, 0, StopAsked)
			if err != nil {
				return err
			}
			for _, row := range open {
				if !row.Overheard {
					n++
					begun = begun || row.Stop == StopAsked
				}
			}
		}
		return err
	})
	return n, begun, wrap("stop", err)
}

// interrupt asks for the end of the turn over the open rows of a message, or of
// all messages of the session when message is 0. It returns these rows.
func (q *Queue) interrupt(ctx context.Context, tx bun.Tx, session, message int64, why Stop) (open []*Inbox, err error) {
	query := tx.NewSelect().Model(&open).Where("session_id = ? AND state = ?", session, InboxNew)
	if message > 0 {
		query = query.Where("message_id = ?", message)
	}
	if err := query.Scan(ctx); err != nil || len(open) == 0 {
		return nil, err
	}
	var begun int64
	if err := tx.NewRaw(`SELECT COALESCE(MAX(ib.seq), 0) FROM inbox AS ib JOIN outbox AS ob ON ob.inbox_id = ib.id
		WHERE ib.session_id = ? AND ib.state = ?`, session, InboxNew).Scan(ctx, &begun); err != nil {
		return nil, err
	}
	var waiting []*Inbox
	for _, row := range open {
		if row.Seq > begun && why != StopEdited {
			waiting = append(waiting, row)
			continue
		}
		if _, err := tx.NewUpdate().Model(row).Set("stop = ?", why).Where("id = ?", row.ID).Exec(ctx); err != nil {
			return nil, err
		}
		row.Stop = why
	}
	if _, err := tx.NewUpdate().Model((*Session)(nil)).Set("ready_at = ?", q.Now()).
		Where("id = ? AND lease_owner = ''", session).Exec(ctx); err != nil {
		return nil, err
	}
	return open, q.cancel(ctx, tx, session, waiting, string(why))
}

// interruptReaders has the turns and commands of a workspace begun again: they may have
// read what not everybody may see any more. The change marks them, in its own transaction,
// so that nothing need be remembered of what each has read. A turn whose answer is
// complete, and not recorded yet, begins again only with complete; with it also what commands
// show of messages, sessions or documents is no longer posted, if it was not yet.
func (q *Queue) interruptReaders(ctx context.Context, db bun.IDB, platform, workspace string, complete bool) error {
	if complete {
		if err := exec(ctx, db, `UPDATE outbox SET state = ?, payload = '' WHERE state = ? AND state <> 'done' AND inbox_id IN
			(SELECT ib.id FROM inbox AS ib JOIN sessions AS s ON s.id = ib.session_id
				WHERE s.platform = ? AND s.workspace = ? AND s.pending > 0 AND ib.state = ?)`,
			OutboxNew, OutboxReady, platform, workspace, InboxNew); err != nil {
			return err
		}
		var shows []int64
		if err := db.NewRaw(`SELECT o.id FROM outbox AS o JOIN sessions AS s ON s.id = o.session_id AND s.platform = ? AND s.workspace = ?
			WHERE o.state = ? AND o.state <> 'done' AND o.kind = ? AND (o.document_id > 0 OR EXISTS (SELECT 1 FROM shown WHERE outbox_id = o.id))`,
			platform, workspace, OutboxReady, PostNew).Scan(ctx, &shows); err != nil {
			return err
		}
		for _, id := range shows {
			if err := q.erasePosts(ctx, db, "id", id); err != nil {
				return err
			}
		}
	}
	if err := exec(ctx, db, `UPDATE inbox SET stop = ? WHERE state = ? AND session_id IN (SELECT id FROM sessions WHERE platform = ? AND workspace = ?)`,
		StopAudience, InboxCommand, platform, workspace); err != nil {
		return err
	}
	return exec(ctx, db, `UPDATE inbox SET stop = ?0 WHERE state = ?1 AND stop = ''
		AND session_id IN (SELECT id FROM sessions WHERE platform = ?2 AND workspace = ?3 AND pending > 0)
		AND seq <= (SELECT MAX(ib.seq) FROM inbox AS ib JOIN outbox AS ob ON ob.inbox_id = ib.id
			WHERE ib.session_id = inbox.session_id AND ib.state = ?1 AND ob.state IN (?4, ?5))`,
		StopAudience, InboxNew, platform, workspace, OutboxNew, OutboxHeard)
}

// cancel ends open rows and their interactions without an answer.
func (q *Queue) cancel(ctx context.Context, tx bun.Tx, session int64, rows []*Inbox, reason string) error {
	var ids []int64
	for _, row := range rows {
		ids = append(ids, row.ID)
		if row.Overheard {
			continue
		}
		if err := exec(ctx, tx, `UPDATE interactions SET state = ?, closed_at = ?
			WHERE id = (SELECT interaction_id FROM messages WHERE id = ?)`,
			InteractionCancelled, q.Now(), row.MessageID); err != nil {
			return err
		}
	}
	return q.closeRows(ctx, tx, session, ids, InboxCancelled, reason)
}

// cancelOpen is cancel for those of rows that are open.
func (q *Queue) cancelOpen(ctx context.Context, tx bun.Tx, session int64, rows []int64, reason string) error {
	var open []*Inbox
	if err := tx.NewSelect().Model(&open).Where("id IN (?) AND state = ?", bun.List(rows), InboxNew).Scan(ctx); err != nil {
		return err
	}
	return q.cancel(ctx, tx, session, open, reason)
}

// Interruption says why the turn over rows must end, "" if it may continue. A row
// that is no longer open counts as StopAsked.
func (q *Queue) Interruption(ctx context.Context, rows []int64) (Stop, error) {
	return q.interruption(ctx, q.reader, rows)
}

func (q *Queue) interruption(ctx context.Context, db bun.IDB, rows []int64) (Stop, error) {
	var open []*Inbox
	err := db.NewSelect().Model(&open).Column("state", "stop", "error").Where("id IN (?)", bun.List(rows)).Scan(ctx)
	if err != nil {
		return "", err
	}
	var again Stop
	erased := 0
	for _, row := range open {
		switch {
		case row.State != InboxNew && row.Error == string(StopErased), row.Stop == StopErased:
			erased++
		case row.State != InboxNew, row.Stop == StopAsked:
			return StopAsked, nil
		case row.Stop.again():
			again = cmp.Or(again, row.Stop)
		}
	}
	switch {
	case erased == 0:
		return again, nil
	case erased < len(open): // the other messages of the turn are still to be answered
		return cmp.Or(again, StopEdited), nil
	}
	return StopErased, nil
}

// mayContinue is ErrInterrupted if there is a reason to end the turn over rows.
func (q *Queue) mayContinue(ctx context.Context, tx bun.Tx, rows []int64) error {
	why, err := q.interruption(ctx, tx, rows)
	if err == nil && why != "" {
		err = ErrInterrupted
	}
	return err
}

// AbandonTurn ends a turn without a trace: its rows are cancelled and
// its post, which showed nothing, is done.
func (q *Queue) AbandonTurn(ctx context.Context, l *Lease, outbox int64, rows []int64, why Stop) error {
	err := q.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		if err := q.fence(ctx, tx, l, "updated_at = ?", q.Now()); err != nil {
			return err
		}
		if _, err := tx.NewUpdate().Model((*Outbox)(nil)).Set("state = ?, payload = '', error = ?, done_at = ?", OutboxDone, string(why), q.Now()).
			Where("id = ?", outbox).Exec(ctx); err != nil {
			return err
		}
		return q.cancelOpen(ctx, tx, l.SessionID, rows, string(why))
	})
	return wrap("abandon turn", err)
}
