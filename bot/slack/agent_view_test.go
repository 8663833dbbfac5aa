package slack_test

import (
	"fmt"
	"strings"
	"testing"

	"threadkeeper/bot/slack/fakeslack"
	"threadkeeper/memory"
)

func TestHomeAndTheAgentView(t *testing.T) {
	s, e, _ := socketed(t, fakeslack.Options{AgentView: true})
	user, _ := people(s)
	s.OpenHome(user, "home", "")
	await(t, "the page", func() bool {
		v, ok := s.Home(user)
		text := fmt.Sprint(v.Blocks)
		return ok && strings.Contains(text, "Annual &lt;report&gt;") && strings.Contains(text, "report.pdf") && strings.Contains(text, "Start here")
	})
	dm := s.DM(user)
	s.OpenHome(user, "messages", "")
	await(t, "a try of suggested prompts", func() bool { return len(s.Requests("assistant.threads.setSuggestedPrompts")) == 1 })
	ts := s.Say(fakeslack.Said{User: user, Channel: dm, Text: "What is the\n*plan*?"})
	s.OpenHome(user, "messages", "")
	await(t, "suggested prompts", func() bool { return len(s.Prompts(dm, "")) > 0 })
	await(t, "an event", func() bool { return len(e.all()) > 0 })
	if ev := e.all()[len(e.all())-1]; ev.Key.Thread != ts || ev.Channel.Kind != memory.DM || !ev.Mention {
		t.Errorf("%+v", ev)
	}
	if v := s.Violations(); len(v) > 0 {
		t.Error(v)
	}
}
