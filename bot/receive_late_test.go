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

// TestAnEditMayMakeALineOurs: nobody mentions us in a thread that we follow. A line that is certainly for us only now is answered,
// and a command that did nothing is mended; an edit that changes nothing about whom a line is for is not answered.
func TestAnEditMayMakeALineOurs(t *testing.T) {
	s := begin(t)
	close(s.chain.Go)
	old, at := s.world.Say(platformtest.Said{Who: "Ada", At: general, Text: "the warranty is two yeers", Unseen: true})
	s.world.Say(platformtest.Said{Who: "Ada", At: at, Text: "hello", Mention: true})
	s.says(at, "Ada", "You said: hello")
	s.settle()
	edit := func(id, text, answer string) {
		t.Helper()
		before := len(s.texts(at))
		s.world.Edit(at, id, text)
		s.settle()
		texts := s.texts(at)[before:]
		if len(texts) > 1 || len(texts) == 1 != (answer != "") || answer != "" && !strings.Contains(texts[0], answer) {
			t.Errorf("after %q it says %q, want %q", text, texts, answer)
		}
	}
	edit(old, "the warranty is two years", "")
	command, _ := s.world.Say(platformtest.Said{Who: "Ada", At: at, Text: "memory statsu"})
	s.settle()
	edit(command, "memory status", "word for word: ")
	edit(command, "memory forget --yes", "")
	lunch := s.bob(at, "lunch at noon, Ada?", platformtest.Said{})
	called := s.bob(at, "keper, what does it cover?", platformtest.Said{})
	s.settle()
	edit(lunch, "lunch at one, Ada?", "")
	edit(called, "keeper, what does it cover?", "You said: keeper, what does it cover?")
	edit(called, "Keeper, what does it cover?", "")
}
