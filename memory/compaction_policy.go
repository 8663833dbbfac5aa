package memory

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"
)

// Kinds of compaction.
const (
	Fold    = "fold"    // messages older than the window become segments
	Rebuild = "rebuild" // a stale segment is made again from its messages
)

// ineffective is the percentage of the context a fold has to free; after two in
// a row that freed less, size alone makes no fold due until the context has doubled.
const ineffective = 20

// ScheduleCompaction makes a compaction of a session due if the policy says so, and reports
// whether one is. Receive and FinishTurn do the same in their own transaction; idle
// asks for the smaller number of interactions that counts once nobody is talking.
func (s *Store) ScheduleCompaction(ctx context.Context, session int64, idle bool) (due bool, err error) {
	err = s.write(ctx, func(ctx context.Context, tx bun.Tx) error {
		due, err = s.scheduleCompaction(ctx, tx, session, idle)
		return err
	})
	if err != nil {
		return false, fmt.Errorf("memory: compaction rule: %w", err)
	}
	return due, nil
}

// CountCompactions is how many compactions can be worked on now or are being worked
// on; those that wait for a model to recover do not count.
func (s *Store) CountCompactions(ctx context.Context) (int, error) {
	n, err := s.reader.NewSelect().Table("compactions").
		Where("state = 'due' AND (next_at <= ? OR lease_owner <> '')", s.Now()).Where("?", s.mine("session_id")).Count(ctx)
	return int(n), err
}

func (s *Store) scheduleCompaction(ctx context.Context, tx bun.IDB, session int64, idle bool) (bool, error) {
	var (
		open                           bool
		watermark                      int64
		tokens, interactions, snapshot int
	)
	err := tx.NewRaw(`SELECT s.watermark,
			EXISTS (SELECT 1 FROM compactions WHERE session_id = s.id AND state = 'due' AND kind = ?),
			COALESCE(SUM(m.tokens), 0), COUNT(DISTINCT m.interaction_id),
			COALESCE((SELECT tokens FROM snapshots WHERE session_id = s.id ORDER BY version DESC LIMIT 1), 0)
		FROM sessions AS s LEFT JOIN messages AS m ON m.session_id = s.id AND m.id > s.watermark
		WHERE s.id = ? GROUP BY s.id`, Fold, session).Scan(ctx, &watermark, &open, &tokens, &interactions, &snapshot)
	if open || err != nil {
		return open, missing(err)
	}
	extra, size := s.Policy.Extra, tokens+snapshot
	if idle {
		extra = s.Policy.IdleExtra
	}
	many, large := interactions-s.Policy.Window >= extra, size > s.Policy.Threshold
	worth := 0 // tokens a fold has to take off
	switch {
	case many:
	case large:
		if off, err := s.thrashing(ctx, tx, session, size); off || err != nil {
			return false, err
		}
	case idle && watermark > 0:
		worth = s.Policy.share(s.Policy.IdleShare)
	default:
		return false, nil
	}
	weights, err := weigh(ctx, tx, session, watermark)
	if err != nil {
		return false, err
	}
	first := s.Policy.cut(weights)
	if first == 0 || tokensBefore(weights, first) < worth {
		return false, nil
	}
	return true, s.enlist(ctx, tx, session, Fold, 0, 0)
}

// thrashing reports whether the last two folds that size made due freed too
// little and the context has not doubled since.
func (s *Store) thrashing(ctx context.Context, tx bun.IDB, session int64, now int) (bool, error) {
	var last []struct{ TokensBefore, TokensAfter int }
	err := tx.NewSelect().Table("compactions").Column("tokens_before", "tokens_after").
		Where("session_id = ? AND state = 'done' AND kind = ?", session, Fold).
		OrderExpr("id DESC").Limit(2).Scan(ctx, &last)
	if err != nil || len(last) < 2 || now >= 2*last[0].TokensAfter {
		return false, err
	}
	for _, c := range last {
		if c.TokensBefore <= s.Policy.Threshold || 100*(c.TokensBefore-c.TokensAfter) >= ineffective*c.TokensBefore {
			return false, nil
		}
	}
	return true, nil
}

// enlist opens the compaction row of a session. A row that waits to rebuild
// gives way to a fold; one that is being worked on stays as it is, and its
// commit asks the rule again.
func (s *Store) enlist(ctx context.Context, tx bun.IDB, session int64, kind string, attempts int, next int64) error {
	_, err := tx.NewRaw(`INSERT INTO compactions (session_id, kind, state, attempts, next_at, created_at) VALUES (?, ?, 'due', ?, ?, ?)
		ON CONFLICT (session_id) WHERE state = 'due' DO UPDATE
		SET kind = EXCLUDED.kind, attempts = EXCLUDED.attempts, next_at = EXCLUDED.next_at
		WHERE lease_owner = '' AND kind = 'rebuild'`, session, kind, attempts, next, s.Now()).Exec(ctx)
	return err
}

// weight is what the cut needs of a message.
type weight struct {
	ID, InteractionID int64
	Tokens            int
	Open              bool // its interaction is not answered yet
}

// weigh loads the weights of the messages above a watermark, in order.
func weigh(ctx context.Context, db bun.IDB, session, watermark int64) ([]weight, error) {
	var rows []weight
	err := db.NewRaw(`SELECT m.id, m.interaction_id, m.tokens, i.state = 'open' AS open
		FROM messages AS m JOIN interactions AS i ON i.id = m.interaction_id
		WHERE m.session_id = ? AND m.id > ? ORDER BY m.id`, session, watermark).Scan(ctx, &rows)
	return rows, err
}

// tokensBefore is what the messages before one weigh.
func tokensBefore(rows []weight, id int64) int {
	n := 0
	for _, w := range rows {
		if w.ID < id {
			n += w.Tokens
		}
	}
	return n
}

// block is a run of messages no interaction leaves: one interaction, or several
// whose messages lie between one another's.
type block struct {
	from, to     int // indices into the weights, to excluded
	interactions int
	tokens       int
	open         bool
}

func blocks(rows []weight) []block {
	last := map[int64]int{}
	for i, w := range rows {
		last[w.InteractionID] = i
	}
	var (
		list []block
		b    block
		seen = map[int64]bool{}
		end  = -1 // last index of the interactions seen so far
	)
	for i, w := range rows {
		if i > end && i > 0 {
			list = append(list, b)
			b = block{from: i}
		}
		if !seen[w.InteractionID] {
			seen[w.InteractionID] = true
			b.interactions++
			end = max(end, last[w.InteractionID])
		}
		b.to, b.tokens, b.open = i+1, b.tokens+w.Tokens, b.open || w.Open
	}
	if b.to > b.from {
		list = append(list, b)
	}
	return list
}

// cut is the id of the first message that stays verbatim, or 0 if nothing is
// to be folded. The last interaction stays whatever its size; before it as many as fit
// Window and WindowShare; and everything from the first unanswered one on.
func (p Policy) cut(rows []weight) int64 {
	list := blocks(rows)
	if len(list) < 2 {
		return 0
	}
	keep := len(list) - 1
	count, tokens := list[keep].interactions, list[keep].tokens
	for keep > 0 {
		b := list[keep-1]
		count, tokens = count+b.interactions, tokens+b.tokens
		if count > p.Window || tokens > p.share(p.WindowShare) {
			break
		}
		keep--
	}
	for i, b := range list[:keep] {
		if b.open {
			keep = i
			break
		}
	}
	if keep == 0 {
		return 0
	}
	return rows[list[keep].from].ID
}

func (p Policy) share(percent int) int { return p.Threshold * percent / 100 }

// contextShare is the percentage of the threshold that the context takes at
// most after a compaction.
const contextShare = 60

// summaryRoom is how many tokens a snapshot may take beside so many of messages.
// A window that exceeds contextShare by itself leaves it its usual share.
func (p Policy) summaryRoom(above int) int {
	room := p.share(p.SummaryShare)
	if left := p.share(contextShare) - above; left >= 0 {
		room = min(room, left)
	}
	return room
}

// Policy says when a session is compacted and how much stays verbatim.
type Policy struct {
	Threshold    int // tokens of snapshot and un-summarised messages beyond which older ones are folded; default 10,000
	Window       int // interactions that stay verbatim; default 10
	Extra        int // interactions beyond the window that are folded whatever their size; default 15
	IdleExtra    int // the same once the session is idle; default 5
	IdleShare    int // percent of Threshold beyond the window that is folded once a session that was folded before is idle; default 20
	WindowShare  int // percent of Threshold the window may take, a longer last interaction exempt; default 45
	SummaryShare int // percent of Threshold the snapshot may take; default 15
}

// DefaultPolicy is the policy for a threshold, 0 for the default one.
func DefaultPolicy(threshold int) Policy {
	if threshold == 0 {
		threshold = 10_000
	}
	return Policy{Threshold: threshold, Window: 10, Extra: 15, IdleExtra: 5, IdleShare: 20, WindowShare: 45, SummaryShare: 15}
}

// IdleSessions are the sessions with nothing pending whose last activity lies in
// (after, until], milliseconds UTC, and that have messages above the watermark.
func (s *Store) IdleSessions(ctx context.Context, after, until int64) ([]int64, error) {
	var ids []int64
	err := s.reader.NewSelect().Model((*Session)(nil)).Column("id").
		Where("updated_at > ? AND updated_at <= ? AND pending = 0", after, until).Where("?", s.mine("s.id")).
		Where("EXISTS (SELECT 1 FROM messages AS m WHERE m.session_id = s.id AND m.id > s.watermark)").
		Order("id").Scan(ctx, &ids)
	return ids, err
}
