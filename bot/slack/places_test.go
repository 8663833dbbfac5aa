package slack_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/slack"
	"threadkeeper/bot/slack/fakeslack"
	"threadkeeper/memory"
)

// TestAFailedLookUpIsNotAnAnswer gives a command, which tells nothing of its channel, and says
// something while Slack does not tell who may read the channel.
func TestAFailedLookUpIsNotAnAnswer(t *testing.T) {
	t.Parallel()
	look := []string{"conversations.info"}
	for name, fault := range map[string]fakeslack.Fault{
		"500":     {Kind: fakeslack.Fail, Methods: look, Times: 1000},
		"429":     {Kind: fakeslack.Limit, Methods: look, After: time.Hour, Times: 1000},
		"refused": {Kind: fakeslack.Refuse, Code: "internal_error", Methods: look, Times: 1000},
		"slow":    {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := fakeslack.New(fakeslack.Options{RetryWaits: make([]time.Duration, 200), AckWait: time.Minute})
			t.Cleanup(s.Close)
			o := slack.Options{AppToken: s.Options().AppToken}
			if fault.Kind == "" {
				o.HTTP, o.LookUp = &http.Client{Transport: stuckLookUp{http.DefaultTransport}}, 50*time.Millisecond
			} else {
				s.Break(fault)
			}
			e := new(ear)
			listen(t, adapter(t, s, o), e)
			await(t, "two connections", func() bool { return s.Sockets() == 2 })
			user, _ := people(s)
			shared := s.AddChannel(fakeslack.Channel{Name: "shared", Members: []string{fakeslack.BotUser, user}, ExtShared: true}).ID
			s.Slash(user, shared, "/memory", "status")
			s.Say(fakeslack.Said{User: user, Channel: shared, Text: us + "hello"})
			await(t, "the command and both events of the message", func() bool { return len(e.all()) == 3 })
			for _, ev := range e.all() {
				// The wire of a message says that the channel is shared, and one of its two its kind.
				message := ev.Kind == platform.EventMessage
				if c := ev.Channel; !c.Unchecked || c.External != message || c.Kind != "" && !(message && c.Kind == memory.Public) {
					t.Errorf("%s in %+v", ev.Kind, c)
				}
			}
		})
	}
}

// stuckLookUp never answers who may read a channel.
type stuckLookUp struct{ http.RoundTripper }

func (h stuckLookUp) RoundTrip(r *http.Request) (*http.Response, error) {
	if strings.HasSuffix(r.URL.Path, "conversations.info") {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	return h.RoundTripper.RoundTrip(r)
}

// TestEveryChangeOfAChannelIsReported changes a channel in every way and wants the event, and
// the next look-up to say what is true then.
func TestEveryChangeOfAChannelIsReported(t *testing.T) {
	t.Parallel()
	s, e, _ := socketed(t, fakeslack.Options{Scopes: granted(t)})
	user, channel := people(s)
	key := memory.Key{Platform: "slack", Workspace: fakeslack.TeamID, Channel: channel}
	is := func() memory.Channel {
		c, err := e.adapter.Channel(t.Context(), key)
		if err != nil && !errors.Is(err, platform.ErrUndeliverable) {
			t.Fatal(err)
		}
		return c
	}
	told := func() (n int) {
		for _, ev := range e.all() {
			if ev.Kind == platform.EventAudience || ev.Kind == platform.EventDelete {
				n++
			}
		}
		return n
	}
	for _, c := range []struct {
		what   string
		change func()
		takes  memory.Channel // what is certain at once
		is     memory.Channel
	}{
		{"shared", func() { s.Share(channel, true) }, memory.Channel{External: true}, memory.Channel{Kind: memory.Public, External: true}},
		{"unshared", func() { s.Share(channel, false) }, memory.Channel{}, memory.Channel{Kind: memory.Public}},
		{"made private", func() { s.Convert(user, channel, fakeslack.Private) }, memory.Channel{Kind: memory.Private}, memory.Channel{Kind: memory.Private}},
		{"made public", func() { s.Convert(user, channel, fakeslack.Public) }, memory.Channel{}, memory.Channel{Kind: memory.Public}},
		{"archived", func() { s.Archive(channel) }, memory.Channel{}, memory.Channel{Kind: memory.Public}},
		{"left", func() { s.Leave(fakeslack.BotUser, channel) }, memory.Channel{}, memory.Channel{}},
	} {
		before := told()
		is() // what is remembered is old then
		c.change()
		await(t, c.what, func() bool { return told() > before })
		events := e.all()
		ev := events[len(events)-1]
		if ev.Kind != platform.EventAudience || ev.Key != key || ev.Channel.Kind != c.takes.Kind || ev.Channel.External != c.takes.External {
			t.Errorf("%s: %+v", c.what, ev)
		}
		if now := is(); now.Kind != c.is.Kind || now.External != c.is.External {
			t.Errorf("%s: now %+v, want %+v", c.what, now, c.is)
		}
	}
	gone := s.AddChannel(fakeslack.Channel{Name: "gone", Members: []string{fakeslack.BotUser, user}}).ID
	s.DeleteChannel(gone)
	await(t, "the deletion", func() bool {
		return slices.ContainsFunc(e.all(), func(ev platform.Event) bool {
			return ev.Kind == platform.EventDelete && ev.Key.Channel == gone && ev.Message == ""
		})
	})
}

// TestAllChannelsAreListed lists more channels than a page holds: those we are in.
func TestAllChannelsAreListed(t *testing.T) {
	t.Parallel()
	s := fakeslack.New(fakeslack.Options{Scopes: granted(t)})
	t.Cleanup(s.Close)
	user := s.AddUser(fakeslack.User{Name: "Ada"}).ID
	want := make(map[string]memory.Channel)
	for i := range 250 {
		c := fakeslack.Channel{Name: "c", Members: []string{user, fakeslack.BotUser}, ExtShared: i%7 == 0, OrgShared: i%7 == 1}
		is := memory.Channel{Kind: memory.Public, External: i%7 <= 1}
		if i%3 == 0 {
			c.Kind, is.Kind = fakeslack.Private, memory.Private
		}
		want[s.AddChannel(c).ID] = is
	}
	foreign := s.AddChannel(fakeslack.Channel{Name: "foreign", Members: []string{user}}).ID
	s.DM(user)
	a := adapter(t, s, slack.Options{})
	got, err := a.Channels(context.Background(), fakeslack.TeamID)
	if err != nil || len(got) != len(want) {
		t.Fatalf("%d channels, want %d: %v", len(got), len(want), err)
	}
	for _, c := range got {
		if w := want[c.Channel]; c.Kind != w.Kind || c.External != w.External || c.Name != "c" {
			t.Errorf("%+v, want %+v", c, w)
		}
	}
	if c, err := a.Channel(context.Background(), memory.Key{Channel: foreign}); !errors.Is(err, platform.ErrUndeliverable) {
		t.Errorf("a channel that we are not in: %+v %v", c, err)
	}
	s.Break(fakeslack.Fault{Kind: fakeslack.Limit, Methods: []string{"users.conversations"}, After: time.Hour, Times: 10})
	var later *platform.RetryError
	if _, err := a.Channels(context.Background(), fakeslack.TeamID); !errors.As(err, &later) {
		t.Errorf("refused: %v", err)
	}
}
