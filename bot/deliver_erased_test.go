package bot_test

import (
	"context"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
	"threadkeeper/memory"
)

// TestTheFileOfALongAnswerGoesWithIt: the file says what the answer says.
func TestTheFileOfALongAnswerGoesWithIt(t *testing.T) {
	s := begin(t)
	at := s.say(general, "too long")
	s.settle()
	posts := s.world.Posts(at, "Ada")
	if len(posts) != 2 || posts[0].Text != "The beginning." || string(s.world.Uploaded(posts[1].File)) != "The beginning and the end." {
		t.Fatalf("posts %+v", posts)
	}
	s.world.Command("Ada", at, "memory forget", "")
	s.settle()
	s.world.Delete(at, posts[0].ID)
	s.settle()
	for _, p := range s.world.Posts(at, "Ada") {
		if p.File != "" || strings.Contains(p.Text, "The beginning") {
			t.Errorf("stays: %+v", p)
		}
	}
}

// TestCrashAfterAnErasure crashes a turn at every step after its message was taken
// back while the answer grew. Nothing of the answer stays, in the conversation or in
// the database, and no request stays open.
func TestCrashAfterAnErasure(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	db := filepath.Join(t.TempDir(), "run.db")
	store := open(t, db)
	world := platformtest.NewWorld()
	r := &recorder{t: t, store: store, db: db, world: world}
	var erased atomic.Bool
	take := func(step string) {
		if erased.Load() {
			r.take(step)
		}
	}
	clock := store.Now
	store.Now = func() int64 { take("commit"); return clock() }
	world.Step = take
	b, stop := run(t, store, &platformtest.Chain{Store: store, Go: make(chan struct{})}, world)
	id, at := world.Say(platformtest.Said{Who: "Ada", At: platformtest.Place{Channel: "general"}, Text: "slow secret", Mention: true})
	until(t, "the beginning of the answer", func() bool { return len(world.Posts(at, "Ada")) > 0 })
	erased.Store(true)
	world.Delete(at, id)
	settle(t, b, world)
	stop()
	r.take("end")
	if len(r.moments) < 5 {
		t.Fatalf("only %d moments", len(r.moments))
	}
	for _, m := range r.moments {
		t.Run(m.name, func(t *testing.T) {
			store := open(t, filepath.Join(m.dir, "crash.db"))
			// A program that starts again may answer before it hears of the deletion.
			done := make(chan struct{})
			close(done)
			b, stop := run(t, store, &platformtest.Chain{Store: store, Go: done}, m.world)
			defer stop()
			settle(t, b, m.world)
			if posts := m.world.Posts(at, "Ada"); len(posts) > 1 {
				t.Errorf("posts %+v", posts)
			} else if len(posts) == 1 && strings.Contains(posts[0].Text, "Working") && !strings.HasSuffix(posts[0].Text, "Done: slow secret") {
				t.Errorf("half an answer stays: %q", posts[0].Text)
			}
			session, err := store.SessionByKey(t.Context(), memory.Key{Platform: "fake", Workspace: "w", Channel: at.Channel, Thread: at.Thread})
			if err != nil {
				t.Fatal(err)
			}
			all, err := store.Messages(t.Context(), session.ID)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range all {
				if m.Text != "" {
					t.Errorf("remembered: %q", m.Text)
				}
			}
			var open int
			if err := store.Read().NewRaw("SELECT COUNT(*) FROM interactions WHERE state = 'open'").Scan(t.Context(), &open); err != nil || open != 0 {
				t.Errorf("%d requests open, %v", open, err)
			}
		})
	}
}

// TestAnAnswerToAFileGoesWithIt deletes a message that was a file and our name only.
func TestAnAnswerToAFileGoesWithIt(t *testing.T) {
	s := begin(t)
	id, at := s.world.Say(platformtest.Said{Who: "Ada", At: general, Text: "", Mention: true, Files: []platformtest.File{note}})
	s.says(at, "Ada", "You said: ")
	s.settle()
	s.world.Delete(at, id)
	s.settle()
	if got := s.texts(at); len(got) != 1 || got[0] != "[erased]" {
		t.Errorf("what stays is %q", got)
	}
}

// frozen is a platform that lets no post be changed, as when their thread is gone.
type frozen struct {
	platform.Platform
	edits atomic.Int64
}

func (f *frozen) Edit(context.Context, platform.Ref, platform.Outgoing) (platform.Ref, error) {
	f.edits.Add(1)
	return "", platform.ErrUndeliverable
}

// TestAnErasedTurnEndsThoughItsPostCannotBeChanged deletes a message whose answer grows, where
// that cannot be put right any more.
func TestAnErasedTurnEndsThoughItsPostCannotBeChanged(t *testing.T) {
	var p *frozen
	s := begin(t, func(s *scene) {
		p = &frozen{Platform: s.world.Platform()}
		s.bot.Platforms = []platform.Platform{p}
	})
	id, at := s.world.Say(platformtest.Said{Who: "Ada", At: general, Text: "slow secret", Mention: true})
	s.says(at, "Ada", "Working")
	s.world.Delete(at, id)
	s.settle()
	if n := p.edits.Load(); n != 1 {
		t.Errorf("%d tries to change the post, want 1", n)
	}
	s.say(at, "hello")
	s.says(at, "Ada", "You said: hello")
	s.settle()
}
