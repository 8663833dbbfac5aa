package bot_test

import (
	"strings"
	"testing"

	"threadkeeper/bot/platformtest"
)

// TestAnErasureInALockedThreadIsReportedAndRetried forgets a conversation whose answer may
// not be changed, and starts again when it may.
func TestAnErasureInALockedThreadIsReportedAndRetried(t *testing.T) {
	s := begin(t)
	at := s.say(general, "hello")
	s.says(at, "Ada", "You said: hello")
	s.settle()
	s.world.Break(platformtest.LockEdit)
	s.world.Command("Ada", at, "memory forget", "--yes")
	s.says(at, "Ada", "still in a locked thread")
	posts := s.world.Posts(at, "Ada")
	if !strings.Contains(posts[0].Text, "You said: hello") {
		t.Fatalf("erased although it is locked: %+v", posts)
	}
	for _, p := range s.world.Posts(at, "Bob") {
		if strings.Contains(p.Text, "locked") {
			t.Errorf("Bob is told: %q", p.Text)
		}
	}
	s.stop()
	s.world.Break(platformtest.LockEdit)
	s.run()
	until(t, "the second try", func() bool { return !s.world.Breaks(platformtest.LockEdit) })
	s.stop()
	s.run()
	until(t, "the erasure", func() bool { return !strings.Contains(s.world.Posts(at, "Ada")[0].Text, "hello") })
	told := 0
	for _, p := range s.world.Posts(at, "Ada") {
		told += strings.Count(p.Text, "still in a locked thread")
	}
	if told != 1 {
		t.Errorf("told %d times", told)
	}
}
