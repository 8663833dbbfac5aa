package bot_test

import (
	"strings"
	"testing"

	"threadkeeper/bot/platformtest"
	"threadkeeper/memory"
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

// TestHelpLeavesOutWhatIsTheAdministrators to others.
func TestHelpLeavesOutWhatIsTheAdministrators(t *testing.T) {
	s := begin(t)
	for who, theirs := range map[string]bool{"Ada": false, platformtest.Admin: true} {
		s.world.Command(who, general, "help", "")
		s.says(general, who, "settings show")
		s.settle()
		posts := s.world.Posts(general, who)
		if got := posts[len(posts)-1].Text; strings.Contains(got, "settings deny") != theirs {
			t.Errorf("%s is shown:\n%s", who, got)
		}
	}
}

// TestAChannelsThreshold is that of its conversations, and one of theirs wins.
func TestAChannelsThreshold(t *testing.T) {
	s := begin(t)
	close(s.chain.Go)
	at := s.say(general, "hello")
	s.settle()
	s.world.Command("Ada", general, "settings threshold", "2000")
	s.says(general, "Ada", "Only an administrator")
	for _, wrong := range []string{"many", "-2000", "20"} {
		s.world.Command(platformtest.Admin, general, "settings threshold", wrong)
		s.says(general, platformtest.Admin, "500 or more")
	}
	s.world.Command(platformtest.Admin, general, "settings threshold", "2000")
	s.says(general, platformtest.Admin, "- threshold: `2,000`")
	for _, x := range []struct{ tokens, want string }{{"", "of 2,000 tokens"}, {"1000", "of 1,000 tokens"}, {"0", "of 2,000 tokens"}} {
		if x.tokens != "" {
			s.asks("Ada", at, "memory threshold", x.tokens)
		}
		if got := s.asks("Ada", at, "memory status", "").Text; !strings.Contains(got, x.want) {
			t.Errorf("after %q: %s", x.tokens, got)
		}
	}
	s.world.Command(platformtest.Admin, general, "settings threshold", "0")
	s.says(general, platformtest.Admin, "- threshold: `10,000`")
}

// TestAChannelsModel is one of those that are listed, and the usual one once it is not listed any more.
func TestAChannelsModel(t *testing.T) {
	s := begin(t)
	s.world.Command(platformtest.Admin, general, "settings model", "huge")
	s.says(general, platformtest.Admin, "none to choose")
	s = begin(t, func(s *scene) { s.bot.Models = []string{"Small", "large/2"} })
	s.world.Command("Ada", general, "settings model", "large/2")
	s.says(general, "Ada", "Only an administrator")
	s.world.Command(platformtest.Admin, general, "settings model", "huge")
	s.says(general, platformtest.Admin, "`Small`, `large/2`")
	s.world.Command(platformtest.Admin, general, "settings model", "LARGE/2")
	s.says(general, platformtest.Admin, "- model: `large/2`")
	if err := s.store.SetSetting(t.Context(), memory.ChannelScope(s.world.Key(general)), "model", "gone"); err != nil {
		t.Fatal(err)
	}
	s.world.Command("Ada", general, "settings show", "")
	s.says(general, "Ada", "- model: `Small`")
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
