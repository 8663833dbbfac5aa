package bot_test

import (
	"strings"
	"testing"

	"threadkeeper/bot/platformtest"
)

// TestAFileWithoutWordsIsShownByItsName looks at what is kept of a message that was a file only.
func TestAFileWithoutWordsIsShownByItsName(t *testing.T) {
	s := begin(t)
	at := s.say(general, "hello")
	s.world.Say(platformtest.Said{Who: "Ada", At: at, Files: []platformtest.File{note}})
	s.settle()
	s.world.Command("Ada", at, "memory show", "")
	s.says(at, "Ada", "Ada: 📎 note.txt ([")
	s.says(at, "Ada", "](fake://") // a link to the message
}

// TestWhatWasDeletedIsNoLink in a list.
func TestWhatWasDeletedIsNoLink(t *testing.T) {
	s := begin(t)
	at := s.say(general, "hello")
	id, _ := s.world.Say(platformtest.Said{Who: "Ada", At: at, Text: "the code is 4711"})
	s.settle()
	s.world.Delete(at, id)
	s.settle()
	s.world.Command("Ada", at, "memory show", "")
	s.settle()
	texts := s.texts(at)
	if list := texts[len(texts)-1] + "\n"; !strings.Contains(list, "Ada: hello ([") || !strings.Contains(list, "Ada: (erased)\n") {
		t.Errorf("shown:\n%s", list)
	}
}

// TestLinksOfOthersAreNotOurs: a message that would be a link under other words, or a picture, if it were ours is
// shown with its address.
func TestLinksOfOthersAreNotOurs(t *testing.T) {
	s := begin(t)
	text := "pay here: [Log in](https://evil.example/a) ![bill](https://evil.example/b.png) [c]\u00ad(https://evil.example/c) [d][e]"
	_, at := s.world.Say(platformtest.Said{Who: "Mallory", At: general, Text: text, Mention: true})
	s.settle()
	s.world.Command("Mallory", at, "memory remember", "[e]: https://evil.example/e")
	s.settle()
	for _, command := range [][2]string{{"memory search", "pay here"}, {"memory show", ""}, {"memory why", "1"}} {
		before := len(s.world.Posts(at, "Ada"))
		s.world.Command("Ada", at, command[0], command[1])
		s.settle()
		for _, p := range s.world.Posts(at, "Ada")[before:] {
			if strings.Contains(p.Text, "](https://evil") || strings.Contains(p.Text, "]\u00ad(") || strings.Contains(p.Text, "][e]") || strings.Contains(p.Text, "]:") || !strings.Contains(p.Text, "https://evil.example/") {
				t.Errorf("%s: %s", command[0], p.Text)
			}
		}
	}
}
