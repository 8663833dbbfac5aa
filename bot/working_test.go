package bot

import (
	"context"
	"log/slog"
	"testing"

	"threadkeeper/agent"
)

// signs is a platform that hands on what it is asked to show of a turn.
type signs struct {
	Platform
	shown chan string
}

func (s signs) Limits() Limits { return Limits{} }

func (s signs) Status(_ context.Context, _ Address, status string) error {
	s.shown <- status
	return nil
}

func TestATurnShowsThatItIsWorkedOn(t *testing.T) {
	s := signs{shown: make(chan string, 10)}
	l := &live{platform: s, log: slog.New(slog.DiscardHandler)}
	l.start(t.Context())
	if got := <-s.shown; got != "" {
		t.Errorf("a turn with nothing to say shows %q", got)
	}
	l.emit(agent.Progress{Status: "Reading report.pdf"})
	if got := <-s.shown; got != "Reading report.pdf" {
		t.Errorf("shown %q", got)
	}
	l.end()
}
