package slack

import (
	"testing"

	"threadkeeper/bot/slack/fakeslack"
)

func TestMember(t *testing.T) {
	s := newStage(t, fakeslack.Options{})
	secret := s.AddChannel(fakeslack.Channel{Name: "secret", Kind: fakeslack.Private, Members: []string{s.ada, fakeslack.BotUser}}).ID
	key := s.to.Key
	key.Channel = secret
	for who, want := range map[string]bool{s.ada: true, s.bob: false} {
		if in, err := s.a.Member(t.Context(), key, who); err != nil || in != want {
			t.Errorf("%s: %v %v, want %v", who, in, err, want)
		}
	}
	key.Channel = "C0NONE"
	if in, err := s.a.Member(t.Context(), key, s.ada); err == nil || in {
		t.Errorf("of no channel: %v %v", in, err)
	}
}
