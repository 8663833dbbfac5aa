package slack

import (
	"fmt"
	"slices"
	"testing"

	"threadkeeper/bot/slack/fakeslack"
)

func TestAPostWhoseReceiptIsLostIsFoundWhole(t *testing.T) {
	t.Parallel()
	for _, part := range []int{0, 1, 2} {
		s := newStage(t, fakeslack.Options{})
		text, n := long(3), 0
		s.Break(fakeslack.Fault{Kind: fakeslack.Lose, Methods: []string{"chat.postMessage"}, When: func(fakeslack.Args) bool { n++; return n == part+1 }})
		if _, err := s.a.Post(t.Context(), s.to, reply(text)); err == nil {
			t.Fatal("no error")
		}
		again := s.adapter()
		ref, found, err := again.Find(t.Context(), s.to, reply("").Nonce)
		if err != nil || !found {
			t.Fatalf("found %v, %v", found, err)
		}
		if _, err := again.Edit(t.Context(), ref, reply(text)); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(words(s.shows()), words([]string{text})) {
			t.Errorf("cut after part %d: %d messages, %d words of %d", part, len(s.shows()), len(words(s.shows())), len(words([]string{text})))
		}
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	s := newStage(t, fakeslack.Options{})
	if _, found, err := s.a.Find(t.Context(), s.to, "tkmissing"); found || err != nil {
		t.Errorf("found %v, %v where there is nothing", found, err)
	}
	other := reply("another")
	other.Nonce = "tkother"
	s.post(s.to, other)
	for i := range 40 {
		s.Say(fakeslack.Said{User: s.bob, Channel: s.channel, Thread: s.root, Text: fmt.Sprint("meanwhile ", i)})
	}
	ref := s.post(s.to, reply("this"))
	got, found, err := s.adapter().Find(t.Context(), s.to, reply("").Nonce)
	if err != nil || !found || got != ref {
		t.Errorf("found %q %v %v, want %q", got, found, err, ref)
	}
	top := s.to
	top.Key.Thread = ""
	ref = s.post(top, reply("at the top"))
	for i := range 40 {
		s.Say(fakeslack.Said{User: s.bob, Channel: s.channel, Text: fmt.Sprint("meanwhile ", i)})
	}
	got, found, err = s.adapter().Find(t.Context(), top, reply("").Nonce)
	if err != nil || !found || got != ref {
		t.Errorf("at the top: found %q %v %v, want %q", got, found, err, ref)
	}
	gone := s.to
	gone.Key.Channel = "C404"
	if _, found, err := s.a.Find(t.Context(), gone, "tk1"); found || err != nil {
		t.Errorf("in a channel that is gone: %v %v", found, err)
	}
}
