package discord

import (
	"context"
	"errors"
	"hash/fnv"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"threadkeeper/bot/platform"
)

// Limits of a bot as a whole
// (https://discord.com/developers/docs/topics/rate-limits).
const (
	perSecond     = 45               // requests, of 50
	maxInvalid    = 5000             // answers 401, 403 and 429 in invalidWindow, of 10,000
	invalidWindow = 10 * time.Minute // from the first of them
	maxBuckets    = 1024             // states that are remembered
	hookBuckets   = 64               // of interactions, whose tokens are many and short-lived
	longestLimit  = 24 * time.Hour   // what a header may ask for
	firstGuess    = 2 * time.Second  // after a 429 that does not say how long to wait
	longestGuess  = time.Minute      // after several in a row
)

// limits lets requests through as Discord's headers allow.
type limits struct {
	clock func() time.Time
	sleep func(context.Context, time.Duration) error

	mu      sync.Mutex
	all     *rate.Limiter
	stopped time.Time          // nothing is sent until then, but to interactions
	guess   time.Duration      // see unsaid
	names   map[string]string  // route → what Discord calls its bucket
	buckets map[string]*bucket // by bucket and major parameter
	invalid int                // in the window that began at since
	since   time.Time
}

// bucket is one limit of Discord's for one channel, guild or group of interactions.
// One request of it is under way at a time, so that they arrive in order.
type bucket struct {
	turn  chan struct{}
	left  int // requests until reset
	reset time.Time
}

type route struct {
	name   string // method and path without ids
	major  string // the channel, guild or group of interactions
	exempt bool   // from the limit of the whole bot
}

func (r route) key() string { return r.name + " " + r.major }

// routeOf is the route of a path below the API's root. Nothing of a token is in it.
func routeOf(method, path string) route {
	path, _, _ = strings.Cut(path, "?")
	parts := strings.Split(strings.Trim(path, "/"), "/")
	r := route{}
	if len(parts) > 1 {
		switch parts[0] {
		case "channels", "guilds":
			r.major = parts[1]
		case "webhooks", "interactions":
			r.exempt = true
			if len(parts) > 2 {
				h := fnv.New32a()
				h.Write([]byte(parts[2]))
				r.major, parts[2] = strconv.Itoa(int(h.Sum32()%hookBuckets)), ":token"
			}
		}
	}
	for i, p := range parts {
		if p != "" && strings.Trim(p, "0123456789") == "" {
			parts[i] = ":id"
		}
	}
	r.name = method + " /" + strings.Join(parts, "/")
	return r
}

func (l *limits) wait(ctx context.Context, d time.Duration) error {
	if deadline, ok := ctx.Deadline(); ok && d > 0 && l.clock().Add(d).After(deadline) {
		return &platform.RetryError{After: d, Err: errors.New("discord: the limit leaves no time for the request")}
	}
	return l.sleep(ctx, d)
}

// acquire waits until a request of r may be sent. done must follow without error.
func (l *limits) acquire(ctx context.Context, r route) (*bucket, error) {
	b := l.bucket(r)
	select {
	case b.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	for {
		d := l.delay(b, r)
		if d <= 0 {
			return b, nil
		}
		if err := l.wait(ctx, d); err != nil {
			<-b.turn
			return nil, err
		}
	}
}

// delay is how long the next request of b has to wait; at 0 it is counted.
func (l *limits) delay(b *bucket, r route) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.clock()
	if b.left <= 0 && b.reset.After(now) {
		return b.reset.Sub(now)
	}
	if l.invalid >= maxInvalid && now.Sub(l.since) < invalidWindow {
		return l.since.Add(invalidWindow).Sub(now)
	}
	if !r.exempt {
		if l.stopped.After(now) {
			return l.stopped.Sub(now)
		}
		reserved := l.all.ReserveN(now, 1)
		if d := reserved.DelayFrom(now); d > 0 {
			reserved.CancelAt(now)
			return d
		}
	}
	b.left--
	return 0
}

func (l *limits) bucket(r route) *bucket {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := r.key()
	if name, ok := l.names[r.name]; ok {
		key = name + " " + r.major
	}
	b, ok := l.buckets[key]
	if !ok {
		b = &bucket{turn: make(chan struct{}, 1), left: 1}
		l.addBucket(key, b)
	}
	return b
}

// addBucket adds a bucket and forgets outdated ones; the lock is held.
func (l *limits) addBucket(key string, b *bucket) {
	if l.buckets == nil {
		l.buckets, l.names = make(map[string]*bucket), make(map[string]string)
	}
	if len(l.buckets) >= maxBuckets {
		now, spare := l.clock(), ""
		for k, old := range l.buckets {
			if len(old.turn) == 0 && !old.reset.After(now) {
				delete(l.buckets, k)
			}
			spare = k
		}
		if len(l.buckets) >= maxBuckets {
			delete(l.buckets, spare)
		}
	}
	l.buckets[key] = b
}

// release takes what the headers of an answer say, nil if there was none, and what was
// refused, nil for nothing, and lets the next request of the bucket go.
func (l *limits) release(b *bucket, r route, h http.Header, refusal *apiError) {
	l.mu.Lock()
	defer func() {
		l.mu.Unlock()
		<-b.turn
	}()
	now := l.clock()
	if name := h.Get("X-RateLimit-Bucket"); name != "" && l.names[r.name] != name {
		l.names[r.name] = name
		if _, known := l.buckets[name+" "+r.major]; !known {
			l.addBucket(name+" "+r.major, b)
		}
	}
	if left, err := strconv.Atoi(h.Get("X-RateLimit-Remaining")); err == nil {
		b.left = left
	}
	if after, ok := seconds(h.Get("X-RateLimit-Reset-After")); ok {
		b.reset = now.Add(after)
	}
	if refusal == nil {
		if h != nil {
			l.guess = 0
		}
		return
	}
	switch refusal.Status {
	case http.StatusTooManyRequests:
		if refusal.Unsaid {
			refusal.After = l.guessPause(now)
		}
		if left, err := strconv.Atoi(h.Get("X-RateLimit-Remaining")); err != nil || left <= 0 || refusal.Global {
			b.left, b.reset = 0, now.Add(refusal.After)
		} // else what the request does is limited, such as a new name for a channel, and not its route
		if refusal.Global {
			l.stopped = b.reset
		}
		if h.Get("X-RateLimit-Scope") == "shared" {
			return // not counted against us
		}
	case http.StatusUnauthorized, http.StatusForbidden:
	default:
		return
	}
	if now.Sub(l.since) >= invalidWindow {
		l.since, l.invalid = now, 0
	}
	l.invalid++
}

// guessPause is how long nothing is sent after a 429 that does not say, which is a proxy's or
// Cloudflare's: twice as long as after the one before. Those that were under way when the
// pause began tell nothing new. The lock is held.
func (l *limits) guessPause(now time.Time) time.Duration {
	if l.guess == 0 || !l.stopped.After(now) {
		l.guess = min(max(2*l.guess, firstGuess), longestGuess)
	}
	return l.guess
}

// seconds reads a duration as headers give it: "1.337".
func seconds(s string) (time.Duration, bool) {
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || math.IsNaN(f) || f < 0 {
		return 0, false
	}
	return time.Duration(min(f, longestLimit.Seconds()) * float64(time.Second)), true
}
