package bot

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"time"

	"threadkeeper/bot/platform/kit"
)

// poll is how often a queue is looked at although nobody rang.
const poll = 250 * time.Millisecond

// wake is a bell: it remembers one ring.
type wake chan struct{}

func newWake() wake { return make(wake, 1) }

func (w wake) ring() {
	select {
	case w <- struct{}{}:
	default:
	}
}

// wait returns when somebody rang, about d has passed, or ctx is done (false).
func (w wake) wait(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(jitter(d))
	defer t.Stop()
	select {
	case <-w:
	case <-t.C:
	case <-ctx.Done():
		return false
	}
	return ctx.Err() == nil
}

// jitter is d, up to a fifth longer.
func jitter(d time.Duration) time.Duration { return d + rand.N(d/5+1) }

// backoff is the pause before the attempt after n failed ones: 1 s doubled, at
// most a minute.
func backoff(n int) time.Duration { return jitter(min(time.Second<<min(max(n-1, 0), 6), time.Minute)) }

// sleep is false when ctx ended before d had passed.
func sleep(ctx context.Context, d time.Duration) bool { return kit.Pause(ctx, d) == nil }

// panicError is a recovered panic.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v", e.value) }

// guard runs fn and turns its panic into an error.
func guard(fn func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &panicError{v, debug.Stack()}
		}
	}()
	return fn()
}
