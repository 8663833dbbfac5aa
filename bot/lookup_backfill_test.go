package bot_test

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"

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

func (h *hasty) History(ctx context.Context, key memory.Key, after string, limit int) ([]platform.Event, error) {
	past, err := h.Platform.History(ctx, key, after, limit)
	if h.asked.Add(1) == 1 && err == nil {
		return past[1:], errors.New("no time")
	}
	return past, err
}

// TestWhatCouldBeReadOfAThreadIsKnownAtOnce, and what was said before it with the next turn.
func TestWhatCouldBeReadOfAThreadIsKnownAtOnce(t *testing.T) {
	store, world := newStore(t), platformtest.NewWorld()
	p := &hasty{Platform: world.Platform()}
	b := &bot.Bot{Store: store, Chain: &platformtest.Chain{Store: store}, Platforms: []platform.Platform{p}, Log: slog.New(slog.DiscardHandler)}
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
