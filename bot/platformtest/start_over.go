package platformtest

import "strings"

// startedOver begins a new conversation in direct messages: it knows nothing of the one before, which can still be searched,
// changed, clicked and forgotten.
func startedOver(s *stage) {
	at := Place{Channel: "ada", DM: true}
	code, _ := s.h.Say(Said{Who: "Ada", At: at, Text: "the code is swordfish"})
	s.until(at, "Ada", "the answer", has("You said: the code is swordfish"))
	colour, _ := s.h.Say(Said{Who: "Ada", At: at, Text: "the colour is mauve"})
	s.until(at, "Ada", "the answer", has("You said: the colour is mauve"))
	s.say(at, "slow start")
	s.begun(3)
	s.h.Command("Ada", at, "new", "")
	s.until(at, "Ada", "why not yet", has("still working on an answer"))
	s.chain.Go <- struct{}{}
	s.until(at, "Ada", "the slow answer", has("Done: slow start"))
	s.settle()
	s.say(at, "ask me")
	asked := s.until(at, "Ada", "the question", has("Which colour?"))
	s.settle()
	s.ask(at, "new", "", "A new conversation begins here")
	if s.h.Features().Ephemeral {
		s.until(at, "Ada", "a line that stays", has("From here on this is a new conversation."))
	}
	s.stop()
	s.start()
	s.ask(at, "memory show", "", "Nothing has been said since")
	s.say(at, "recite")
	s.until(at, "Ada", "an empty history", has("Ada: recite"))
	s.settle()
	s.clean(at, "Ada: the code")
	s.say(at, "recall swordfish")
	s.until(at, "Ada", "what was said before", has("\nthe code is swordfish"))
	for _, p := range asked {
		if strings.Contains(p.Text, "Which colour?") {
			s.h.Click("Ada", at, p, "Red")
		}
	}
	s.until(at, "Ada", "the answer to an old question", has("You chose red"))
	s.settle()
	s.h.Edit(at, code, "the code is walrus")
	s.until(at, "Ada", "the answer to the new text", has("You said: the code is walrus"))
	s.h.Delete(at, colour)
	s.settle()
	s.clean(at, "code is swordfish")
	s.clean(at, "mauve")
	s.ask(at, "memory forget", "all --yes", "Forgotten:")
	s.say(at, "recall walrus")
	s.until(at, "Ada", "what is left", has("Recalled:"))
	s.clean(at, "code is walrus")
}

func (s *stage) clean(at Place, text string) {
	s.t.Helper()
	s.until(at, "Ada", "posts without "+text, func(posts []Post) bool { return !has(text)(posts) })
}
