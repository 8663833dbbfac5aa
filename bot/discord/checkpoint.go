package discord

import (
	"context"
	"sync"
	"time"
)

// debts are what is owed to workspaces. The zero value is ready.
type debts struct {
	mu sync.Mutex
	of map[string]*debt
}

// debt is what was missed in a workspace since a message, until all of it was read. It is
// stored: what is said meanwhile is newer, and does not tell a process that begins then.
type debt struct {
	since string // "" if nothing is owed
	open  int    // readings under way
	lost  bool   // one of them was given up
}

// owe notes that what was said in a workspace after since may have been missed, or after an
// earlier message if that is owed already. Without since nothing is owed besides.
func (in *inlet) owe(ctx context.Context, workspace, since string) error {
	if in.h.MissedSince != nil {
		owed, err := in.h.MissedSince(ctx, workspace)
		if err != nil {
			return err
		}
		if before := snowflake(owed); !owed.IsZero() && (since == "" || newer(since, before)) {
			since = before
		} else if since != "" {
			if err := in.h.SetMissedSince(ctx, workspace, createdAt(since)); err != nil {
				return err
			}
		}
	}
	in.debts.mu.Lock()
	defer in.debts.mu.Unlock()
	if in.debts.of == nil {
		in.debts.of = make(map[string]*debt)
	}
	in.debts.of[workspace] = &debt{since: since}
	return nil
}

// reading is what is owed to a workspace, of which something is about to be read; done is
// told afterwards whether it was. With the last one the debt is settled, if none was given
// up and there is no new debt.
func (in *inlet) reading(ctx context.Context, workspace string) (since string, done func(read bool)) {
	in.debts.mu.Lock()
	defer in.debts.mu.Unlock()
	d := in.debts.of[workspace]
	if d == nil {
		return "", func(bool) {}
	}
	d.open++
	return d.since, func(read bool) {
		in.debts.mu.Lock()
		defer in.debts.mu.Unlock()
		d.open--
		d.lost = d.lost || !read
		if d.open > 0 || d.lost || in.debts.of[workspace] != d || ctx.Err() != nil {
			return
		}
		delete(in.debts.of, workspace)
		if d.since == "" || in.h.SetMissedSince == nil {
			return
		}
		if err := in.h.SetMissedSince(ctx, workspace, time.Time{}); err != nil {
			in.a.Log.Error("keep that all was read", "error", err)
		}
	}
}
