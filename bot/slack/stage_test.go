package slack

import (
	"cmp"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/bot/slack/fakeslack"
	"threadkeeper/memory"
)

// stage is a Slack with Ada and Bob in a channel, where Ada has asked something.
type stage struct {
	*fakeslack.Server
	t        *testing.T
	a        *Adapter
	ada, bob string
	channel  string
	root     string
	to       platform.Address // an answer in the thread of what Ada asked
}

func newStage(t *testing.T, o fakeslack.Options) *stage {
	t.Helper()
	o.TriggerLife = cmp.Or(o.TriggerLife, time.Minute)
	s := &stage{Server: fakeslack.New(o), t: t}
	t.Cleanup(s.Close)
	s.ada, s.bob = s.AddUser(fakeslack.User{Name: "ada"}).ID, s.AddUser(fakeslack.User{Name: "bob"}).ID
	s.channel = s.AddChannel(fakeslack.Channel{Name: "general", Members: []string{s.ada, s.bob, fakeslack.BotUser}}).ID
	s.root = s.Say(fakeslack.Said{User: s.ada, Channel: s.channel, Text: "<@" + fakeslack.BotUser + "> how long?"})
	s.to = platform.Address{Key: memory.Key{Platform: "slack", Workspace: fakeslack.TeamID, Channel: s.channel, Thread: s.root}, ReplyTo: s.root, Asker: s.ada}
	s.a = s.adapter()
	t.Cleanup(func() {
		for _, v := range s.Violations() {
			t.Error("Slack would not take:", v)
		}
	})
	return s
}

// adapter is a new one, as after a restart of the program. It takes its time only where Slack has limits.
func (s *stage) adapter() *Adapter {
	client := &http.Client{Transport: &http.Transport{}}
	s.t.Cleanup(client.CloseIdleConnections)
	return New(Options{BotToken: s.Options().BotToken, APIURL: s.APIURL(), HTTP: client, LookUp: time.Minute, Unpaced: s.Options().Limits == 0, Log: slog.New(slog.DiscardHandler)})
}

func (s *stage) post(to platform.Address, m platform.Outgoing) platform.Ref {
	s.t.Helper()
	r, err := s.a.Post(s.t.Context(), to, m)
	if err != nil {
		s.t.Fatal(err)
	}
	return r
}

// shows are the texts of our messages in the thread, as Ada sees them.
func (s *stage) shows() []string {
	var all []string
	for _, m := range s.Shown(s.channel, s.to.Key.Thread, s.ada) {
		all = append(all, m.Text)
	}
	return all
}

func (s *stage) want(texts ...string) {
	s.t.Helper()
	if got := s.shows(); !slices.Equal(got, texts) {
		s.t.Errorf("shown %q, want %q", brief(got), brief(texts))
	}
}

func brief(texts []string) []string {
	var all []string
	for _, t := range texts {
		all = append(all, kit.Shorten(t, 200))
	}
	return all
}

func reply(text string) platform.Outgoing {
	return platform.Outgoing{Nonce: "tk0123456789abcdef", Kind: platform.KindReply, Text: text}
}

// long is text of n parts or so.
func long(n int) string {
	var b strings.Builder
	for i := 0; kit.Length(b.String()) < n*maxMarkdown-maxMarkdown/2; i++ {
		fmt.Fprintf(&b, "Paragraph %d says something about the warranty.\n\n", i)
	}
	return strings.TrimSpace(b.String())
}

func words(texts []string) []string { return strings.Fields(strings.Join(texts, " ")) }
