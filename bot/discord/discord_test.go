package discord

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"threadkeeper/bot/discord/fakediscord"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
)

// inShard is a channel of a new guild that belongs to a shard of two.
func (w *town) inShard(shard int) (channel string) {
	w.t.Helper()
	for {
		guild := w.s.AddGuild("Another town")
		if int(number(guild)>>22%2) == shard {
			w.s.AddMember(guild, w.ada)
			return w.s.AddChannel(guild, fakediscord.Channel{Name: "general", Type: fakediscord.TextChannel})
		}
		time.Sleep(time.Millisecond) // guilds of one moment belong to the same
	}
}

func TestEachShardHearsItsGuildsAndTheFirstDirectMessages(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	channels := []string{w.inShard(0), w.inShard(1)}
	var mu sync.Mutex
	heard := make([][]string, 2)
	for shard := range heard {
		w.fresh()
		w.a.Shard, w.a.Shards = shard, 2
		h := platform.Handler{Receive: func(_ context.Context, ev platform.Event) error {
			mu.Lock()
			defer mu.Unlock()
			if ev.Kind == platform.EventMessage {
				heard[shard] = append(heard[shard], ev.Text)
			}
			return nil
		}}
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error, 1)
		a := w.a
		go func() { done <- a.Run(ctx, platformtest.Handler(h), registry) }()
		t.Cleanup(func() {
			cancel()
			if err := <-done; err != nil {
				t.Errorf("shard %d: %v", shard, err)
			}
		})
		limit, stop := context.WithTimeout(t.Context(), patiently)
		defer stop()
		if err := w.s.AwaitReady(limit, shard+1); err != nil {
			t.Fatal("never ready:", err)
		}
		time.Sleep(w.a.timing.begin) // sessions are begun one after the other
	}
	for shard, c := range channels {
		w.s.Say(fakediscord.Said{User: w.ada, Channel: c, Text: fmt.Sprint("to shard ", shard)})
	}
	w.s.Say(fakediscord.Said{User: w.ada, Channel: w.s.DM(w.ada), Text: "directly"})
	w.eventually(func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(heard[0]) >= 2 && len(heard[1]) >= 1
	}, "what was said")
	slices.Sort(heard[0]) // of two channels
	if !slices.Equal(heard[0], []string{"directly", "to shard 0"}) || !slices.Equal(heard[1], []string{"to shard 1"}) {
		t.Errorf("heard %q", heard)
	}
	w.eventually(func() bool { return len(w.s.Commands()) > 0 }, "commands")
	if n := w.s.Calls("PUT /applications/{application}/commands"); n != 1 {
		t.Errorf("commands were registered %d times", n)
	}
	for _, v := range w.s.Violations() {
		t.Error(v)
	}
}
