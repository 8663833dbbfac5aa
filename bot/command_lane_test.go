package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

// TestForgettingMuchKeepsNobodyWaiting forgets more than one try does, ends meanwhile as if by
// a restart, and goes on: others use the session in between, and the count is that of all.
func TestForgettingMuchKeepsNobodyWaiting(t *testing.T) {
	b := idleBot(t)
	const messages = 401 // of which one try forgets 200
	for i := range messages {
		ev := platform.Event{ID: fmt.Sprint("said", i), Kind: platform.EventMessage, Key: memory.Key{Platform: "mute", Workspace: "w", Channel: "c", Thread: "t"},
			Channel: memory.Channel{Kind: memory.Public}, Author: platform.Author{ID: "U", Name: "Grace", Kind: memory.Human}, Message: fmt.Sprint(i), Text: "I say it.", Mention: true}
		if err := b.receive(t.Context(), mute{}, ev); err != nil {
			t.Fatal(err)
		}
	}
	q := given(t, b, "1", "", "memory forget", "all --yes")
	if err := b.runCommand(t.Context(), q.row, true); !errors.Is(err, errContinue) {
		t.Fatalf("one try: %v", err)
	}
	lanes := newCommandLanes()
	other := *q.row
	other.ID++
	var free []bool // whether others were let in, each time the clock was read
	clock := b.Store.Now
	b.Store.Now = func() int64 {
		ok := lanes.enter(&other, false)
		if ok {
			lanes.leave(&other)
		}
		free = append(free, ok)
		return clock()
	}
	if !lanes.enter(q.row, false) {
		t.Fatal("the lane is taken")
	}
	b.tryCommand(t.Context(), t.Context(), lanes, q)
	b.Store.Now = clock
	if len(free) == 0 || free[0] || !free[len(free)-1] {
		t.Errorf("others were let in at %v, want it after the first of two more tries", free)
	}
	posts, err := b.Store.Queue.OutboxDue(t.Context(), 10)
	whole := say.In("en").Count(say.In("en").Forgotten, messages)
	if err != nil || !slices.ContainsFunc(posts, func(o *memory.Outbox) bool { return strings.Contains(o.Payload, whole) }) {
		t.Errorf("%q is not among the posts %+v %v", whole, posts, err)
	}
}

// mute is a platform that shows nothing.
type mute struct{ platform.Platform }

func (mute) Name() string            { return "mute" }
func (mute) Limits() platform.Limits { return platform.Limits{} }

// given stores a command in a channel of the kind, and returns its row as it waits.
func given(t *testing.T, b *Bot, id string, kind memory.ChannelKind, command, args string) queuedCommand {
	t.Helper()
	ev := platform.Event{ID: id, Kind: platform.EventCommand, Key: memory.Key{Platform: "mute", Workspace: "w", Channel: "c"},
		Channel: memory.Channel{Kind: kind}, Author: platform.Author{ID: "U", Name: "Grace", Kind: memory.Human, Admin: true}, Command: command, Args: args}
	if err := b.receive(t.Context(), mute{}, ev); err != nil {
		t.Fatal(err)
	}
	rows, err := b.Store.Queue.InboxCommands(t.Context(), 10)
	if err != nil || len(rows) != 1 {
		t.Fatal(rows, err)
	}
	return inOrder(rows)[0]
}

func idleBot(t *testing.T) *Bot {
	t.Helper()
	store, err := memory.Open(t.Context(), filepath.Join(t.TempDir(), "test.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	b := &Bot{Store: store, Platforms: []platform.Platform{mute{}}, Log: slog.New(slog.DiscardHandler)}
	b.init()
	return b
}

// TestACommandIsCarriedOutOnce hands over a command that was carried out since it was
// looked up.
func TestACommandIsCarriedOutOnce(t *testing.T) {
	b := idleBot(t)
	first := given(t, b, "1", memory.Public, "settings follow", "always")
	apply := func(q queuedCommand) {
		t.Helper()
		if err := b.runCommand(t.Context(), q.row, true); err != nil {
			t.Fatal(err)
		}
	}
	apply(first)
	apply(given(t, b, "2", memory.Public, "settings follow", "mention"))
	apply(first)
	if follow, err := b.setting(t.Context(), memory.Key{Platform: "mute", Workspace: "w", Channel: "c"}, FollowSetting, ""); err != nil || follow != "mention" {
		t.Errorf("follow %q %v", follow, err)
	}
}

func TestACommandThatFailsAgainAndAgainIsGivenUp(t *testing.T) {
	b := idleBot(t)
	b.TurnTimeout = time.Nanosecond // no time at all
	q := given(t, b, "1", memory.Public, "help", "")
	lanes := newCommandLanes()
	lanes.effortOf(q.row).failures = maxAttempts - 1
	b.tryCommand(t.Context(), t.Context(), lanes, q)
	posts, err := b.Store.Queue.OutboxDue(t.Context(), 10)
	if err != nil || len(posts) != 1 || !strings.Contains(posts[0].Payload, say.ExplainCommand(say.In("en"), say.ErrGivenUp).Text) {
		t.Errorf("posts %+v %v", posts, err)
	}
	if quick, err := b.Store.Queue.InboxCommandOpen(t.Context(), q.row.ID); !gone(err) {
		t.Errorf("still to be carried out: %v %v", quick, err)
	}
}

// TestAWaitingCommandIsRunAsItIsEdited, also if a first try had the old words. One that is no command any more is not run.
func TestAWaitingCommandIsRunAsItIsEdited(t *testing.T) {
	b := idleBot(t)
	key, n := memory.Key{Platform: "mute", Workspace: "w", Channel: "c", Thread: "t"}, 0
	hear := func(kind platform.EventKind, message, text string) *memory.Inbox {
		t.Helper()
		n++
		ev := platform.Event{ID: fmt.Sprint(n), Kind: kind, Key: key, Channel: memory.Channel{Kind: memory.Public}, At: b.Store.Now(),
			Author: platform.Author{ID: "U", Name: "Grace", Kind: memory.Human}, Message: message, Text: text, Mention: true}
		if err := b.receive(t.Context(), mute{}, ev); err != nil {
			t.Fatal(err)
		}
		rows, err := b.Store.Queue.InboxCommands(t.Context(), 10)
		if err != nil || len(rows) > 1 {
			t.Fatal(rows, err)
		}
		if len(rows) == 0 {
			return nil
		}
		return rows[0]
	}
	for _, begun := range []bool{false, true} {
		message := fmt.Sprint("m", begun)
		row := hear(platform.EventMessage, message, "memory remember The spare key is under mat A.")
		if begun {
			session, who, err := b.Store.Locate(t.Context(), key, memory.Channel{}, memory.Person{PlatformID: "U"})
			if err != nil {
				t.Fatal(err)
			}
			if err := b.Store.Remember(t.Context(), memory.Note{Session: session, Person: who, ID: message, Text: "The spare key is under mat A."}); err != nil {
				t.Fatal(err)
			}
		}
		hear(platform.EventEdit, message, "memory remember The spare key is under mat B.")
		if err := b.runCommand(t.Context(), row, true); err != nil {
			t.Fatal(err)
		}
		facts, err := b.Store.Views.Facts(t.Context(), row.SessionID)
		if err != nil || len(facts) == 0 || slices.ContainsFunc(facts, func(k memory.Known) bool { return !strings.HasSuffix(k.Text, "under mat B.") }) {
			t.Errorf("begun: %v, known is %+v %v", begun, facts, err)
		}
	}
	row := hear(platform.EventMessage, "q", "memory remember The spare key is under mat C.")
	if left := hear(platform.EventEdit, "q", "Where is the spare key?"); left != nil {
		t.Errorf("still to be run: %+v", left)
	}
	if waiting, err := inboxPending(t, b.Store, row.SessionID); err != nil || len(waiting) != 1 {
		t.Errorf("waiting for an answer: %+v %v", waiting, err)
	}
}

// meanwhile is a platform that something happens on while an event is completed.
type meanwhile struct {
	mute
	happens func()
}

func (m meanwhile) Complete(context.Context, *platform.Event, bool) { m.happens() }

// TestACommandThatRunsWhileItIsEdited keeps the new words.
func TestACommandThatRunsWhileItIsEdited(t *testing.T) {
	b := idleBot(t)
	ev := platform.Event{ID: "1", Kind: platform.EventMessage, Key: memory.Key{Platform: "mute", Workspace: "w", Channel: "c", Thread: "t"}, Channel: memory.Channel{Kind: memory.Public},
		At: b.Store.Now(), Author: platform.Author{ID: "U", Name: "Grace", Kind: memory.Human}, Message: "m", Text: "memory remember The spare key is under mat A.", Mention: true}
	if err := b.receive(t.Context(), mute{}, ev); err != nil {
		t.Fatal(err)
	}
	rows, err := b.Store.Queue.InboxCommands(t.Context(), 10)
	if err != nil || len(rows) != 1 {
		t.Fatal(rows, err)
	}
	ev.ID, ev.Kind, ev.Text = "2", platform.EventEdit, "memory remember The spare key is under mat B."
	err = b.receive(t.Context(), meanwhile{happens: func() {
		if err := b.runCommand(t.Context(), rows[0], true); err != nil {
			t.Error(err)
		}
	}}, ev)
	if err != nil {
		t.Fatal(err)
	}
	facts, err := b.Store.Views.Facts(t.Context(), rows[0].SessionID)
	if err != nil || len(facts) == 0 || slices.ContainsFunc(facts, func(k memory.Known) bool { return !strings.HasSuffix(k.Text, "under mat B.") }) {
		t.Errorf("known is %+v %v", facts, err)
	}
}

// TestAnEditIsNoWayAroundTheLimits: a message that was one too many is not answered because it is edited.
func TestAnEditIsNoWayAroundTheLimits(t *testing.T) {
	b := idleBot(t)
	b.rate.PerMinute = 1
	now := b.Store.Now()
	b.Store.Now = func() int64 { return now } // however slow the machine is
	hear := func(id string, kind platform.EventKind, message, text string) (waiting int) {
		t.Helper()
		ev := platform.Event{ID: id, Kind: kind, Key: memory.Key{Platform: "mute", Workspace: "w", Channel: "c", Thread: "t"}, Channel: memory.Channel{Kind: memory.Public},
			At: b.Store.Now(), Author: platform.Author{ID: "U", Name: "Grace", Kind: memory.Human}, Message: message, Text: text, Mention: true}
		if err := b.receive(t.Context(), mute{}, ev); err != nil {
			t.Fatal(err)
		}
		session, err := b.Store.SessionByKey(t.Context(), ev.Key)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := inboxPending(t, b.Store, session.ID)
		if err != nil {
			t.Fatal(err)
		}
		return len(rows)
	}
	hear("1", platform.EventMessage, "m1", "What is it?")
	hear("2", platform.EventMessage, "m2", "How long is it?")
	if n := hear("3", platform.EventEdit, "m2", "How long is it, then?"); n != 1 {
		t.Errorf("%d messages wait for an answer", n)
	}
	b.rate.PerMinute = 2
	if n := hear("4", platform.EventEdit, "m2", "How long is it now?"); n != 2 {
		t.Errorf("with room for one, %d messages wait for an answer", n)
	}
}

func TestCommandsRunInTheOrderTheyWereGiven(t *testing.T) {
	row := func(id, created, at int64) *memory.Inbox {
		return &memory.Inbox{ID: id, CreatedAt: created, Payload: request{Event: platform.Event{At: at}}.encode()}
	}
	var order []int64
	for _, q := range inOrder([]*memory.Inbox{row(1, 100, 90), row(2, 101, 80), row(3, 102, 0), row(4, 103, 90)}) {
		order = append(order, q.row.ID)
	}
	if want := []int64{2, 1, 4, 3}; !slices.Equal(order, want) {
		t.Errorf("order %v, want %v", order, want)
	}
}
