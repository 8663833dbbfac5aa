package bot_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
	"threadkeeper/memory"
)

// hosting is a platform with a guest in #partner who has never said anything.
type hosting struct {
	platform.Platform
	left *atomic.Bool // the guest has, unseen
}

func (h hosting) Guests(_ context.Context, channel memory.Key, _ []string) ([]string, error) {
	if channel.Channel == "partner" && !h.left.Load() {
		return []string{"U-Gus"}, nil
	}
	return nil, nil
}

// TestGuestsWhoSayNothing read along: nothing of other channels is told where they are, from the first question on, until they have left.
func TestGuestsWhoSayNothing(t *testing.T) {
	var left atomic.Bool
	s := begin(t, func(s *scene) { s.bot.Platforms = []platform.Platform{hosting{s.world.Platform(), &left}} })
	s.say(general, "the walrus sleeps")
	s.settle()
	for _, c := range []struct {
		channel string
		want    bool
	}{{"lounge", true}, {"partner", false}, {"joined", true}, {"partner", true}} {
		channel, want := c.channel, c.want
		top := platformtest.Place{Channel: channel}
		if channel == "partner" && want {
			left.Store(true)
			s.world.Doubt("w")
			s.settle()
		}
		if channel == "joined" {
			s.world.Join(top)
			s.settle()
		}
		at := s.say(top, "recall walrus")
		s.says(at, "Ada", "Recalled:")
		s.settle()
		if got := strings.Contains(s.texts(at)[0], "walrus sleeps"); got != want {
			t.Errorf("#%s: told %v, want %v", channel, got, want)
		}
	}
}
