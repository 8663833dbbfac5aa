package slack

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"threadkeeper/bot/platform/kit"
)

const (
	calm      = time.Minute      // apps.connections.open is a method of tier 1: one a minute, and short bursts
	firstStep = time.Second      // between two connections of which the first did not last
	inBurst   = 8                // connections that need not be a minute apart
	kept      = 3                // of them for when we have no connection
	outage    = time.Minute      // without a connection, after which Slack may have given up an event
	greetTime = 5 * time.Second  // how long a connection is taken for one that will be greeted
	openTime  = 30 * time.Second // for one apps.connections.open
)

// brake holds back apps.connections.open when connections follow one another in a
// rush: the library connects again at once when a connection it had is closed. One
// serves all our connections; the one that is left can wait for another, having none
// cannot.
type brake struct {
	base http.RoundTripper
	now  func() time.Time

	mu     sync.Mutex
	up     map[int]bool      // connections that Slack has greeted
	last   map[int]time.Time // when each was asked for
	spare  float64           // connections that may be asked for now
	filled time.Time         // when spare was counted
	begun  bool              // Slack has greeted one
	alone  time.Time         // since when there is none; zero while there is
	held   time.Time         // until when Slack wants to hear nothing
}

// newBrake is for the connections of one adapter.
func newBrake(c *http.Client) *brake {
	base := c.Transport
	if base == nil {
		base = http.DefaultTransport
	}
	return &brake{base: base, now: time.Now, up: make(map[int]bool), last: make(map[int]time.Time), spare: inBurst}
}

// braked is the transport for one connection's requests.
type braked struct {
	*brake
	n int
}

// greeted notes that a connection is there. It reports whether there was none for so long
// that something may have been missed, and since when; of the first one, the zero time.
func (b *brake) greeted(n int) (since time.Time, away bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.begun {
		since, away = b.alone, !b.alone.IsZero() && b.now().Sub(b.alone) > outage
	} else {
		away = true
	}
	b.up[n], b.begun, b.alone = true, true, time.Time{}
	return since, away
}

// RoundTrip makes the request when its time has come.
func (b braked) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := b.wait(req.Context(), b.n); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(req.Context(), openTime)
	defer cancel()
	resp, err := b.base.RoundTrip(req.WithContext(ctx))
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if seconds, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && resp.StatusCode == http.StatusTooManyRequests {
		b.hold(time.Duration(seconds) * time.Second)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil {
		return nil, err
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

// wait returns when connection n may be asked for: it looks again now and then, as the
// other one may have gone meanwhile.
func (b *brake) wait(ctx context.Context, n int) error {
	for {
		pause := b.next(n, b.now())
		if pause <= 0 {
			return ctx.Err()
		}
		if err := kit.Pause(ctx, min(pause, firstStep)); err != nil {
			return err
		}
	}
}

// next is how long connection n, wanted now, has to wait; if it has not, it is counted.
func (b *brake) next(n int, now time.Time) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.filled.IsZero() {
		b.filled = now
	}
	b.spare = min(inBurst, b.spare+float64(now.Sub(b.filled))/float64(calm))
	b.filled = now
	delete(b.up, n)
	if len(b.up) == 0 && b.alone.IsZero() {
		b.alone = now
	}
	need := 1.0
	for other, last := range b.last {
		if other != n && (b.up[other] || now.Sub(last) < greetTime) {
			need += kept
			break
		}
	}
	wait := max(0, b.held.Sub(now), time.Duration((need-b.spare)*float64(calm)))
	if last, again := b.last[n]; again {
		wait = max(wait, last.Add(firstStep).Sub(now))
	}
	if wait == 0 {
		b.spare--
		b.last[n] = now
	}
	return wait
}

// hold makes every connection wait for d at least.
func (b *brake) hold(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if until := b.now().Add(d); until.After(b.held) {
		b.held = until
	}
}
