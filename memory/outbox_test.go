package memory

import (
	"context"
	"fmt"
	"testing"
)

// posted is a post of a session, ready to be delivered.
func posted(t *testing.T, s *Store, session int64, nonce string) *Outbox {
	t.Helper()
	if fresh, err := s.Queue.OutboxAdd(context.Background(), Outbox{SessionID: session, Nonce: nonce, Payload: "{}"}); !fresh || err != nil {
		t.Fatal(fresh, err)
	}
	o, err := s.Queue.OutboxByNonce(context.Background(), nonce)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// TestABusySessionDoesNotHideTheOthers: however much waits in one session, the first
// of every other one is among the next.
func TestABusySessionDoesNotHideTheOthers(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	for i, thread := range []string{"busy", "busy", "busy", "quiet"} {
		r, err := s.Queue.Receive(ctx, Incoming{Platform: "test", EventID: fmt.Sprint("c", i), Kind: "command",
			Key: Key{Platform: "test", Workspace: "w", Channel: "c", Thread: thread}, Command: true})
		if err != nil {
			t.Fatal(err)
		}
		posted(t, s, r.Session.ID, fmt.Sprint("post", i))
	}
	commands, err := s.Queue.InboxCommands(ctx, 3)
	if err != nil || len(commands) != 3 || commands[0].EventID != "c0" || commands[1].EventID != "c3" || commands[2].EventID != "c1" {
		t.Errorf("commands %+v %v", commands, err)
	}
	posts, err := s.Queue.OutboxDue(ctx, 3)
	if err != nil || len(posts) != 3 || posts[0].Nonce != "post0" || posts[1].Nonce != "post3" || posts[2].Nonce != "post1" {
		t.Errorf("posts %+v %v", posts, err)
	}
}

// TestAPostIsAttemptedAsItWasRead: what was delivered meanwhile is not delivered again,
// and what says something else when it was is delivered once more.
func TestAPostIsAttemptedAsItWasRead(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	r := said(t, s, "t", "m", "Tell me.", true)
	stale := posted(t, s, r.Session.ID, "a")
	o := *stale
	if same, err := s.Queue.OutboxBeginAttempt(ctx, &o, s.Now()+1000); !same || err != nil {
		t.Fatal(same, err)
	}
	if same, err := s.Queue.OutboxBeginAttempt(ctx, stale, s.Now()); same || err != nil {
		t.Errorf("attempted twice: %v %v", same, err)
	}
	if err := s.Queue.OutboxFinish(ctx, &o, "ref", ""); err != nil {
		t.Fatal(err)
	}
	if same, err := s.Queue.OutboxBeginAttempt(ctx, stale, s.Now()); same || err != nil {
		t.Errorf("attempted again: %v %v", same, err)
	}

	m, answer := answered(t, s, "Here you are.", "p1")
	picture := posted(t, s, r.Session.ID, "picture")
	if _, err := s.writer.NewRaw("UPDATE outbox SET message_id = ? WHERE id = ?", m.ID, picture.ID).Exec(ctx); err != nil {
		t.Fatal(err)
	}
	if same, err := s.Queue.OutboxBeginAttempt(ctx, picture, s.Now()+1000); !same || err != nil {
		t.Fatal(same, err)
	}
	if _, err := s.Queue.ReceiveErase(ctx, about("delete"), "p1"); err != nil {
		t.Fatal(err)
	}
	if err := s.Queue.OutboxFinish(ctx, picture, "shown", ""); err != nil {
		t.Fatal(err)
	}
	due, err := s.Queue.OutboxDue(ctx, 10)
	if err != nil || len(due) != 1 || due[0].ID == answer.ID || due[0].Kind != PostErased || due[0].Ref != "shown" {
		t.Errorf("due %+v %v", due, err)
	}
}

// What a post does was a word in its payload once.
func TestOlderPostsKeepTheirKind(t *testing.T) {
	s := openOlder(t, "20261122110001",
		`INSERT INTO channels (id, platform, workspace, channel, name, kind, updated_at) VALUES (1, 'test', 'w', 'c', '', 'public', 0)`,
		`INSERT INTO sessions (id, channel_id, platform, workspace, channel, thread, created_at, updated_at) VALUES (1, 1, 'test', 'w', 'c', 't', 0, 0)`,
		`INSERT INTO outbox (session_id, nonce, state, ref, payload, created_at) VALUES (1, 'a', 'ready', 'r', 'erased', 0),
			(1, 'closed:b', 'ready', 'r', 'closed', 0), (1, 'retried:c', 'ready', 'r', 'retried', 0),
			(1, 'd', 'ready', '', '{"out":{"text":"closed"}}', 0), (1, 'title/1', 'done', '', '', 0)`)
	ctx := t.Context()
	due, err := s.Queue.OutboxDue(ctx, 10)
	if err != nil || len(due) != 4 || due[0].Nonce != "d" {
		t.Fatalf("%d posts are due, %v", len(due), err)
	}
	for _, o := range due {
		want := map[string]PostKind{"a": PostErased, "closed:b": PostQuestionClosed, "retried:c": PostRetried}[o.Nonce]
		if o.Kind != want || o.Changes() != (want != PostNew) || (o.Payload == "") != o.Changes() {
			t.Errorf("%s: kind %q, payload %q", o.Nonce, o.Kind, o.Payload)
		}
		if same, err := s.Queue.OutboxBeginAttempt(ctx, o, 1); !same || err != nil {
			t.Errorf("%s: attempt %v %v", o.Nonce, same, err)
		}
	}
	// A name that was given before is given again.
	r, err := s.Queue.Receive(ctx, incoming("e", "t", "What a thread is named after", true))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Edit(ctx, r.Session.Key, "t", "Something else"); err != nil {
		t.Fatal(err)
	}
	if o, err := s.Queue.OutboxByNonce(ctx, "title/1"); err != nil || o.Kind != PostTitle || o.State != OutboxReady {
		t.Errorf("the name: %+v %v", o, err)
	}
}
