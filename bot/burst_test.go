package bot_test

import (
	"slices"
	"testing"

	"threadkeeper/bot"
	"threadkeeper/bot/platformtest"
)

// talk has people speak in a channel where every message is answered, which is one
// conversation, while the first of them is being answered.
func talk(t *testing.T) *scene {
	s := begin(t, func(s *scene) { s.bot.Follow, s.bot.Reply = bot.FollowAlways, bot.ReplyChannel })
	say := func(who, text string) {
		s.world.Say(platformtest.Said{Who: who, At: general, Text: text})
	}
	say("Ada", "slow one")
	until(t, "the first turn", func() bool { return s.chain.Started() == 1 })
	say("Bob", "two")
	say("Ada", "three")
	say("Ada", "four")
	say("Bob", "five")
	say("Bob", "six")
	until(t, "what is said", func() bool { return s.world.Pending() == 0 })
	return s
}

// TestPeopleTalkFasterThanAnswersCome: each is answered in turn, what one person said in a
// row at once, and other channels do not wait.
func TestPeopleTalkFasterThanAnswersCome(t *testing.T) {
	s := talk(t)
	other := platformtest.Place{Channel: "random"}
	s.world.Say(platformtest.Said{Who: "Eve", At: other, Text: "hello"})
	s.says(other, "Eve", "You said: hello")
	close(s.chain.Go)
	s.settle()
	if got, want := s.texts(general), []string{"Working. Done: slow one", "You said: two", "You said: three / four", "You said: five / six"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestStopEndsWhatPeopleHaveSaidFaster: one stop ends all that waits, whoever said it.
func TestStopEndsWhatPeopleHaveSaidFaster(t *testing.T) {
	s := talk(t)
	s.world.Command("Bob", general, "stop", "")
	s.settle()
	if got, want := s.texts(general), []string{"Working. \n\nStopped."}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if n := s.chain.Started(); n != 1 {
		t.Errorf("%d turns, want 1", n)
	}
}
