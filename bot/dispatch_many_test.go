package bot_test

import (
	"cmp"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"threadkeeper/bot"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
)

// TestManySessionsWithFaults has 200 people talk at the same time over a wire that
// fails again and again. Every message is answered once, in the order of its session.
func TestManySessionsWithFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	const sessions, messages = 200, 3
	store := newStore(t)
	world := platformtest.NewWorld()
	b, stop := run(t, store, &platformtest.Chain{Store: store}, world)
	defer stop()
	random := rand.New(rand.NewPCG(3, 5))
	faults := []platformtest.Fault{platformtest.CutStream, platformtest.LoseClose, platformtest.FailEdit, platformtest.LoseEdit, platformtest.LosePost}
	places := make([]platformtest.Place, sessions)
	for n := range messages {
		for i := range places {
			at := places[i]
			if n == 0 {
				at = platformtest.Place{Channel: "general"}
			}
			if random.IntN(8) == 0 {
				world.Break(faults[random.IntN(len(faults))])
			}
			_, places[i] = world.Say(platformtest.Said{Who: fmt.Sprint("P", i), At: at, Text: fmt.Sprintf("message-%d", n), Mention: n == 0})
		}
	}
	until(t, "the last answer", func() bool {
		return world.Pending() == 0 && !slices.ContainsFunc(places, func(at platformtest.Place) bool {
			posts := world.Posts(at, "Ada")
			return len(posts) == 0 || !strings.Contains(posts[len(posts)-1].Text, fmt.Sprintf("message-%d", messages-1))
		})
	})
	settle(t, b, world)
	for i, at := range places {
		var said []string
		for _, p := range world.Posts(at, "Ada") {
			said = append(said, strings.TrimPrefix(p.Text, "You said: "))
		}
		// Messages that waited together are answered together.
		if got := strings.Join(said, " / "); got != "message-0 / message-1 / message-2" {
			t.Errorf("session %d: %q", i, got)
		}
	}
}

// TestStopWhileQueuedAndWhileDelivered: stop ends what waits, and keeps an answer
// that was complete.
func TestStopWhileQueuedAndWhileDelivered(t *testing.T) {
	store := newStore(t)
	clock := store.Now
	var frozen atomic.Int64
	store.Now = func() int64 { return cmp.Or(frozen.Load(), clock()) }
	world := platformtest.NewWorld()
	chain := &platformtest.Chain{Store: store, Go: make(chan struct{})}
	closing, proceed := make(chan struct{}, 8), make(chan struct{})
	world.Step = func(step string) {
		if step == "before close" {
			closing <- struct{}{}
			<-proceed
		}
	}
	b := &bot.Bot{Store: store, Chain: chain, Platforms: []platform.Platform{world.Platform()}, Log: slog.New(slog.DiscardHandler), Workers: 1, Grace: 50 * time.Millisecond, Patience: time.Minute}
	stop := start(t, b)
	defer stop()
	_, busy := world.Say(platformtest.Said{Who: "Ada", At: platformtest.Place{Channel: "general"}, Text: "hello", Mention: true})
	<-closing // the only worker delivers
	_, queued := world.Say(platformtest.Said{Who: "Bob", At: platformtest.Place{Channel: "general"}, Text: "later", Mention: true})
	world.Command("Bob", queued, "stop", "")
	world.Command("Ada", busy, "stop", "")
	until(t, "the receipts", func() bool {
		return len(world.Posts(queued, "Bob")) == 1 && len(world.Posts(busy, "Ada")) == 2
	})
	frozen.Store(clock()) // an answer that is put off would never come
	close(proceed)
	settle(t, b, world)
	if p := world.Posts(busy, "Ada"); len(p) != 2 || p[0].Text != "You said: hello" {
		t.Errorf("complete answer: %+v", p)
	}
	if p := world.Posts(queued, "Bob"); len(p) != 1 || p[0].Text != "Stopping." {
		t.Errorf("queued: %+v", p)
	}
	if n := chain.Started(); n != 1 {
		t.Errorf("%d turns, want 1", n)
	}
}
