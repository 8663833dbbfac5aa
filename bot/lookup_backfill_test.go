package bot_test

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"threadkeeper/bot"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
	"threadkeeper/memory"
)

// hasty is a platform that has no time for all of a conversation the first time.
type hasty struct {
	platform.Platform
	asked atomic.Int32
}

func (h *hasty) History(ctx context.Context, key memory.Key, since int64, limit int) (platform.Past, error) {
	past, err := h.Platform.History(ctx, key, since, limit)
	if h.asked.Add(1) == 1 && err == nil {
		return platform.Past{Events: past.Events[1:]}, errors.New("no time")
	}
	return past, err
}

// TestReadPagesOfAThreadAreUsedAtOnce, and what was said before it with the next turn.
func TestReadPagesOfAThreadAreUsedAtOnce(t *testing.T) {
	store, world := newStore(t), platformtest.NewWorld()
	p := &hasty{Platform: world.Platform()}
	b := &bot.Bot{Store: store, Chain: &platformtest.Chain{Store: store}, Platforms: []platform.Platform{p}, Log: slog.New(slog.DiscardHandler), Patience: time.Minute}
	defer start(t, b)()
	_, at := world.Say(platformtest.Said{Who: "Bob", At: platformtest.Place{Channel: "general"}, Text: "one", Unseen: true})
	world.Say(platformtest.Said{Who: "Bob", At: at, Text: "two", Unseen: true})
	for _, want := range []string{"Bob: two\nAda: recite", "Bob: one\nBob: two\nAda: recite\n: Bob: two\nAda: recite\nAda: recite"} {
		world.Say(platformtest.Said{Who: "Ada", At: at, Text: "recite", Mention: true})
		settle(t, b, world)
		if posts := world.Posts(at, "Ada"); posts[len(posts)-1].Text != want {
			t.Errorf("%q, want %q", posts[len(posts)-1].Text, want)
		}
	}
}

// TestACrashAroundABackfill crashes before every commit and around every request while a thread is read in
// which a mention was lost, and wants one answer to each of the two mentions.
func TestACrashAroundABackfill(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	db := filepath.Join(t.TempDir(), "run.db")
	store, world := open(t, db), platformtest.NewWorld()
	_, at := world.Say(platformtest.Said{Who: "Bob", At: general, Text: "we need a code", Unseen: true})
	world.Say(platformtest.Said{Who: "Bob", At: at, Text: "the code is 4711", Mention: true, Unseen: true})
	world.Say(platformtest.Said{Who: "Ada", At: at, Text: "hello", Mention: true})
	r := &recorder{t: t, store: store, db: db, world: world}
	clock := store.Now
	store.Now = func() int64 { r.take("commit"); return clock() }
	world.Step = r.take
	b, stop := run(t, store, &platformtest.Chain{Store: store}, world)
	settle(t, b, world)
	stop()
	if len(r.moments) < 10 {
		t.Fatalf("only %d moments", len(r.moments))
	}
	for _, m := range r.moments {
		t.Run(m.name, func(t *testing.T) {
			store := open(t, filepath.Join(m.dir, "crash.db"))
			b, stop := run(t, store, &platformtest.Chain{Store: store}, m.world)
			defer stop()
			settle(t, b, m.world)
			var texts []string
			for _, p := range m.world.Posts(at, "Ada") {
				texts = append(texts, p.Text)
			}
			if slices.Sort(texts); !slices.Equal(texts, []string{"**Bob:** You said: the code is 4711", "You said: hello"}) {
				t.Errorf("posts %q", texts)
			}
		})
	}
}

// TestPastMentionsThatAreAnswered: not one of two days ago, nor one before an answer of an
// earlier installation, nor a command, nor what a program said.
func TestPastMentionsThatAreAnswered(t *testing.T) {
	store, world := newStore(t), platformtest.NewWorld()
	p := &past{Platform: world.Platform()}
	b := &bot.Bot{Store: store, Chain: &platformtest.Chain{Store: store}, Platforms: []platform.Platform{p}, Log: slog.New(slog.DiscardHandler), Patience: time.Minute}
	_, at := world.Say(platformtest.Said{Who: "Bob", At: general, Text: "we need a code", Unseen: true})
	now := time.Now().UnixMilli()
	say := func(id, text string, hoursAgo int64) platform.Event {
		return platform.Event{ID: "wire " + id, Kind: platform.EventMessage, Key: world.Key(at), Author: platform.Author{ID: "U-Bob", Name: "Bob", Kind: memory.Human},
			Message: id, Text: text, Mention: true, At: now - hoursAgo*time.Hour.Milliseconds()}
	}
	ours := platform.Event{ID: "wire ours", Kind: platform.EventMessage, Key: world.Key(at), Message: "ours", Text: "Done.", Ours: true, At: now - 4*time.Hour.Milliseconds()}
	program := say("program", "a build", 1)
	program.Author.Kind = memory.Bot
	lost := say("lost", "lost", 2)
	p.past = []platform.Event{say("old", "too old", 30), say("answered", "answered", 5), ours, say("command", "help", 3), lost, program}
	defer start(t, b)()
	world.Say(platformtest.Said{Who: "Ada", At: at, Text: "hello", Mention: true})
	settle(t, b, world)
	world.Say(platformtest.Said{Who: "Ada", At: at, Text: "go on", Mention: true})
	settle(t, b, world)
	var texts []string
	for _, p := range world.Posts(at, "Ada") {
		texts = append(texts, p.Text)
	}
	if slices.Sort(texts); !slices.Equal(texts, []string{"**Bob:** You said: lost", "You said: go on", "You said: hello"}) {
		t.Errorf("posts %q", texts)
	}
}

// past is a platform with a past of its own.
type past struct {
	platform.Platform
	past []platform.Event
	slow int // how many of them it returns at first
}

func (p *past) History(context.Context, memory.Key, int64, int) (platform.Past, error) {
	if n := p.slow; n > 0 {
		p.slow = 0
		return platform.Past{Events: p.past[:n]}, errors.New("no time")
	}
	return platform.Past{Events: p.past, Whole: true}, nil
}

// TestAMentionIsNotAnsweredAgainWhileItsAnswerIsUnread: Slack gives a thread from its beginning on.
func TestAMentionIsNotAnsweredAgainWhileItsAnswerIsUnread(t *testing.T) {
	store, world := newStore(t), platformtest.NewWorld()
	p := &past{Platform: world.Platform(), slow: 2}
	b := &bot.Bot{Store: store, Chain: &platformtest.Chain{Store: store}, Platforms: []platform.Platform{p}, Log: slog.New(slog.DiscardHandler), Patience: time.Minute}
	_, at := world.Say(platformtest.Said{Who: "Bob", At: general, Text: "we need a code", Unseen: true})
	say := func(id string, minutesAgo int64) platform.Event {
		return platform.Event{ID: "wire " + id, Kind: platform.EventMessage, Key: world.Key(at), Author: platform.Author{ID: "U-Bob", Name: "Bob", Kind: memory.Human},
			Message: id, Text: id, Mention: true, At: time.Now().UnixMilli() - minutesAgo*time.Minute.Milliseconds()}
	}
	begun, answered, ours, lost := say("begun", 50), say("answered", 40), say("Done.", 30), say("lost", 20)
	begun.Mention, ours.Mention, ours.Ours, ours.Author = false, false, true, platform.Author{}
	p.past = []platform.Event{begun, answered, ours, lost}
	defer start(t, b)()
	for _, want := range [][]string{{"You said: hello"}, {"**Bob:** You said: lost", "You said: hello", "You said: hello"}} {
		world.Say(platformtest.Said{Who: "Ada", At: at, Text: "hello", Mention: true})
		settle(t, b, world)
		var texts []string
		for _, p := range world.Posts(at, "Ada") {
			texts = append(texts, p.Text)
		}
		if slices.Sort(texts); !slices.Equal(texts, want) {
			t.Errorf("posts %q, want %q", texts, want)
		}
	}
}

// TestACommandIsNoPartOfAThread: the note that it gave may have been forgotten since.
func TestACommandIsNoPartOfAThread(t *testing.T) {
	store, world := newStore(t), platformtest.NewWorld()
	b := &bot.Bot{Store: store, Chain: &platformtest.Chain{Store: store}, Platforms: []platform.Platform{world.Platform()}, Log: slog.New(slog.DiscardHandler), Patience: time.Minute}
	defer start(t, b)()
	_, at := world.Say(platformtest.Said{Who: "Bob", At: general, Text: "one", Unseen: true})
	world.Say(platformtest.Said{Who: "Ada", At: at, Text: "memory remember I prefer walrus", Mention: true, Unseen: true})
	world.Say(platformtest.Said{Who: "Ada", At: at, Text: "recite", Mention: true})
	settle(t, b, world)
	if posts := world.Posts(at, "Ada"); posts[len(posts)-1].Text != "Bob: one\nAda: recite" {
		t.Errorf("posts %+v", posts)
	}
}

// TestAThreadWhoseFirstMessageIsKnownIsReadBack: a catch-up may have read that one, so it does not show that the thread began with us.
func TestAThreadWhoseFirstMessageIsKnownIsReadBack(t *testing.T) {
	store, world := newStore(t), platformtest.NewWorld()
	first, at := world.Say(platformtest.Said{Who: "Bob", At: general, Text: "one", Unseen: true})
	world.Say(platformtest.Said{Who: "Bob", At: at, Text: "two", Unseen: true})
	if _, err := store.Queue.Receive(t.Context(), memory.Incoming{Platform: world.Key(at).Platform, EventID: "caught up", Kind: "message", Key: world.Key(at),
		Channel: memory.Channel{Kind: memory.Public}, Person: memory.Person{PlatformID: "U-Bob", Name: "Bob"},
		Message: &memory.Message{PlatformID: first, Role: memory.User, Author: "Bob", Text: "one", At: time.Now().Add(-time.Hour).UnixMilli()}}); err != nil {
		t.Fatal(err)
	}
	b := &bot.Bot{Store: store, Chain: &platformtest.Chain{Store: store}, Platforms: []platform.Platform{world.Platform()}, Log: slog.New(slog.DiscardHandler), Patience: time.Minute}
	defer start(t, b)()
	world.Say(platformtest.Said{Who: "Ada", At: at, Text: "recite", Mention: true})
	settle(t, b, world)
	if posts := world.Posts(at, "Ada"); posts[len(posts)-1].Text != "Bob: one\nBob: two\nAda: recite" {
		t.Errorf("posts %+v", posts)
	}
}
