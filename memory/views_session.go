package memory

import (
	"context"
	"fmt"
)

// Status says what a session's memory holds and how much of it is in the prompt.
type Status struct {
	Snapshot, Window    int // tokens; Window is that of the messages above the watermark
	Context             int // tokens: Snapshot and Window
	Threshold           int
	Next                int // tokens of Context above which the next fold may be due: Threshold, more after an undo
	Verbatim, Compacted int // messages that were not erased
	Interactions        int
	Compactions         []Compaction // folds that are done, oldest first
}

// Headroom returns how many tokens the context may still grow before older messages
// are folded.
func (st *Status) Headroom() int { return max(0, st.Next-st.Context) }

// Status measures a session; ErrNotFound if there is none.
func (v *Views) Status(ctx context.Context, session int64) (*Status, error) {
	st := &Status{Threshold: v.memory.Policy.Threshold}
	err := v.reader.NewRaw(`SELECT COALESCE(NULLIF(`+ownThreshold+`, 0), ?),
			COALESCE((SELECT tokens FROM snapshots WHERE session_id = s.id ORDER BY version DESC LIMIT 1), 0),
			(SELECT COALESCE(SUM(tokens), 0) FROM messages WHERE session_id = s.id AND id > s.watermark),
			(SELECT COUNT(*) FROM messages WHERE session_id = s.id AND id > s.watermark AND erased_at = 0),
			(SELECT COALESCE(SUM(messages), 0) FROM segments WHERE session_id = s.id)
				- (SELECT COUNT(*) FROM messages WHERE session_id = s.id AND id <= s.watermark AND erased_at > 0),
			(SELECT COUNT(*) FROM interactions WHERE session_id = s.id), s.fold_after
		FROM sessions AS s WHERE s.id = ?`, st.Threshold, session).
		Scan(ctx, &st.Threshold, &st.Snapshot, &st.Window, &st.Verbatim, &st.Compacted, &st.Interactions, &st.Next)
	if err != nil {
		return nil, fmt.Errorf("memory: status: %w", missing(err))
	}
	st.Context, st.Next = st.Snapshot+st.Window, max(st.Threshold, st.Next)
	err = v.reader.NewSelect().Model(&st.Compactions).
		Where("session_id = ? AND state = 'done' AND kind = ?", session, Fold).Order("id").Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("memory: status: %w", err)
	}
	st.Compactions = whole(st.Compactions)
	return st, v.places(ctx, session, st.Compactions)
}

// whole joins the rows of each fold that took several jobs. It has the date of the first, by which it is also undone.
func whole(rows []Compaction) (folds []Compaction) {
	for _, c := range rows {
		if c.Reason != goesOn || len(folds) == 0 {
			folds = append(folds, c)
			continue
		}
		f := &folds[len(folds)-1]
		f.ToID, f.TokensAfter = c.ToID, c.TokensAfter
		if c.Method == Extractive {
			f.Method = Extractive
		}
	}
	return folds
}

// places finds out which messages of the conversation each fold covered: the segments count them.
func (v *Views) places(ctx context.Context, session int64, folds []Compaction) error {
	var segments []Segment
	err := v.reader.NewSelect().Model(&segments).Column("from_id", "to_id", "messages").Where("session_id = ?", session).Order("from_id").Scan(ctx)
	if err != nil {
		return fmt.Errorf("memory: status: %w", err)
	}
	began, ended, n := map[int64]int{}, map[int64]int{}, 0
	for _, sg := range segments {
		began[sg.FromID] = n + 1
		n += sg.Messages
		ended[sg.ToID] = n
	}
	for i, f := range folds {
		folds[i].FromN, folds[i].ToN = began[f.FromID], ended[f.ToID]
	}
	return nil
}

// View is a session as a person may see it: the snapshot (nil before the first
// compaction), and each message, verbatim or folded into one of Segments.
type View struct {
	Session  *Session
	Snapshot *Snapshot
	Messages []*Message
	Segments []*Segment
}

// Segment returns the number of the segment that a message was folded into, from 1;
// 0 if it is verbatim in the prompt.
func (v *View) Segment(message int64) int {
	for i, sg := range v.Segments {
		if sg.FromID <= message && message <= sg.ToID {
			return i + 1
		}
	}
	return 0
}

// Show loads a session that an audience may see, else ErrNotFound.
func (v *Views) Show(ctx context.Context, a Audience, session int64) (*View, error) {
	view := &View{Session: new(Session)}
	q := v.reader.NewSelect().Model(view.Session).Where("s.id = ?", session)
	if err := a.Visible(q, "s.channel_id").Scan(ctx); err != nil {
		return nil, missing(err)
	}
	var err error
	if view.Messages, err = v.memory.Messages(ctx, session); err != nil {
		return nil, err
	}
	if view.Segments, err = v.memory.Segments(ctx, session); err != nil {
		return nil, err
	}
	view.Snapshot, err = v.memory.Snapshot(ctx, session)
	return view, orNone(err)
}
