package bot_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"threadkeeper/bot"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
	"threadkeeper/bot/say"
)

// slow is a platform on which a channel takes no posts for now.
type slow struct {
	platform.Platform
	held chan struct{} // closed when the channel takes posts again
	late error         // it says so instead of letting us wait

	mu    sync.Mutex
	asked int // posts that were tried there
}

func (s *slow) Post(ctx context.Context, to platform.Address, m platform.Outgoing) (platform.Ref, error) {
	if to.Key.Channel != "held" {
		return s.Platform.Post(ctx, to, m)
	}
	s.mu.Lock()
	s.asked++
	s.mu.Unlock()
	select {
	case <-s.held:
	default:
		if s.late != nil {
			return "", s.late
		}
		<-s.held
	}
	return s.Platform.Post(ctx, to, m)
}

func (s *slow) tried() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// TestAHeldChannelHoldsBackNoOther gives commands in a channel that takes no posts,
// then in another one, and wants the other's answer at once; what was held back comes
// in order.
func TestAHeldChannelHoldsBackNoOther(t *testing.T) {
	refused := errors.New("not now")
	for _, late := range []error{nil, refused, &platform.RetryError{After: time.Hour, Err: refused}} {
		t.Run(fmt.Sprintf("refused %T", late), func(t *testing.T) {
			_, forLong := late.(*platform.RetryError)
			store := newStore(t)
			world := platformtest.NewWorld()
			p := &slow{Platform: world.Platform(), held: make(chan struct{}), late: late}
			b := &bot.Bot{Store: store, Chain: &platformtest.Chain{Store: store}, Platforms: []platform.Platform{p}, Log: slog.New(slog.DiscardHandler), Patience: time.Minute}
			stop := start(t, b)
			defer func() { stop() }()
			held, free := platformtest.Place{Channel: "held"}, platformtest.Place{Channel: "free"}
			commands := [][2]string{{"memory search", "one"}, {"settings show", ""}, {"memory search", "two"}, {"help", ""}}
			for i, c := range commands {
				world.Command("Ada", held, c[0], c[1])
				if i == 0 {
					until(t, "the first attempt", func() bool { return p.tried() == 1 })
				}
			}
			world.Command("Ada", free, "help", "")
			until(t, "the other channel's answer", func() bool { return len(world.Posts(free, "Ada")) == 1 })
			if posts := world.Posts(held, "Ada"); len(posts) != 0 {
				t.Fatalf("posted where nothing can be: %+v", posts)
			}
			until(t, "the end of every command", func() bool {
				rows, err := store.Queue.InboxCommands(t.Context(), 10)
				return err == nil && len(rows) == 0 && world.Pending() == 0
			})
			if forLong { // refused or held back, all of them
				until(t, "that nothing is due", func() bool {
					due, err := store.Queue.OutboxDue(t.Context(), 10)
					return err == nil && len(due) == 0
				})
			}
			close(p.held)
			if forLong { // what waits is due at once with the next start
				stop()
				stop = start(t, b)
			}
			until(t, "what was held back", func() bool { return len(world.Posts(held, "Ada")) == len(commands) })
			var order []string
			for _, p := range world.Posts(held, "Ada") {
				order = append(order, strings.Fields(p.Text)[0])
			}
			if want := []string{"Nothing", "-", "Nothing", "I"}; !slices.Equal(order, want) {
				t.Errorf("order %q, want %q", order, want)
			}
		})
	}
}

// TestEveryCommandIsAnswered gives each command in each kind of place: a platform
// that shows that it is thinking waits for some text.
func TestEveryCommandIsAnswered(t *testing.T) {
	store := newStore(t)
	world := platformtest.NewWorld()
	b, stop := run(t, store, &platformtest.Chain{Store: store}, world)
	defer stop()
	_, thread := world.Say(platformtest.Said{Who: "Ada", At: platformtest.Place{Channel: "general"}, Text: "hello", Mention: true})
	_, failed := world.Say(platformtest.Said{Who: "Ada", At: platformtest.Place{Channel: "general"}, Text: "fail", Mention: true})
	settle(t, b, world)
	for _, at := range []platformtest.Place{thread, failed, {Channel: "general"}, {Channel: "empty"}, {Channel: "ada", DM: true}} {
		for _, c := range say.Commands("en") {
			for _, args := range []string{"", "1", "always"} {
				before := len(world.Posts(at, platformtest.Admin))
				world.Command(platformtest.Admin, at, c.Name, args)
				settle(t, b, world)
				posts := world.Posts(at, platformtest.Admin)
				if len(posts) == before || strings.TrimSpace(posts[len(posts)-1].Text) == "" {
					t.Errorf("%q with %q at %+v was not answered", c.Name, args, at)
				}
			}
		}
	}
}

// TestNoticesToAChannel compares what is said on joining, on first use and in a
// direct message.
func TestNoticesToAChannel(t *testing.T) {
	store := newStore(t)
	world := platformtest.NewWorld()
	b := &bot.Bot{Store: store, Chain: &platformtest.Chain{Store: store}, Platforms: []platform.Platform{world.Platform()},
		Log: slog.New(slog.DiscardHandler), Announce: true, Patience: time.Minute}
	defer start(t, b)()
	top := platformtest.Place{Channel: "general"}
	world.Join(top)
	_, thread := world.Say(platformtest.Said{Who: "Ada", At: platformtest.Place{Channel: "random"}, Text: "hello there my friend", Mention: true})
	dm := platformtest.Place{Channel: "ada", DM: true}
	world.Say(platformtest.Said{Who: "Ada", At: dm, Text: "was ist die Hauptstadt von Frankreich?"})
	settle(t, b, world)
	for _, c := range []struct {
		at      platformtest.Place
		has     []string
		without string
	}{
		{top, []string{"Hello! I answer questions", "PDF", "`help`", "I store", "`/memory forget`"}, ""},
		{thread, []string{"I store", "`/memory forget`"}, "Hello!"},
		{dm, []string{"Ich speichere", "`/memory forget`"}, "Thread"},
	} {
		var told string
		for _, p := range world.Posts(c.at, "Ada") {
			if strings.Contains(p.Text, "forget") {
				told += p.Text
			}
		}
		for _, want := range c.has {
			if strings.Count(told, want) != 1 {
				t.Errorf("%+v is told %q, want %q in it once", c.at, told, want)
			}
		}
		if c.without != "" && strings.Contains(told, c.without) {
			t.Errorf("%+v is told %q, with %q", c.at, told, c.without)
		}
	}
}
