package bot_test

import (
	"context"
	"log/slog"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"threadkeeper/bot"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
)

// overheard lets a test call what a platform is given.
type overheard struct {
	platform.Platform
	handler chan platform.Handler
}

func (o overheard) Run(ctx context.Context, h platform.Handler, c []platform.Command) error {
	o.handler <- h
	return o.Platform.Run(ctx, h, c)
}

func TestAPlatformLearnsWhatWasSeenAndMayCloseAThread(t *testing.T) {
	store := newStore(t)
	world := platformtest.NewWorld()
	p := overheard{world.Platform(), make(chan platform.Handler, 1)}
	b := &bot.Bot{Store: store, Chain: &platformtest.Chain{Store: store}, Platforms: []platform.Platform{p}, Log: slog.New(slog.DiscardHandler), Patience: time.Minute}
	defer start(t, b)()
	one, at := world.Say(platformtest.Said{Who: "Ada", At: platformtest.Place{Channel: "general"}, Text: "hello", Mention: true})
	settle(t, b, world)
	two, _ := world.Say(platformtest.Said{Who: "Ada", At: at, Text: "the code is 77"})
	settle(t, b, world)
	h := <-p.handler
	seen, err := h.LastSeen(t.Context())
	if err != nil || len(seen) != 1 || seen[0].Key.Thread != at.Thread || !slices.Equal(seen[0].Messages, []string{two, one}) {
		t.Fatalf("seen %+v, %v", seen, err)
	}
	if err := h.Receive(t.Context(), platform.Event{ID: "closed", Kind: platform.EventDelete, Key: seen[0].Key}); err != nil {
		t.Fatal(err)
	}
	settle(t, b, world)
	session, err := store.SessionByKey(t.Context(), seen[0].Key)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := store.History(t.Context(), session.ID, 1<<60)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range kept.Messages {
		if m.Text != "" {
			t.Errorf("kept %q", m.Text)
		}
	}
	if seen, err = h.LastSeen(t.Context()); err != nil || len(seen) > 0 && len(seen[0].Messages) > 0 {
		t.Errorf("still seen %+v, %v", seen, err)
	}
}

// What is owed outlives the program, and that of one part of a platform is not another's.
func TestDebtsAreKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "threads.db")
	since := time.UnixMilli(1_700_000_000_123)
	keeps := func(with func(platform.Handler)) {
		store := open(t, path)
		p := overheard{platformtest.NewWorld().Platform(), make(chan platform.Handler, 1)}
		b := &bot.Bot{Store: store, Chain: &platformtest.Chain{Store: store}, Platforms: []platform.Platform{p}, Log: slog.New(slog.DiscardHandler), Patience: time.Minute}
		end := start(t, b)
		with(<-p.handler)
		end()
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
	}
	want := func(h platform.Handler, part string, want time.Time) {
		t.Helper()
		if got, err := h.MissedSince(t.Context(), part); err != nil || !got.Equal(want) {
			t.Errorf("%s: %v, %v", part, got, err)
		}
	}
	keeps(func(h platform.Handler) {
		want(h, "one", time.Time{})
		if err := h.SetMissedSince(t.Context(), "one", since); err != nil {
			t.Error(err)
		}
	})
	keeps(func(h platform.Handler) {
		want(h, "one", since)
		want(h, "two", time.Time{})
		if err := h.SetMissedSince(t.Context(), "one", time.Time{}); err != nil {
			t.Error(err)
		}
		want(h, "one", time.Time{})
	})
}
