package bot_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"threadkeeper/bot/platformtest"
)

// clocked begins a scene whose clock can be put forward.
func clocked(t *testing.T) (s *scene, later func(time.Duration)) {
	var by atomic.Int64
	s = begin(t, func(s *scene) {
		now := s.store.Now
		s.store.Now = func() int64 { return now() + by.Load() }
	})
	return s, func(d time.Duration) { by.Add(d.Milliseconds()) }
}

// asks gives a command and returns its answer.
func (s *scene) asks(who string, at platformtest.Place, command, args string) platformtest.Post {
	s.t.Helper()
	before := len(s.world.Posts(at, who))
	s.world.Command(who, at, command, args)
	s.settle()
	posts := s.world.Posts(at, who)[before:]
	if len(posts) != 1 {
		s.t.Fatalf("%s %s: %+v", command, args, posts)
	}
	return posts[0]
}

// TestForgettingOneMessageOfAList chooses from one's own messages with some words, for as long as
// the list is fresh.
func TestForgettingOneMessageOfAList(t *testing.T) {
	s, later := clocked(t)
	at := s.say(general, "my shoe size is 44")
	s.settle()
	for who, text := range map[string]string{"Bob": "my shoe size is 45", "Ada": "the gate is blue"} {
		s.world.Say(platformtest.Said{Who: who, At: at, Text: text, Mention: true})
		s.settle()
	}
	list := func(text string) {
		t.Helper()
		if !strings.Contains(text, "\n1. ") || strings.Contains(text, "\n2. ") || !strings.Contains(text, "shoe size is 44") || !strings.Contains(text, "`/memory forget 1`") {
			t.Fatalf("the list: %s", text)
		}
	}
	list(s.asks("Ada", at, "memory forget", "the shoe size").Text)
	if got := s.asks("Bob", at, "memory forget", "1").Text; !strings.Contains(got, "not in any list") {
		t.Errorf("Bob chooses from Ada's list: %s", got)
	}
	later(16 * time.Minute)
	if got := s.asks("Ada", at, "memory forget", "1").Text; !strings.Contains(got, "not in any list") {
		t.Errorf("an old list: %s", got)
	}
	s.world.Say(platformtest.Said{Who: "Ada", At: at, Text: "Forget what I said about shoe size.", Mention: true})
	s.settle()
	posts := s.world.Posts(at, "Ada")
	list(posts[len(posts)-1].Text)
	if got := s.asks("Ada", at, "memory forget", "1").Text; !strings.HasPrefix(got, "Forgotten: 1 message of yours") {
		t.Errorf("the number: %s", got)
	}
	if got := s.asks("Ada", at, "memory forget", "1").Text; !strings.HasPrefix(got, "There is nothing") {
		t.Errorf("the same number again: %s", got)
	}
	if got := s.asks("Ada", at, "memory search", "shoe size").Text; strings.Contains(got, "size is 44") || !strings.Contains(got, "size is 45") {
		t.Errorf("what is left: %s", got)
	}
	if got := s.asks("Ada", at, "memory forget", "shoe").Text; !strings.HasPrefix(got, "No message of yours") {
		t.Errorf("words that nobody but Bob says: %s", got)
	}
}

// TestAnOldQuestionForgetsNothing presses the button when the question is no longer fresh, and one
// that was pressed.
func TestAnOldQuestionForgetsNothing(t *testing.T) {
	s, later := clocked(t)
	at := s.say(general, "the launch code is walrus")
	s.settle()
	press := func(p platformtest.Post) string {
		t.Helper()
		before := len(s.world.Posts(at, "Ada"))
		s.world.Click("Ada", at, p, "Erase")
		s.settle()
		posts := s.world.Posts(at, "Ada")[before:]
		if len(posts) != 1 {
			t.Fatalf("%+v", posts)
		}
		return posts[0].Text
	}
	old := s.asks("Ada", at, "memory forget", "")
	later(16 * time.Minute)
	if got := press(old); !strings.Contains(got, "out of date") {
		t.Errorf("after a quarter of an hour: %s", got)
	}
	if got := s.asks("Ada", at, "memory search", "walrus").Text; !strings.Contains(got, "walrus") {
		t.Errorf("it was erased: %s", got)
	}
	fresh := s.asks("Ada", at, "memory forget", "all")
	if got := press(fresh); !strings.HasPrefix(got, "Forgotten: 1 message") {
		t.Errorf("%s", got)
	}
	if got := press(fresh); !strings.Contains(got, "out of date") {
		t.Errorf("a second time: %s", got)
	}
	if got := s.asks("Ada", at, "memory forget", "").Text; !strings.HasPrefix(got, "There is nothing") {
		t.Errorf("nothing is left: %s", got)
	}
}
