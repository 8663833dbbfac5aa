package discord

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"threadkeeper/bot/discord/fakediscord"
	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

func TestAnEventIsPassedOnlyWhenDone(t *testing.T) {
	t.Parallel()
	s := &session{}
	first, _ := s.begin(packet{Seq: 1, Type: "READY"})
	second, _ := s.begin(packet{Seq: 2})
	third, _ := s.begin(packet{Seq: 3})
	at := func(want int64) {
		t.Helper()
		if n := s.at.done(); n != want {
			t.Errorf("resumes at %d, want %d", n, want)
		}
	}
	at(1) // READY is not told again
	first()
	third()
	at(1)
	if _, fresh := s.begin(packet{Seq: 3}); fresh {
		t.Error("an event that was told again is worked on twice")
	}
	second()
	at(3)
	s.begin(packet{Seq: 1, Type: "READY"})
	third() // of the session before
	if _, fresh := s.begin(packet{Seq: 3}); !fresh {
		t.Error("an event of the next session is taken for one of the last")
	}
	at(1)
}

// silent is a Discord that does not tell of one channel.
type silent struct {
	next    http.RoundTripper
	channel string
}

func (s silent) RoundTrip(r *http.Request) (*http.Response, error) {
	if strings.HasSuffix(r.URL.Path, "/channels/"+s.channel) {
		return answers(http.StatusServiceUnavailable, "", "Retry-After", "60"), nil
	}
	return s.next.RoundTrip(r)
}

func (s silent) CloseIdleConnections() { http.DefaultClient.CloseIdleConnections() }

func TestAnUnreachablePlaceHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	const hidden = "4711"
	w.a.HTTP = &http.Client{Transport: silent{http.DefaultTransport, hidden}}
	w.run()
	w.s.Dispatch(w.guild, "MESSAGE_CREATE", map[string]any{"id": "4712", "channel_id": hidden, "guild_id": w.guild, "type": 0,
		"content": "in a place that is not told", "author": map[string]any{"id": w.ada, "username": "ada"}})
	w.say("elsewhere")
	w.until(platform.EventMessage, 1)
	w.s.Invalidate(false)
	w.ready()
	w.say("in the next session")
	w.until(platform.EventMessage, 2)
	if got := w.texts(); !slices.Equal(got, []string{"elsewhere", "in the next session"}) {
		t.Errorf("received %q", got)
	}
}

func TestUnstoredEventsAreRedeliveredAfterAResume(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	var mu sync.Mutex
	full := true
	w.refuse = func(ev platform.Event) error {
		mu.Lock()
		defer mu.Unlock()
		if full && ev.Text == "refused" {
			return errors.New("the disk is full")
		}
		return nil
	}
	w.run()
	other := w.s.AddChannel(w.guild, fakediscord.Channel{Name: "other", Type: fakediscord.TextChannel})
	w.say("refused")
	w.s.Say(fakediscord.Said{User: w.ada, Channel: other, Text: "side by side"})
	w.until(platform.EventMessage, 1)
	w.s.Cut()
	w.ready()
	w.s.Say(fakediscord.Said{User: w.ada, Channel: other, Text: "after"})
	w.until(platform.EventMessage, 2)
	mu.Lock()
	full = false
	mu.Unlock()
	w.until(platform.EventMessage, 3)
	if got := w.texts(); !slices.Equal(got, []string{"side by side", "after", "refused"}) {
		t.Errorf("received %q", got)
	}
	if n := w.s.Identified(); n != 1 {
		t.Errorf("%d sessions, want 1", n)
	}
}

// unread is a Discord that does not show what was said in one channel, at first.
type unread struct {
	next    http.RoundTripper
	channel string
	mended  *atomic.Bool
}

func (u unread) RoundTrip(r *http.Request) (*http.Response, error) {
	if strings.HasSuffix(r.URL.Path, "/channels/"+u.channel+"/messages") && !u.mended.Load() {
		return answers(http.StatusServiceUnavailable, ""), nil
	}
	return u.next.RoundTrip(r)
}

func (u unread) CloseIdleConnections() { http.DefaultClient.CloseIdleConnections() }

func TestAChannelThatCannotBeReadBackHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	other := w.s.AddChannel(w.guild, fakediscord.Channel{Name: "other", Type: fakediscord.TextChannel})
	w.run()
	w.say("before")
	w.until(platform.EventMessage, 1)
	var mended atomic.Bool
	w.restart(func() {
		w.a.HTTP = &http.Client{Transport: unread{http.DefaultTransport, w.general, &mended}}
		w.say("missed")
		w.s.Say(fakediscord.Said{User: w.ada, Channel: other, Text: "missed elsewhere"})
	})
	w.say("live")
	w.s.Say(fakediscord.Said{User: w.ada, Channel: other, Text: "live elsewhere"})
	w.until(platform.EventMessage, 3)
	if got := w.texts(); !slices.Equal(got, []string{"before", "missed elsewhere", "live elsewhere"}) {
		t.Errorf("received %q", got)
	}
	mended.Store(true)
	w.until(platform.EventMessage, 5)
	if got := w.texts(); !slices.Equal(got[3:], []string{"missed", "live"}) {
		t.Errorf("received %q", got)
	}
}

// lookups counts what is asked of Discord about people and places.
type lookups struct {
	next http.RoundTripper
	n    *atomic.Int64
}

func (a lookups) RoundTrip(r *http.Request) (*http.Response, error) {
	if strings.Contains(r.URL.Path, "/members/") || strings.Contains(r.URL.Path, "/channels/") && !strings.HasSuffix(r.URL.Path, "/messages") {
		a.n.Add(1)
	}
	return a.next.RoundTrip(r)
}

func (a lookups) CloseIdleConnections() { http.DefaultClient.CloseIdleConnections() }

func TestIgnoredEventsCostNoLookUp(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.run()
	w.say("before")
	w.until(platform.EventMessage, 1)
	var n atomic.Int64
	w.restart(func() {
		w.a.HTTP = &http.Client{Transport: lookups{http.DefaultTransport, &n}}
		w.s.SetNick(w.guild, w.bob, "Bobby")
		w.s.Say(fakediscord.Said{User: w.bob, Channel: w.general, Text: "missed"})
	})
	somebody := map[string]any{"id": "7000", "username": "somebody"}
	const pinned = 6
	w.s.Dispatch(w.guild, "MESSAGE_CREATE", map[string]any{"id": "7001", "channel_id": "7002", "guild_id": w.guild, "type": pinned, "content": "", "author": somebody})
	w.s.Dispatch(w.guild, "MESSAGE_UPDATE", map[string]any{"id": "7001", "channel_id": "7002", "guild_id": w.guild, "embeds": []any{}})
	w.say("live")
	got := w.until(platform.EventMessage, 3)
	if n.Load() != 0 {
		t.Errorf("%d look-ups", n.Load())
	}
	ev := got[1]
	w.a.Complete(t.Context(), &ev, true)
	if ev.Author.Name != "Bobby" || n.Load() != 1 {
		t.Errorf("said by %+v after %d look-ups", ev.Author, n.Load())
	}
}

// TestADeletionWaitsUntilItsPlaceIsKnown, however many attempts that takes, and holds up nothing else in its channel.
func TestADeletionWaitsUntilItsPlaceIsKnown(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	quiet := w.s.AddChannel(w.guild, fakediscord.Channel{Name: "quiet", Type: fakediscord.TextChannel})
	said := w.s.Say(fakediscord.Said{User: w.ada, Channel: quiet, Text: "to be deleted"})
	var tries atomic.Int32
	var mended atomic.Bool
	w.a.HTTP = &http.Client{Transport: untold{http.DefaultTransport, "/channels/" + quiet, &tries, &mended}}
	w.run()
	w.say("first")
	w.until(platform.EventMessage, 1)
	w.a.places.dropChannel(quiet)
	w.s.Delete(quiet, said.ID)
	w.eventually(func() bool { return tries.Load() > 2*maxAttempts }, "more attempts than any event gets")
	w.say("elsewhere")
	w.until(platform.EventMessage, 2)
	mended.Store(true)
	if got := w.until(platform.EventDelete, 1); got[0].Message != said.ID {
		t.Errorf("deletions %+v", got)
	}
}

// untold is a Discord that fails to tell of one path until it is mended.
type untold struct {
	next   http.RoundTripper
	path   string
	tries  *atomic.Int32
	mended *atomic.Bool
}

func (u untold) RoundTrip(r *http.Request) (*http.Response, error) {
	if !u.mended.Load() && strings.HasSuffix(r.URL.Path, u.path) {
		u.tries.Add(1)
		return answers(http.StatusForbidden, ""), nil
	}
	return u.next.RoundTrip(r)
}

func (u untold) CloseIdleConnections() { http.DefaultClient.CloseIdleConnections() }

// TestAnEventThatCannotBeStoredIsGivenUp once many others were: it would hold up its channel for ever.
func TestAnEventThatCannotBeStoredIsGivenUp(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	other := w.s.AddChannel(w.guild, fakediscord.Channel{Name: "other", Type: fakediscord.TextChannel})
	var tries atomic.Int32
	w.refuse = func(ev platform.Event) error {
		if ev.Text == "bad" {
			tries.Add(1)
			return errors.New("it has no place in the store")
		}
		return nil
	}
	w.run()
	w.say("bad")
	w.say("good")
	w.eventually(func() bool { return tries.Load() > 2*maxAttempts }, "more attempts than any event gets")
	if got := w.texts(); len(got) > 0 {
		t.Errorf("given up while nothing else was stored: received %q", got)
	}
	for range maxAttempts {
		w.s.Say(fakediscord.Said{User: w.ada, Channel: other, Text: "elsewhere"})
	}
	w.until(platform.EventMessage, maxAttempts+1)
	if got := w.texts(); !slices.Contains(got, "good") || slices.Contains(got, "bad") {
		t.Errorf("received %q", got)
	}
}

// TestWhatADiskOrADeletionWaitsForIsNotGivenUp, however much else is stored.
func TestWhatADiskOrADeletionWaitsForIsNotGivenUp(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	var others []string
	for _, name := range []string{"deleted", "other"} {
		others = append(others, w.s.AddChannel(w.guild, fakediscord.Channel{Name: name, Type: fakediscord.TextChannel}))
	}
	var room atomic.Bool
	var long, deletions atomic.Int32
	w.refuse = func(ev platform.Event) error {
		switch {
		case room.Load():
		case ev.Text == "long":
			long.Add(1)
			return fmt.Errorf("store: %w", memory.ErrDisk)
		case ev.Kind == platform.EventDelete:
			deletions.Add(1)
			return errors.New("it cannot be erased")
		}
		return nil
	}
	w.run()
	w.say("long")
	gone := w.s.Say(fakediscord.Said{User: w.ada, Channel: others[0], Text: "gone"})
	w.until(platform.EventMessage, 1)
	w.s.Delete(others[0], gone.ID)
	w.eventually(func() bool { return long.Load() > 0 && deletions.Load() > 0 }, "the first attempts")
	for range maxAttempts {
		w.s.Say(fakediscord.Said{User: w.ada, Channel: others[1], Text: "elsewhere"})
	}
	w.eventually(func() bool { return min(long.Load(), deletions.Load()) > 2*maxAttempts }, "more attempts than any other event gets")
	room.Store(true)
	w.until(platform.EventDelete, 1)
	w.until(platform.EventMessage, maxAttempts+2)
	if got := w.texts(); !slices.Contains(got, "long") {
		t.Errorf("received %q", got)
	}
}
