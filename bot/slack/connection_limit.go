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
	connectEvery       = time.Minute      // apps.connections.open is a method of tier 1: one a minute, and short bursts
	minBetweenConnects = time.Second      // between two connections if the first did not last
	connectBurst       = 8                // connections that need not be a minute apart
	reservedConnects   = 3                // of them for when we have no connection
	longOutage         = time.Minute      // without a connection, after which Slack may have given up an event
	greetingTime       = 5 * time.Second  // how long we expect Slack to greet a connection that was asked for
	openTime           = 30 * time.Second // for one apps.connections.open
)

// connectionLimit delays apps.connections.open when connections follow one another quickly: the library connects again at once when a connection it had is closed. One
// serves all our connections; the one that is left can wait for another, having none
// cannot.
type connectionLimit struct {
	base http.RoundTripper
	now  func() time.Time

	mu              sync.Mutex
	up              map[int]bool      // connections that Slack has greeted
	asked           map[int]time.Time // when each was asked for
	spare           float64           // connections that may be asked for now
	filled          time.Time         // when spare was counted
	connectedBefore bool              // Slack has greeted one
	downSince       time.Time         // since when there is no connection; zero while there is one
	pausedUntil     time.Time         // when Slack takes the next request
}

func newConnectionLimit(c *http.Client) *connectionLimit {
	base := c.Transport
	if base == nil {
		base = http.DefaultTransport
	}
	return &connectionLimit{base: base, now: time.Now, up: make(map[int]bool), asked: make(map[int]time.Time), spare: connectBurst}
}

type limitedConnection struct {
	*connectionLimit
	n int
}

// noteConnected notes that a connection is there. It reports whether there was none for so long
// that something may have been missed, and since when; of the first one, the zero time.
func (b *connectionLimit) noteConnected(n int) (since time.Time, away bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.connectedBefore {
		since, away = b.downSince, !b.downSince.IsZero() && b.now().Sub(b.downSince) > longOutage
	} else {
		away = true
	}
	b.up[n], b.connectedBefore, b.downSince = true, true, time.Time{}
	return since, away
}

// RoundTrip makes the request once it is allowed.
func (b limitedConnection) RoundTrip(req *http.Request) (*http.Response, error) {
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
		b.pause(time.Duration(seconds) * time.Second)
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
func (b *connectionLimit) wait(ctx context.Context, n int) error {
	for {
		pause := b.next(n, b.now())
		if pause <= 0 {
			return ctx.Err()
		}
		if err := kit.Pause(ctx, min(pause, minBetweenConnects)); err != nil {
			return err
		}
	}
}

// next is how long connection n, wanted now, has to wait; if it has not, it is counted.
func (b *connectionLimit) next(n int, now time.Time) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.filled.IsZero() {
		b.filled = now
	}
	b.spare = min(connectBurst, b.spare+float64(now.Sub(b.filled))/float64(connectEvery))
	b.filled = now
	delete(b.up, n)
	if len(b.up) == 0 && b.downSince.IsZero() {
		b.downSince = now
	}
	need := 1.0
	for other, last := range b.asked {
		if other != n && (b.up[other] || now.Sub(last) < greetingTime) {
			need += reservedConnects
			break
		}
	}
	wait := max(0, b.pausedUntil.Sub(now), time.Duration((need-b.spare)*float64(connectEvery)))
	if last, again := b.asked[n]; again {
		wait = max(wait, last.Add(minBetweenConnects).Sub(now))
	}
	if wait == 0 {
		b.spare--
		b.asked[n] = now
	}
	return wait
}

// pause makes every connection wait for d at least.
func (b *connectionLimit) pause(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if until := b.now().Add(d); until.After(b.pausedUntil) {
		b.pausedUntil = until
	}
}
