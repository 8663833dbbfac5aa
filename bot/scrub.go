package bot

import (
	"context"
	"time"
)

// scrubEvery is how often the file is made to forget what was deleted, at most; a file
// that takes long is scrubbed less often, so that it takes no more than a twentieth of
// the time.
const (
	scrubEvery = 5 * time.Second
	scrubShare = 20
)

// scrub makes the file forget what people delete, some seconds after they did: once for
// all of these seconds, and before it returns.
func (b *Bot) scrub(ctx context.Context) {
	pause := scrubEvery
	for ctx.Err() == nil {
		if b.erasures.wait(ctx, time.Hour) {
			sleep(ctx, pause)
		}
		start := time.Now()
		if err := b.Store.SecureErase(context.WithoutCancel(ctx)); err != nil {
			b.Log.Error("scrub the database", "error", err)
			b.erasures.ring()
		}
		pause = max(scrubEvery, scrubShare*time.Since(start))
	}
}
