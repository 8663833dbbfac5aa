package slack

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
)

type rateLimit struct {
	perMinute float64
	burst     int
	spare     int // of the burst: what optional calls leave to the others
}

// Slack limits each method by workspace and app; the tiers are 20, 50 and 100 requests
// a minute (docs.slack.dev/apis/web-api/rate-limits). In no minute we make more: what
// comes in a burst and what a minute allows are less together, by one or two that the
// network may hold up.
var (
	tier2 = rateLimit{perMinute: 13, burst: 5}
	tier3 = rateLimit{perMinute: 40, burst: 8}
	tier4 = rateLimit{perMinute: 86, burst: 12}
)

// methodLimits are the methods we call; others count as tier 3.
var methodLimits = map[string]rateLimit{
	"chat.startStream":             tier2,
	"chat.stopStream":              tier2,
	"chat.update":                  {perMinute: 42, burst: 6, spare: 2},
	"chat.appendStream":            tier4,
	"chat.postEphemeral":           tier4,
	"chat.postMessage":             {perMinute: 300, burst: 20},         // "several hundred", beside the limit by channel
	"conversations.history":        {perMinute: 40, burst: 8, spare: 3}, // tier 3
	"conversations.replies":        {perMinute: 40, burst: 8, spare: 3},
	"conversations.members":        tier4,
	"users.info":                   tier4,
	"users.list":                   tier2,
	"files.info":                   tier4,
	"files.getUploadURLExternal":   tier4,
	"files.completeUploadExternal": tier4,
	"views.open":                   tier4,
	"views.publish":                tier4,
	"auth.test":                    {perMinute: 200, burst: 10},
	"assistant.threads.setStatus":  {perMinute: 300, burst: 20},
}

// placeLimits are methods limited by place as well: a channel for new messages, one
// message for its changes.
var placeLimits = map[string]rateLimit{
	"chat.postMessage": {perMinute: 54, burst: 5}, // Slack allows one a second, and short bursts
	"chat.update":      {perMinute: 50, burst: 1}, // 1.2 s apart
}

// maxPlaceLimits is how many places have a limiter before the idle ones are dropped.
const maxPlaceLimits = 512

// limits keeps the adapter's requests within what Slack allows. The zero value is ready.
type limits struct {
	unpaced bool // nothing is limited but what Slack pauses

	mu       sync.Mutex
	methods  map[string]*rate.Limiter
	places   map[string]*rate.Limiter
	paused   map[string]time.Time // until when, by method
	reserved reservations
}

func (l *limits) limiter(p rateLimit) *rate.Limiter {
	if l.unpaced {
		return rate.NewLimiter(rate.Inf, math.MaxInt)
	}
	return rate.NewLimiter(rate.Limit(p.perMinute/60), p.burst)
}

// limiters are the limiters of a call, and how many calls of its method are spared or
// reserved. The lock is held.
func (l *limits) limiters(method, place string) ([]*rate.Limiter, int) {
	if l.methods == nil {
		l.methods, l.places, l.paused = make(map[string]*rate.Limiter), make(map[string]*rate.Limiter), make(map[string]time.Time)
	}
	p, ok := methodLimits[method]
	if !ok {
		p = tier3
	}
	m := l.methods[method]
	if m == nil {
		m = l.limiter(p)
		l.methods[method] = m
	}
	spare := max(p.spare, l.reserved.count(method, time.Now()))
	by, limited := placeLimits[method]
	if !limited || place == "" {
		return []*rate.Limiter{m}, spare
	}
	key := method + " " + place
	at := l.places[key]
	if at == nil {
		l.dropIdle()
		at = l.limiter(by)
		l.places[key] = at
	}
	return []*rate.Limiter{m, at}, spare
}

// dropIdle drops places that have not been used for a while. The lock is held.
func (l *limits) dropIdle() {
	if len(l.places) < maxPlaceLimits {
		return
	}
	for key, at := range l.places {
		if at.Tokens() >= float64(at.Burst()) {
			delete(l.places, key)
		}
	}
}

// wait returns when a call may be made. If that is only after ctx's deadline it
// returns a *platform.RetryError at once.
func (l *limits) wait(ctx context.Context, method, place string) error {
	l.mu.Lock()
	now := time.Now()
	limiters, _ := l.limiters(method, place)
	delay := max(0, l.paused[method].Sub(now))
	var taken []*rate.Reservation
	for _, at := range limiters {
		r := at.ReserveN(now, 1)
		taken = append(taken, r)
		delay = max(delay, r.DelayFrom(now))
	}
	l.mu.Unlock()
	for {
		if end, ok := ctx.Deadline(); ok && time.Now().Add(delay).After(end) {
			cancelAll(taken)
			return &platform.RetryError{After: delay, Err: fmt.Errorf("slack: %s: at our limit of requests", method)}
		}
		if err := kit.Pause(ctx, delay); err != nil {
			cancelAll(taken)
			return fmt.Errorf("slack: %s: %w", method, err)
		}
		if delay = l.pausedFor(method); delay <= 0 { // it may have been paused meanwhile
			return nil
		}
	}
}

func cancelAll(taken []*rate.Reservation) {
	for _, r := range taken {
		r.Cancel()
	}
}

// allowOptional reports whether an optional call may be made now, and counts it.
func (l *limits) allowOptional(method, place string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	limiters, spare := l.limiters(method, place)
	if l.paused[method].After(now) {
		return false
	}
	need := float64(1 + spare)
	for _, at := range limiters {
		if at.TokensAt(now) < need {
			return false
		}
		need = 1
	}
	for _, at := range limiters {
		at.AllowN(now, 1)
	}
	return true
}

func (l *limits) pause(method string, d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.limiters(method, "")
	if until := time.Now().Add(d); until.After(l.paused[method]) {
		l.paused[method] = until
	}
}

func (l *limits) pausedFor(method string) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Until(l.paused[method])
}

// reservationTime is how long a reservation holds: longer than most replies grow.
const reservationTime = 2 * time.Minute

// reservations are calls that will be needed to bring begun replies into their final
// form, by method: when each expires, the next first.
type reservations map[string][]time.Time

func (p reservations) count(method string, now time.Time) int {
	owed := p[method]
	for len(owed) > 0 && !owed[0].After(now) {
		owed = owed[1:]
		p[method] = owed
	}
	return len(owed)
}

// reserve keeps a call of a method for later, unless the method's limit has none left:
// what is begun then could not be finished in time. release must follow.
func (l *limits) reserve(method string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	limiters, _ := l.limiters(method, "")
	if l.paused[method].After(now) || limiters[0].TokensAt(now) < float64(1+l.reserved.count(method, now)) {
		return false
	}
	if l.reserved == nil {
		l.reserved = make(reservations)
	}
	l.reserved[method] = append(l.reserved[method], now.Add(reservationTime))
	return true
}

func (l *limits) release(method string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if owed := l.reserved[method]; len(owed) > 0 {
		l.reserved[method] = owed[1:]
	}
}
