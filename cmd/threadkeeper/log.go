package main

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"threadkeeper/config"
	"threadkeeper/memory"
)

// newLog is the log on standard error.
func newLog(sys system, cfg *config.Config) *slog.Logger {
	options := &slog.HandlerOptions{Level: cfg.Level()}
	var h slog.Handler = slog.NewTextHandler(sys.Err, options)
	if cfg.LogFormat == "json" {
		h = slog.NewJSONHandler(sys.Err, options)
	}
	return slog.New(calm{h, new(atomic.Int64)})
}

// calm is a log that says once a minute that nothing can be stored: every event and every
// worker fails then, and the log may be on the same full disk.
type calm struct {
	slog.Handler
	said *atomic.Int64 // when it did last, nanoseconds
}

func (c calm) Handle(ctx context.Context, r slog.Record) error {
	if unstored(r) {
		now, said := r.Time.UnixNano(), c.said.Load()
		if now-said < time.Minute.Nanoseconds() || !c.said.CompareAndSwap(said, now) {
			return nil
		}
	}
	return c.Handler.Handle(ctx, r)
}

func (c calm) WithAttrs(attrs []slog.Attr) slog.Handler {
	return calm{c.Handler.WithAttrs(attrs), c.said}
}

func (c calm) WithGroup(name string) slog.Handler { return calm{c.Handler.WithGroup(name), c.said} }

// unstored reports whether a record is about an error of the disk.
func unstored(r slog.Record) (found bool) {
	r.Attrs(func(a slog.Attr) bool {
		err, ok := a.Value.Any().(error)
		found = ok && errors.Is(memory.Explain(err), memory.ErrDisk)
		return !found
	})
	return found
}
