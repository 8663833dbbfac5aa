package kit

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"threadkeeper/bot/platform"
)

// storedTimes is a store of checkpoints.
type storedTimes struct {
	of   map[string]time.Time
	fail error
}

func (s *storedTimes) checkpoints() *Checkpoints {
	return &Checkpoints{Log: slog.New(slog.DiscardHandler), Handler: platform.Handler{
		MissedSince: func(_ context.Context, part string) (time.Time, error) { return s.of[part], s.fail },
		SetMissedSince: func(_ context.Context, part string, since time.Time) error {
			if s.fail == nil {
				s.of[part] = since
			}
			return s.fail
		},
	}}
}

func TestACheckpointStaysUntilEverythingWasRead(t *testing.T) {
	t.Parallel()
	at := func(n int64) time.Time { return time.Unix(n, 0) }
	store := &storedTimes{of: map[string]time.Time{"one": at(50)}}
	c := store.checkpoints()
	set := func(n int64, want time.Time) {
		t.Helper()
		if err := c.Set(t.Context(), "one", at(n)); err != nil || !store.of["one"].Equal(want) {
			t.Fatalf("%v, %v", store.of["one"], err)
		}
	}
	set(70, at(50)) // what another process has not read
	set(30, at(30))
	since, _, first := c.Begin(t.Context(), "one")
	_, _, second := c.Begin(t.Context(), "one")
	first(true)
	if !since.Equal(at(30)) || store.of["one"].IsZero() {
		t.Error("cleared while it is read", since)
	}
	set(90, at(30)) // a newer absence
	second(true)
	if store.of["one"].IsZero() {
		t.Error("a newer checkpoint was cleared")
	}
	_, _, done := c.Begin(t.Context(), "one")
	if done(true); !store.of["one"].IsZero() {
		t.Error("all was read", store.of["one"])
	}
	set(100, at(100))
	_, _, given := c.Begin(t.Context(), "one")
	given(false)
	ended, end := context.WithCancel(t.Context())
	set(110, at(100))
	_, _, late := c.Begin(ended, "one")
	end()
	if late(true); !store.of["one"].Equal(at(100)) {
		t.Error("cleared though something was not read")
	}
}

func TestACheckpointIsNotLostWhileTheStoreFails(t *testing.T) {
	t.Parallel()
	store := &storedTimes{of: map[string]time.Time{}, fail: errors.New("disk full")}
	c := store.checkpoints()
	if c.Set(t.Context(), "one", time.Unix(30, 0)) == nil {
		t.Fatal("no error")
	}
	store.fail = nil
	if err := c.Set(t.Context(), "one", time.Unix(90, 0)); err != nil || store.of["one"].Unix() != 30 {
		t.Errorf("%v, %v", store.of["one"], err)
	}
}
