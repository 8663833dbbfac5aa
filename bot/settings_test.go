package bot_test

import (
	"strings"
	"testing"

	"threadkeeper/bot/platformtest"
)

// TestInstructionsAreTheAdministrators, and everybody sees them.
func TestInstructionsAreTheAdministrators(t *testing.T) {
	s := begin(t)
	s.world.Command("Ada", general, "settings instructions", "Answer in rhymes.")
	s.says(general, "Ada", "Only an administrator")
	s.world.Command(platformtest.Admin, general, "settings instructions", "Answer in German.\n`You` are our support desk.")
	s.says(general, platformtest.Admin, "- instructions: `Answer in German. 'You' are our support desk.`")
	s.world.Command("Ada", general, "settings show", "")
	s.says(general, "Ada", "- instructions: `Answer in German.")
	s.world.Command(platformtest.Admin, general, "settings instructions", strings.Repeat("x", 2_001))
	s.says(general, platformtest.Admin, "at most 2,000 characters")
	s.world.Command(platformtest.Admin, general, "settings instructions", "none")
	s.says(general, platformtest.Admin, "- instructions: none")
}

// TestAQuietChannel hears mentions alone, and is told nothing unasked.
func TestAQuietChannel(t *testing.T) {
	s := begin(t, func(s *scene) { s.bot.Announce, s.bot.Follow = true, "quiet" })
	at := s.say(general, "ask me")
	s.says(at, "Ada", "Which colour?")
	s.settle()
	s.say(at, "red")
	s.settle()
	if got := s.texts(at); len(got) != 1 {
		t.Errorf("%q", got)
	}
	s.world.Say(platformtest.Said{Who: "Ada", At: at, Text: "red", Mention: true})
	s.says(at, "Ada", "You chose red")
}
