package slack

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
	"threadkeeper/bot/slack/fakeslack"
	"threadkeeper/memory"
)

func TestPrivateWords(t *testing.T) {
	t.Parallel()
	s := newStage(t, fakeslack.Options{})
	to := s.to
	to.EphemeralTo, to.ReplyTo = s.ada, s.Say(fakeslack.Said{User: s.ada, Channel: s.channel, Thread: s.root, Text: "and?"})
	ref := s.post(to, reply("between us"))
	if got := s.Shown(s.channel, s.root, s.ada); len(got) != 1 || got[0].OnlyTo != s.ada || got[0].Text != "between us" || got[0].Thread != s.root {
		t.Errorf("Ada sees %+v", got)
	}
	if got := s.Shown(s.channel, s.root, s.bob); len(got) != 0 {
		t.Errorf("Bob sees %+v", got)
	}
	if _, err := s.a.Edit(t.Context(), ref, reply("x")); !errors.Is(err, platform.ErrUndeliverable) {
		t.Errorf("edit: %v", err)
	}
	if s.a.Link(ref) != "" {
		t.Errorf("it has a link: %s", s.a.Link(ref))
	}
	if _, found, err := s.a.Find(t.Context(), to, reply("").Nonce); found || err != nil {
		t.Errorf("found %v %v", found, err)
	}
	s.Break(fakeslack.Fault{Kind: fakeslack.Lose, Methods: []string{"chat.postEphemeral"}})
	if _, err := s.a.Post(t.Context(), to, reply("perhaps")); err == nil {
		t.Error("a post without an answer counts as posted: it may not be there")
	}
	s.Break(fakeslack.Fault{Kind: fakeslack.Fail, Methods: []string{"chat.postEphemeral"}})
	if _, err := s.a.Post(t.Context(), to, reply("refused")); err == nil {
		t.Error("a refused post counts as posted")
	}
	live, err := s.a.Stream(t.Context(), to, "tk2")
	if err == nil {
		err = live.Append(t.Context(), "nothing of this is shown before the end ")
	}
	if err != nil || live.Ref() != "" || len(s.Requests("chat.startStream")) != 0 {
		t.Errorf("a private stream: %v %q", err, live.Ref())
	}
}

// TestPrivateWordsAboutAMessageWithoutReplies: Slack would show them in no thread.
func TestPrivateWordsAboutAMessageWithoutReplies(t *testing.T) {
	t.Parallel()
	s := newStage(t, fakeslack.Options{})
	to := s.to
	to.EphemeralTo = s.ada
	s.post(to, reply("between us"))
	if got := s.Shown(s.channel, "", s.ada); len(got) != 1 || got[0].Text != "between us" || got[0].OnlyTo != s.ada {
		t.Errorf("Ada sees %+v", got)
	}
}

func TestPrivateWordsWhereWeAreNotMembers(t *testing.T) {
	t.Parallel()
	s := newStage(t, fakeslack.Options{})
	to := s.to
	to.EphemeralTo = s.ada
	to.Key.Channel = s.AddChannel(fakeslack.Channel{Name: "elsewhere", Members: []string{s.ada}}).ID
	to.Key.Thread = ""
	s.post(to, reply("by direct message"))
	if got := s.Shown(s.DM(s.ada), "", s.ada); len(got) != 1 || got[0].Text != "by direct message" {
		t.Errorf("Ada's direct message shows %+v", got)
	}
	if _, found, err := s.a.Find(t.Context(), to, reply("").Nonce); !found || err != nil {
		t.Errorf("found %v %v", found, err)
	}
	dm := platform.Address{Key: memory.Key{Platform: "slack", Workspace: fakeslack.TeamID, Channel: s.DM(s.bob)}, EphemeralTo: s.bob}
	s.post(dm, reply("in the open"))
	if got := s.Shown(s.DM(s.bob), "", s.bob); len(got) != 1 || got[0].OnlyTo != "" {
		t.Errorf("Bob's direct message shows %+v", got)
	}
}

// command is a slash command of Ada's as the adapter receives it.
func (s *stage) command() platform.Address {
	s.t.Helper()
	got := make(chan platform.Address, 1)
	o := s.a.Options
	o.AppToken = s.Options().AppToken
	a := New(o)
	ctx, cancel := context.WithCancel(s.t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- a.Run(ctx, platformtest.Handler(platform.Handler{Receive: func(_ context.Context, ev platform.Event) error {
			if ev.Kind == platform.EventCommand {
				ev.Reply.Key, ev.Reply.EphemeralTo = ev.Key, s.ada
				got <- ev.Reply
			}
			return nil
		}}), []platform.Command{{Name: "memory status"}})
	}()
	s.Slash(s.ada, s.channel, "/memory", "status")
	to := <-got
	cancel()
	if err := <-ended; err != nil {
		s.t.Fatal(err)
	}
	return to
}

func TestCommandsAreAnsweredInTheirOwnWay(t *testing.T) {
	t.Parallel()
	s := newStage(t, fakeslack.Options{})
	to := s.command()
	if to.Interaction == "" {
		t.Fatal("the command has no response URL")
	}
	ephemeral := func() int { return len(s.Requests("chat.postEphemeral")) }
	for i := range 5 {
		s.post(to, reply(fmt.Sprint("answer ", i)))
	}
	if n := ephemeral(); n != 0 {
		t.Errorf("%d answers went another way", n)
	}
	s.post(to, reply("answer 5")) // five times is all
	if n := ephemeral(); n != 1 {
		t.Errorf("%d answers went another way, want 1", n)
	}
	got := s.Shown(s.channel, "", s.ada)
	if len(got) != 6 || got[0].OnlyTo != s.ada || got[0].Text != "answer 0" || got[5].Text != "answer 5" {
		t.Errorf("Ada sees %+v", got)
	}
	if got := s.Shown(s.channel, "", s.bob); len(got) != 0 {
		t.Errorf("Bob sees %+v", got)
	}
}

// TestACommandAmongOthers: people can give a command where they talk to each other.
func TestACommandAmongOthers(t *testing.T) {
	t.Parallel()
	s := newStage(t, fakeslack.Options{})
	own := s.DM(s.ada)
	s.channel = s.AddChannel(fakeslack.Channel{Kind: fakeslack.Direct, Members: []string{s.ada, s.bob}}).ID
	to := s.command()
	s.post(to, reply("what I keep"))
	if got := s.Shown(s.channel, "", s.ada); len(got) != 1 || got[0].OnlyTo != s.ada || got[0].Text != "what I keep" {
		t.Errorf("Ada sees %+v", got)
	}
	if _, err := s.a.Upload(t.Context(), to, platform.Upload{Nonce: "tk00000000000000000003", Name: "conversation.jsonl", Data: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	if got := s.Shown(own, "", s.ada); len(got) != 1 || got[0].File == "" {
		t.Errorf("Ada's direct message with us shows %+v", got)
	}
	if got := s.Shown(s.channel, "", s.ada); len(got) != 2 || !strings.Contains(got[1].Text, "conversation.jsonl") {
		t.Errorf("Ada sees %+v", got)
	}
	to.Interaction = "" // it is good for half an hour
	s.post(to, reply("too late"))
	if got := s.Shown(own, "", s.ada); len(got) != 2 || got[1].Text != "too late" {
		t.Errorf("Ada's direct message with us shows %+v", got)
	}
}

func TestOnlySlacksResponseURLsAreUsed(t *testing.T) {
	t.Parallel()
	a := New(Options{APIURL: "https://slack.example/api/", Log: slog.New(slog.DiscardHandler)})
	for address, good := range map[string]bool{
		"https://hooks.slack.com/commands/T/1/x": true, "https://hooks.slack-gov.com/x": true, "https://slack.example/hooks/1": true,
		"https://evil.example/hooks.slack.com": false, "http://hooks.slack.com/x": false, "https://hooks.slack.com.evil.example/x": false,
		"https://evilslack.com/x": false, "": false, "token": false,
	} {
		if got := a.responseURL(address); (got == address && got != "") != good {
			t.Errorf("%q: %q", address, got)
		}
	}
}
