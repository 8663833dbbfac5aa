package bot_test

import (
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
)

// TestAClickBeforeTheAnswerIsRecorded holds a turn between the delivery of its post and
// the record of it, lets people click what they see, also with a crash in between, and
// wants each click carried out and nothing else held up.
func TestAClickBeforeTheAnswerIsRecorded(t *testing.T) {
	for _, c := range []struct {
		name, say, label, want string
		crash                  bool
	}{
		{name: "page", say: "cite", label: platformtest.Page(1), want: "[1] note.txt, page 1"},
		{name: "page after a crash", say: "cite", label: platformtest.Page(1), want: "[1] note.txt, page 1", crash: true},
		{name: "feedback", say: "hello", label: string(platform.Helpful), want: "Thank you"},
		{name: "option", say: "ask me", label: "Red", want: "You chose red"},
		{name: "option after a crash", say: "ask me", label: "Red", want: "You chose red", crash: true},
		{name: "something else", say: "ask me", label: "Something else", want: "Please type"},
		{name: "retry", say: "fail", label: "Retry", want: "You said: fail"},
	} {
		t.Run(c.name, func(t *testing.T) {
			held, release := make(chan struct{}), make(chan struct{})
			var once sync.Once
			s := begin(t, func(s *scene) {
				s.world.Step = func(step string) {
					if step == "after close" || step == "after post" {
						once.Do(func() { close(held); <-release })
					}
				}
			})
			at := s.say(general, c.say, note)
			<-held
			s.chain.Mend()
			s.world.Click("Ada", at, s.world.Posts(at, "Ada")[0], c.label)
			s.world.Command("Ada", at, "help", "")
			s.says(at, "Ada", "memory export")
			if c.crash {
				r := &recorder{t: t, store: s.store, db: s.db, world: s.world}
				r.take("held")
				close(release)
				s.stop()
				m := r.moments[0]
				s = play(t, filepath.Join(m.dir, "crash.db"), m.world, s.chain)
			} else {
				close(release)
			}
			s.says(at, "Ada", c.want)
			s.settle()
			for _, p := range s.world.Posts(at, "Ada") {
				if strings.Contains(p.Text, "no longer") || strings.Contains(p.Text, "closed") || strings.Contains(p.Text, "nothing to retry") {
					t.Errorf("posted %q", p.Text)
				}
			}
			given, err := s.store.Views.CountFeedback(t.Context())
			if err != nil || (c.label == string(platform.Helpful)) != (given[c.label] == 1) {
				t.Errorf("feedback %v %v", given, err)
			}
		})
	}
}
