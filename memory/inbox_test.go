package memory

import (
	"context"
	"testing"
)

func TestReceiveStoresAnEventOnce(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	r, err := s.Queue.Receive(ctx, incoming("e1", "m1", "Hello", true))
	if err != nil || !r.New || r.Inbox.State != InboxNew || r.Message.Tokens != 6 {
		t.Fatalf("first delivery: %+v %v", r, err)
	}
	if r, err = s.Queue.Receive(ctx, incoming("e1", "m1", "Hello", true)); err != nil || r.New {
		t.Fatalf("redelivery: %+v %v", r, err)
	}
	// The same utterance under another event id: stored once, answered once.
	if r, err = s.Queue.Receive(ctx, incoming("e2", "m1", "Hello", true)); err != nil || r.Inbox.State != InboxDone {
		t.Fatalf("second event of one message: %+v %v", r.Inbox, err)
	}
	if n := pending(t, s); n != 1 {
		t.Fatalf("waiting = %d, want 1", n)
	}
}

func TestWhatWasSaidBesideUsIsAnsweredWhenAskedFor(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	if r, _ := s.Queue.Receive(ctx, incoming("e1", "m1", "Hello", false)); r.Inbox.State != InboxDone {
		t.Fatalf("overheard message waits: %+v", r.Inbox)
	}
	if r, _ := s.Queue.Receive(ctx, incoming("e2", "m1", "Hello", true)); r.Inbox.State != InboxNew {
		t.Fatalf("mention of a stored message: %+v", r.Inbox)
	}
}

func TestDeletionThatArrivesFirstWins(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	in := incoming("e1", "m1", "secret", true)
	if _, err := s.Erase(ctx, in.Key, "m1", 0); err != nil {
		t.Fatal(err)
	}
	r, err := s.Queue.Receive(ctx, in)
	if err != nil || r.Inbox.State != InboxDone || r.Message.Text != "" {
		t.Fatalf("%+v %+v %v", r.Inbox, r.Message, err)
	}
}
