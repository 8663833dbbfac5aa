package memory

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"
)

func TestPurgeKeepsWhatIsStillNeeded(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	now := int64(1_000_000)
	s.Now = func() int64 { return now }
	r := said(t, s, "t", "m", "Tell me.", true)
	answered(t, s, "Here you are.", "p1")
	var beside []Incoming
	for i := range purgeBatch + 3 {
		beside = append(beside, incoming(fmt.Sprint("t/beside", i), fmt.Sprint("beside", i), "And so on.", false))
	}
	if received, err := s.Queue.ReceiveAll(ctx, beside); err != nil || len(received) != len(beside) {
		t.Fatal(len(received), err)
	}
	command := Incoming{Platform: "test", EventID: "c", Kind: "command", Key: r.Session.Key, Command: true}
	c, err := s.Queue.Receive(ctx, command)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Queue.InboxCloseCommand(ctx, c.Inbox.ID, &Outbox{SessionID: r.Session.ID, Nonce: "c"}); err != nil {
		t.Fatal(err)
	}
	o, err := s.Queue.OutboxByNonce(ctx, "c")
	if err == nil {
		err = s.Queue.OutboxFinish(ctx, o, "r", "")
	}
	if err != nil {
		t.Fatal(err)
	}
	if fresh, err := s.Queue.OutboxAdd(ctx, Outbox{SessionID: r.Session.ID, Nonce: "announced"}); !fresh || err != nil {
		t.Fatal(fresh, err)
	}
	if showing(t, s, "search", Shown{Messages: []int64{r.Message.ID}}) != "nsearch" {
		t.Fatal("another nonce")
	}
	open := said(t, s, "t", "open", "Still open.", true)
	if n, err := s.Queue.Purge(ctx, now); n != 0 || err != nil {
		t.Fatalf("%d rows of today: %v", n, err)
	}
	n, err := s.Queue.Purge(ctx, now+1)
	if want := purgeBatch + 3 + 1 + 1 + 1 + 1; n != want || err != nil {
		t.Errorf("%d rows, want %d: %v", n, want, err)
	}
	if rows, err := inboxPending(t, s, r.Session.ID); err != nil || len(rows) != 1 || rows[0].ID != open.Inbox.ID {
		t.Errorf("what waits: %+v %v", rows, err)
	}
	if _, err := s.Queue.OutboxByNonce(ctx, "c"); !errors.Is(err, ErrNotFound) {
		t.Errorf("the answer of a command: %v", err)
	}
	for _, nonce := range []string{"announced", "nt/m", "nsearch"} { // what is shown may still be erased
		if _, err := s.Queue.OutboxByNonce(ctx, nonce); err != nil {
			t.Errorf("%s: %v", nonce, err)
		}
	}
	if session, err := s.Session(ctx, r.Session.ID); err != nil || !session.Joined {
		t.Errorf("not joined any more: %v", err)
	}
}

func TestOtherPlatformsWait(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	said(t, s, "t", "m", "Tell me.", true)
	claim := func(platform string) (*Turn, error) {
		return s.Queue.ClaimTurn(ctx, TurnClaim{Owner: "w", TTL: time.Minute, Burst: Burst{Rows: 1},
			Nonce: func(*Inbox) string { return "n" }, Platforms: []string{platform}})
	}
	if turn, err := claim("another"); turn != nil || err != nil {
		t.Errorf("%+v %v", turn, err)
	}
	if _, ok, err := s.Queue.NextTurnAt(ctx, "another"); ok || err != nil {
		t.Errorf("ready: %v", err)
	}
	if n, err := s.Queue.CountOpen(ctx, "another"); n != 0 || err != nil {
		t.Errorf("busy with %d: %v", n, err)
	}
	if n, err := s.Queue.CountOpen(ctx, "another", "test"); n != 1 || err != nil {
		t.Errorf("busy with %d: %v", n, err)
	}
	if turn, err := claim("test"); turn == nil || err != nil {
		t.Errorf("%+v %v", turn, err)
	}
}
