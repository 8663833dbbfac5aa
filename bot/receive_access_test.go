package bot_test

import (
	"testing"

	"threadkeeper/bot/access"
	"threadkeeper/bot/platformtest"
)

// TestWhoIsNotListedIsHeard in a thread of somebody who is, and neither answered nor obeyed, but for what they want
// forgotten.
func TestWhoIsNotListedIsHeard(t *testing.T) {
	s := begin(t, func(s *scene) {
		list, err := access.ParseList("person:U-Ada")
		if err != nil {
			t.Fatal(err)
		}
		s.bot.Access.Allow = list
	})
	at := s.say(general, "hello")
	s.says(at, "Ada", "You said: hello")
	s.world.Say(platformtest.Said{Who: "Bob", At: at, Text: "lunch at noon, says Bob"})
	s.world.Say(platformtest.Said{Who: "Bob", At: at, Text: "memory status", Mention: true})
	const refusal = "I have not been enabled here or for you, so I do not answer. The operator can change that (ALLOW, DENY)."
	s.says(at, "Bob", refusal)
	s.settle()
	if n := s.chain.Started(); n != 1 {
		t.Errorf("%d turns", n)
	}
	if got := s.texts(at); len(got) != 1 {
		t.Errorf("Ada sees %q", got)
	}
	s.world.Say(platformtest.Said{Who: "Ada", At: at, Text: "recite", Mention: true})
	s.says(at, "Ada", "Bob: lunch at noon, says Bob")
	s.world.Command("Bob", at, "memory forget", "--yes")
	s.says(at, "Bob", "Forgotten: 1 message")
	s.settle()
	s.world.Command("Bob", at, "memory show", "")
	s.settle()
	if posts := s.world.Posts(at, "Bob"); posts[len(posts)-1].Text != refusal {
		t.Errorf("a command is answered with %+v", posts[len(posts)-1])
	}
}
