package slack_test

import (
	"errors"
	"fmt"
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

// said waits for the event of a message.
func said(t *testing.T, e *ear, text string) platform.Event {
	t.Helper()
	var found platform.Event
	await(t, text, func() bool {
		i := slices.IndexFunc(e.all(), func(ev platform.Event) bool { return ev.Text == text })
		if i >= 0 {
			found = e.all()[i]
		}
		return i >= 0
	})
	return found
}

func TestWhoSaidItAndWhere(t *testing.T) {
	s, e, _ := socketed(t, fakeslack.Options{})
	_, general := people(s)
	secret := s.AddChannel(fakeslack.Channel{Name: "secret", Kind: fakeslack.Private, Members: []string{fakeslack.BotUser}}).ID
	shared := s.AddChannel(fakeslack.Channel{Name: "shared", ExtShared: true, Members: []string{fakeslack.BotUser}}).ID
	for n, c := range []struct {
		user    fakeslack.User
		channel string
		kind    memory.PersonKind
		admin   bool
		in      memory.Channel
	}{
		{fakeslack.User{Name: "Eve", TimeZone: "Europe/Berlin", Locale: "de-DE"}, general, memory.Human, false, memory.Channel{Kind: memory.Public, Name: "general"}},
		{fakeslack.User{Name: "Adm", Admin: true}, secret, memory.Human, true, memory.Channel{Kind: memory.Private, Name: "secret"}},
		{fakeslack.User{Name: "Own", Owner: true}, shared, memory.Human, true, memory.Channel{Kind: memory.Public, Name: "shared", External: true}},
		{fakeslack.User{Name: "Guest", Restricted: true}, general, memory.Guest, false, memory.Channel{Kind: memory.Public, Name: "general"}},
		{fakeslack.User{Name: "Visitor", UltraRestricted: true}, general, memory.Guest, false, memory.Channel{Kind: memory.Public, Name: "general"}},
		{fakeslack.User{Name: "Stranger", Stranger: true, Team: fakeslack.OtherID}, shared, memory.Guest, false, memory.Channel{Kind: memory.Public, Name: "shared", External: true}},
	} {
		user := s.AddUser(c.user)
		s.Say(fakeslack.Said{User: user.ID, Channel: c.channel, Text: fmt.Sprintf("<@%s> word %d", fakeslack.BotUser, n)})
		ev := said(t, e, fmt.Sprint("word ", n))
		if ev.Author.Name != c.user.Name || ev.Author.Kind != c.kind || ev.Author.Admin != c.admin || ev.Channel.Kind != c.in.Kind ||
			ev.Channel.Name != c.in.Name || ev.Channel.External != c.in.External || c.user.TimeZone != "" && ev.Author.TimeZone != c.user.TimeZone ||
			c.user.Locale != "" && ev.Author.Locale != c.user.Locale {
			t.Errorf("%s: %+v in %+v", c.user.Name, ev.Author, ev.Channel)
		}
	}
}

// TestAChannelThatIsMadePrivate: what was looked up before the change says otherwise.
func TestAChannelThatIsMadePrivate(t *testing.T) {
	s, e, _ := socketed(t, fakeslack.Options{})
	user, channel := people(s)
	say := func(text string) platform.Event {
		s.Say(fakeslack.Said{User: user, Channel: channel, Text: "<@" + fakeslack.BotUser + "> " + text})
		return said(t, e, text)
	}
	if ev := say("before"); ev.Channel.Kind != memory.Public {
		t.Fatalf("%+v", ev.Channel)
	}
	s.Convert(user, channel, fakeslack.Private)
	if ev := say("after"); ev.Channel.Kind != memory.Private || ev.Channel.Name != "general" {
		t.Errorf("%+v", ev.Channel)
	}
	s.Slash(user, channel, "/memory", "status") // which has no kind of its own
	await(t, "the command", func() bool {
		return slices.ContainsFunc(e.all(), func(ev platform.Event) bool {
			return ev.Kind == platform.EventCommand && ev.Channel.Kind == memory.Private
		})
	})
}

func TestNamesInATextAreThoseOfPeople(t *testing.T) {
	s, e, _ := socketed(t, fakeslack.Options{})
	user, channel := people(s)
	bob := s.AddUser(fakeslack.User{Name: "Bob"}).ID
	s.Say(fakeslack.Said{User: user, Channel: channel, Text: fmt.Sprintf("<@%s> ask <@%s> in <#%s> &amp; wait", fakeslack.BotUser, bob, channel)})
	said(t, e, "ask @Bob in #general & wait")
}

func TestAnEventDoesNotWaitLongForALookUp(t *testing.T) {
	s := fakeslack.New(fakeslack.Options{RetryWaits: make([]time.Duration, 20), AckWait: time.Minute})
	t.Cleanup(s.Close)
	e := new(ear)
	stuck := &http.Client{Transport: hang{http.DefaultTransport}}
	listen(t, adapter(t, s, slack.Options{AppToken: s.Options().AppToken, HTTP: stuck, LookUp: 100 * time.Millisecond}), e)
	await(t, "two connections", func() bool { return s.Sockets() == 2 })
	user, channel := people(s)
	s.Say(fakeslack.Said{User: user, Channel: channel, Text: "<@" + fakeslack.BotUser + "> quickly"})
	ev := said(t, e, "quickly")
	// Of the two events of a mention only one tells what kind its channel is; unchecked it stays in both.
	if ev.Author.Kind != memory.Unknown || ev.Author.ID != user || !ev.Channel.Unchecked {
		t.Errorf("%+v %+v", ev.Author, ev.Channel)
	}
	await(t, "acknowledged", func() bool { return s.Pending() == 0 })
	for _, a := range s.Acks() {
		if a.Attempt > 0 {
			t.Error("it came too late, and was delivered again")
		}
	}
}

// TestALookUpWaitsForItsTurnBesideTheEvent: who could not be looked up in time is known
// when they say something next.
func TestALookUpWaitsForItsTurnBesideTheEvent(t *testing.T) {
	s := fakeslack.New(fakeslack.Options{AckWait: time.Minute})
	t.Cleanup(s.Close)
	e := new(ear)
	listen(t, adapter(t, s, slack.Options{AppToken: s.Options().AppToken, LookUp: 100 * time.Millisecond}), e)
	await(t, "two connections", func() bool { return s.Sockets() == 2 })
	user, channel := people(s)
	s.Break(fakeslack.Fault{Kind: fakeslack.Limit, Methods: []string{"users.info"}, After: time.Second})
	s.Say(fakeslack.Said{User: user, Channel: channel, Text: "<@" + fakeslack.BotUser + "> first"})
	if ev := said(t, e, "first"); ev.Author.Kind != memory.Unknown {
		t.Fatalf("%+v", ev.Author)
	}
	await(t, "the look-up", func() bool {
		return slices.ContainsFunc(s.Requests("users.info"), func(r fakeslack.Request) bool { return r.Error == "" })
	})
	n := 0
	await(t, "their name", func() bool { // Slack's answer may come later than the next message
		n++
		text := fmt.Sprintf("message %d", n)
		s.Say(fakeslack.Said{User: user, Channel: channel, Text: "<@" + fakeslack.BotUser + "> " + text})
		ev := said(t, e, text)
		return ev.Author.Kind == memory.Human && ev.Author.Name == "Ada"
	})
}

// TestUnknownAuthorsAreLookedUpAgain, until Slack answers in some way.
func TestUnknownAuthorsAreLookedUpAgain(t *testing.T) {
	s, _, _ := socketed(t, fakeslack.Options{})
	user, _ := people(s)
	a := adapter(t, s, slack.Options{})
	s.Break(fakeslack.Fault{Kind: fakeslack.Limit, Methods: []string{"users.info"}, After: time.Minute})
	var later *platform.RetryError
	if _, err := a.Person(t.Context(), memory.Key{}, user); !errors.As(err, &later) || later.After != time.Minute {
		t.Errorf("too many requests: %v", err)
	}
	a = adapter(t, s, slack.Options{})
	s.Break(fakeslack.Fault{Kind: fakeslack.Refuse, Methods: []string{"users.info"}, Code: "missing_scope"})
	if _, err := a.Person(t.Context(), memory.Key{}, user); err == nil || errors.As(err, &later) {
		t.Errorf("without the scope: %v", err)
	}
	s.Break(fakeslack.Fault{Kind: fakeslack.Limit, Methods: []string{"users.info"}, After: time.Second})
	if who, err := a.Person(t.Context(), memory.Key{}, user); err != nil || who.Kind != memory.Human || who.Name != "Ada" {
		t.Errorf("%+v %v", who, err)
	}
}

// hang never answers a look-up.
type hang struct{ http.RoundTripper }

func (h hang) RoundTrip(r *http.Request) (*http.Response, error) {
	if strings.HasSuffix(r.URL.Path, ".info") {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	return h.RoundTripper.RoundTrip(r)
}

// TestAPostThroughAnApp is the person's whose token the app used, and a program's if a bot or a webhook
// posted it, or if Slack does not tell.
func TestAPostThroughAnApp(t *testing.T) {
	s, e, _ := socketed(t, fakeslack.Options{})
	user, channel := people(s)
	program := s.AddUser(fakeslack.User{Name: "ci", Bot: true, BotID: "B0CI", AppID: "A0CI"})
	card := map[string]any{"title": "db-7 is down", "text": "since <!date^0^now|noon>", "fields": []any{map[string]any{"title": "host", "value": "db-7"}}}
	call := "<@" + fakeslack.BotUser + "> "
	for _, c := range []struct {
		said fakeslack.Said
		text string
		who  string
		kind memory.PersonKind
	}{
		{fakeslack.Said{User: user, App: true, Text: call + "from my app"}, "from my app", "Ada", memory.Human},
		{fakeslack.Said{User: program.ID, Text: call + "build passed"}, "build passed", "ci", memory.Bot},
		{fakeslack.Said{Webhook: "Alerts", Attachments: []map[string]any{card}}, "db-7 is down\nsince noon\nhost: db-7", "Alerts", memory.Bot},
		{fakeslack.Said{User: user, App: true, Text: "look https://e.example", Attachments: []map[string]any{{"from_url": "https://e.example", "title": "E"}}},
			"look https://e.example", "Ada", memory.Human},
	} {
		c.said.Channel = channel
		s.Say(c.said)
		if ev := said(t, e, c.text); ev.Author.Name != c.who || ev.Author.Kind != c.kind {
			t.Errorf("%q: %+v", c.text, ev.Author)
		}
	}
	gone := s.AddUser(fakeslack.User{Name: "Eve"}).ID
	s.Break(fakeslack.Fault{Kind: fakeslack.Fail, Methods: []string{"users.info"}, Times: 100})
	s.Say(fakeslack.Said{User: gone, App: true, Channel: channel, Text: "who am I?"})
	if ev := said(t, e, "who am I?"); ev.Author.Kind != memory.Bot || ev.Author.ID != gone {
		t.Errorf("%+v", ev.Author)
	}
}
