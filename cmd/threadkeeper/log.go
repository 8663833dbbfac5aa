package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"threadkeeper/config"
	"threadkeeper/memory"
)

// logFile is the log of a question and of a conversation, where log lines would stand among the answers.
func logFile(sys system, cfg *config.Config) string {
	return filepath.Join(filepath.Dir(databaseFile(sys, cfg)), "threadkeeper.log")
}

// maxLog is how large the file may be when the program starts: a larger one begins anew.
const maxLog = 1 << 20

// logToFile has the log written into its file, where it disturbs no answer; where that cannot
// be, the log stays on standard error. The caller closes the file.
func logToFile(sys *system, cfg *config.Config) io.Closer {
	path := logFile(*sys, cfg)
	if info, err := os.Stat(path); err == nil && info.Size() > maxLog {
		_ = os.Remove(path)
	}
	_ = os.MkdirAll(filepath.Dir(path), 0o700)
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return io.NopCloser(nil)
	}
	sys.Log = file
	return file
}

// newLog is the log: on standard error, unless logToFile was called.
func newLog(sys system, cfg *config.Config) *slog.Logger {
	out := sys.Err
	if sys.Log != nil {
		out = sys.Log
	}
	options := &slog.HandlerOptions{Level: cfg.Level()}
	var h slog.Handler = slog.NewTextHandler(out, options)
	if cfg.LogFormat == "json" {
		h = slog.NewJSONHandler(out, options)
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
