package memory

import (
	"context"
	"slices"

	"github.com/uptrace/bun"
)

// Kinds of compaction.
const (
	Fold    = "fold"    // messages older than the window become segments
	Rebuild = "rebuild" // a stale segment is made again from its messages
)

// Reasons for a fold.
const (
	BySize   = "size"   // the context exceeds the threshold
	ByWindow = "window" // what lies outside the window exceeds its share
	ByHand   = "hand"   // somebody asked for it
)

// worthShare is the percentage of the threshold that a fold must free, unless somebody asked for it.
const worthShare = 20

// ScheduleCompaction makes a fold of a session due that somebody asked for, with what the
// summary must keep, "" for nothing in particular. It reports false if there is nothing outside the
// window. Receive and FinishTurn apply the policy in their own transaction.
func (s *Store) ScheduleCompaction(ctx context.Context, session int64, instructions string) (due bool, err error) {
	err = s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		st, err := s.loadFoldState(ctx, tx, session)
		if err != nil {
			return missing(err)
		}
		weights, err := weigh(ctx, tx, session, st.Watermark)
		if err != nil || s.Policy.with(st.Threshold).cut(weights) == 0 {
			return err
		}
		due = true
		return s.enlist(ctx, tx, Compaction{SessionID: session, Kind: Fold, Reason: ByHand, Instructions: instructions})
	})
	return due && err == nil, wrap("schedule a compaction", err)
}

// CountCompactions returns the number of compactions that are due or running;
// those that wait for a model to recover do not count.
func (s *Store) CountCompactions(ctx context.Context) (int, error) {
	n, err := s.reader.NewSelect().Table("compactions").
		Where("state = 'due' AND (next_at <= ? OR lease_owner <> '')", s.Now()).Where("?", s.mine("session_id")).Count(ctx)
	return int(n), err
}

// foldState is what the policy asks of a session. Tokens and Interactions are of the messages above the watermark.
type foldState struct {
	Open                           bool // a fold is due already
	Watermark                      int64
	Threshold, FoldAfter           int
	Tokens, Interactions, Snapshot int

	stored, fresh []weight // of those messages, stored (nil until they are needed) and not
}

// size is what the history of the session costs in a prompt.
func (st *foldState) size() int { return st.Tokens + st.Snapshot }

func (s *Store) loadFoldState(ctx context.Context, tx bun.IDB, session int64) (st foldState, err error) {
	err = tx.NewRaw(`SELECT s.watermark, `+ownThreshold+` AS threshold, s.fold_after,
			EXISTS (SELECT 1 FROM compactions WHERE session_id = s.id AND state = 'due' AND kind = ?) AS open,
			COALESCE(SUM(m.tokens), 0) AS tokens, COUNT(DISTINCT m.interaction_id) AS interactions,
			COALESCE((SELECT tokens FROM snapshots WHERE session_id = s.id ORDER BY version DESC LIMIT 1), 0) AS snapshot
		FROM sessions AS s LEFT JOIN messages AS m ON m.session_id = s.id AND m.id > s.watermark
		WHERE s.id = ? GROUP BY s.id`, Fold, session).Scan(ctx, &st)
	return st, err
}

// scheduleCompaction makes a fold of a session due if the policy says so, and reports whether one is.
func (s *Store) scheduleCompaction(ctx context.Context, tx bun.IDB, session int64) (bool, error) {
	st, err := s.loadFoldState(ctx, tx, session)
	if err != nil {
		return false, missing(err)
	}
	if st.Open {
		return true, nil
	}
	reason, err := s.due(ctx, tx, session, &st)
	if reason == "" {
		return false, err
	}
	return true, s.enlist(ctx, tx, Compaction{SessionID: session, Kind: Fold, Reason: reason})
}

// due is why the policy says that a fold of a session in a state is due, "" if it does not.
func (s *Store) due(ctx context.Context, tx bun.IDB, session int64, st *foldState) (reason string, err error) {
	p := s.Policy.with(st.Threshold)
	size, outsideShare := st.size(), p.share(p.WindowShare)
	if size <= p.Threshold && (st.Interactions <= p.Window || st.Tokens <= outsideShare) || size <= st.FoldAfter {
		return "", nil
	}
	if st.stored == nil {
		if st.stored, err = weigh(ctx, tx, session, st.Watermark); err != nil {
			return "", err
		}
	}
	weights := slices.Concat(st.stored, st.fresh)
	reason = BySize
	if size <= p.Threshold {
		reason = ByWindow
		if p.outsideWindow(weights) <= outsideShare {
			return "", nil
		}
	}
	freed := tokensBefore(weights, p.cut(weights)) - max(0, p.summaryRoom()-st.Snapshot)
	if freed < p.share(worthShare) {
		return "", nil
	}
	return reason, nil
}

// notStored is where the ids begin that messages and interactions have until they are stored.
const notStored = 1 << 62

// untilDue assigns new messages, which are not stored yet, to interactions, and returns how many of them there are up to the
// first that makes a fold due, the interactions that these open, and whether one is due then.
func (s *Store) untilDue(ctx context.Context, tx bun.IDB, said []*Message) (n int, opened []*Interaction, due bool, err error) {
	session := said[0].SessionID
	st, err := s.loadFoldState(ctx, tx, session)
	if err != nil {
		return 0, nil, false, err
	}
	var last int64 // interaction
	for i, m := range said {
		if m.Role == Assistant && last == 0 {
			if last, err = lastInteraction(ctx, tx, session); err != nil {
				return 0, nil, false, err
			}
		}
		if m.Role != Assistant || last == 0 {
			last = notStored + int64(len(opened))
			opened = append(opened, &Interaction{SessionID: session, PersonID: m.PersonID, State: InteractionClosed, CreatedAt: s.Now()})
			st.Interactions++
		}
		m.InteractionID = last
		st.Tokens += m.Tokens
		st.fresh = append(st.fresh, weight{ID: notStored + int64(i), InteractionID: last, Tokens: m.Tokens})
		if st.Open {
			return i + 1, opened, true, nil
		}
		reason, err := s.due(ctx, tx, session, &st)
		if reason != "" {
			err = s.enlist(ctx, tx, Compaction{SessionID: session, Kind: Fold, Reason: reason})
		}
		if reason != "" || err != nil {
			return i + 1, opened, true, err
		}
	}
	return len(said), opened, false, nil
}

// enlist opens a compaction. A row of the session that waits to rebuild gives way to a fold; one that is being
// worked on stays as it is, and its commit asks the policy again. If somebody asks for a fold and the one that runs would not heed
// it, its result is dropped. The rest of a fold stays that, so that it is undone with its beginning.
func (s *Store) enlist(ctx context.Context, tx bun.IDB, c Compaction) error {
	return exec(ctx, tx, `INSERT INTO compactions (session_id, kind, state, attempts, next_at, reason, instructions, created_at)
		VALUES (?, ?, 'due', ?, ?, ?, ?, ?) ON CONFLICT (session_id) WHERE state = 'due' DO UPDATE
		SET kind = EXCLUDED.kind, attempts = EXCLUDED.attempts, next_at = EXCLUDED.next_at, lease_owner = '', lease_epoch = lease_epoch + 1,
			reason = CASE compactions.reason WHEN '`+goesOn+`' THEN compactions.reason ELSE EXCLUDED.reason END, instructions = COALESCE(NULLIF(EXCLUDED.instructions, ''), compactions.instructions)
		WHERE lease_owner = '' AND kind = 'rebuild' OR EXCLUDED.reason = ? AND (lease_owner = '' OR kind = 'rebuild' OR EXCLUDED.instructions <> '')`,
		c.SessionID, c.Kind, c.Attempts, c.NextAt, c.Reason, c.Instructions, s.Now(), ByHand)
}

// weight is what the cut needs of a message.
type weight struct {
	ID, InteractionID int64
	Tokens            int
	Open              bool // its interaction is not answered yet
}

// weigh loads the weights of the messages above a watermark, in order.
func weigh(ctx context.Context, db bun.IDB, session, watermark int64) (rows []weight, err error) {
	err = db.NewRaw(`SELECT m.id, m.interaction_id, m.tokens, i.state = 'open' AS open
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

// outsideWindow is what the messages before the last Window interactions weigh, however long those are.
func (p Policy) outsideWindow(rows []weight) int {
	list, count := blocks(rows), 0
	for i := len(list) - 1; i >= 0; i-- {
		if count += list[i].interactions; count > p.Window {
			return tokensBefore(rows, rows[list[i].to-1].ID+1)
		}
	}
	return 0
}

func (p Policy) share(percent int) int { return p.Threshold * percent / 100 }

// leastSummary is the smallest room of a snapshot in tokens, whatever its share of the threshold: enough for the facts
// that matter. At a very small threshold it is leastShare percent.
const (
	leastSummary = 400
	leastShare   = 40
)

// SummaryRoom returns how many tokens the snapshot of a session may take.
func (s *Store) SummaryRoom(ctx context.Context, session int64) (int, error) {
	p, err := s.policyOf(ctx, s.reader, session)
	return p.summaryRoom(), err
}

// summaryRoom is that of a session under the policy.
func (p Policy) summaryRoom() int {
	return max(p.share(p.SummaryShare), min(leastSummary, p.share(leastShare)))
}

// Policy says when a session is compacted and how much stays verbatim.
type Policy struct {
	Threshold    int // tokens of snapshot and un-summarised messages beyond which older ones are folded; default 10,000
	Window       int // interactions that stay verbatim; default 10
	WindowShare  int // percent of Threshold the window may take, a longer last interaction exempt, and what lies outside it; default 45
	SummaryShare int // percent of Threshold the snapshot may take, if that is 400 tokens or more; default 15
}

// ThresholdSetting is the threshold in tokens of a channel's conversations, in ChannelScope; "" means the program's.
const ThresholdSetting = "threshold"

// ownThreshold is the threshold of session s, or of its channel, 0 for the program's.
const ownThreshold = `COALESCE(NULLIF(s.threshold, 0), (SELECT CAST(value AS INTEGER) FROM settings WHERE name = '` + ThresholdSetting + `'
	AND value <> '' AND scope = 'channel:' || s.platform || '/' || s.workspace || '/' || s.channel), 0)`

func (s *Store) policyOf(ctx context.Context, db bun.IDB, session int64) (Policy, error) {
	var threshold int
	err := db.NewRaw("SELECT "+ownThreshold+" FROM sessions AS s WHERE s.id = ?", session).Scan(ctx, &threshold)
	return s.Policy.with(threshold), err
}

// with is the policy of a session with a threshold of its own, 0 for none.
func (p Policy) with(threshold int) Policy {
	if threshold > 0 {
		p.Threshold = threshold
	}
	return p
}

// DefaultPolicy returns the policy for a threshold, 0 for the default one.
func DefaultPolicy(threshold int) Policy {
	if threshold == 0 {
		threshold = 10_000
	}
	return Policy{Threshold: threshold, Window: 10, WindowShare: 45, SummaryShare: 15}
}
