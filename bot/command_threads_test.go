package bot_test

import (
	"strings"
	"testing"

	"threadkeeper/bot/platformtest"
)

// TestOnlyDirectMessagesWithoutThreadsAreStartedOver: elsewhere each thread is a conversation of its own.
func TestOnlyDirectMessagesWithoutThreadsAreStartedOver(t *testing.T) {
	s := begin(t, func(s *scene) { s.world.AgentView = true })
	for _, top := range []platformtest.Place{general, {Channel: "ada", DM: true}} {
		at := s.say(top, "hello")
		s.says(at, "Ada", "You said: hello")
		s.world.Command("Ada", at, "new", "")
		s.says(at, "Ada", "Each thread is a conversation of its own")
		s.say(at, "recite")
		s.says(at, "Ada", "Ada: hello")
		s.world.Command("Ada", at, "help", "")
		s.says(at, "Ada", "/memory status")
		if all := strings.Join(s.texts(at), "\n"); strings.Contains(all, "/new") {
			t.Errorf("offered in %+v:\n%s", at, all)
		}
	}
}

// TestTheWordNewIsNotACommand: it may be the answer to a question.
func TestTheWordNewIsNotACommand(t *testing.T) {
	s, at := begin(t), platformtest.Place{Channel: "ada", DM: true}
	s.say(at, "new")
	s.says(at, "Ada", "You said: new")
	s.settle()
	s.say(at, "/new")
	s.says(at, "Ada", "A new conversation begins here")
	s.world.Command("Ada", at, "help", "")
	s.says(at, "Ada", "`/new` – ")
}

// TestAnExportHasThePastOfItsPlace: nobody can ask for it from a conversation that is over.
func TestAnExportHasThePastOfItsPlace(t *testing.T) {
	s, at := begin(t), platformtest.Place{Channel: "ada", DM: true}
	s.say(at, "the code is walrus")
	s.says(at, "Ada", "You said: the code is walrus")
	s.settle()
	for n, text := range []string{"", "the train leaves at nine"} {
		s.world.Command("Ada", at, "new", "")
		s.settle()
		if text != "" {
			s.say(at, text)
			s.says(at, "Ada", "You said: "+text)
			s.settle()
		}
		s.world.Command("Ada", at, "memory export", "")
		s.settle()
		posts := s.world.Posts(at, "Ada")
		data := string(s.world.Uploaded(posts[len(posts)-1].File))
		if !strings.Contains(data, "walrus") || strings.Contains(data, "train") != (n > 0) {
			t.Errorf("export %d:\n%s", n, data)
		}
	}
}
