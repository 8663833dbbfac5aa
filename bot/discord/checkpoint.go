package discord

import (
	"context"
	"sync"
	"time"
)

// checkpoints holds those of all workspaces. The zero value is ready to use.
type checkpoints struct {
	mu          sync.Mutex
	byWorkspace map[string]*checkpoint
}

// checkpoint is the message after which events of a workspace may have been missed, until
// all of them were read. It is stored: newer messages arrive meanwhile and would hide the gap from
// the next process.
type checkpoint struct {
	since      string // "" if nothing was missed
	reads      int    // in progress
	incomplete bool   // one of the reads was given up
}

// setCheckpoint notes that messages of a workspace after since may have been missed, or after
// the stored checkpoint if that is earlier. An empty since adds nothing to what is stored.
func (in *intake) setCheckpoint(ctx context.Context, workspace, since string) error {
	if in.handler.MissedSince != nil {
		stored, err := in.handler.MissedSince(ctx, workspace)
		if err != nil {
			return err
		}
		if before := snowflake(stored); !stored.IsZero() && (since == "" || newer(since, before)) {
			since = before
		} else if since != "" {
			if err := in.handler.SetMissedSince(ctx, workspace, createdAt(since)); err != nil {
				return err
			}
		}
	}
	in.checkpoints.mu.Lock()
	defer in.checkpoints.mu.Unlock()
	if in.checkpoints.byWorkspace == nil {
		in.checkpoints.byWorkspace = make(map[string]*checkpoint)
	}
	in.checkpoints.byWorkspace[workspace] = &checkpoint{since: since}
	return nil
}

// startRead begins reading the missed messages of a workspace and returns its checkpoint; done
// ends it and says whether it succeeded. The last one clears the checkpoint, if none was
// given up and no newer checkpoint is set.
func (in *intake) startRead(ctx context.Context, workspace string) (since string, done func(read bool)) {
	in.checkpoints.mu.Lock()
	defer in.checkpoints.mu.Unlock()
	d := in.checkpoints.byWorkspace[workspace]
	if d == nil {
		return "", func(bool) {}
	}
	d.reads++
	return d.since, func(read bool) {
		in.checkpoints.mu.Lock()
		defer in.checkpoints.mu.Unlock()
		d.reads--
		d.incomplete = d.incomplete || !read
		if d.reads > 0 || d.incomplete || in.checkpoints.byWorkspace[workspace] != d || ctx.Err() != nil {
			return
		}
		delete(in.checkpoints.byWorkspace, workspace)
		if d.since == "" || in.handler.SetMissedSince == nil {
			return
		}
		if err := in.handler.SetMissedSince(ctx, workspace, time.Time{}); err != nil {
			in.a.Log.Error("could not save the catch-up checkpoint", "error", err)
		}
	}
}
