package kit

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// Driver catches up on a platform: every gap is read in its lane, again after an error, and the checkpoint of a part is
// cleared once all of its gaps were read. Beside that it compares what is stored with what is shown.
type Driver[M any] struct {
	Past[M]
	Checkpoints *Checkpoints
	// Lane reads a gap after what was left to the same lane before.
	Lane func(g *Gap, read func())
	// Retry reads a gap until there is no error, or gives it up. It returns false if another process may be able to read
	// what this one gave up.
	Retry func(ctx context.Context, g *Gap, read func() error) bool
	// Within compares a part of a conversation, and returns the error of compare.
	Within func(ctx context.Context, key memory.Key, compare func() error) error
}

// Compare compares what is stored until ctx is done: what came from a backup as a whole, everything else part by part.
func (d *Driver[M]) Compare(ctx context.Context, h platform.Handler, log *slog.Logger) {
	within := func(compare func(context.Context, platform.Seen) error) func(context.Context, platform.Seen) error {
		return func(ctx context.Context, stored platform.Seen) error {
			return d.Within(ctx, stored.Key, func() error { return compare(ctx, stored) })
		}
	}
	var all sync.WaitGroup
	defer all.Wait()
	all.Go(func() { Recheck(ctx, h, log, within(d.CompareAll)) })
	all.Go(func() { Sweep(ctx, h, log, within(d.ComparePart)) })
}

// Pass leaves the gaps of a part to their lanes. find is given the checkpoint of the part, and when it was set.
func (d *Driver[M]) Pass(ctx context.Context, part string, find func(since, set time.Time) []*Gap) {
	since, set, done := d.Checkpoints.Begin(ctx, part)
	for _, g := range find(since, set) {
		d.Put(ctx, g)
	}
	done(true)
}

// Put leaves a gap to its lane.
func (d *Driver[M]) Put(ctx context.Context, g *Gap) {
	_, _, done := d.Checkpoints.Begin(ctx, g.Key.Workspace)
	d.Lane(g, func() {
		read := false
		defer func() { done(read) }()
		read = d.Retry(ctx, g, func() error { return d.CatchUp(ctx, g) })
	})
}
