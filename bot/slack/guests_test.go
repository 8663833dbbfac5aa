package slack

import (
	"slices"
	"testing"

	"threadkeeper/bot/slack/fakeslack"
)

// TestGuests are those who are in a channel; a list that was cut short is read to its end by the next request.
func TestGuests(t *testing.T) {
	s := newStage(t, fakeslack.Options{})
	for range listPage {
		s.AddUser(fakeslack.User{Name: "member"})
	}
	gus := s.AddUser(fakeslack.User{Name: "gus", Restricted: true}).ID
	s.AddUser(fakeslack.User{Name: "elsewhere", UltraRestricted: true})
	key := s.to.Key
	key.Channel = s.AddChannel(fakeslack.Channel{Name: "partner", Members: []string{s.ada, gus, fakeslack.BotUser}}).ID
	s.Break(fakeslack.Fault{Kind: fakeslack.Fail, Methods: []string{"users.list"}, Times: maxRepeats, When: func(a fakeslack.Args) bool { return a["cursor"] != nil && a["cursor"] != "" }})
	if in, err := s.a.Guests(t.Context(), key, nil); err == nil {
		t.Errorf("cut short: %v", in)
	}
	for channel, want := range map[string][]string{key.Channel: {gus}, s.channel: nil} {
		key.Channel = channel
		if in, err := s.a.Guests(t.Context(), key, []string{gus}); err != nil || !slices.Equal(in, want) {
			t.Errorf("%s: %v %v, want %v", channel, in, err, want)
		}
	}
	if n := len(s.Requests("users.list")); n != 2+maxRepeats {
		t.Errorf("%d requests for the people of the workspace", n)
	}
	key.Channel = s.channel
	if in, err := s.a.Guests(t.Context(), key, []string{"U-left", s.bob}); err != nil || !slices.Equal(in, []string{s.bob}) {
		t.Errorf("known, and in no list: %v %v", in, err)
	}
	late := s.AddUser(fakeslack.User{Name: "late", Restricted: true}).ID
	key.Channel = s.AddChannel(fakeslack.Channel{Name: "new", Members: []string{late, fakeslack.BotUser}}).ID
	s.a.guests.outdated.Store(true) // as when we join
	if in, err := s.a.Guests(t.Context(), key, nil); err != nil || !slices.Equal(in, []string{late}) {
		t.Errorf("invited since: %v %v", in, err)
	}
}
