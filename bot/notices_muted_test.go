package bot_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
)

// gagged is Slack where we may write to one person only.
type gagged struct{ platform.Platform }

func (g gagged) Name() string { return "slack" }

func (g gagged) Post(ctx context.Context, to platform.Address, m platform.Outgoing) (platform.Ref, error) {
	if to.EphemeralTo == "" {
		return "", &platform.CannotPostError{Asked: "https://slack.test/" + to.ReplyTo, Err: errors.Join(platform.ErrUndeliverable, errors.New("restricted_action"))}
	}
	to.Key.Platform = g.Platform.Name()
	return g.Platform.Post(ctx, to, m)
}

// TestWithoutPermissionToPostTheAskerIsTold, once, and nobody else.
func TestWithoutPermissionToPostTheAskerIsTold(t *testing.T) {
	s := begin(t, func(s *scene) {
		s.world.Streams = false
		s.bot.Announce = true // which nobody asked for
		s.bot.Platforms = []platform.Platform{gagged{s.world.Platform()}}
	})
	first, at := s.world.Say(platformtest.Said{Who: "Ada", At: general, Text: "hallo, wie geht es dir heute?", Mention: true})
	s.settle()
	s.say(at, "und was ist mit dem Kaffee?")
	s.settle()
	if got := s.texts(at); len(got) != 1 || !strings.HasPrefix(got[0], "Ich kann auf https://slack.test/"+first+" nicht antworten") {
		t.Errorf("told %q", got)
	}
	if posts := s.world.Posts(at, "Bob"); len(posts) != 0 {
		t.Errorf("Bob sees %+v", posts)
	}
}
