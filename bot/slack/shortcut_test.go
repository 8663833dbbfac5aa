package slack_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"threadkeeper/bot"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
	"threadkeeper/bot/slack/fakeslack"
	"threadkeeper/memory"
)

// TestCheckThis is a request in the thread of the message, with the message quoted, by the one who chose it.
func TestCheckThis(t *testing.T) {
	s, e, _ := socketed(t, fakeslack.Options{})
	user, channel := people(s)
	bob := s.AddUser(fakeslack.User{Name: "Bob"}).ID
	root := s.Say(fakeslack.Said{User: user, Channel: channel, Text: "How long is the warranty?", Silent: true})
	post := s.Say(fakeslack.Said{User: bob, Channel: channel, Thread: root, Text: "It is *two* years.\nAsk <@" + user + ">.", Silent: true})
	s.Shortcut(user, channel, post, "check_message")
	ev := said(t, e, "> It is *two* years.\n> Ask @Ada.\n\nCheck this")
	shown := s.Shown(channel, root, bob)
	if len(shown) != 1 || !strings.Contains(shown[0].Text, "Ada") || !strings.Contains(shown[0].Text, "Check this") || strings.Contains(shown[0].Text, "two") {
		t.Fatalf("everybody sees %+v", shown)
	}
	if ev.Kind != platform.EventMessage || !ev.Mention || !ev.Joined || ev.Key.Thread != root || ev.Opens != "" || ev.Author.ID != user || ev.Message != shown[0].TS || ev.Reply.Interaction != "" || ev.At == 0 {
		t.Errorf("%+v", ev)
	}
	alone := s.Say(fakeslack.Said{User: bob, Channel: channel, Text: "Alone", Silent: true})
	s.Shortcut(user, channel, alone, "check_message")
	if ev := said(t, e, "> Alone\n\nCheck this"); ev.Opens != "" || ev.Key.Thread != alone || len(s.Shown(channel, alone, bob)) != 1 {
		t.Errorf("%+v", ev)
	}
}

// TestAChecksResultIsPostedInItsThread, to everybody.
func TestAChecksResultIsPostedInItsThread(t *testing.T) {
	h := fakeslack.NewHarness(t, fakeslack.Options{}, open(t))
	store, err := memory.Open(t.Context(), filepath.Join(t.TempDir(), "check.db"))
	if err != nil {
		t.Fatal(err)
	}
	b := &bot.Bot{Store: store, Chain: &platformtest.Chain{Store: store}, Platforms: []platform.Platform{h.Platform()}, Log: platformtest.Discreet(t), Patience: time.Minute}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- b.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	id, at := h.Say(platformtest.Said{Who: "Bob", At: platformtest.Place{Channel: "general"}, Text: "The warranty is two years.", Unseen: true})
	h.Shortcut(h.Person("Ada"), h.Room(at, "Ada"), id, "check_message")
	await(t, "the answer", func() bool {
		posts := h.Posts(at, "Cleo")
		return len(posts) == 2 && strings.Contains(posts[0].Text, "Ada") && strings.Contains(posts[1].Text, "Check this")
	})
}
