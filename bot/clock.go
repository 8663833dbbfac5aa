package bot

import (
	"context"
	"time"
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
			b.Log.Error("try again what waits", "error", err)
		}
		b.turns.ring()
		b.posts.ring()
		b.compactions.ring()
	}
}
