package bot_test

import (
	"context"
	"image"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"threadkeeper/bot"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
	"threadkeeper/docs"
	"threadkeeper/memory"
)

var (
	general = platformtest.Place{Channel: "general"}
	note    = platformtest.File{Name: "note.txt", Data: []byte("The warranty lasts three years from the day of delivery. Claims are sent to the office in Lyon.")}
)

// scene is a bot at work in a world of its own.
type scene struct {
	t     *testing.T
	db    string
	store *memory.Store
	world *platformtest.World
	chain *platformtest.Chain
	bot   *bot.Bot
	stop  func() // ends the bot
}

// begin opens a scene that lasts as long as the test; set changes it before the bot runs.
func begin(t *testing.T, set ...func(*scene)) *scene {
	t.Helper()
	return play(t, filepath.Join(t.TempDir(), "test.db"), platformtest.NewWorld(), &platformtest.Chain{Go: make(chan struct{})}, set...)
}

// play is begin with what there is already.
func play(t *testing.T, db string, world *platformtest.World, chain *platformtest.Chain, set ...func(*scene)) *scene {
	t.Helper()
	s := &scene{t: t, db: db, store: open(t, db), world: world, chain: chain}
	chain.Store, s.store.Queue.Withdrawn = s.store, bot.Withdrawn
	log := slog.New(slog.DiscardHandler)
	s.bot = &bot.Bot{Store: s.store, Index: &docs.Index{Store: s.store, Log: log}, Chain: chain,
		Platforms: []platform.Platform{world.Platform()}, Log: log, Workers: 2, Grace: 50 * time.Millisecond, Patience: time.Minute,
		Draw: func(context.Context, docs.Citation, int) (image.Image, error) {
			return image.NewGray(image.Rect(0, 0, 8, 8)), nil
		}}
	for _, f := range set {
		f(s)
	}
	s.run()
	t.Cleanup(func() { s.stop() })
	return s
}

func newStore(t *testing.T) *memory.Store { return open(t, filepath.Join(t.TempDir(), "test.db")) }

// open is a store that is closed with the test.
func open(t *testing.T, db string) *memory.Store {
	t.Helper()
	store, err := memory.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return store
}

// run starts the bot, again if it was stopped.
func (s *scene) run() {
	s.t.Helper()
	s.stop = start(s.t, s.bot)
}

// say has Ada mention us at the top of a channel, or go on in a thread, and returns where
// the answer comes.
func (s *scene) say(at platformtest.Place, text string, files ...platformtest.File) platformtest.Place {
	s.t.Helper()
	_, at = s.world.Say(platformtest.Said{Who: "Ada", At: at, Text: text, Mention: at.Thread == "", Files: files})
	return at
}

func (s *scene) settle() {
	s.t.Helper()
	settle(s.t, s.bot, s.world)
}

// says waits until somebody sees a post with a text.
func (s *scene) says(at platformtest.Place, who, text string) {
	s.t.Helper()
	until(s.t, text, func() bool {
		for _, p := range s.world.Posts(at, who) {
			if strings.Contains(p.Text, text) {
				return true
			}
		}
		return false
	})
}

// texts are what Ada sees.
func (s *scene) texts(at platformtest.Place) (texts []string) {
	for _, p := range s.world.Posts(at, "Ada") {
		texts = append(texts, p.Text)
	}
	return texts
}
