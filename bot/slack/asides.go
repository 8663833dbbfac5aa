package slack

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

const (
	asidesAtOnce = 8
	asideTime    = 20 * time.Second
)

// asides are what nobody waits for: suggested prompts, titles, the page about us. One
// too many is left out, and one that fails is only logged.
type asides struct {
	room chan struct{}
	all  sync.WaitGroup
	log  *slog.Logger
}

func newAsides(log *slog.Logger) *asides {
	return &asides{room: make(chan struct{}, asidesAtOnce), log: log}
}

// do runs work beside the caller.
func (s *asides) do(ctx context.Context, what string, work func(context.Context) error) {
	select {
	case s.room <- struct{}{}:
	default:
		s.log.Info("left out, too much at once", "what", what)
		return
	}
	s.all.Go(func() {
		defer func() { <-s.room }()
		ctx, cancel := context.WithTimeout(ctx, asideTime)
		defer cancel()
		if err := guard(func() error { return work(ctx) }); err != nil && !errors.Is(err, context.Canceled) {
			s.log.Warn("failed", "what", what, "error", err)
		}
	})
}

func (s *asides) wait() { s.all.Wait() }

// guard makes an error of a panic.
func guard(work func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("slack: panic: %v", r)
		}
	}()
	return work()
}
