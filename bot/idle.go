package bot

import (
	"context"
	"time"
)

// idle makes the compaction of sessions due that have been quiet for Idle.
func (b *Bot) idle(ctx context.Context) {
	if b.Idle <= 0 {
		return // every turn ends in an idle session
	}
	seen := int64(0)
	for {
		until := b.Store.Now() - b.Idle.Milliseconds()
		if err := b.settleQuiet(ctx, seen, until); err != nil {
			if ctx.Err() == nil {
				b.Log.Error("look for idle sessions", "error", err)
			}
		} else {
			seen = until
		}
		if !sleep(ctx, jitter(min(b.Idle/4, time.Minute))) {
			return
		}
	}
}

const (
	keepQueue  = 30 * 24 * time.Hour // what the queues hold of what is done with
	purgeEvery = time.Hour
)

// purge deletes what the queues need no more, until ctx is done.
func (b *Bot) purge(ctx context.Context) {
	for sleep(ctx, jitter(purgeEvery)) {
		n, err := b.Store.Queue.Purge(ctx, b.Store.Now()-keepQueue.Milliseconds())
		if err != nil && ctx.Err() == nil {
			b.Log.Error("purge the queues", "error", err)
		}
		if n > 0 {
			b.Log.Info("purged the queues", "rows", n)
		}
	}
}

// settleQuiet makes the compaction of sessions due that were last active in
// (after, until].
func (b *Bot) settleQuiet(ctx context.Context, after, until int64) error {
	sessions, err := b.Store.IdleSessions(ctx, after, until)
	if err != nil {
		return wrap("find quiet sessions", err)
	}
	for _, id := range sessions {
		due, err := b.Store.ScheduleCompaction(ctx, id, true)
		if err != nil {
			return wrap("compact an idle session", err)
		}
		if due {
			b.compactions.ring()
		}
	}
	return nil
}

// compact takes due compactions until ctx is done.
func (b *Bot) compact(ctx context.Context) {
	if b.Compactor == nil {
		return
	}
	for failures := 0; ; {
		worked, err := false, error(nil)
		err = guard(func() (err error) {
			worked, err = b.Compactor.Next(ctx, b.owner)
			return err
		})
		if ctx.Err() != nil {
			return
		}
		pause := poll
		switch {
		case err != nil:
			failures++
			pause = backoff(failures)
			b.Log.Error("compact", "error", err)
			if !sleep(ctx, pause) {
				return
			}
			continue
		case worked:
			failures = 0
			continue
		}
		if !b.compactions.wait(ctx, pause) {
			return
		}
	}
}

// Drain waits until nothing is pending: no message to answer, no command to
// apply, no post to deliver, no compaction due, also of sessions that are quiet,
// which counts as idle here.
func (b *Bot) Drain(ctx context.Context) error {
	b.init()
	settled := false
	for {
		busy, err := b.Store.Queue.CountOpen(ctx, b.names()...)
		if err != nil {
			return wrap("look for pending work", err)
		}
		busy += b.running.count() // a cancelled turn still has its post to put right
		compacting := 0
		if busy == 0 && b.Compactor != nil {
			if !settled {
				if err := b.settleQuiet(ctx, 0, b.Store.Now()); err != nil {
					return err
				}
				settled = true
			}
			if compacting, err = b.Store.CountCompactions(ctx); err != nil {
				return wrap("look for compactions", err)
			}
		}
		if busy+compacting == 0 {
			return nil
		}
		if busy > 0 {
			settled = false
		}
		if !sleep(ctx, drainPoll) {
			return ctx.Err()
		}
	}
}

// drainPoll is how often Drain looks.
const drainPoll = 5 * time.Millisecond
