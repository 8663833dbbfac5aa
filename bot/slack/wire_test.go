package slack_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/bot/slack"
	"threadkeeper/bot/slack/fakeslack"
	"threadkeeper/memory"
)

// ear takes what an adapter receives.
type ear struct {
	adapter *slack.Adapter

	mu     sync.Mutex
	events []platform.Event
	fail   int           // so many of the next events are not stored
	full   bool          // the disk takes nothing
	hold   chan struct{} // closed to let events be stored; nil for at once
	last   func(context.Context) ([]platform.Seen, error)
	owed   map[string]time.Time // by workspace
}

func (e *ear) receive(ctx context.Context, ev platform.Event) error {
	if e.hold != nil {
		select {
		case <-e.hold:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.full {
		return fmt.Errorf("memory: %w", memory.ErrDisk)
	}
	if e.fail > 0 {
		e.fail--
		return errors.New("disk full")
	}
	if e.adapter != nil {
		e.adapter.Complete(ctx, &ev, true)
	}
	e.events = append(e.events, ev)
	return nil
}

func (e *ear) owe(_ context.Context, team string, since time.Time) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.full {
		return fmt.Errorf("memory: %w", memory.ErrDisk)
	}
	if e.owed == nil {
		e.owed = make(map[string]time.Time)
	}
	e.owed[team] = since
	return nil
}

func (e *ear) owes(_ context.Context, team string) (time.Time, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.owed[team], nil
}

func (e *ear) fill(full bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.full = full
}

func (e *ear) all() []platform.Event {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.events)
}

// texts are those of the messages, each once.
func (e *ear) texts() []string {
	var texts []string
	seen := make(map[string]bool)
	for _, ev := range e.all() {
		if ev.Kind == platform.EventMessage && !seen[ev.ID] {
			seen[ev.ID] = true
			texts = append(texts, ev.Text)
		}
	}
	return texts
}

// await polls a condition.
func await(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: never", what)
		}
	}
}

// listen runs an adapter; what it returns ends it and gives its error.
func listen(t *testing.T, a *slack.Adapter, e *ear) (end func() error) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	e.adapter = a
	h := platform.Handler{Receive: e.receive, LastSeen: e.last, MissedSince: e.owes, SetMissedSince: e.owe, Home: func(context.Context, memory.Key, platform.Author) (platform.Home, error) {
		return platform.Home{Threads: []platform.HomeThread{{Title: "Annual <report>", Gauge: "context 1 / 2 tokens", At: 1_700_000_000_000}},
			Documents: []platform.HomeDocument{{Name: "report.pdf", Pages: 1, Link: "https://threadworks.slack.com/files/U1/F1"}}}, nil
	}}
	go func() { done <- a.Run(ctx, h, say.Commands("en")) }()
	end = sync.OnceValue(func() error { cancel(); return <-done })
	t.Cleanup(func() { _ = end() })
	return end
}

func socketed(t *testing.T, o fakeslack.Options) (*fakeslack.Server, *ear, func() error) {
	if o.RetryWaits == nil {
		o.RetryWaits = make([]time.Duration, 200)
	}
	s := fakeslack.New(o)
	t.Cleanup(s.Close)
	e := new(ear)
	end := listen(t, adapter(t, s, slack.Options{AppToken: s.Options().AppToken}), e)
	await(t, "two connections", func() bool { return s.Sockets() == 2 })
	return s, e, end
}

const us = "<@" + fakeslack.BotUser + "> "

func people(s *fakeslack.Server) (user, channel string) {
	user = s.AddUser(fakeslack.User{Name: "Ada"}).ID
	return user, s.AddChannel(fakeslack.Channel{Name: "general", Members: []string{fakeslack.BotUser, user}}).ID
}

func TestTwoConnectionsAndARefreshLoseNothing(t *testing.T) {
	s, e, end := socketed(t, fakeslack.Options{})
	user, channel := people(s)
	var want []string
	for n := range 60 {
		if n%20 == 10 {
			s.Disconnect("refresh_requested", false)
		}
		want = append(want, fmt.Sprint("message ", n))
		s.Say(fakeslack.Said{User: user, Channel: channel, Text: want[n]})
	}
	await(t, "every message", func() bool { return len(e.texts()) == len(want) && s.Pending() == 0 })
	got := e.texts()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) || len(s.Lost()) > 0 {
		t.Errorf("%d messages, lost %v", len(got), s.Lost())
	}
	for _, a := range s.Acks() {
		if len(a.Payload) > 0 {
			t.Errorf("acknowledged with %v", a.Payload)
		}
	}
	if err := end(); err != nil {
		t.Error(err)
	}
}

func TestNothingIsAcknowledgedBeforeItIsStored(t *testing.T) {
	s, e, _ := socketed(t, fakeslack.Options{AckWait: 100 * time.Millisecond})
	user, channel := people(s)
	e.mu.Lock()
	e.fail = 2
	e.mu.Unlock()
	s.Say(fakeslack.Said{User: user, Channel: channel, Text: "<@" + fakeslack.BotUser + "> keep this"})
	await(t, "the message, delivered again", func() bool { return len(e.texts()) == 1 && s.Pending() == 0 })
}

func TestASlowStoreIsNotAcknowledged(t *testing.T) {
	s := fakeslack.New(fakeslack.Options{RetryWaits: make([]time.Duration, 1000), AckWait: 50 * time.Millisecond})
	t.Cleanup(s.Close)
	e := &ear{hold: make(chan struct{})}
	listen(t, adapter(t, s, slack.Options{AppToken: s.Options().AppToken}), e)
	await(t, "two connections", func() bool { return s.Sockets() == 2 })
	user, channel := people(s)
	s.Say(fakeslack.Said{User: user, Channel: channel, Text: "one"})
	await(t, "a second delivery", func() bool {
		s.Say(fakeslack.Said{User: user, Channel: channel, Text: "more"})
		return s.Pending() > 20
	})
	if n := len(s.Acks()); n > 0 {
		t.Errorf("%d acknowledged", n)
	}
	close(e.hold)
	await(t, "all acknowledged", func() bool { return s.Pending() == 0 })
}

func TestAFrameTheLibraryDoesNotReadIsReceivedOrAcknowledged(t *testing.T) {
	s, e, _ := socketed(t, fakeslack.Options{})
	user, channel := people(s)
	s.Emit(map[string]any{"type": "sunrise_over_the_sea", "event_ts": "1700000000.000100"}, channel)
	s.Emit(map[string]any{"type": "message", "channel": channel, "channel_type": "channel", "user": user, "text": "malformed blocks", "ts": "1700000001.000100",
		"event_ts": "1700000001.000100", "blocks": []any{map[string]any{"type": "rich_text", "elements": 7}, "x"}}, channel)
	await(t, "the message", func() bool { return slices.Contains(e.texts(), "malformed blocks") })
	await(t, "everything acknowledged", func() bool { return s.Pending() == 0 })
}

func TestAStormOfConnectionsIsBraked(t *testing.T) {
	s, _, _ := socketed(t, fakeslack.Options{})
	before, begun := s.Opened(), time.Now()
	for time.Since(begun) < time.Second {
		s.CutSockets()
		time.Sleep(5 * time.Millisecond)
	}
	// Each of the two is asked for once a second.
	if n, took := s.Opened()-before, time.Since(begun); n > 2*(1+int(took/time.Second)) {
		t.Errorf("%d connections in %s", n, took)
	}
}

func TestRevokedTokensEndTheRun(t *testing.T) {
	s, _, end := socketed(t, fakeslack.Options{})
	s.Uninstall()
	await(t, "the sockets closed", func() bool { return s.Sockets() == 0 })
	if err := end(); err == nil || !strings.Contains(err.Error(), "install") {
		t.Errorf("%v", err)
	}
}

func TestBadTokensSayWhatToDo(t *testing.T) {
	s := fakeslack.New(fakeslack.Options{})
	t.Cleanup(s.Close)
	for _, c := range []struct {
		o    slack.Options
		want string
	}{
		{slack.Options{BotToken: "xoxb-wrong", AppToken: s.Options().AppToken}, "SLACK_BOT_TOKEN"},
		{slack.Options{BotToken: s.Options().BotToken, AppToken: "xapp-wrong"}, "SLACK_APP_TOKEN"},
		{slack.Options{BotToken: s.Options().BotToken}, "SLACK_SIGNING_SECRET"},
		{slack.Options{BotToken: s.Options().BotToken, SigningSecret: "x"}, "listen"},
		{slack.Options{}, "SLACK_BOT_TOKEN"},
	} {
		a := adapter(t, s, c.o)
		o := c.o
		o.APIURL, o.Log = s.APIURL(), a.Log
		err := slack.New(o).Run(t.Context(), platform.Handler{Receive: new(ear).receive}, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v does not name %s", err, c.want)
		}
	}
}

func hooked(t *testing.T) (*fakeslack.Server, *ear, string) {
	s := fakeslack.New(fakeslack.Options{RetryWaits: make([]time.Duration, 20)})
	t.Cleanup(s.Close)
	a, address := hearing(t, s)
	e := new(ear)
	listen(t, a, e)
	url := "http://" + <-address + "/slack"
	if err := s.SetTarget(fakeslack.Target{URL: url}); err != nil {
		t.Fatal(err)
	}
	return s, e, url
}

func TestHTTPEvents(t *testing.T) {
	s, e, _ := hooked(t)
	user, channel := people(s)
	e.mu.Lock()
	e.fail = 1
	e.mu.Unlock()
	s.Say(fakeslack.Said{User: user, Channel: channel, Text: "<@" + fakeslack.BotUser + "> over HTTP"})
	await(t, "the message, tried again", func() bool { return slices.Contains(e.texts(), "over HTTP") && s.Pending() == 0 })
	s.Slash(user, channel, "/memory", "search  two words")
	await(t, "the command", func() bool {
		return slices.ContainsFunc(e.all(), func(ev platform.Event) bool {
			return ev.Command == "memory search" && ev.Args == "two words" && ev.Reply.Interaction != "" && ev.Author.Name == "Ada"
		})
	})
	if n := len(e.texts()); n != 1 {
		t.Errorf("%d messages", n)
	}
}

func TestHTTPRequestsThatAreNotSlacks(t *testing.T) {
	s, e, url := hooked(t)
	body := `{"type":"event_callback","event_id":"Ev1","event":{"type":"message","channel":"C1","channel_type":"channel","user":"U1","text":"x","ts":"1.1"}}`
	secret := s.Options().SigningSecret
	for _, c := range []struct {
		name   string
		body   string
		at     time.Time
		sign   string
		status int
	}{
		{"unsigned", body, time.Now(), "", http.StatusUnauthorized},
		{"signed with another secret", body, time.Now(), fakeslack.Sign("other", time.Now(), []byte(body)), http.StatusUnauthorized},
		{"signed for another body", body, time.Now(), fakeslack.Sign(secret, time.Now(), []byte("{}")), http.StatusUnauthorized},
		{"signed six minutes ago", body, time.Now().Add(-6 * time.Minute), fakeslack.Sign(secret, time.Now().Add(-6*time.Minute), []byte(body)), http.StatusUnauthorized},
		{"signed six minutes from now", body, time.Now().Add(6 * time.Minute), fakeslack.Sign(secret, time.Now().Add(6*time.Minute), []byte(body)), http.StatusUnauthorized},
		{"too large", strings.Repeat("x", 5<<20), time.Now(), "", http.StatusRequestEntityTooLarge},
	} {
		t.Run(c.name, func(t *testing.T) {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("X-Slack-Request-Timestamp", strconv.FormatInt(c.at.Unix(), 10))
			if c.sign != "" {
				req.Header.Set("X-Slack-Signature", c.sign)
			}
			client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
			resp, err := client.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			if _, err := io.Copy(io.Discard, resp.Body); err != nil || resp.StatusCode != c.status {
				t.Errorf("status %d, want %d (%v)", resp.StatusCode, c.status, err)
			}
		})
	}
	if n := len(e.all()); n > 0 {
		t.Errorf("%d events received", n)
	}
}

// Of two edits the later one holds, in whichever order they come.
func TestAnEditThatIsToldAfterALaterOne(t *testing.T) {
	t.Parallel()
	s, e, _ := socketed(t, fakeslack.Options{})
	user, channel := people(s)
	ts := s.Say(fakeslack.Said{User: user, Channel: channel, Text: us + "root"})
	for n, text := range []string{"third", "second", "fourth"} {
		at := fmt.Sprint([]int{1700000003, 1700000002, 1700000004}[n], ".000000")
		s.Emit(map[string]any{"type": "message", "subtype": "message_changed", "channel": channel, "channel_type": "channel",
			"message": map[string]any{"type": "message", "user": user, "text": us + text, "ts": ts, "edited": map[string]any{"ts": at}}}, channel)
		await(t, text, func() bool { return s.Pending() == 0 })
	}
	var texts []string
	for _, ev := range e.all() {
		if ev.Kind == platform.EventEdit {
			texts = append(texts, ev.Text)
		}
	}
	if !slices.Equal(texts, []string{"third", "fourth"}) {
		t.Errorf("edits %q", texts)
	}
}
