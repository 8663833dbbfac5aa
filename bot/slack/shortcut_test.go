package slack_test

import (
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/slack/fakeslack"
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
	if ev.Kind != platform.EventMessage || !ev.Mention || !ev.Joined || ev.Key.Thread != root || ev.Opens != "" || ev.Author.ID != user || ev.Reply.Interaction != "" || ev.At == 0 {
		t.Errorf("%+v", ev)
	}
	s.Shortcut(user, channel, s.Say(fakeslack.Said{User: bob, Channel: channel, Text: "Alone", Silent: true}), "check_message")
	if ev := said(t, e, "> Alone\n\nCheck this"); ev.Opens == "" || ev.Key.Thread != "" || ev.Reply.ReplyTo != ev.Opens {
		t.Errorf("%+v", ev)
	}
}
