package bot

import (
	"context"
	"log/slog"
	"testing"

	"threadkeeper/agent"
	"threadkeeper/bot/platform"
)

// signs is a platform that hands on what it is asked to show of a turn.
type signs struct {
	platform.Platform
	shown chan string
}

func (s signs) Limits() platform.Limits { return platform.Limits{} }

func (s signs) Status(_ context.Context, _ platform.Address, status string) error {
	s.shown <- status
	return nil
}

func TestATurnShowsThatItIsWorkedOn(t *testing.T) {
	s := signs{shown: make(chan string, 10)}
	l := &turnView{platform: s, whom: &addressee{decided: true}, log: slog.New(slog.DiscardHandler)}
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

// clumsy is a platform that panics whatever it is asked to show of a turn.
type clumsy struct{ platform.Platform }

func (clumsy) Limits() platform.Limits                                { return platform.Limits{} }
func (clumsy) Status(context.Context, platform.Address, string) error { panic("status") }
func (clumsy) Stream(context.Context, platform.Address, string) (platform.Stream, error) {
	return clumsy{}, nil
}
func (clumsy) Append(context.Context, string) error                           { panic("append") }
func (clumsy) Ref() platform.Ref                                              { return "" }
func (clumsy) Close(context.Context, platform.Outgoing) (platform.Ref, error) { return "", nil }

func TestAPlatformThatPanicsEndsNoTurn(t *testing.T) {
	l := &turnView{platform: clumsy{}, whom: &addressee{decided: true}, log: slog.New(slog.DiscardHandler), text: true}
	l.start(t.Context())
	l.emit(agent.Progress{Status: "Reading report.pdf"})
	l.emit(agent.Progress{Text: "Hello"})
	if stream, whole := l.end(); stream == nil || whole || l.said() != "Hello" {
		t.Errorf("stream %v, whole %v, said %q", stream, whole, l.said())
	}
}
