package discord

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"threadkeeper/bot/discord/fakediscord"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/memory"
)

// stage is a Discord with Ada in one guild and channel, and an adapter to it that
// needs no gateway.
type stage struct {
	*fakediscord.Server
	a       *Adapter
	t       *testing.T
	guild   string
	ada     string
	general string
}

func newStage(t *testing.T, o fakediscord.Options) *stage {
	t.Helper()
	if o.Rate.Limit == 0 {
		o.Rate = fakediscord.Rate{Limit: 5, Per: 50 * time.Millisecond}
	}
	if o.RespondWithin == 0 {
		o.RespondWithin = time.Minute
	}
	s := &stage{Server: fakediscord.New(o), t: t}
	t.Cleanup(s.Close)
	s.guild = s.AddGuild("Workshop")
	s.ada = s.AddUser("Ada").ID
	s.AddMember(s.guild, s.ada)
	s.general = s.AddChannel(s.guild, fakediscord.Channel{Name: "general"})
	s.a = s.adapter()
	t.Cleanup(func() {
		if v := s.Violations(); len(v) > 0 {
			t.Errorf("Discord would punish %q", v)
		}
	})
	return s
}

// adapter is a new one, as after a restart.
func (s *stage) adapter() *Adapter {
	a := New(Options{Token: s.Token(), APIURL: s.URL(), Log: slog.New(slog.DiscardHandler)})
	a.timing.respond, a.timing.status = time.Minute, time.Millisecond
	a.limits.sleep = func(ctx context.Context, d time.Duration) error { return kit.Pause(ctx, min(d, 5*time.Millisecond)) } // who has to wait longer waits again
	s.t.Cleanup(func() {
		a.tasks.join()
		a.client().CloseIdleConnections()
	})
	return a
}

// ask is Ada asking at the top of the channel; an answer opens a thread.
func (s *stage) ask(text string) platform.Address {
	id := s.Say(fakediscord.Said{User: s.ada, Channel: s.general, Text: text}).ID
	return platform.Address{Key: memory.Key{Platform: "discord", Workspace: s.guild, Channel: s.general, Thread: id}, ReplyTo: id, Event: "m" + id}
}

// inChannel is the same where answers go to the channel itself.
func inChannel(to platform.Address) platform.Address {
	to.Key.Thread = ""
	return to
}

func reply(text string) platform.Outgoing {
	return platform.Outgoing{Nonce: "tk0123456789abcdef0123", Kind: platform.KindReply, Text: text}
}

func (s *stage) post(to platform.Address, m platform.Outgoing) platform.Ref {
	s.t.Helper()
	ref, err := s.a.Post(s.t.Context(), to, m)
	if err != nil {
		s.t.Fatal(err)
	}
	return ref
}

// ours are our messages in a channel, as Ada sees them.
func (s *stage) ours(channel string) []fakediscord.Shown {
	var all []fakediscord.Shown
	for _, m := range s.Messages(channel, s.ada) {
		if m.Author != nil && m.Author.ID == s.Bot().ID && m.Type != fakediscord.ThreadStarterMessage {
			all = append(all, m)
		}
	}
	return all
}

// texts are what our messages in a channel say.
func (s *stage) texts(channel string) []string {
	var all []string
	for _, m := range s.ours(channel) {
		all = append(all, m.Content)
	}
	return all
}

func (s *stage) same(channel string, want ...string) {
	s.t.Helper()
	got := s.texts(channel)
	if len(got) != len(want) {
		s.t.Fatalf("%d messages %q, want %q", len(got), got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			s.t.Fatalf("message %d is %q, want %q", i, got[i], want[i])
		}
	}
}

// until polls a condition.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Minute); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s never came", what)
		}
	}
}

// fakeClock is a time that passes when somebody waits for it.
type fakeClock struct {
	mu    sync.Mutex
	at    time.Time
	slept []time.Duration
}

func (c *fakeClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *fakeClock) sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c.pass(d)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.slept = append(c.slept, d)
	return nil
}

func (c *fakeClock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// handled is an adapter whose Discord is one function.
func handled(t *testing.T, c *fakeClock, answer func(*http.Request) *http.Response) *Adapter {
	a := New(Options{Token: "t0ken", HTTP: &http.Client{Transport: wire(answer)}, Log: slog.New(slog.DiscardHandler)})
	if c != nil {
		a.limits.clock, a.limits.sleep = c.now, c.sleep
	}
	return a
}

type wire func(*http.Request) *http.Response

func (w wire) RoundTrip(q *http.Request) (*http.Response, error) {
	if r := w(q); r != nil {
		r.Request = q
		return r, nil
	}
	return nil, errLost
}

// errLost is an answer that got lost.
var errLost = errors.New("connection reset")

// answers is one with a status, headers as pairs, and a body.
func answers(status int, body string, header ...string) *http.Response {
	h := make(http.Header)
	for i := 0; i+1 < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body))}
}

func itoa(n uint64) string { return strconv.FormatUint(n, 10) }

// withoutNonces takes the nonces from answers.
type withoutNonces struct{ next http.RoundTripper }

var nonces = regexp.MustCompile(`"nonce":"[^"]*",`)

func (w withoutNonces) RoundTrip(q *http.Request) (*http.Response, error) {
	r, err := w.next.RoundTrip(q)
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(r.Body)
	r.Body.Close()
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(nonces.ReplaceAll(b, nil))), -1
	return r, err
}

func (w withoutNonces) CloseIdleConnections() { w.next.(redirect).CloseIdleConnections() }
