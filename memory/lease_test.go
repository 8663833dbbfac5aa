package memory

import (
	"context"
	"errors"
	"testing"
	"time"
)

// claim begins a turn over what waits longest.
func claim(s *Store, owner string, ttl time.Duration) (*Turn, error) {
	return s.Queue.ClaimTurn(context.Background(), TurnClaim{Owner: owner, TTL: ttl, Burst: Burst{Rows: 8},
		Nonce: func(last *Inbox) string { return "n" + last.EventID }})
}

func TestLeaseFencesTheLaterWorker(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	now := int64(1000)
	s.Now = func() int64 { return now }
	r, _ := s.Queue.Receive(ctx, incoming("e1", "m1", "Hello", true))
	first, err := claim(s, "a", time.Second)
	if err != nil || first == nil {
		t.Fatal(first, err)
	}
	if l, _ := claim(s, "b", time.Second); l != nil {
		t.Fatal("claimed twice")
	}
	now += 1001
	second, _ := claim(s, "b", time.Second)
	if second == nil || second.Epoch <= first.Epoch {
		t.Fatalf("expired lease not claimed: %+v", second)
	}
	o := second.Post
	if first.Resumed || !second.Resumed || o.ID != first.Post.ID {
		t.Fatalf("posts %+v, %+v", first, second)
	}
	if err := s.Queue.OutboxMakeReady(ctx, &first.Lease, o); err != ErrFenced {
		t.Fatalf("stale lease: %v", err)
	}
	answer := Answer{Outbox: o.ID, Inbox: []int64{r.Inbox.ID}, Interactions: []int64{r.Message.InteractionID},
		State: InteractionClosed, Message: Message{SessionID: r.Session.ID, ChannelID: r.Session.ChannelID, Text: "Hi"}}
	if _, err := s.Queue.FinishTurn(ctx, &first.Lease, answer); !errors.Is(err, ErrFenced) {
		t.Fatalf("stale lease: %v", err)
	}
	if _, err := s.Queue.FinishTurn(ctx, &second.Lease, answer); err != nil {
		t.Fatal(err)
	}
	if n := pending(t, s); n != 0 {
		t.Fatalf("waiting = %d, want 0", n)
	}
	h, err := s.History(ctx, r.Session.ID, 0)
	if err != nil || len(h.Messages) != 2 || h.Messages[1].Text != "Hi" {
		t.Fatalf("history %+v %v", h, err)
	}
}

// TestASessionThatWaitsForNothingHoldsUpNoOther has a session counted as one with something to do.
func TestASessionThatWaitsForNothingHoldsUpNoOther(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	idle := incoming("e1", "m1", "hello", false)
	idle.Key.Thread = "idle"
	if _, err := s.Queue.Receive(ctx, idle); err != nil {
		t.Fatal(err)
	}
	if _, err := s.writer.Exec("UPDATE sessions SET pending = 1, ready_at = 0"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Queue.Receive(ctx, incoming("e2", "m2", "hello", true)); err != nil {
		t.Fatal(err)
	}
	if turn, err := claim(s, "w", time.Minute); err != nil || turn == nil || turn.Rows[0].EventID != "e2" {
		t.Errorf("claimed %+v, %v", turn, err)
	}
}
