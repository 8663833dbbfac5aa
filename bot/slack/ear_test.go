package slack_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
	"threadkeeper/bot/say"
	"threadkeeper/bot/slack"
	"threadkeeper/bot/slack/fakeslack"
	"threadkeeper/memory"
)

// ear takes what an adapter receives.
type ear struct {
	adapter *slack.Adapter

	mu          sync.Mutex
	events      []platform.Event
	fail        int           // so many of the next events are not stored
	full        bool          // the disk takes nothing
	hold        chan struct{} // closed to let events be stored; nil for at once
	last        func(context.Context) ([]platform.Seen, error)
	checkpoints map[string]time.Time // by workspace
	absences    []platform.Absence
	backup      *platformtest.Backup // what one brought
	sweep       *platformtest.Sweep
}

func (e *ear) absent(_ context.Context, a platform.Absence) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.full {
		return fmt.Errorf("memory: %w", memory.ErrDisk)
	}
	e.absences = append(e.absences, a)
	return nil
}

// told are the absences so far.
func (e *ear) told() []platform.Absence {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.absences)
}

// missing are the messages that were not found, each once.
func (e *ear) missing() (ids []string) {
	for _, a := range e.told() {
		ids = append(ids, a.Messages...)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

func (e *ear) receive(ctx context.Context, ev platform.Event) error {
	if ev.Kind == platform.EventAudience && ev.Key.Channel == "" { // comes with every connection
		return nil
	}
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

func (e *ear) setCheckpoint(_ context.Context, team string, since time.Time) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.full {
		return fmt.Errorf("memory: %w", memory.ErrDisk)
	}
	if e.checkpoints == nil {
		e.checkpoints = make(map[string]time.Time)
	}
	e.checkpoints[team] = since
	return nil
}

func (e *ear) checkpoint(_ context.Context, team string) (time.Time, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.checkpoints[team], nil
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
	for end := time.Now().Add(10 * time.Minute); !ok(); time.Sleep(2 * time.Millisecond) {
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
	h := platform.Handler{Receive: e.receive, Absent: e.absent, LastSeen: e.last, MissedSince: e.checkpoint, SetMissedSince: e.setCheckpoint, Home: func(ctx context.Context, k memory.Key, who platform.Author) error {
		return a.PublishHome(ctx, k, who.ID, platform.Home{Threads: []platform.HomeThread{{Title: "Annual <report>", Gauge: "context 1 / 2 tokens", At: 1_700_000_000_000}},
			Documents: []platform.HomeDocument{{Name: "report.pdf", Pages: 1, Link: "https://threadworks.slack.com/files/U1/F1"}}})
	}}
	if e.backup != nil {
		h.Stale, h.Stored, h.SetFresh = e.backup.Stale, e.backup.Stored, e.backup.SetFresh
	}
	if e.sweep != nil {
		h.NextPart, h.SetCompared, h.Files = e.sweep.NextPart, e.sweep.SetCompared, e.sweep.Files
	}
	go func() { done <- a.Run(ctx, platformtest.Handler(h), say.Commands("en")) }()
	end = sync.OnceValue(func() error { cancel(); return <-done })
	t.Cleanup(func() { _ = end() })
	return end
}

func socketed(t *testing.T, o fakeslack.Options) (*fakeslack.Server, *ear, func() error) {
	if o.RetryWaits == nil {
		o.RetryWaits = make([]time.Duration, 200)
	}
	o.AckWait, o.TriggerLife = cmp.Or(o.AckWait, time.Minute), cmp.Or(o.TriggerLife, time.Minute)
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
