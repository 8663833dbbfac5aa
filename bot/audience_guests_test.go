package bot_test

import (
	"context"
	"strings"
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
	"threadkeeper/memory"
)

// hosting is a platform with a guest in #partner who has never said anything.
type hosting struct{ platform.Platform }

func (hosting) Guests(_ context.Context, channel memory.Key) ([]string, error) {
	if channel.Channel == "partner" {
		return []string{"U-Gus"}, nil
	}
	return nil, nil
}

// TestGuestsWhoSayNothing read along: nothing of other channels is told where they are, from the first question on.
func TestGuestsWhoSayNothing(t *testing.T) {
	s := begin(t, func(s *scene) { s.bot.Platforms = []platform.Platform{hosting{s.world.Platform()}} })
	s.say(general, "the walrus sleeps")
	s.settle()
	for channel, want := range map[string]bool{"lounge": true, "partner": false, "joined": true} {
		top := platformtest.Place{Channel: channel}
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
