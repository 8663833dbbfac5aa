package slack_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
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
	s := fakeslack.New(fakeslack.Options{RetryWaits: make([]time.Duration, 20)})
	t.Cleanup(s.Close)
	e := new(ear)
	stuck := &http.Client{Transport: hang{http.DefaultTransport}}
	listen(t, adapter(t, s, slack.Options{AppToken: s.Options().AppToken, HTTP: stuck}), e)
	await(t, "two connections", func() bool { return s.Sockets() == 2 })
	user, channel := people(s)
	s.Say(fakeslack.Said{User: user, Channel: channel, Text: "<@" + fakeslack.BotUser + "> quickly"})
	ev := said(t, e, "quickly")
	if ev.Author.Kind != memory.Unknown || ev.Author.ID != user || ev.Channel.Kind == "" {
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
	s, e, _ := socketed(t, fakeslack.Options{})
	user, channel := people(s)
	s.Break(fakeslack.Fault{Kind: fakeslack.Limit, Methods: []string{"users.info"}, After: time.Second})
	s.Say(fakeslack.Said{User: user, Channel: channel, Text: "<@" + fakeslack.BotUser + "> first"})
	if ev := said(t, e, "first"); ev.Author.Kind != memory.Unknown {
		t.Fatalf("%+v", ev.Author)
	}
	await(t, "the look-up", func() bool {
		return slices.ContainsFunc(s.Requests("users.info"), func(r fakeslack.Request) bool { return r.Error == "" })
	})
	s.Say(fakeslack.Said{User: user, Channel: channel, Text: "<@" + fakeslack.BotUser + "> second"})
	if ev := said(t, e, "second"); ev.Author.Kind != memory.Human || ev.Author.Name != "Ada" {
		t.Errorf("%+v", ev.Author)
	}
}

// TestWhoSomebodyIsIsAskedAgain, until Slack answers in some way.
func TestWhoSomebodyIsIsAskedAgain(t *testing.T) {
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

func TestFilesAreRead(t *testing.T) {
	s, e, _ := socketed(t, fakeslack.Options{})
	user, channel := people(s)
	a := adapter(t, s, slack.Options{})
	s.Say(fakeslack.Said{User: user, Channel: channel, Text: "<@" + fakeslack.BotUser + "> read", Files: []fakeslack.NewFile{
		{Name: "a.txt", Data: []byte("one")}, {Name: "b.pdf", Data: []byte("two"), Stub: true}, {Name: "c.html", Data: []byte("<html>three")}}})
	ev := said(t, e, "read")
	if len(ev.Files) != 3 {
		t.Fatalf("%+v", ev.Files)
	}
	for i, want := range []string{"one", "two", "<html>three"} {
		body, err := a.Open(t.Context(), ev.Files[i])
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(body)
		if string(data) != want || err != nil || body.Close() != nil {
			t.Errorf("%q, %v", data, err)
		}
	}
	if ev.Files[0].Link == "" {
		t.Error("no link to the file")
	}
	s.DeleteFile(ev.Files[0].PlatformID)
	if _, err := a.Open(t.Context(), ev.Files[0]); !errors.Is(err, platform.ErrFileGone) {
		t.Errorf("deleted: %v", err)
	}
	await(t, "its deletion", func() bool {
		return slices.ContainsFunc(e.all(), func(v platform.Event) bool {
			return v.Kind == platform.EventFile && v.Message == ev.Files[0].PlatformID
		})
	})
}

func TestFilesComeOnlyFromSlackAndAreNoPages(t *testing.T) {
	s := fakeslack.New(fakeslack.Options{})
	t.Cleanup(s.Close)
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("our token went elsewhere") }))
	t.Cleanup(elsewhere.Close)
	user, channel := people(s)
	ts := s.Say(fakeslack.Said{User: user, Channel: channel, Files: []fakeslack.NewFile{{Name: "a.pdf", Data: []byte("x")}}, Silent: true})
	m, _ := s.Message(channel, ts)
	id := m.Files[0]
	good := adapter(t, s, slack.Options{})
	for _, address := range []string{elsewhere.URL + "/a.pdf", "https://slack.com.evil.example/a", "https://user@files.slack.com/a", "file:///etc/passwd", "::"} {
		f := memory.File{PlatformID: id, Name: "a.pdf", Media: "application/pdf", Locator: id + " " + address}
		body, err := good.Open(t.Context(), f) // what files.info says of it is right
		if err != nil {
			t.Fatalf("%s: %v", address, err)
		}
		body.Close()
		f.Locator = "F0NONE " + address
		if _, err := good.Open(t.Context(), f); !errors.Is(err, platform.ErrFileGone) {
			t.Errorf("%s: %v", address, err)
		}
	}
	// Slack sends those who may not read a file to a page to sign in on.
	f := memory.File{PlatformID: id, Name: "a.pdf", Media: "application/pdf", Locator: "F0NONE " + s.URL() + "/signin?redir=x"}
	if _, err := good.Open(t.Context(), f); !errors.Is(err, platform.ErrFileGone) {
		t.Errorf("sign-in page: %v", err)
	}
	wrong := slack.New(slack.Options{BotToken: "xoxb-wrong", APIURL: s.APIURL(), Log: good.Log})
	f.Locator = id + " " + s.URL() + "/files-pri/" + fakeslack.TeamID + "-" + id + "/download/a.pdf"
	if _, err := wrong.Open(t.Context(), f); err == nil {
		t.Error("a page to sign in on was taken for the file")
	}
}

func TestHistoryOfAThread(t *testing.T) {
	s := fakeslack.New(fakeslack.Options{})
	t.Cleanup(s.Close)
	a := adapter(t, s, slack.Options{})
	user, channel := people(s)
	root := s.Say(fakeslack.Said{User: user, Channel: channel, Text: "root", Silent: true, Files: []fakeslack.NewFile{{Name: "a.pdf", Data: []byte("x")}}})
	key := memory.Key{Platform: "slack", Workspace: fakeslack.TeamID, Channel: channel, Thread: root}
	var ids []string
	for n := range 40 {
		ids = append(ids, s.Say(fakeslack.Said{User: user, Channel: channel, Thread: root, Text: fmt.Sprint("reply ", n), Silent: true}))
	}
	if _, err := a.Post(t.Context(), platform.Address{Key: key}, platform.Outgoing{Nonce: "n", Kind: platform.KindReply, Text: "ours"}); err != nil {
		t.Fatal(err)
	}
	got, err := a.History(t.Context(), key, "", 100)
	if err != nil || len(got) != 42 {
		t.Fatalf("%d events, %v", len(got), err)
	}
	if got[0].Text != "root" || len(got[0].Files) != 1 || got[0].Author.Name != "Ada" || got[40].Text != "reply 39" || got[40].Key != key || !got[41].Ours {
		t.Errorf("%+v … %+v", got[0], got[41])
	}
	for _, r := range s.Requests("conversations.replies") {
		if fmt.Sprint(r.Args["limit"]) != "15" {
			t.Errorf("asked for %v objects", r.Args["limit"])
		}
	}
	if got, err = a.History(t.Context(), key, ids[35], 3); err != nil || len(got) != 3 || got[0].Text != "reply 38" {
		t.Errorf("after a message: %+v, %v", got, err)
	}
	if got, err = a.History(t.Context(), key, "", 20); err != nil || len(got) != 20 || got[0].Text != "root" || got[1].Text != "reply 22" {
		t.Errorf("the last twenty: %d, %v", len(got), err)
	}
}

// TestTheLatestOfALongThread are read without what is before them, whether people talked
// evenly or all at once, and as far as they could be had when there is no time for all.
func TestTheLatestOfALongThread(t *testing.T) {
	const replies, limit = 400, 60
	for name, c := range map[string]struct {
		enough int // requests for some of the latest, 0 for as many as it takes
		pause  func(n int) time.Duration
	}{
		"evenly":   {6, func(int) time.Duration { return time.Minute }},
		"at last":  {0, func(n int) time.Duration { return time.Hour >> min(n/30, 12) }},
		"at first": {6, func(n int) time.Duration { return time.Second << min(n/30, 12) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			now := time.Unix(1_700_000_000, 0)
			s := fakeslack.New(fakeslack.Options{Now: func() time.Time { return now }})
			t.Cleanup(s.Close)
			a := adapter(t, s, slack.Options{})
			user, channel := people(s)
			root := s.Say(fakeslack.Said{User: user, Channel: channel, Text: "root", Silent: true})
			for n := range replies {
				now = now.Add(c.pause(n))
				s.Say(fakeslack.Said{User: user, Channel: channel, Thread: root, Text: fmt.Sprint("reply ", n), Silent: true})
			}
			key := memory.Key{Platform: "slack", Workspace: fakeslack.TeamID, Channel: channel, Thread: root}
			n := 0
			if c.enough > 0 {
				s.Break(fakeslack.Fault{Kind: fakeslack.Fail, Methods: []string{"conversations.replies"}, Times: 3, When: func(fakeslack.Args) bool { n++; return n > c.enough }})
				got, err := a.History(t.Context(), key, "", limit)
				if last := len(got) - 1; err == nil || last < 2 || got[0].Text != "root" || got[last].Text != fmt.Sprint("reply ", replies-1) || got[1].Text != fmt.Sprint("reply ", replies-last) {
					t.Errorf("in a hurry: %d events, %v", len(got), err)
				}
			}
			got, err := a.History(t.Context(), key, "", limit)
			if err != nil || len(got) != limit || got[0].Text != "root" || got[1].Text != fmt.Sprint("reply ", replies-limit+1) || got[limit-1].Text != fmt.Sprint("reply ", replies-1) {
				t.Errorf("%d events, %v", len(got), err)
			}
			if asked := len(s.Requests("conversations.replies")); asked > replies/15 {
				t.Errorf("%d requests for %d messages", asked, limit)
			}
		})
	}
}

func TestHistoryOfAChannelIsItsLatest(t *testing.T) {
	s := fakeslack.New(fakeslack.Options{})
	t.Cleanup(s.Close)
	a := adapter(t, s, slack.Options{})
	user, channel := people(s)
	for n := range 20 {
		s.Say(fakeslack.Said{User: user, Channel: channel, Text: fmt.Sprint("word ", n), Silent: true})
	}
	got, err := a.History(t.Context(), memory.Key{Platform: "slack", Workspace: fakeslack.TeamID, Channel: channel}, "", 18)
	if err != nil || len(got) != 18 || got[0].Text != "word 2" || got[17].Text != "word 19" {
		t.Errorf("%d: %+v, %v", len(got), got, err)
	}
}

func TestHistoryGoesOnWhereALimitEndedIt(t *testing.T) {
	s := fakeslack.New(fakeslack.Options{})
	t.Cleanup(s.Close)
	a := adapter(t, s, slack.Options{})
	user, channel := people(s)
	root := s.Say(fakeslack.Said{User: user, Channel: channel, Text: "root", Silent: true})
	for n := range 20 {
		s.Say(fakeslack.Said{User: user, Channel: channel, Thread: root, Text: fmt.Sprint("reply ", n), Silent: true})
	}
	key := memory.Key{Platform: "slack", Workspace: fakeslack.TeamID, Channel: channel, Thread: root}
	s.Break(fakeslack.Fault{Kind: fakeslack.Fail, Times: 3, Methods: []string{"conversations.replies"}, When: func(x fakeslack.Args) bool { return x["cursor"] != nil && x["cursor"] != "" }})
	if _, err := a.History(t.Context(), key, "", 100); err == nil {
		t.Fatal("no error")
	}
	before := len(s.Requests("conversations.replies"))
	got, err := a.History(t.Context(), key, "", 100)
	if err != nil || len(got) != 21 {
		t.Fatalf("%d events, %v", len(got), err)
	}
	if n := len(s.Requests("conversations.replies")) - before; n != 1 {
		t.Errorf("%d more requests, want 1", n)
	}
	s.Break(fakeslack.Fault{Kind: fakeslack.Limit, Methods: []string{"conversations.replies"}, After: time.Minute})
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	var later *platform.RetryError
	if _, err := a.History(ctx, key, "", 100); !errors.As(err, &later) || later.After < 50*time.Second {
		t.Errorf("limited: %v", err)
	}
}

func TestHomeAndTheAgentView(t *testing.T) {
	s, e, _ := socketed(t, fakeslack.Options{AgentView: true})
	user, _ := people(s)
	s.OpenHome(user, "home", "")
	await(t, "the page", func() bool {
		v, ok := s.Home(user)
		text := fmt.Sprint(v.Blocks)
		return ok && strings.Contains(text, "Annual &lt;report&gt;") && strings.Contains(text, "report.pdf") && strings.Contains(text, "Begin here")
	})
	dm := s.DM(user)
	s.OpenHome(user, "messages", "")
	await(t, "a try of suggested prompts", func() bool { return len(s.Requests("assistant.threads.setSuggestedPrompts")) == 1 })
	ts := s.Say(fakeslack.Said{User: user, Channel: dm, Text: "What is the\n*plan*?"})
	s.OpenHome(user, "messages", "")
	await(t, "suggested prompts", func() bool { return len(s.Prompts(dm, "")) > 0 })
	await(t, "a title", func() bool { return s.Title(dm, ts) == "What is the" })
	if ev := e.all()[len(e.all())-1]; ev.Key.Thread != ts || ev.Channel.Kind != memory.DM || !ev.Mention {
		t.Errorf("%+v", ev)
	}
	if v := s.Violations(); len(v) > 0 {
		t.Error(v)
	}
}

func TestTheAssistantView(t *testing.T) {
	s, e, _ := socketed(t, fakeslack.Options{Assistant: true})
	user, channel := people(s)
	thread, dm := s.OpenAssistant(user, channel), s.DM(user)
	await(t, "suggested prompts", func() bool { return len(s.Prompts(dm, thread)) > 0 })
	eve := s.AddUser(fakeslack.User{Name: "Eve", Locale: "de-DE"}).ID
	begun := s.OpenAssistant(eve, channel)
	await(t, "prompts in German", func() bool {
		p := s.Prompts(s.DM(eve), begun)
		return len(p) > 0 && p[0].Title == "Was kannst du?"
	})
	s.Say(fakeslack.Said{User: user, Channel: dm, Thread: thread, Text: "first question"})
	await(t, "a title", func() bool { return s.Title(dm, thread) == "first question" })
	s.Say(fakeslack.Said{User: user, Channel: dm, Thread: thread, Text: "second question"})
	said(t, e, "second question")
	if got := s.Title(dm, thread); got != "first question" {
		t.Errorf("title %q", got)
	}
}

// TestAFileThatIsTakenOutOfOneChannel is gone there, and only there; what Slack cannot
// tell at once is asked again.
func TestAFileThatIsTakenOutOfOneChannel(t *testing.T) {
	t.Parallel()
	s, e, _ := socketed(t, fakeslack.Options{})
	user, one := people(s)
	two := s.AddChannel(fakeslack.Channel{Name: "plans", Kind: fakeslack.Private, Members: []string{fakeslack.BotUser, user}}).ID
	m, _ := s.Message(one, s.Say(fakeslack.Said{User: user, Channel: one, Text: us + "read", Files: []fakeslack.NewFile{{Name: "a.txt", Data: []byte("a")}}}))
	file := m.Files[0]
	s.Say(fakeslack.Said{User: user, Channel: two, Text: us + "read", FileIDs: []string{file}})
	left := func(channel string, kept ...string) {
		t.Helper()
		n := len(e.ids(platform.EventFile))
		s.Unshare(user, file, channel)
		await(t, "the event", func() bool { return len(e.ids(platform.EventFile)) > n && s.Pending() == 0 })
		all := e.all()
		i := slices.IndexFunc(all, func(ev platform.Event) bool { return ev.ID == e.ids(platform.EventFile)[n] })
		if ev := all[i]; ev.Message != file || ev.Key.Channel != "" || !slices.Equal(ev.Kept, kept) {
			t.Errorf("%+v", ev)
		}
	}
	s.Break(fakeslack.Fault{Kind: fakeslack.Fail, Methods: []string{"files.info"}})
	left(one, two)
	left(two)
}
