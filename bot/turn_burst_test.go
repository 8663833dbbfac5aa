package bot_test

import (
	"slices"
	"strings"
	"testing"

	"threadkeeper/bot"
	"threadkeeper/bot/hearing"
	"threadkeeper/bot/platformtest"
)

// talk has people speak in a channel where every message is answered, which is one
// conversation, while the first of them is being answered.
func talk(t *testing.T) *scene {
	s := begin(t, func(s *scene) { s.bot.Follow, s.bot.Reply = hearing.FollowAlways, bot.ReplyChannel })
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
// row at once and by name, as others have spoken since, and other channels do not wait.
func TestPeopleTalkFasterThanAnswersCome(t *testing.T) {
	s := talk(t)
	other := platformtest.Place{Channel: "random"}
	s.world.Say(platformtest.Said{Who: "Eve", At: other, Text: "hello"})
	s.says(other, "Eve", "You said: hello")
	close(s.chain.Go)
	s.settle()
	if got, want := s.texts(general), []string{"Working. Done: slow one", "**Bob:** You said: two", "**Ada:** You said: three / four", "**Bob:** You said: five / six"}; !slices.Equal(got, want) {
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

// TestRetryAsksAllThatOneAnswerWasFor has an answer to several messages fail and wants all of
// them answered when it is retried, once, by the button and by the command.
func TestRetryAsksAllThatOneAnswerWasFor(t *testing.T) {
	s := begin(t, func(s *scene) { s.bot.Follow, s.bot.Reply = hearing.FollowAlways, bot.ReplyChannel })
	s.world.Say(platformtest.Said{Who: "Ada", At: general, Text: "slow one"})
	until(t, "the first turn", func() bool { return s.chain.Started() == 1 })
	for _, text := range []string{"fail two", "fail three", "fail four"} {
		s.world.Say(platformtest.Said{Who: "Bob", At: general, Text: text})
	}
	until(t, "what is said", func() bool { return s.world.Pending() == 0 })
	close(s.chain.Go)
	s.settle()
	s.world.Command("Bob", general, "retry", "")
	s.settle()
	s.chain.Mend()
	posts := s.world.Posts(general, "Bob") // that it asks again may be posted before the failure or after it
	asks := slices.DeleteFunc(slices.Clone(posts), func(p platformtest.Post) bool { return len(p.Buttons) == 0 })
	if len(asks) != 1 || len(posts[1].Buttons) != 0 {
		t.Fatalf("not the last failure alone can be asked again: %+v", posts)
	}
	failed := asks[0]
	s.world.Click("Bob", general, failed, failed.Buttons[0])
	s.world.Click("Bob", general, failed, failed.Buttons[0])
	s.settle()
	var answers []string
	for _, text := range s.texts(general) {
		if strings.Contains(text, "You said") {
			answers = append(answers, text)
		}
	}
	if want := []string{"**Bob:** You said: fail two / fail three / fail four"}; !slices.Equal(answers, want) {
		t.Errorf("%q, want %q", answers, want)
	}
}
