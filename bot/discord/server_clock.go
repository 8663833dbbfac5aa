package discord

import (
	"net/http"
	"sync/atomic"
	"time"
)

// serverClock is Discord's, as far as the headers of its answers tell: a machine's own may be
// wrong by more than the seconds in which an interaction has to be answered.
type serverClock struct {
	ahead atomic.Int64 // of ours, nanoseconds
}

// headerPrecision is what a Date header, in whole seconds and some time on its way, says
// nothing about.
const headerPrecision = 2 * time.Second

// adjust takes the header of an answer that has just come.
func (c *serverClock) adjust(h http.Header, now time.Time) {
	told, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		return
	}
	ahead := told.Add(500 * time.Millisecond).Sub(now)
	if ahead.Abs() < headerPrecision {
		ahead = 0
	}
	c.ahead.Store(int64(ahead))
}

// now is the time by Discord's clock.
func (a *Adapter) now() time.Time {
	return a.limits.clock().Add(time.Duration(a.clock.ahead.Load()))
}
