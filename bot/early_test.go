package bot_test

import (
	"context"
	"image"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"threadkeeper/bot"
	"threadkeeper/bot/platformtest"
	"threadkeeper/docs"
	"threadkeeper/memory"
)

// TestAClickBeforeTheAnswerIsRecorded holds a turn between the delivery of its post and
// the record of it, lets people click what they see, also with a crash in between, and
// wants each click carried out and nothing else held up.
func TestAClickBeforeTheAnswerIsRecorded(t *testing.T) {
	note := platformtest.File{Name: "note.txt", Data: []byte("The warranty lasts three years from the day of delivery. Claims are sent to the office in Lyon.")}
	for _, c := range []struct {
		name, say, label, want string
		crash                  bool
	}{
		{name: "page", say: "cite", label: platformtest.Page(1), want: "[1] note.txt, page 1"},
		{name: "page after a crash", say: "cite", label: platformtest.Page(1), want: "[1] note.txt, page 1", crash: true},
		{name: "feedback", say: "hello", label: string(bot.Helpful), want: "Thank you"},
		{name: "option", say: "ask me", label: "Red", want: "You chose red"},
		{name: "option after a crash", say: "ask me", label: "Red", want: "You chose red", crash: true},
		{name: "something else", say: "ask me", label: "Something else", want: "Please type"},
		{name: "retry", say: "fail", label: "Retry", want: "You said: fail"},
	} {
		t.Run(c.name, func(t *testing.T) {
			db := filepath.Join(t.TempDir(), "test.db")
			store, err := memory.Open(t.Context(), db)
			if err != nil {
				t.Fatal(err)
			}
			defer store.Close()
			world := platformtest.NewWorld()
			held, release := make(chan struct{}), make(chan struct{})
			var once sync.Once
			world.Step = func(step string) {
				if step == "after close" || step == "after post" {
					once.Do(func() { close(held); <-release })
				}
			}
			chain := &platformtest.Chain{Store: store}
			begin := func(store *memory.Store, world *platformtest.World) (*bot.Bot, func()) {
				chain.Store = store
				b := &bot.Bot{Store: store, Index: &docs.Index{Store: store, Log: slog.New(slog.DiscardHandler)}, Chain: chain,
					Platforms: []bot.Platform{world.Platform()}, Log: slog.New(slog.DiscardHandler), Workers: 2,
					Draw: func(context.Context, docs.Citation, int) (image.Image, error) {
						return image.NewGray(image.Rect(0, 0, 8, 8)), nil
					}}
				return b, start(t, b)
			}
			b, stop := begin(store, world)
			defer func() { stop() }()
			_, at := world.Say(platformtest.Said{Who: "Ada", At: platformtest.Place{Channel: "general"}, Text: c.say, Mention: true, Files: []platformtest.File{note}})
			<-held
			chain.Mend()
			world.Click("Ada", at, world.Posts(at, "Ada")[0], c.label)
			world.Command("Ada", at, "help", "")
			until(t, "the command's answer", func() bool {
				return slices.ContainsFunc(world.Posts(at, "Ada"), func(p platformtest.Post) bool { return strings.Contains(p.Text, "memory export") })
			})
			if c.crash {
				r := &recorder{t: t, db: db, world: world}
				r.take("held")
				close(release)
				stop()
				m := r.moments[0]
				world = m.world
				if store, err = memory.Open(t.Context(), filepath.Join(m.dir, "crash.db")); err != nil {
					t.Fatal(err)
				}
				defer store.Close()
				b, stop = begin(store, world)
			} else {
				close(release)
			}
			until(t, c.want, func() bool {
				return slices.ContainsFunc(world.Posts(at, "Ada"), func(p platformtest.Post) bool { return strings.Contains(p.Text, c.want) })
			})
			settle(t, b, world)
			for _, p := range world.Posts(at, "Ada") {
				if strings.Contains(p.Text, "no longer") || strings.Contains(p.Text, "closed") || strings.Contains(p.Text, "nothing to retry") {
					t.Errorf("posted %q", p.Text)
				}
			}
			given, err := store.FeedbackGiven(t.Context())
			if err != nil || (c.label == string(bot.Helpful)) != (given[c.label] == 1) {
				t.Errorf("feedback %v %v", given, err)
			}
		})
	}
}
