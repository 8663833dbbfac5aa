package bot_test

import (
	"strings"
	"testing"

	"threadkeeper/bot/platformtest"
)

// TestOnePersonGetsNoMoreThanTheirShare: while as many of their turns run as may, their next ones wait, and others do not.
func TestOnePersonGetsNoMoreThanTheirShare(t *testing.T) {
	s := begin(t, func(s *scene) { s.bot.AtOnce = 1 })
	first := s.say(general, "slow work")
	until(t, "the first turn", func() bool { return s.chain.Started() == 1 })
	second := s.say(general, "slow too")
	until(t, "what Ada says", func() bool { return s.world.Pending() == 0 })
	_, other := s.world.Say(platformtest.Said{Who: "Bob", At: general, Text: "hello", Mention: true})
	s.says(other, "Bob", "You said: hello")
	if n := s.chain.Started(); n != 2 || strings.Contains(strings.Join(s.texts(second), ""), "Working") {
		t.Errorf("%d turns begun, the second thread shows %q", n, s.texts(second))
	}
	close(s.chain.Go)
	s.says(first, "Ada", "Done: slow work")
	s.says(second, "Ada", "Done: slow too")
}
