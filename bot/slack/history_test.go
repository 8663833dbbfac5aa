package slack_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/slack"
	"threadkeeper/bot/slack/fakeslack"
	"threadkeeper/memory"
)

// clock is a time that a test moves, so that what is said is as far apart as it should be, however long the machine takes. A server
// reads it from goroutines of its own.
type clock struct{ atomic.Int64 } // nanoseconds

func newClock() *clock {
	c := new(clock)
	c.Store(time.Unix(1_700_000_000, 0).UnixNano())
	return c
}

func (c *clock) now() time.Time       { return time.Unix(0, c.Load()) }
func (c *clock) pass(d time.Duration) { c.Add(int64(d)) }

func TestHistoryOfAThread(t *testing.T) {
	clock := newClock()
	s := fakeslack.New(fakeslack.Options{PageMost: fakeslack.Restricted, Now: clock.now})
	t.Cleanup(s.Close)
	a := adapter(t, s, slack.Options{})
	user, channel := people(s)
	root := s.Say(fakeslack.Said{User: user, Channel: channel, Text: "root", Silent: true, Files: []fakeslack.NewFile{{Name: "a.pdf", Data: []byte("x")}}})
	key := memory.Key{Platform: "slack", Workspace: fakeslack.TeamID, Channel: channel, Thread: root}
	var sent []int64
	for n := range 40 {
		clock.pass(time.Second)
		sent = append(sent, clock.Load()/int64(time.Millisecond))
		s.Say(fakeslack.Said{User: user, Channel: channel, Thread: root, Text: fmt.Sprint("reply ", n), Silent: true})
	}
	if _, err := a.Post(t.Context(), platform.Address{Key: key}, platform.Outgoing{Nonce: "n", Kind: platform.KindReply, Text: "ours"}); err != nil {
		t.Fatal(err)
	}
	past, err := a.History(t.Context(), key, 0, 100)
	got := past.Events
	if err != nil || len(got) != 42 || !past.Whole {
		t.Fatalf("%d events, %v", len(got), err)
	}
	if got[0].Text != "root" || len(got[0].Files) != 1 || got[0].Author.Name != "Ada" || got[40].Text != "reply 39" || got[40].Key != key || !got[41].Ours {
		t.Errorf("%+v … %+v", got[0], got[41])
	}
	if past, err = a.History(t.Context(), key, sent[36], 3); err != nil || len(past.Events) != 3 || past.Whole || past.Events[0].Text != "reply 38" {
		t.Errorf("the last three: %+v, %v", past, err)
	}
	if past, err = a.History(t.Context(), key, sent[36], 100); err != nil || len(past.Events) != 5 || !past.Whole || past.Events[0].Text != "reply 36" {
		t.Errorf("since a message: %+v, %v", past, err)
	}
	past, err = a.History(t.Context(), key, 0, 20)
	if got = past.Events; err != nil || len(got) != 20 || past.Whole || got[0].Text != "root" || got[1].Text != "reply 22" {
		t.Errorf("the last twenty: %d, %v", len(got), err)
	}
}

// TestALongThreadIsReadInFewRequests by an app of the workspace's own.
func TestALongThreadIsReadInFewRequests(t *testing.T) {
	const limit = 1000
	for replies, most := range map[int]int{600: 1, 2500: 4} {
		clock := newClock()
		s := fakeslack.New(fakeslack.Options{Now: clock.now})
		t.Cleanup(s.Close)
		a := adapter(t, s, slack.Options{})
		user, channel := people(s)
		root := s.Say(fakeslack.Said{User: user, Channel: channel, Text: "root", Silent: true})
		for n := range replies {
			clock.pass(time.Second)
			s.Say(fakeslack.Said{User: user, Channel: channel, Thread: root, Text: fmt.Sprint("reply ", n+1), Silent: true})
		}
		want := min(replies+1, limit)
		past, err := a.History(t.Context(), memory.Key{Platform: "slack", Workspace: fakeslack.TeamID, Channel: channel, Thread: root}, 0, limit)
		got := past.Events
		if err != nil || len(got) != want || got[0].Text != "root" || got[1].Text != fmt.Sprint("reply ", replies-want+2) || got[want-1].Text != fmt.Sprint("reply ", replies) {
			t.Errorf("%d replies: %d events, %v", replies, len(got), err)
		}
		if asked := len(s.Requests("conversations.replies")); asked > most {
			t.Errorf("%d replies: %d requests", replies, asked)
		}
	}
}

func TestHistoryOfAChannelIsItsLatest(t *testing.T) {
	s := fakeslack.New(fakeslack.Options{})
	t.Cleanup(s.Close)
	a := adapter(t, s, slack.Options{})
	user, channel := people(s)
	for n := range 20 {
		s.Say(fakeslack.Said{User: user, Channel: channel, Text: fmt.Sprint("word ", n), Silent: true})
	}
	past, err := a.History(t.Context(), memory.Key{Platform: "slack", Workspace: fakeslack.TeamID, Channel: channel}, 0, 18)
	got := past.Events
	if err != nil || len(got) != 18 || got[0].Text != "word 2" || got[17].Text != "word 19" {
		t.Errorf("%d: %+v, %v", len(got), got, err)
	}
	s.Say(fakeslack.Said{User: user, Channel: channel, Thread: got[17].Message, Text: "reply", Silent: true})
	past, err = a.History(t.Context(), memory.Key{Platform: "slack", Workspace: fakeslack.TeamID, Channel: channel}, 0, 18)
	if err != nil || past.Events[16].Replied != 0 || past.Events[17].Replied < past.Events[17].At {
		t.Errorf("when threads were replied to: %+v, %v", past.Events[16:], err)
	}
}

func TestHistoryContinuesWhereALimitStoppedIt(t *testing.T) {
	clock := newClock()
	s := fakeslack.New(fakeslack.Options{PageMost: fakeslack.Restricted, Now: clock.now})
	t.Cleanup(s.Close)
	a := adapter(t, s, slack.Options{})
	user, channel := people(s)
	root := s.Say(fakeslack.Said{User: user, Channel: channel, Text: "root", Silent: true})
	for n := range 20 {
		clock.pass(time.Second)
		s.Say(fakeslack.Said{User: user, Channel: channel, Thread: root, Text: fmt.Sprint("reply ", n), Silent: true})
	}
	key := memory.Key{Platform: "slack", Workspace: fakeslack.TeamID, Channel: channel, Thread: root}
	s.Break(fakeslack.Fault{Kind: fakeslack.Fail, Times: 3, Methods: []string{"conversations.replies"}, When: func(x fakeslack.Args) bool { return x["cursor"] != nil && x["cursor"] != "" }})
	if _, err := a.History(t.Context(), key, 0, 100); err == nil {
		t.Fatal("no error")
	}
	before := len(s.Requests("conversations.replies"))
	past, err := a.History(t.Context(), key, 0, 100)
	got := past.Events
	if err != nil || len(got) != 21 {
		t.Fatalf("%d events, %v", len(got), err)
	}
	if n := len(s.Requests("conversations.replies")) - before; n != 1 {
		t.Errorf("%d more requests, want 1", n)
	}
	s.Break(fakeslack.Fault{Kind: fakeslack.Limit, Methods: []string{"conversations.replies"}, After: time.Hour})
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	var later *platform.RetryError
	if _, err := a.History(ctx, key, 0, 100); !errors.As(err, &later) || later.After < 40*time.Minute {
		t.Errorf("limited: %v", err)
	}
}
