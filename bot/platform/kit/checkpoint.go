package kit

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"threadkeeper/bot/platform"
)

// Checkpoints hold since when events of each part of a platform, such as a workspace, may have been missed, until all
// of them were read. They are stored: newer messages arrive meanwhile and would hide the gap from the next process.
type Checkpoints struct {
	Handler platform.Handler
	Log     *slog.Logger

	mu     sync.Mutex
	byPart map[string]*checkpoint
}

type checkpoint struct {
	since      time.Time // zero if nothing was missed
	set        time.Time
	reads      int  // in progress
	incomplete bool // one of the reads was given up
}

// Set notes that events of a part after since may have been missed, or after the time noted before if that is
// earlier. The zero time adds nothing to what is noted. It holds also after an error, which is the store's.
func (c *Checkpoints) Set(ctx context.Context, part string, since time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if old := c.byPart[part]; old != nil {
		since = earlierTime(since, old.since)
	}
	stored, err := c.Handler.MissedSince(ctx, part)
	if since = earlierTime(since, stored); err == nil && !since.Equal(stored) {
		err = c.Handler.SetMissedSince(ctx, part, since)
	}
	if c.byPart == nil {
		c.byPart = make(map[string]*checkpoint)
	}
	c.byPart[part] = &checkpoint{since: since, set: time.Now()}
	return err
}

// earlierTime returns the earlier one of two times; the zero time is none.
func earlierTime(x, y time.Time) time.Time {
	if x.IsZero() || !y.IsZero() && y.Before(x) {
		return y
	}
	return x
}

// Begin begins a read of what was missed in a part: since the checkpoint, which was set at a time. done ends the read and
// says whether all was read. The last one clears the checkpoint, if no read was given up and no newer checkpoint is set.
func (c *Checkpoints) Begin(ctx context.Context, part string) (since, set time.Time, done func(read bool)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	x := c.byPart[part]
	if x == nil {
		return time.Time{}, time.Time{}, func(bool) {}
	}
	x.reads++
	return x.since, x.set, func(read bool) {
		c.mu.Lock()
		defer c.mu.Unlock()
		x.reads--
		x.incomplete = x.incomplete || !read
		if x.reads > 0 || x.incomplete || c.byPart[part] != x || ctx.Err() != nil {
			return
		}
		if !x.since.IsZero() {
			if err := c.Handler.SetMissedSince(ctx, part, time.Time{}); err != nil {
				c.Log.Error("could not save the catch-up checkpoint", "error", err)
				return
			}
		}
		delete(c.byPart, part)
	}
}
