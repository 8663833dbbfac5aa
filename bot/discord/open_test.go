package discord

import (
	"context"
	"errors"
	"testing"
	"time"

	"threadkeeper/bot/discord/fakediscord"
)

// hung is a connection whose opening returns only when the test ends.
func hung(t *testing.T) (*gateway, *connection, func() error) {
	t.Helper()
	w := newTown(t, fakediscord.Options{})
	w.a.timing.open, w.a.timing.close = 20*time.Millisecond, 20*time.Millisecond
	g := &gateway{a: w.a, session: &session{}}
	c, err := w.a.connectTo(t.Context(), "ws://127.0.0.1:1", g.session, nil, 0, func(packet) {})
	if err != nil {
		t.Fatal(err)
	}
	end := make(chan struct{})
	t.Cleanup(func() { close(end) })
	return g, c, func() error { <-end; return nil }
}

func TestAnOpeningThatHangsIsAbandoned(t *testing.T) {
	t.Parallel()
	g, c, begin := hung(t)
	if err := g.open(t.Context(), c, begin); !errors.Is(err, errHangs) {
		t.Errorf("open: %v", err)
	}
}

func TestAnOpeningThatHangsDoesNotKeepRun(t *testing.T) {
	t.Parallel()
	g, c, begin := hung(t)
	g.a.timing.open = time.Hour
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := g.open(ctx, c, begin); err == nil {
		t.Error("opened")
	}
}

func TestAnOpeningThatPanicsIsGivenUp(t *testing.T) {
	t.Parallel()
	g, c, _ := hung(t)
	if err := g.open(t.Context(), c, func() error { panic("scripted") }); !errors.Is(err, errHangs) {
		t.Errorf("open: %v", err)
	}
}
