package bot_test

import (
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
	s.says(at, "Ada", "Ada: 📎 note.txt")
}
