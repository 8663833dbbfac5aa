package bot_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/uptrace/bun"

	"threadkeeper/bot"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
	"threadkeeper/memory"
)

// moment is what a crash would have left: the database's files and the world.
type moment struct {
	name  string
	dir   string
	world *platformtest.World
}

// recorder takes moments of a running bot.
type recorder struct {
	t       *testing.T
	store   *memory.Store
	db      string
	world   *platformtest.World
	mu      sync.Mutex
	moments []moment
}

// take adds what a crash would leave now. What would be left as at the moment before is not taken again: to start from it twice
// shows nothing more.
func (r *recorder) take(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.now(fmt.Sprintf("%02d %s", len(r.moments), name))
	if n := len(r.moments); n == 0 || !r.moments[n-1].equals(r.t, m) {
		r.moments = append(r.moments, m)
	}
}

// now copies database and world as they are. A transaction that is not
// committed is not in the copy. While somebody reads, the log is not emptied between
// the copy of the database and its own.
func (r *recorder) now(name string) moment {
	dir := r.t.TempDir()
	err := r.store.Read().RunInTx(context.Background(), nil, func(ctx context.Context, tx bun.Tx) error {
		if _, err := tx.NewSelect().Table("sessions").Count(ctx); err != nil {
			return err
		}
		for _, suffix := range databaseFiles {
			if err := copyFile(r.db+suffix, filepath.Join(dir, "crash.db"+suffix)); err != nil && !os.IsNotExist(err) {
				return err
			}
		}
		return nil
	})
	if err != nil {
		r.t.Error(err)
	}
	return moment{name, dir, r.world.Clone()}
}

// databaseFiles are what the names of a database's files end in.
var databaseFiles = []string{"", "-wal"}

// equals reports whether the same is left of two moments, to the byte.
func (m moment) equals(t *testing.T, other moment) bool {
	for _, suffix := range databaseFiles {
		var files [2][]byte
		for i, dir := range []string{m.dir, other.dir} {
			var err error
			if files[i], err = os.ReadFile(filepath.Join(dir, "crash.db"+suffix)); err != nil && !os.IsNotExist(err) {
				t.Error(err)
			}
		}
		if !bytes.Equal(files[0], files[1]) {
			return false
		}
	}
	return m.world.Equals(other.world)
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if closed := out.Close(); err == nil {
		err = closed
	}
	return err
}

func run(t *testing.T, store *memory.Store, chain *platformtest.Chain, world *platformtest.World) (b *bot.Bot, stop func()) {
	t.Helper()
	b = &bot.Bot{Store: store, Chain: chain, Platforms: []platform.Platform{world.Platform()},
		Log: slog.New(slog.DiscardHandler), Workers: 2, Grace: 50 * time.Millisecond, Patience: time.Minute}
	return b, start(t, b)
}

// start runs a bot until stop.
func start(t *testing.T, b *bot.Bot) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := b.Run(ctx); err != nil {
			t.Error(err)
		}
	}()
	return func() { cancel(); <-done }
}

// settle waits until every event was received and nothing is pending.
func settle(t *testing.T, b *bot.Bot, world *platformtest.World) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	for world.Pending() > 0 && ctx.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	if err := b.Drain(ctx); err != nil {
		t.Fatal(err)
	}
}

// until waits for a condition.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Minute); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(what, "never came")
		}
	}
}

// TestCrashAnywhere crashes a conversation before every commit and around every
// request to the platform, starts again half an hour later, and wants one answer
// each, in the database and in the conversation.
func TestCrashAnywhere(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Run("of an answer that grows", func(t *testing.T) { crashAnywhere(t, false, "hello there", "You said: hello there") })
	t.Run("of one posted whole", func(t *testing.T) { crashAnywhere(t, true, "hello there", "You said: hello there") })
	t.Run("of one with a file", func(t *testing.T) { crashAnywhere(t, false, "too long", "The beginning.", wholeFile) })
}

// wholeFile is the post with all of an answer that was too long.
const wholeFile = "This is the whole answer. (answer.md: The beginning and the end.)"

func crashAnywhere(t *testing.T, whole bool, text string, want ...string) {
	db := filepath.Join(t.TempDir(), "run.db")
	store := open(t, db)
	world := platformtest.NewWorld()
	world.Whole = whole
	r := &recorder{t: t, store: store, db: db, world: world}
	clock := store.Now
	store.Now = func() int64 { r.take("commit"); return clock() }
	world.Step = r.take
	chain := &platformtest.Chain{Store: store}

	_, at := world.Say(platformtest.Said{Who: "Ada", At: platformtest.Place{Channel: "general"}, Text: text, Mention: true})
	b, stop := run(t, store, chain, world)
	settle(t, b, world)
	world.Command("Ada", at, "stop", "")
	settle(t, b, world)
	stop()
	if len(r.moments) < 10 {
		t.Fatalf("only %d moments", len(r.moments))
	}
	t.Logf("%d moments", len(r.moments))
	for _, m := range r.moments {
		t.Run(m.name, func(t *testing.T) { resume(t, m, at, text, want) })
	}
}

func resume(t *testing.T, m moment, at platformtest.Place, said string, want []string) {
	store := open(t, filepath.Join(m.dir, "crash.db"))
	clock := store.Now
	store.Now = func() int64 { return clock() + (30 * time.Minute).Milliseconds() }
	// The moment may lie before the command was given.
	b, stop := run(t, store, &platformtest.Chain{Store: store}, m.world)
	defer stop()
	settle(t, b, m.world)
	if len(m.world.Posts(at, "Ada")) == 0 {
		t.Fatal("the message was lost")
	}
	var texts []string
	for _, p := range m.world.Posts(at, "Ada") {
		if p.Text == "Nothing is running here." { // the command was given before the moment
			continue
		}
		if p.File != "" {
			p.Text += fmt.Sprintf(" (%s: %s)", p.File, m.world.Uploaded(p.File))
		}
		texts = append(texts, p.Text)
	}
	if !slices.Equal(texts, want) {
		t.Errorf("posts %q", texts)
	}
	session, err := store.SessionByKey(t.Context(), memory.Key{Platform: "fake", Workspace: "w", Channel: at.Channel, Thread: at.Thread})
	if err != nil {
		t.Fatal(err)
	}
	all, err := store.Messages(t.Context(), session.ID)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 2 || all[0].Text != said || all[1].Text != want[0] {
		t.Errorf("%d messages stored", len(all))
	}
}

func TestPoisonIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // where the pauses between attempts pass at once
		s := begin(t)
		at := s.say(general, "panic")
		s.settle()
		if n := s.chain.Started(); n != 5 {
			t.Errorf("%d attempts, want 5", n)
		}
		if posts := s.world.Posts(at, "Ada"); len(posts) != 1 || !strings.Contains(posts[0].Text, "several times") || len(posts[0].Buttons) != 1 {
			t.Errorf("posts %+v", posts)
		}
		s.say(at, "go on")
		s.settle()
		if texts := s.texts(at); len(texts) != 2 || texts[1] != "You said: go on" {
			t.Errorf("after the poison: %q", texts)
		}
	})
}

func TestASlowTurnGetsAnApology(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // where time passes for what waits alone
		s := begin(t, func(s *scene) { s.bot.TurnTimeout = time.Second })
		at := s.say(general, "slow")
		s.settle()
		posts := s.world.Posts(at, "Ada")
		if len(posts) != 1 || !strings.HasPrefix(posts[0].Text, "Working. ") || !strings.Contains(posts[0].Text, "took too long") {
			t.Errorf("posts %+v", posts)
		}
	})
}
