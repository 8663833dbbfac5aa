package memory

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestManyFoldsKeepOneSnapshot and can all be undone: an earlier one is made again.
func TestManyFoldsKeepOneSnapshot(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	s.Policy = DefaultPolicy(500)
	var session int64
	for i := range 60 {
		session = post(t, s, "s", fmt.Sprint(i), User, "Ada", fmt.Sprintf("The crate %d weighs %d kg and stands in hall %d.%s", i, i*7, i%9, strings.Repeat(" Nothing else of note happened there.", 8))).Session.ID
		compact(t, s)
	}
	st, err := s.Views.Status(ctx, session)
	if err != nil || len(st.Compactions) <= 10 || st.Verbatim+st.Compacted != 60 {
		t.Fatalf("%d folds, %d and %d messages, %v", len(st.Compactions), st.Verbatim, st.Compacted, err)
	}
	last := 0
	for _, c := range st.Compactions {
		if c.FromN != last+1 || c.ToN <= last {
			t.Errorf("messages %d to %d after %d", c.FromN, c.ToN, last)
		}
		last = c.ToN
	}
	if last != st.Compacted {
		t.Errorf("the folds end at %d of %d", last, st.Compacted)
	}
	if n, err := s.reader.NewSelect().Model((*Snapshot)(nil)).Where("session_id = ?", session).Count(ctx); err != nil || n != 1 {
		t.Errorf("%d snapshots, %v", n, err)
	}
	for range st.Compactions {
		if _, err := s.UndoFold(ctx, session); err != nil {
			t.Fatal(err)
		}
		checkMemory(t, s, session)
	}
	if _, err := s.UndoFold(ctx, session); !errors.Is(err, ErrNotFound) {
		t.Errorf("undone once more: %v", err)
	}
	for i := 0; session > 0; i++ {
		session := post(t, s, "s", fmt.Sprint("after ", i), User, "Ada", "Nothing else of note happened there.").Session
		if compact(t, s) == 0 {
			continue
		}
		if session, err = s.Session(ctx, session.ID); err != nil || session.FoldAfter != 0 {
			t.Errorf("folded again, but never again below %d tokens: %v", session.FoldAfter, err)
		}
		break
	}
}

// TestUndoLeavesOlderSummariesToBeMadeAgain: one that lost a line is made again though a later fold was undone.
func TestUndoLeavesOlderSummariesToBeMadeAgain(t *testing.T) {
	s := openTest(t)
	r := folded(t, s, "The budget for the fair is 35,000 euros.")
	folded(t, s, "The hall is number 7.")
	if _, err := s.Edit(t.Context(), r.Session.Key, "The budget for the fair is 35,000 euros.", "The budget for the fair is 36,000 euros."); err != nil {
		t.Fatal(err)
	}
	if _, err := s.UndoFold(t.Context(), r.Session.ID); err != nil {
		t.Fatal(err)
	}
	compact(t, s)
	for _, sg := range checkMemory(t, s, r.Session.ID).Segments {
		if sg.Stale {
			t.Errorf("%+v", sg)
		}
	}
}

// TestAClaimIsComparedWithWhatIsShownAndWhatIsNew, not with all that was ever said.
func TestAClaimIsComparedWithWhatIsShownAndWhatIsNew(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	session := post(t, s, "s", "first", User, "Ada", "Hello").Session.ID
	if _, err := s.writer.Exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
		INSERT INTO facts (session_id, channel_id, person_id, kind, slot, text, state, origin, asserted_at, recorded_at, weight)
		SELECT ?, 1, 1, 'key_fact', CASE i WHEN 700 THEN 'budget' ELSE '' END, 'fact ' || i, 'active', 'stated', 0, 0, CASE i WHEN 500 THEN 40 ELSE 3 END FROM n`, session); err != nil {
		t.Fatal(err)
	}
	known, err := factsLike(ctx, s.reader, session, []string{"budget"})
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, f := range known {
		texts = append(texts, f.Text+".")
	}
	all := strings.Join(texts, " ")
	for _, text := range []string{"fact 500.", "fact 700.", "fact 2000."} {
		if !strings.Contains(all, text) {
			t.Errorf("not compared with %s", text)
		}
	}
	if len(known) > factsPerKind+factsRecent+1 {
		t.Errorf("compared with %d facts of 2000", len(known))
	}
}

// TestAFoldInPiecesIsUndoneAtOnce, also when its rest is asked for anew with instructions.
func TestAFoldInPiecesIsUndoneAtOnce(t *testing.T) {
	ctx, s := t.Context(), openTest(t)
	s.Policy = DefaultPolicy(2000)
	var session int64
	for i := range 14 {
		session = post(t, s, "s", fmt.Sprint(i), User, "Ada", fmt.Sprintf("Case %d. %s", i, strings.Repeat("The quick brown fox jumps over the lazy dog. ", 200))).Session.ID
	}
	next := func() *Job {
		t.Helper()
		j, err := s.ClaimCompaction(ctx, "test", time.Minute)
		if err != nil || j == nil {
			t.Fatal("nothing is due", err)
		}
		return j
	}
	commit := func(j *Job) error {
		made := Extract(j.Slice)
		made.Stale = j.Failures > 0
		_, err := s.CommitCompaction(ctx, j, made)
		return err
	}
	first := next()
	first.Failures = 2
	if err := commit(first); err != nil {
		t.Fatal(err)
	}
	running := next()
	if running.Failures != 2 {
		t.Errorf("the model failed %d times at the rest", running.Failures)
	}
	if due, err := s.ScheduleCompaction(ctx, session, "keep the foxes"); err != nil || !due {
		t.Fatal(due, err)
	}
	if err := commit(running); !errors.Is(err, ErrFenced) {
		t.Errorf("committed without the instructions: %v", err)
	}
	compact(t, s)
	if v := checkMemory(t, s, session); len(v.Segments) < 3 {
		t.Fatalf("%d segments", len(v.Segments))
	}
	if _, err := s.UndoFold(ctx, session); err != nil {
		t.Fatal(err)
	}
	if v := checkMemory(t, s, session); v.Session.Watermark != 0 || v.Snapshot != nil {
		t.Errorf("undone to message %d", v.Session.Watermark)
	}
	st, err := s.Views.Status(ctx, session)
	if err != nil || st.Next <= st.Context {
		t.Errorf("the next fold is due above %d of %d tokens, %v", st.Next, st.Context, err)
	}
}

// TestANewThresholdChangesTheSummary at once, and not only with the next fold.
func TestANewThresholdChangesTheSummary(t *testing.T) {
	s := openTest(t)
	var lines []string
	for i := range 60 {
		lines = append(lines, fmt.Sprintf("Crate %d weighs %d kg, and hall %d has its papers.", i, 100+i*7, i%9))
	}
	r := folded(t, s, lines...)
	if err := s.SetThreshold(t.Context(), r.Session.ID, 1500); err != nil {
		t.Fatal(err)
	}
	st, err := s.Views.Status(t.Context(), r.Session.ID)
	if room, failed := s.SummaryRoom(t.Context(), r.Session.ID); err != nil || failed != nil || st.Snapshot > room {
		t.Errorf("a summary of %d tokens in %d, %v %v", st.Snapshot, room, err, failed)
	}
}
