package memory

import (
	"context"
	"fmt"
	"slices"
	"strings"
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

func TestEarlierMessagesAreAnsweredOnRequest(t *testing.T) {
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

// TestSeveralEventsInOneTransaction are received in order, up to one that is known or makes a compaction due.
func TestSeveralEventsInOneTransaction(t *testing.T) {
	s := openTest(t)
	var all []Incoming
	for i, text := range []string{"one", "two", "three", strings.Repeat("A long word about nothing. ", 2_500), "four", "five"} {
		all = append(all, incoming(fmt.Sprint("e", i), fmt.Sprint("m", i), text, false))
	}
	said(t, s, "t", "x", "before", false)
	two := all[1]
	if r, err := s.Queue.Receive(t.Context(), two); err != nil || !r.New {
		t.Fatal(r, err)
	}
	var steps []string
	for len(all) > 0 {
		received, err := s.Queue.ReceiveAll(t.Context(), all)
		if err != nil {
			t.Fatal(err)
		}
		step := ""
		for i, r := range received {
			step += fmt.Sprint(all[i].Message.PlatformID, " ", r.New, " ", r.Due, "; ")
		}
		steps, all = append(steps, step), all[len(received):]
	}
	if want := []string{"m0 true false; ", "m1 false false; ", "m2 true false; m3 true false; m4 true true; ", "m5 true true; "}; !slices.Equal(steps, want) {
		t.Errorf("%q, want %q", steps, want)
	}
}

// TestEventsInOneTransactionAreStoredAsOneByOne, with answers among them, the first of which answers nothing.
func TestEventsInOneTransactionAreStoredAsOneByOne(t *testing.T) {
	var all []Incoming
	for i, role := range []Role{Assistant, User, User, Assistant, Assistant, User} {
		in := incoming(fmt.Sprint("e", i), fmt.Sprint("m", i), fmt.Sprint("It costs ", i, " euros."), false)
		in.Message.Role, in.Message.At = role, int64(i+1)
		if role == Assistant {
			in.Person, in.Message.Author = Person{}, ""
		} else if i > 1 {
			in.Person = Person{PlatformID: "bob", Name: "Bob"}
		}
		all = append(all, in)
	}
	together, single := openTest(t), openTest(t)
	rest := all
	for len(rest) > 0 {
		received, err := together.Queue.ReceiveAll(t.Context(), rest)
		if err != nil {
			t.Fatal(err)
		}
		rest = rest[len(received):]
	}
	for _, in := range all {
		if _, err := single.Queue.Receive(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	for _, rows := range []string{
		"SELECT group_concat(id || ' ' || session_id || ' ' || channel_id || ' ' || interaction_id || ' ' || person_id || ' ' || role || author || text || terms || tokens || rev || platform_id || at, '; ') FROM messages",
		"SELECT group_concat(id || ' ' || session_id || ' ' || person_id || state || closed_at, '; ') FROM interactions",
		"SELECT group_concat(id || ' ' || session_id || ' ' || seq || event_id || kind || message_id || state || answer, '; ') FROM inbox",
		"SELECT seq || ' ' || pending || ' ' || joined FROM sessions",
		"SELECT group_concat(rowid) FROM messages_fts WHERE messages_fts MATCH 'terms : (\"euro\")'",
	} {
		var a, b string
		if err := together.Read().NewRaw(rows).Scan(t.Context(), &a); err != nil {
			t.Fatal(rows, err)
		}
		if err := single.Read().NewRaw(rows).Scan(t.Context(), &b); err != nil {
			t.Fatal(rows, err)
		}
		if a == "" || a != b {
			t.Errorf("together: %s\none by one: %s", a, b)
		}
	}
}
