package discord

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"threadkeeper/bot/discord/fakediscord"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
)

// quick is a pace for tests. What a busy machine may be late with has time.
var quick = timing{open: 20 * time.Second,
	retry: 5 * time.Millisecond, invalid: time.Millisecond, begin: 30 * time.Millisecond, receive: time.Millisecond,
	drain: 100 * time.Millisecond, respond: time.Minute, store: time.Minute, status: 2 * time.Second}

const patiently = 10 * time.Minute

// town is a guild with Ada, Bob and a channel, and an adapter that runs in it.
type town struct {
	t       *testing.T
	s       *fakediscord.Server
	a       *Adapter
	log     *logged
	ada     string
	bob     string
	guild   string
	general string
	last    func(context.Context) ([]platform.Seen, error)
	suggest func(context.Context, platform.Suggestion) ([]platform.Choice, error)
	form    func(context.Context, platform.Event) (*platform.Form, error)
	refuse  func(platform.Event) error
	backup  *platformtest.Backup // what one brought
	sweep   *platformtest.Sweep

	mu          sync.Mutex
	events      []platform.Event
	changes     []platform.Event     // of audiences
	checkpoints map[string]time.Time // by workspace, what the next process is told
	absences    []platform.Absence
	stop        func() error
}

// logged is what was logged.
type logged struct {
	mu  sync.Mutex
	all strings.Builder
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.Write(p)
}

func (l *logged) has(text string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Contains(l.all.String(), text)
}

func newTown(t *testing.T, o fakediscord.Options) *town {
	if o.IdentifyEvery == 0 {
		o.IdentifyEvery = 20 * time.Millisecond
	}
	if o.RespondWithin == 0 {
		o.RespondWithin = time.Minute
	}
	s := fakediscord.New(o)
	t.Cleanup(s.Close)
	w := &town{t: t, s: s, log: &logged{}}
	w.guild = s.AddGuild("Town")
	w.ada, w.bob = s.AddUser("Ada").ID, s.AddUser("Bob").ID
	s.AddMember(w.guild, w.ada)
	s.AddMember(w.guild, w.bob)
	w.general = s.AddChannel(w.guild, fakediscord.Channel{Name: "general", Type: fakediscord.TextChannel})
	w.fresh()
	return w
}

// fresh is a new process.
func (w *town) fresh() {
	w.a = New(Options{Token: w.s.Token(), APIURL: w.s.URL(), Log: slog.New(slog.NewTextHandler(io.MultiWriter(w.log, w.t.Output()), &slog.HandlerOptions{Level: slog.LevelDebug}))})
	w.a.timing = quick
}

// run starts the adapter; the test ends it, and checks that it ended well.
func (w *town) run() {
	w.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	h := platform.Handler{Receive: w.receive, Absent: w.absent, Suggest: w.suggest, Form: w.form, LastSeen: w.last, MissedSince: w.checkpoint, SetMissedSince: w.setCheckpoint}
	if w.backup != nil {
		h.Stale, h.Stored, h.SetFresh = w.backup.Stale, w.backup.Stored, w.backup.SetFresh
	}
	if w.sweep != nil {
		h.NextPart, h.SetCompared, h.Files = w.sweep.NextPart, w.sweep.SetCompared, w.sweep.Files
	}
	go func() { done <- w.a.Run(ctx, platformtest.Handler(h), registry) }()
	ended := sync.OnceValue(func() error {
		cancel()
		select {
		case err := <-done:
			return err
		case <-time.After(patiently):
			return errors.New("Run did not return")
		}
	})
	w.stop = ended
	w.t.Cleanup(func() {
		if err := ended(); err != nil {
			w.t.Errorf("Run: %v", err)
		}
	})
	w.ready()
}

func (w *town) ready() {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patiently)
	defer cancel()
	if err := w.s.AwaitReady(ctx, 1); err != nil {
		w.t.Fatal("never ready:", err)
	}
}

func (w *town) receive(_ context.Context, ev platform.Event) error {
	if w.refuse != nil {
		if err := w.refuse(ev); err != nil {
			return err
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if ev.Kind == platform.EventAudience { // which may come again
		w.changes = append(w.changes, ev)
		return nil
	}
	for _, old := range w.events {
		if old.ID == ev.ID {
			return nil // stored before
		}
	}
	w.events = append(w.events, ev)
	return nil
}

func (w *town) absent(_ context.Context, a platform.Absence) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.absences = append(w.absences, a)
	return nil
}

// toldAbsent are the absences so far.
func (w *town) toldAbsent() []platform.Absence {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.absences)
}

// missing waits for an absence and returns it.
func (w *town) missing() platform.Absence {
	w.t.Helper()
	w.eventually(func() bool { return len(w.toldAbsent()) > 0 }, "an absence")
	return w.toldAbsent()[0]
}

func (w *town) checkpoint(_ context.Context, workspace string) (time.Time, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.checkpoints[workspace], nil
}

func (w *town) setCheckpoint(_ context.Context, workspace string, since time.Time) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.checkpoints == nil {
		w.checkpoints = make(map[string]time.Time)
	}
	w.checkpoints[workspace] = since
	return nil
}

// received are the events of a kind so far.
func (w *town) received(k platform.EventKind) (all []platform.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, ev := range w.events {
		if ev.Kind == k {
			all = append(all, ev)
		}
	}
	return all
}

// until waits for n events of a kind.
func (w *town) until(k platform.EventKind, n int) []platform.Event {
	w.t.Helper()
	w.eventually(func() bool { return len(w.received(k)) >= n }, fmt.Sprintf("%d %s events", n, k))
	return w.received(k)
}

func (w *town) eventually(ok func() bool, what string) {
	w.t.Helper()
	for end := time.Now().Add(patiently); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.t.Fatalf("%s never came; events %+v", what, w.events)
		}
	}
}

func (w *town) say(text string) fakediscord.Message {
	return w.s.Say(fakediscord.Said{User: w.ada, Channel: w.general, Text: text})
}

// texts of the messages received, in order.
func (w *town) texts() []string {
	var all []string
	for _, ev := range w.received(platform.EventMessage) {
		all = append(all, ev.Text)
	}
	return all
}

var registry = []platform.Command{
	{Name: "help", Summary: "What I can do"},
	{Name: "memory status", Summary: "What I keep"},
	{Name: "memory search", Summary: "Find what was said", Options: []platform.Option{{Name: "words", Summary: "what to look for", Required: true}}},
	{Name: "docs use", Summary: "Answer from these only", Options: []platform.Option{{Name: "document", Summary: "number or name", Required: true, Suggest: true}}},
}
