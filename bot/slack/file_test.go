package slack_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/slack"
	"threadkeeper/bot/slack/fakeslack"
	"threadkeeper/memory"
)

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
	var later *platform.RetryError
	s.Break(fakeslack.Fault{Kind: fakeslack.Fail, Methods: []string{"download"}}, fakeslack.Fault{Kind: fakeslack.Limit, After: 2 * time.Second, Methods: []string{"download"}})
	if _, err := a.Open(t.Context(), ev.Files[0]); err == nil || errors.Is(err, platform.ErrFileGone) {
		t.Errorf("while the host of files is away: %v", err)
	}
	if _, err := a.Open(t.Context(), ev.Files[0]); !errors.As(err, &later) || later.After != 2*time.Second {
		t.Errorf("beyond a limit: %v", err)
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

func TestFilesComeOnlyFromSlackAndAreNotWebPages(t *testing.T) {
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

// TestAFileRemovedFromOneChannel is gone there, and only there; what Slack cannot
// tell at once is asked again.
func TestAFileRemovedFromOneChannel(t *testing.T) {
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
