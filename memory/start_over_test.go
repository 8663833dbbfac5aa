package memory

import (
	"errors"
	"slices"
	"testing"
	"time"

	"threadkeeper/memory/reading"
)

// TestAPlaceMayBeStartedOver: what was said there before stays, in a session of its own that is the same place to the platform.
func TestAPlaceMayBeStartedOver(t *testing.T) {
	ctx, s := t.Context(), openTest(t)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	old := said(t, s, "", "m1", "where is the ferry", true).Session
	if done, err := s.StartOver(ctx, old.ID); done || err != nil {
		t.Fatalf("started over while a message waits: %t, %v", done, err)
	}
	answered(t, s, "in the harbour", "p1")
	for range 2 { // a crash may come between it and its receipt
		if done, err := s.StartOver(ctx, old.ID); !done || err != nil {
			t.Fatalf("not started over: %t, %v", done, err)
		}
	}
	r := said(t, s, "", "m2", "and the train", true)
	if r.Session.ID == old.ID || r.Session.Key != old.Key || r.Session.Pending != 1 {
		t.Fatalf("said in %+v, after %+v", r.Session, old)
	}
	past, err := s.Session(ctx, old.ID)
	must(err)
	if past.Key != old.Key {
		t.Errorf("past key %+v, want %+v", past.Key, old.Key)
	}
	answered(t, s, "at the station", "p2")
	if here, err := s.Here(ctx, r.Session.ID); err != nil || !slices.Equal(here, []int64{old.ID, r.Session.ID}) {
		t.Errorf("here are %d, %v", here, err)
	}
	thread := said(t, s, "t", "m3", "in a thread", false).Session
	if here, err := s.Here(ctx, thread.ID); err != nil || !slices.Equal(here, []int64{thread.ID}) {
		t.Errorf("in a thread are %d, %v", here, err)
	}
	recent, err := s.RecentConversations(ctx, RecentQuery{old.Platform, time.Hour, 10, 10})
	must(err)
	if len(recent) != 2 || recent[1].Key != old.Key || !slices.Equal(recent[1].Messages, []string{"m2", "m1"}) || !slices.Equal(recent[1].Posts, []string{"p2", "p1"}) {
		t.Errorf("recent: %+v", recent)
	}
	all, err := s.Conversations(ctx, old.Key)
	must(err)
	if len(all) != 2 || !slices.Equal(all[1].Messages, []string{"m2", "m1"}) {
		t.Errorf("stored: %+v", all)
	}
	if held, err := s.HeldMessages(ctx, old.Key, 10); err != nil || !slices.Equal(held, []string{"p2", "m2", "p1", "m1"}) {
		t.Errorf("held: %q, %v", held, err)
	}
	d, err := s.Digest(ctx, DigestQuery{Audience: Audience{Session: r.Session.ID, Channel: Channel{ID: r.Session.ChannelID}}, Period: reading.Period{To: 1 << 60}, Before: 1 << 40, Limit: 10})
	must(err)
	if len(d.Lines) != 3 || d.Lines[0].Key != old.Key {
		t.Errorf("digest: %+v", d.Lines)
	}
	found, err := s.Queue.ReceiveErase(ctx, about("delete"), "m1")
	must(err)
	if !found.New || found.Session.Key != old.Key {
		t.Errorf("deleted in %+v", found.Session)
	}
	if _, err := s.EraseConversation(ctx, old.Key); err != nil {
		t.Fatal(err)
	}
	for _, id := range []int64{old.ID, r.Session.ID} {
		if history, err := s.History(ctx, id, 0); err != nil && !errors.Is(err, ErrNotFound) || history != nil && len(history.Messages) > 0 {
			t.Errorf("left in %d: %+v, %v", id, history, err)
		}
	}
}

// TestAPastConversationIsNotNamed: its place is no thread, and a present one may have a name.
func TestAPastConversationIsNotNamed(t *testing.T) {
	ctx, s := t.Context(), openTest(t)
	old := said(t, s, "", "m1", "where is the ferry", false).Session
	if done, err := s.StartOver(ctx, old.ID); !done || err != nil {
		t.Fatal(done, err)
	}
	if _, err := s.Queue.ReceiveEdit(ctx, about("edit"), "m1", "where is the train"); err != nil {
		t.Fatal(err)
	}
	if due, err := s.Queue.OutboxDue(ctx, 10); err != nil || len(due) != 0 {
		t.Errorf("due: %+v, %v", due, err)
	}
}

// TestStopEndsWhatIsAnsweredOfThePast: its answer is posted in the same place.
func TestStopEndsWhatIsAnsweredOfThePast(t *testing.T) {
	ctx, s := t.Context(), openTest(t)
	old := said(t, s, "", "m1", "where is the ferry", true).Session
	answered(t, s, "in the harbour", "p1")
	if done, err := s.StartOver(ctx, old.ID); !done || err != nil {
		t.Fatal(done, err)
	}
	now := said(t, s, "", "m2", "and the train", false).Session
	if _, err := s.Queue.ReceiveEdit(ctx, about("edit"), "m1", "where is the tram"); err != nil {
		t.Fatal(err)
	}
	if n, _, err := s.Queue.Interrupt(ctx, now.ID); n != 1 || err != nil {
		t.Errorf("%d ended, %v", n, err)
	}
}
