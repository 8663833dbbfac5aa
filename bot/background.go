package bot

import (
	"context"
	"time"
)

const (
	keepQueue  = 30 * 24 * time.Hour // what the queues hold of what is done with
	purgeEvery = time.Hour
)

// purge deletes what the queues need no more, and old copies of the database, until ctx is done.
func (b *Bot) purge(ctx context.Context) {
	for sleep(ctx, jitter(purgeEvery)) {
		if err := b.Store.RemoveUpgradeCopies(); err != nil {
			b.Log.Error("could not remove old copies of the database", "error", err)
		}
		n, err := b.Store.Queue.Purge(ctx, b.Store.Now()-keepQueue.Milliseconds())
		if err != nil && ctx.Err() == nil {
			b.Log.Error("could not purge the queues", "error", err)
		}
		if n > 0 {
			b.Log.Info("purged the queues", "rows", n)
		}
	}
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
			b.Log.Error("compaction failed", "error", err)
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
// apply, no post to deliver, no compaction due.
func (b *Bot) Drain(ctx context.Context) error {
	b.init()
	for pause := drainPoll; ; pause = min(pause*11/10, drainPollMost) {
		busy, err := b.Store.Queue.CountOpen(ctx, b.names()...)
		if err != nil {
			return wrap("look for pending work", err)
		}
		busy += b.running.count() // a cancelled turn still has its post to put right
		compacting := 0
		if busy == 0 && b.Compactor != nil {
			if compacting, err = b.Store.CountCompactions(ctx); err != nil {
				return wrap("look for compactions", err)
			}
		}
		if busy+compacting == 0 {
			return nil
		}
		if !sleep(ctx, pause) {
			return ctx.Err()
		}
	}
}

// How often Drain looks: at first, and at least. In between it waits a tenth longer each time, so that it is
// late by no more than a tenth, and a slow model costs no processor time.
const (
	drainPoll     = 5 * time.Millisecond
	drainPollMost = 100 * time.Millisecond
)

const (
	clockEvery = time.Second     // between two looks at the clock
	clockSlack = 2 * time.Second // less than that it may be set back unnoticed: retries wait so much longer
)

// watchClock lets nothing wait for a clock that was set back to show a time again: what is
// to be tried again is tried at once.
func (b *Bot) watchClock(ctx context.Context) {
	shown, since := b.Store.Now(), time.Now()
	for sleep(ctx, clockEvery) {
		now := b.Store.Now()
		back := time.Since(since) - time.Duration(now-shown)*time.Millisecond // of a monotonic clock
		shown, since = now, time.Now()
		if back < clockSlack {
			continue
		}
		b.Log.Warn("the clock was set back", "by", back.Round(time.Second))
		if err := b.Store.Queue.ResetDelays(ctx); err != nil && ctx.Err() == nil {
			b.Log.Error("could not retry waiting messages", "error", err)
		}
		b.turns.ring()
		b.posts.ring()
		b.compactions.ring()
	}
}

// checkpoint keeps the database's own file up to date, so that a copy of it alone is hardly behind.
func (b *Bot) checkpoint(ctx context.Context) {
	for sleep(ctx, b.Checkpoint) {
		if err := b.Store.Checkpoint(ctx); err != nil && ctx.Err() == nil {
			b.Log.Error("could not checkpoint the database", "error", err)
		}
	}
}

// scrubEvery is how often the file is made to forget what was deleted, at most; a file
// that takes long is scrubbed less often, so that it takes no more than a twentieth of
// the time.
const (
	scrubEvery = 5 * time.Second
	scrubShare = 20
)

// secureErase makes the file forget what people delete, some seconds after they did: once for
// all of these seconds, and before it returns.
func (b *Bot) secureErase(ctx context.Context) {
	pause := scrubEvery
	for ctx.Err() == nil {
		if b.erasures.wait(ctx, time.Hour) {
			sleep(ctx, pause)
		}
		start := time.Now()
		if err := b.Store.SecureErase(context.WithoutCancel(ctx)); err != nil {
			b.Log.Error("could not erase freed pages of the database", "error", err)
			b.erasures.ring()
		}
		pause = max(scrubEvery, scrubShare*time.Since(start))
	}
}
