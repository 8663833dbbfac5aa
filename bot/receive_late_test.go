package bot_test

import (
	"testing"
	"time"

	"threadkeeper/bot/platformtest"
)

// TestAMentionThatWasForgotten edits a message that was not for us into one that is.
func TestAMentionThatWasForgotten(t *testing.T) {
	s := begin(t)
	id, at := s.world.Say(platformtest.Said{Who: "Ada", At: general, Text: "cite", Files: []platformtest.File{note}})
	old, beside := s.world.Say(platformtest.Said{Who: "Bob", At: general, Text: "hello"})
	s.settle()
	if posts := append(s.world.Posts(at, "Ada"), s.world.Posts(beside, "Bob")...); len(posts) != 0 {
		t.Fatalf("not mentioned, it says %+v", posts)
	}
	s.world.Call(id, "cite", time.Now())
	s.says(at, "Ada", "Three years. [1]")
	s.world.Call(id, "cite it", time.Now())
	s.world.Call(old, "hello", time.Now().Add(-time.Hour))
	s.settle()
	if posts := s.world.Posts(at, "Ada"); len(posts) != 1 {
		t.Errorf("mentioned once more, it says %+v", posts)
	}
	if posts := s.world.Posts(beside, "Bob"); len(posts) != 0 {
		t.Errorf("to an edit of an hour ago it says %+v", posts)
	}
}
