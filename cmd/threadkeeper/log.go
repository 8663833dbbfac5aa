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
	return slog.New(diskErrorLimit{h, new(atomic.Int64)})
}

// diskErrorLimit is a log that says once a minute that nothing can be stored: every event
// and every worker fails then, and the log may be on the same full disk.
type diskErrorLimit struct {
	slog.Handler
	said *atomic.Int64 // when it did last, nanoseconds
}

func (c diskErrorLimit) Handle(ctx context.Context, r slog.Record) error {
	if aboutDisk(r) {
		now, said := r.Time.UnixNano(), c.said.Load()
		if now-said < time.Minute.Nanoseconds() || !c.said.CompareAndSwap(said, now) {
			return nil
		}
	}
	return c.Handler.Handle(ctx, r)
}

func (c diskErrorLimit) WithAttrs(attrs []slog.Attr) slog.Handler {
	return diskErrorLimit{c.Handler.WithAttrs(attrs), c.said}
}

func (c diskErrorLimit) WithGroup(name string) slog.Handler {
	return diskErrorLimit{c.Handler.WithGroup(name), c.said}
}

// aboutDisk reports whether a record is about an error of the disk.
func aboutDisk(r slog.Record) (found bool) {
	r.Attrs(func(a slog.Attr) bool {
		err, ok := a.Value.Any().(error)
		found = ok && errors.Is(memory.Explain(err), memory.ErrDisk)
		return !found
	})
	return found
}
