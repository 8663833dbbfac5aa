package bot_test

import (
	"log/slog"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"threadkeeper/bot"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
	"threadkeeper/docs"
)

// TestCrashWhileADocumentIsRemovedByNumber crashes the removal of the first of two documents
// at every step, starts again, and wants that one gone, the other one kept and one answer.
func TestCrashWhileADocumentIsRemovedByNumber(t *testing.T) {
	var r *recorder
	s := begin(t, func(s *scene) {
		r = &recorder{t: t, store: s.store, db: s.db, world: s.world}
	})
	other := platformtest.File{Name: "other.txt", Data: []byte("The office in Lyon is closed in August.")}
	at := s.say(general, "documents", note, other)
	s.settle()
	s.stop()
	var over atomic.Bool // the end of a bot scrubs the file, which cannot be copied meanwhile
	take := func(step string) {
		if !over.Load() {
			r.take(step)
		}
	}
	clock := s.store.Now
	s.store.Now = func() int64 { take("commit"); return clock() }
	s.world.Step = take
	s.run()
	s.world.Command("Ada", at, "docs", "remove 1") // as platforms with one word per command send it
	s.settle()
	over.Store(true)
	s.stop()
	if len(r.moments) < 4 {
		t.Fatalf("only %d moments", len(r.moments))
	}
	for _, m := range r.moments {
		t.Run(m.name, func(t *testing.T) {
			store := open(t, filepath.Join(m.dir, "crash.db"))
			log := slog.New(slog.DiscardHandler)
			b := &bot.Bot{Store: store, Index: &docs.Index{Store: store, Log: log}, Chain: &platformtest.Chain{Store: store},
				Platforms: []platform.Platform{m.world.Platform()}, Log: log, Grace: 50 * time.Millisecond, Patience: time.Minute}
			defer start(t, b)()
			settle(t, b, m.world)
			var kept []string
			if err := store.Read().NewRaw("SELECT name FROM documents WHERE removed_at = 0").Scan(t.Context(), &kept); err != nil {
				t.Fatal(err)
			}
			var said []string
			for _, p := range m.world.Posts(at, "Ada")[1:] {
				said = append(said, p.Text)
			}
			// The moment may lie before the command was given.
			if len(said) == 0 && len(kept) == 2 {
				return
			}
			if got := strings.Join(said, "|"); got != "Removed: note.txt, and every answer that cites it." || len(kept) != 1 || kept[0] != other.Name {
				t.Errorf("said %q, kept %q", got, kept)
			}
		})
	}
}
