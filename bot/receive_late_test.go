package bot_test

import (
	"strings"
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

// TestAnEditIntoACommandRunsNothing: neither a question nor another command that is edited into one is run, and what a
// command was typed in is not answered.
func TestAnEditIntoACommandRunsNothing(t *testing.T) {
	s := begin(t)
	close(s.chain.Go)
	at := s.say(general, "the code is walrus")
	s.settle()
	question, _ := s.world.Say(platformtest.Said{Who: "Ada", At: at, Text: "what is it?", Mention: true})
	s.settle()
	command, _ := s.world.Say(platformtest.Said{Who: "Ada", At: at, Text: "memory status", Mention: true})
	s.settle()
	before := len(s.texts(at))
	s.world.Edit(at, command, "memory forget --yes")
	s.settle()
	s.world.Call(command, "memory forget --yes", time.Now())
	s.settle()
	if got := s.texts(at); len(got) != before {
		t.Errorf("a command edited into another is answered: %q", got[before:])
	}
	s.world.Edit(at, question, "memory forget --yes")
	s.settle()
	m, err := s.store.Message(t.Context(), 1)
	if err != nil || m.ErasedAt > 0 || m.Text != "the code is walrus" {
		t.Errorf("%+v, %v", m, err)
	}
}

// TestACommandIsMendedByAnEdit: one that does nothing runs as it was meant, once. A question that it becomes is answered.
func TestACommandIsMendedByAnEdit(t *testing.T) {
	s := begin(t)
	id, at := s.world.Say(platformtest.Said{Who: "Ada", At: platformtest.Place{Channel: "ada", DM: true}, Text: "memory statsu"})
	s.settle()
	for _, text := range []string{"memory search", "memory status", "memory status", "memory search tea", "how long?"} {
		s.world.Call(id, text, time.Now())
		s.settle()
	}
	texts := s.texts(at)
	if len(texts) != 4 || !strings.Contains(texts[1], "memory search") || !strings.Contains(texts[2], "no conversation here yet") || texts[3] != "You said: how long?" {
		t.Errorf("%q", texts)
	}
}
