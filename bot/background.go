package bot

import (
	"context"
	"time"
)

const (
	keepQueue  = 30 * 24 * time.Hour // how long finished rows of the queues are kept
	purgeEvery = time.Hour
)

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

func (b *Bot) compact(ctx context.Context) {
	if b.Compactor == nil {
		return
	}
	for failures := 0; ; {
		worked := false
		err := guard(func() (err error) {
			worked, err = b.Compactor.Next(ctx, b.owner)
			return err
		})
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			failures++
			b.Log.Error("compaction failed", "error", err)
			sleep(ctx, backoff(failures))
		case worked:
			failures = 0
			b.finished.ring()
		default:
			b.compactions.wait(ctx, poll)
		}
	}
}

// Drain waits until nothing is pending: no message to answer, no command to
// apply, no post to deliver, no compaction due, no page about us to look at again. It fails with memory.ErrDisk when what is pending
// cannot be stored.
func (b *Bot) Drain(ctx context.Context) error {
	b.init()
	refused := b.Store.Refused()
	for {
		// A turn may still correct its post or post a notice after it has ended in the store. One that was left
		// while the store was read may have added such a post since.
		running, before := b.running.count()
		busy, err := b.Store.Queue.CountOpen(ctx, b.names()...)
		if err != nil {
			return wrap("look for pending work", err)
		}
		_, after := b.running.count()
		busy += running + after - before
		for _, h := range b.homes {
			busy += h.pending()
		}
		compacting := 0
		if busy == 0 && b.Compactor != nil {
			if compacting, err = b.Store.CountCompactions(ctx); err != nil {
				return wrap("look for compactions", err)
			}
		}
		if busy+compacting == 0 {
			return nil
		}
		if now := b.Store.Refused(); now != refused && running == 0 { // a turn that still runs may have something to show
			return *now
		}
		if !b.finished.wait(ctx, drainPoll) {
			return ctx.Err()
		}
	}
}

// drainPoll is how late Drain may notice the end of what another process did.
const drainPoll = 50 * time.Millisecond

const (
	clockEvery = time.Second     // between two checks of the clock
	clockSlack = 2 * time.Second // a smaller step back goes unnoticed: retries wait that much longer
)

// watchClock notices when the clock is set back. Retries are scheduled by wall-clock time and
// would wait until it comes round again, so they are all due at once.
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

// checkpoint moves the write-ahead log into the database file regularly, so that a copy of that
// file alone is almost complete.
func (b *Bot) checkpoint(ctx context.Context) {
	for sleep(ctx, b.Checkpoint) {
		if err := b.Store.Checkpoint(ctx); err != nil && ctx.Err() == nil {
			b.Log.Error("could not checkpoint the database", "error", err)
		}
	}
}

// scrubEvery is the shortest time between two erasures in the file; if they are slow they
// are run less often, so that they take at most a twentieth of
// the time.
const (
	scrubEvery = 5 * time.Second
	scrubShare = 20
)

// secureErase erases deleted text from the file, some seconds after the deletion: once for
// all deletions of these seconds, and once more before it returns.
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
