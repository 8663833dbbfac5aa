package memory

import (
	"context"
	"testing"
)

// TestAWithdrawnPostIsNotADeletion: that we deleted a message of ours, before the answer
// was recorded or after, does not make us forget the answer, whenever we hear of it.
func TestAWithdrawnPostIsNotADeletion(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	r := said(t, s, "t", "m", "Tell me.", true)
	if err := s.WithdrawPost(ctx, r.Session.ID, "p1"); err != nil {
		t.Fatal(err)
	}
	m, _ := answered(t, s, "The launch code is walrus.", "p1", "p2", "p3")
	if err := s.WithdrawPost(ctx, r.Session.ID, "p3"); err != nil {
		t.Fatal(err)
	}
	for _, gone := range []string{"p1", "p3"} {
		if r, err := s.Queue.ReceiveErase(ctx, about("delete "+gone), gone); err != nil || r.New {
			t.Errorf("%s: %+v %v", gone, r, err)
		}
	}
	if kept, err := s.Message(ctx, m.ID); err != nil || kept.Text == "" {
		t.Errorf("forgotten: %+v %v", kept, err)
	}
	if r, err := s.Queue.ReceiveErase(ctx, about("delete p2"), "p2"); err != nil || !r.New {
		t.Errorf("somebody deleted what is left: %+v %v", r, err)
	}
}

func TestOurPostsAreKnownAgainInHistory(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	r := said(t, s, "t", "m", "Tell me.", true)
	answered(t, s, "First half. Second half.", "p1", "p2")
	past := []Incoming{}
	for _, id := range []string{"p1", "p2"} {
		past = append(past, Incoming{Key: r.Session.Key, Message: &Message{PlatformID: id, Role: Assistant, Text: "half"}})
	}
	if n, err := s.Backfill(ctx, r.Session, past); n != 0 || err != nil {
		t.Errorf("%d messages were new: %v", n, err)
	}
}

func TestTextIsMadeStorable(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	in := incoming("e1", "m1", "a\x00b\xffc", true)
	r, err := s.Queue.Receive(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	m, err := s.Message(ctx, r.Message.ID)
	if err != nil || m.Text != "ab\uFFFDc" {
		t.Fatalf("%q %v", m.Text, err)
	}
}
