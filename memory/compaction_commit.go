package memory

import (
	"context"
	"errors"
	"fmt"
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

// CommitCompaction stores the summaries of a job's slices, in one transaction:
// segments, facts, a new snapshot, the watermark and the finished row. It stores
// nothing and returns ErrChanged if a message of a slice was edited or erased since, or
// ErrFenced if the lease was lost. Job.Failures carries over to the rebuilding of stale
// segments, which waits for Pause and Job.RetryAfter.
func (s *Store) CommitCompaction(ctx context.Context, j *Job, made []Summary) (*Compaction, error) {
	if len(made) != len(j.Slices) {
		return nil, fmt.Errorf("memory: %d summaries for %d slices", len(made), len(j.Slices))
	}
	encoding() // which takes longer to load than the writer may wait
	tokens := make([]int, len(made))
	for i, m := range made {
		tokens[i] = Count(m.Narrative)
	}
	done := j.Compaction
	err := s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		if err := fenceJob(ctx, tx, j, "state = 'done', lease_owner = ''"); err != nil {
			return err
		}
		before, err := s.loadFoldState(ctx, tx, j.SessionID)
		if err != nil {
			return err
		}
		var touched []string
		for i, sl := range j.Slices {
			slots, err := s.commitSlice(ctx, tx, j, sl, made[i], tokens[i])
			if err != nil {
				return err
			}
			touched = append(touched, slots...)
		}
		if err := s.decideSlots(ctx, tx, j.SessionID, touched); err != nil {
			return err
		}
		if err := s.renderSnapshot(ctx, tx, j.SessionID); err != nil {
			return err
		}
		from, to := j.Slices[0].FromID, j.Slices[len(j.Slices)-1].ToID
		var freed int // of the context that was, with the snapshot that was
		if err := tx.NewRaw(`SELECT ? - COALESCE((SELECT tokens FROM snapshots WHERE session_id = ? ORDER BY version DESC LIMIT 1), 0)
			+ COALESCE((SELECT SUM(tokens) FROM messages WHERE session_id = ? AND id > ? AND id BETWEEN ? AND ?), 0)`,
			before.Snapshot, j.SessionID, j.SessionID, before.Watermark, from, to).Scan(ctx, &freed); err != nil {
			return err
		}
		done.State, done.LeaseOwner, done.Error, done.Method = "done", "", "", methodOf(made)
		done.Instructions = "" // a person's words, which nothing would erase later
		done.FromID, done.ToID = from, to
		done.TokensBefore, done.TokensAfter, done.DoneAt = before.size(), before.size()-freed, s.Now()
		if _, err := tx.NewUpdate().Model(&done).WherePK().Exec(ctx); err != nil {
			return err
		}
		return s.enlistNext(ctx, tx, j, made)
	})
	return &done, wrap("commit compaction", err)
}

// methodOf is Extractive if any of the summaries is.
func methodOf(made []Summary) SegmentMethod {
	if slices.ContainsFunc(made, func(m Summary) bool { return m.Method == Extractive }) {
		return Extractive
	}
	return ByModel
}

// enlistNext opens the session's next row: the rest of a fold, a fold if one is due again, else a
// rebuild if a segment is stale.
func (s *Store) enlistNext(ctx context.Context, tx bun.IDB, j *Job, made []Summary) error {
	if j.more {
		return s.enlist(ctx, tx, Compaction{SessionID: j.SessionID, Kind: Fold, Reason: goesOn, Instructions: j.Instructions})
	}
	if due, err := s.scheduleCompaction(ctx, tx, j.SessionID); due || err != nil {
		return err
	}
	stale, err := tx.NewSelect().Model((*Segment)(nil)).Where("session_id = ? AND stale", j.SessionID).Exists(ctx)
	if err != nil || !stale {
		return err
	}
	failures, pause := 0, time.Duration(0)
	for _, m := range made {
		if m.Stale {
			failures, pause = j.Failures, max(Pause(j.Failures), j.RetryAfter)
		}
	}
	return s.enlist(ctx, tx, Compaction{SessionID: j.SessionID, Kind: Rebuild, Attempts: failures, NextAt: s.Now() + pause.Milliseconds()})
}

// commitSlice stores a segment of so many tokens and its facts, and returns the slots of the facts that came or went.
func (s *Store) commitSlice(ctx context.Context, tx bun.IDB, j *Job, sl *Slice, made Summary, tokens int) ([]string, error) {
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
	claims := made.Claims
	for _, l := range sl.Lines {
		claims = append(claims, append(takenBack(l, made.Claims), l.Found...)...)
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
