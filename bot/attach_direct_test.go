package bot_test

import (
	"strings"
	"testing"

	"threadkeeper/bot/platformtest"
)

// Where each direct message opens a thread, a file is dropped in one and asked about in the
// next. What is posted within a thread is for that thread.
func TestAFileAtTheTopOfADirectMessageIsForAllOfIt(t *testing.T) {
	s := begin(t, func(s *scene) { s.world.AgentView = true })
	direct := platformtest.Place{Channel: "ada", DM: true}
	s.say(direct, "", note)
	s.settle()
	second := s.say(direct, "How long is the warranty?")
	s.settle()
	s.say(second, "And this?", platformtest.File{Name: "inside.txt", Data: []byte("The ferry leaves the pier at nine.")})
	s.settle()
	third := s.say(direct, "Something else")
	s.settle()
	for at, want := range map[platformtest.Place]string{second: "note.txt inside.txt", third: "note.txt"} {
		s.world.Command("Ada", at, "docs list", "")
		s.settle()
		texts := s.texts(at)
		list := texts[len(texts)-1]
		if strings.Contains(list, "note.txt") != strings.Contains(want, "note.txt") || strings.Contains(list, "inside.txt") != strings.Contains(want, "inside.txt") {
			t.Errorf("in %s: %q, want %s", at.Thread, list, want)
		}
	}
	s.world.Command("Bob", platformtest.Place{Channel: "bob", DM: true}, "docs list", "")
	s.settle()
	for _, p := range s.world.Posts(platformtest.Place{Channel: "bob", DM: true}, "Bob") {
		if strings.Contains(p.Text, "note.txt") {
			t.Errorf("told to somebody else: %q", p.Text)
		}
	}
}
