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

// hosting is a platform with a guest in #partner, until they leave, who has never said anything.
type hosting struct {
	platform.Platform
	left *atomic.Bool
}

func (h hosting) Guests(_ context.Context, channel memory.Key, known []string) ([]string, error) {
	if channel.Channel == "partner" && !h.left.Load() {
		return []string{"U-Gus"}, nil
	}
	return nil, nil
}

// TestGuestsWhoSayNothing read along: nothing of other channels is told where they are, from the first question on until they
// have left, though nobody said so.
func TestGuestsWhoSayNothing(t *testing.T) {
	var left atomic.Bool
	s := begin(t, func(s *scene) { s.bot.Platforms = []platform.Platform{hosting{s.world.Platform(), &left}} })
	s.say(general, "the walrus sleeps")
	s.settle()
	for _, channel := range []string{"lounge", "partner", "joined", "partner, who left"} {
		want := channel != "partner"
		if left.Store(channel == "partner, who left"); left.Load() {
			channel = "partner"
			s.world.Doubt("w")
			s.settle()
		}
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
