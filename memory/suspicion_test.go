package memory

import (
	"slices"
	"testing"
)

// TestASuspicionOutlivesTheProgram and needs the more of two demands on it.
func TestASuspicionOutlivesTheProgram(t *testing.T) {
	ctx, s := t.Context(), openTest(t)
	now := int64(1_000)
	s.Now = func() int64 { return now }
	key := incoming("", "", "", false).Key
	few := Suspicion{Key: key, PlatformID: "m1", Needs: 2, Until: 2_000, NextAt: 1_000, CreatedAt: 1_000}
	many := few
	many.Needs, many.Until, many.NextAt, many.Told = 3, 9_000, 9_000, true
	again := many // found again and again, it is not put off for that
	again.Until = 20_000
	other := Suspicion{Key: Key{Platform: "other", Workspace: "w"}, PlatformID: "m1", NextAt: 1_000}
	for i, x := range [][]Suspicion{{few, other}, {many}, {again}, {few}} {
		if fresh, err := s.Suspect(ctx, x); err != nil || fresh != []int{2, 0, 0, 0}[i] {
			t.Fatal(fresh, err)
		}
	}
	due, err := s.SuspicionsDue(ctx, []string{"test"}, 10)
	if err != nil || len(due) != 1 || due[0].Needs != 3 || due[0].Until != 9_000 || due[0].NextAt != 1_000 || !due[0].Told || due[0].Key != key {
		t.Fatalf("due %+v, %v", due, err)
	}
	due[0].Looks, due[0].NextAt = 1, 5_000
	if err := s.RecordLook(ctx, due[0]); err != nil {
		t.Fatal(err)
	}
	if later, err := s.SuspicionsDue(ctx, []string{"test"}, 10); err != nil || len(later) != 0 {
		t.Fatalf("due before its time: %+v, %v", later, err)
	}
	now = 5_000
	if due, err = s.SuspicionsDue(ctx, []string{"test"}, 10); err != nil || len(due) != 1 || due[0].Looks != 1 {
		t.Fatalf("due %+v, %v", due, err)
	}
	if err := s.DropSuspicion(ctx, due[0].ID); err != nil {
		t.Fatal(err)
	}
	if of, err := s.SuspicionsOf(ctx, key); err != nil || len(of) != 0 {
		t.Fatalf("left %+v, %v", of, err)
	}
}

func TestErasedMessagesAreNotSuspected(t *testing.T) {
	ctx, s := t.Context(), openTest(t)
	key := said(t, s, "t", "m", "here", false).Session.Key
	for i, want := range []int{1, 0} {
		if fresh, err := s.Suspect(ctx, []Suspicion{{Key: key, PlatformID: "m"}}); err != nil || fresh != want {
			t.Errorf("%d: %d are new, %v", i, fresh, err)
		}
		thread := Suspicion{Key: key}
		if fresh, err := s.Suspect(ctx, []Suspicion{thread, thread}); err != nil || fresh != want {
			t.Errorf("%d: %d conversations are new, %v", i, fresh, err)
		}
		of, err := s.SuspicionsOf(ctx, key)
		if err != nil || len(of) != want {
			t.Fatalf("%d: %+v, %v", i, of, err)
		}
		for _, x := range of {
			if err := s.DropSuspicion(ctx, x.ID); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.Erase(ctx, key, "m", 0); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTheConversationsOfAWorkspace(t *testing.T) {
	ctx, s := t.Context(), openTest(t)
	said(t, s, "t1", "t1", "first", true)
	answered(t, s, "an answer", "p1", "p2")
	said(t, s, "t2", "t2", "nobody answered", false)
	said(t, s, "t3", "t3", "to be erased", false)
	if _, err := s.Erase(ctx, incoming("", "", "", false).Key, "t3", 0); err != nil {
		t.Fatal(err)
	}
	all, err := s.LiveConversations(ctx, "test", "w", 0, 10)
	if err != nil || len(all) != 2 || all[0].Thread != "t2" || all[1].Thread != "t1" {
		t.Fatalf("%+v, %v", all, err)
	}
	for i, want := range [][]string{nil, {"p1", "p2"}} {
		if held, err := s.HeldMessages(ctx, all[i].Key, 5); err != nil || !slices.Equal(slices.Sorted(slices.Values(held)), want) {
			t.Errorf("held %q, %v", held, err)
		}
	}
	if rest, err := s.LiveConversations(ctx, "test", "w", all[0].ID, 10); err != nil || len(rest) != 1 || rest[0].Thread != "t1" {
		t.Errorf("%+v, %v", rest, err)
	}
	if names, err := s.Workspaces(ctx, "test"); err != nil || !slices.Equal(names, []string{"w"}) {
		t.Errorf("workspaces %q, %v", names, err)
	}
}
