package bot_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"threadkeeper/bot"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
	"threadkeeper/memory"
)

// terse is a platform whose commands do not tell the kind of their channel, which
// is shared with another workspace.
type terse struct{ platform.Platform }

func (p terse) Run(ctx context.Context, h platform.Handler, commands []platform.Command) error {
	receive := h.Receive
	h.Receive = func(ctx context.Context, ev platform.Event) error {
		if ev.Kind == platform.EventCommand {
			ev.Channel = memory.Channel{}
		}
		return receive(ctx, ev)
	}
	return p.Platform.Run(ctx, h, commands)
}

func (terse) Channel(context.Context, memory.Key) (memory.Channel, error) {
	return memory.Channel{Kind: memory.Private, External: true}, nil
}

// TestACommandAsksWhoReadsItsChannel gives a command as the first thing in a channel.
func TestACommandAsksWhoReadsItsChannel(t *testing.T) {
	store := newStore(t)
	world := platformtest.NewWorld()
	b := &bot.Bot{Store: store, Chain: &platformtest.Chain{Store: store}, Platforms: []platform.Platform{terse{world.Platform()}},
		Log: slog.New(slog.DiscardHandler), Patience: time.Minute}
	defer start(t, b)()
	world.Say(platformtest.Said{Who: "Ada", At: platformtest.Place{Channel: "general"}, Text: "the launch code is walrus", Mention: true})
	settle(t, b, world)
	at := platformtest.Place{Channel: "shared"}
	world.Command("Ada", at, "memory search", "walrus")
	settle(t, b, world)
	if posts := world.Posts(at, "Ada"); len(posts) != 1 || !strings.Contains(posts[0].Text, "Nothing was found") {
		t.Errorf("said in a shared channel: %+v", posts)
	}
}
