package memory

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/uptrace/bun"
)

// RebuildPauses are the waits before a stale segment is made again after a model's
// first, second, … failure; the last one repeats.
var RebuildPauses = []time.Duration{30 * time.Second, 2 * time.Minute, 10 * time.Minute, time.Hour}

// Pause returns the entry of RebuildPauses for a number of failures, 0 for none.
func Pause(failures int) time.Duration {
	if failures == 0 {
		return 0
	}
	return RebuildPauses[min(failures, len(RebuildPauses))-1]
}

// CommitCompaction stores the summary of a job's slice, in one transaction: segment, facts,
// a new snapshot, the watermark and the finished row. It stores
// nothing and returns ErrChanged if a message of the slice was edited or erased since, or
// ErrFenced if the lease was lost. Job.Failures carries over to the rebuilding of a stale
// segment, which waits for Pause and Job.RetryAfter.
func (s *Store) CommitCompaction(ctx context.Context, j *Job, made Summary) (*Compaction, error) {
	// What takes long is done before the writer is held.
	encoding()
	tokens, claims := Count(made.Narrative), j.Slice.stated(made.Claims)
	s.countAhead(j.Slice, claims)
	before, err := s.loadFoldState(ctx, s.reader, j.SessionID)
	if orNone(err) != nil { // without its session the job is gone too, and fenced
		return nil, wrap("commit compaction", err)
	}
	done := j.Compaction
	err = s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		if err := fenceJob(ctx, tx, j, "state = 'done', lease_owner = ''"); err != nil {
			return err
		}
		touched, err := s.commitSlice(ctx, tx, j, made, claims, tokens)
		if err != nil {
			return err
		}
		if err := s.decideSlots(ctx, tx, j.SessionID, touched); err != nil {
			return err
		}
		if err := s.renderSnapshot(ctx, tx, j.SessionID); err != nil {
			return err
		}
		from, to := j.Slice.FromID, j.Slice.ToID
		var freed int // of the context that was, with the snapshot that was
		if err := tx.NewRaw(`SELECT ? - COALESCE((SELECT tokens FROM snapshots WHERE session_id = ? ORDER BY version DESC LIMIT 1), 0)
			+ COALESCE((SELECT SUM(tokens) FROM messages WHERE session_id = ? AND id > ? AND id BETWEEN ? AND ?), 0)`,
			before.Snapshot, j.SessionID, j.SessionID, before.Watermark, from, to).Scan(ctx, &freed); err != nil {
			return err
		}
		done.State, done.LeaseOwner, done.Error, done.Method = "done", "", "", made.Method
		done.Instructions = "" // a person's words, which nothing would erase later
		done.FromID, done.ToID = from, to
		done.TokensBefore, done.TokensAfter, done.DoneAt = before.size(), before.size()-freed, s.Now()
		if _, err := tx.NewUpdate().Model(&done).WherePK().Exec(ctx); err != nil {
			return err
		}
		return s.enlistNext(ctx, tx, j, made.Stale)
	})
	return &done, wrap("commit compaction", err)
}

// stated are the claims of a slice and what its lines take back or found.
func (sl *Slice) stated(claims []Claim) []Claim {
	all := slices.Clone(claims)
	for _, l := range sl.Lines {
		all = append(append(all, takenBack(l, claims)...), l.Found...)
	}
	return all
}

// countAhead counts the tokens of the lines that a snapshot will have for claims.
func (s *Store) countAhead(sl *Slice, claims []Claim) {
	lines := sl.byID()
	var facts []*Fact
	for _, c := range claims {
		f := newFact(c, lines[c.MessageID])
		f.Zone = lines[c.MessageID].Zone
		facts = append(facts, f)
	}
	for _, l := range factLines(facts, nil, s.Now()) {
		lineCounts.Get(l.text, Count)
	}
}

// enlistNext opens the session's next row: the rest of a fold, a fold if one is due again, else a
// rebuild if a segment is stale; failed says that the job's own is, since a model failed at it.
func (s *Store) enlistNext(ctx context.Context, tx bun.IDB, j *Job, failed bool) error {
	failures, pause := 0, time.Duration(0)
	if failed {
		failures, pause = j.Failures, max(Pause(j.Failures), j.RetryAfter)
	}
	if j.more { // which waits for a failing model no more than its beginning did
		return s.enlist(ctx, tx, Compaction{SessionID: j.SessionID, Kind: Fold, Reason: goesOn, Attempts: failures, Instructions: j.Instructions})
	}
	if due, err := s.scheduleCompaction(ctx, tx, j.SessionID); due || err != nil {
		return err
	}
	stale, err := tx.NewSelect().Model((*Segment)(nil)).Where("session_id = ? AND stale", j.SessionID).Exists(ctx)
	if err != nil || !stale {
		return err
	}
	return s.enlist(ctx, tx, Compaction{SessionID: j.SessionID, Kind: Rebuild, Attempts: failures, NextAt: s.Now() + pause.Milliseconds()})
}

// commitSlice stores the segment of a job, of so many tokens, and its claims, and returns the slots of the facts that came or went.
func (s *Store) commitSlice(ctx context.Context, tx bun.IDB, j *Job, made Summary, claims []Claim, tokens int) ([]string, error) {
	sl := j.Slice
	if err := unchanged(ctx, tx, sl); err != nil {
		return nil, err
	}
	if made.Narrative == "" && len(sl.Lines) > 0 {
		return nil, errors.New("empty narrative")
	}
	sg := &Segment{SessionID: sl.SessionID, FromID: sl.FromID, ToID: sl.ToID, Messages: sl.Messages,
		Narrative: made.Narrative, Tokens: tokens, SourceHash: sl.Hash, Method: made.Method,
		Model: made.Model, PromptVersion: made.PromptVersion, Stale: made.Stale, CreatedAt: s.Now()}
	var gone []string
	var err error
	if j.Kind == Fold {
		err = s.foldSegment(ctx, tx, sg)
	} else {
		if gone, err = s.replaceSegment(ctx, tx, sg); err == nil {
			err = s.decideSlots(ctx, tx, sg.SessionID, gone) // what it had replaced may be replaced again
		}
	}
	if err != nil {
		return nil, err
	}
	stated, err := s.addFacts(ctx, tx, sg, sl, claims)
	return append(gone, stated...), err
}

// foldSegment appends a segment, which must begin at the first message above
// the watermark, and moves the watermark to its end.
func (s *Store) foldSegment(ctx context.Context, tx bun.IDB, sg *Segment) error {
	var first int64
	err := tx.NewRaw(`SELECT COALESCE(MIN(m.id), 0) FROM messages AS m JOIN sessions AS s ON s.id = m.session_id
		WHERE s.id = ? AND m.id > s.watermark`, sg.SessionID).Scan(ctx, &first)
	if err != nil {
		return err
	}
	if first != sg.FromID {
		return ErrChanged
	}
	if _, err := tx.NewInsert().Model(sg).ExcludeColumn("id").Returning("id").Exec(ctx); err != nil {
		return err
	}
	_, err = tx.NewUpdate().Model((*Session)(nil)).Set("watermark = ?, fold_after = 0", sg.ToID).Where("id = ?", sg.SessionID).Exec(ctx)
	return err
}

// replaceSegment puts a segment in the place of the one of the same range. The
// facts that rest on its messages alone go; it returns their slots.
func (s *Store) replaceSegment(ctx context.Context, tx bun.IDB, sg *Segment) ([]string, error) {
	old, err := first[Segment](ctx, tx, "session_id = ? AND from_id = ? AND to_id = ?", sg.SessionID, sg.FromID, sg.ToID)
	if err == ErrNotFound {
		return nil, ErrChanged // its fold was undone
	}
	if err != nil {
		return nil, err
	}
	sg.ID = old.ID
	if _, err := tx.NewUpdate().Model(sg).WherePK().Exec(ctx); err != nil {
		return nil, err
	}
	return dropFacts(ctx, tx, sg.SessionID, sg.FromID, sg.ToID)
}

// dropFacts removes the facts of a session that rest on a range of its messages alone, but not those in hand, and returns their slots.
func dropFacts(ctx context.Context, tx bun.IDB, session, from, to int64) (slots []string, err error) {
	var facts []int64
	err = tx.NewRaw(`DELETE FROM fact_sources WHERE message_id BETWEEN ? AND ?
		AND EXISTS (SELECT 1 FROM facts AS fa WHERE fa.id = fact_id AND fa.session_id = ? AND NOT `+inHand+`) RETURNING fact_id`, from, to, session).Scan(ctx, &facts)
	if err != nil {
		return nil, err
	}
	err = tx.NewRaw(`DELETE FROM facts AS fa WHERE session_id = ? AND (id IN (?) OR segment_id IN (SELECT id FROM segments WHERE session_id = ? AND from_id BETWEEN ? AND ?))
		AND NOT EXISTS (SELECT 1 FROM fact_sources WHERE fact_id = fa.id) AND NOT `+inHand+` RETURNING slot`, session, bun.List(facts), session, from, to).Scan(ctx, &slots)
	if err != nil {
		return nil, err
	}
	left, err := lastAsserted(ctx, tx, facts...)
	return append(slots, left...), err
}
