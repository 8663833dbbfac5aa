package model

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/tmc/langchaingo/llms"
)

const (
	firstPause = 500 * time.Millisecond // before the first retry; doubled, with jitter, for each further one
	maxPause   = 8 * time.Second
	maxWait    = 20 * time.Second // a longer Retry-After is left to the caller: nobody watches a silent assistant for that long

	breakerFailures = 5
	breakerPeriod   = time.Minute
	breakerDelay    = 30 * time.Second
)

// family is one way of speaking on the wire. generate makes one attempt; its errors are *Error, or langchaingo's own for a request
// that cannot be expressed.
type family interface {
	generate(ctx context.Context, c *call) (*llms.ContentResponse, error)
}

// endpoint is one model at one provider.
type endpoint struct {
	model   string
	base    string // URL
	window  int    // tokens, as set; 0: asked for
	asked   asked
	ask     time.Duration // how long it may be asked about its model
	family  family
	habits  *habits // the family's
	breaker circuitbreaker.CircuitBreaker[any]
	timeout time.Duration
	idle    time.Duration
	retries int
	pause   time.Duration
	log     *slog.Logger
}

func newBreaker() circuitbreaker.CircuitBreaker[any] {
	return circuitbreaker.NewBuilder[any]().WithFailureThresholdPeriod(breakerFailures, breakerPeriod).WithSuccessThreshold(1).WithDelay(breakerDelay).Build()
}

// generate makes up to 1+retries attempts, none after text was streamed, the context ended or half a timeout went by: what hangs, or
// made its gateway wait, does so again, and the fallback needs the time.
func (e *endpoint) generate(ctx context.Context, c *call) (*llms.ContentResponse, *Error) {
	var last *Error
	pause := backoff.NewExponentialBackOff()
	pause.InitialInterval, pause.MaxInterval = e.pause, maxPause
	resp, err := backoff.Retry(ctx, func() (*llms.ContentResponse, error) {
		var resp *llms.ContentResponse
		if resp, last = e.roomy(ctx, c); last == nil {
			return resp, nil
		}
		return resp, e.again(ctx, c, last)
	}, backoff.WithBackOff(pause), backoff.WithMaxTries(uint(e.retries)+1), backoff.WithMaxElapsedTime(e.timeout/2),
		backoff.WithNotify(func(_ error, wait time.Duration) {
			e.log.Info("model call failed, trying again", "kind", string(last.Kind), "status", last.Status, "code", last.Code, "wait", wait)
			if tell, ok := ctx.Value(waitingKey{}).(func(*Error, time.Duration)); ok {
				tell(last, wait)
			}
		}))
	if err == nil {
		return resp, nil
	}
	if ctx.Err() != nil {
		last = ended(ctx, last)
	}
	return resp, last
}

type waitingKey struct{}

// WithWaiting calls fn with the reason why a call is repeated, and the pause before.
func WithWaiting(ctx context.Context, fn func(why *Error, wait time.Duration)) context.Context {
	return context.WithValue(ctx, waitingKey{}, fn)
}

// again turns a failure into what backoff does next: stop, wait as long as the provider asked, or wait its own time.
func (e *endpoint) again(ctx context.Context, c *call, failure *Error) error {
	wait := failure.RetryAfter
	deadline, limited := ctx.Deadline()
	switch {
	case !failure.passing(), c.partial.Len() > 0, ctx.Err() != nil, wait > maxWait, limited && time.Until(deadline) < wait:
		return backoff.Permanent(failure)
	case wait > 0:
		wait += rand.N(wait/10 + 1) // so that those who were turned away together do not come back together
		return errors.Join(failure, &backoff.RetryAfterError{Duration: wait})
	}
	return failure
}

// roomy makes an attempt with room for the model to reason, and one more where the limit ended it before anything was said, or the
// room did not fit the model.
func (e *endpoint) roomy(ctx context.Context, c *call) (*llms.ContentResponse, *Error) {
	more := newRoom
	c.room = 0
	if reasons(e.model) || e.habits.get().thinks {
		c.room, more = headroom, moreRoom
	}
	if n := e.smallWindow(); n > 0 {
		c.room, more = min(c.room, n/4), min(more, n/2)
	}
	resp, failure := e.attempt(ctx, c)
	switch {
	case failure != nil && ctx.Err() == nil && cutByLength(c, resp, failure):
		return e.goOn(ctx, c, resp, failure)
	case failure == nil || c.opts.MaxTokens == 0 || c.partial.Len() > 0 || ctx.Err() != nil:
		return resp, failure
	case failure.Kind == ContextTooLong && c.room > 0:
		c.room = 0
	case starved(resp, failure):
		c.room = more
	default:
		return resp, failure
	}
	e.log.Info("model call retried with another limit", "kind", string(failure.Kind), "room", c.room)
	again, second := e.attempt(ctx, c)
	if again == nil && second != nil && !second.passing() && second.Kind != Canceled {
		return resp, failure
	}
	addUsage(again, resp)
	return again, second
}

// attempt makes one request under the breaker and the clock.
func (e *endpoint) attempt(ctx context.Context, c *call) (*llms.ContentResponse, *Error) {
	if !e.breaker.TryAcquirePermit() {
		return nil, &Error{Kind: Overloaded, Message: "not asked after repeated failures", RetryAfter: max(e.breaker.RemainingDelay(), time.Second)}
	}
	timed, clock, stop := startWatch(ctx, e.timeout, e.idle)
	defer stop()
	c.watch = clock
	start, before := time.Now(), e.habits.get()
	resp, err := e.family.generate(timed, c)
	e.tellHabit(before, e.habits.get())
	failure := e.settle(ctx, timed, c, err)
	e.record(ctx, failure)
	e.learnWindow(failure)
	if failure != nil {
		e.log.Debug("model call", "took", time.Since(start), "error", failure)
	} else {
		e.used()
		e.log.Debug("model call", "took", time.Since(start))
	}
	return resp, failure
}

// tellHabit logs what the endpoint has turned out not to take, where an operator may want to change that.
func (e *endpoint) tellHabit(before, now habit) {
	if now.textTools && !before.textTools {
		e.log.Info("the endpoint takes no tools from this model; they are sent as text")
	}
	if now.noPictures && !before.noPictures {
		e.log.Info("the endpoint takes no pictures for this model; they are left out")
	}
}

// settle gives an error its final kind: the caller's context first, then our clock, then what the family found.
func (e *endpoint) settle(ctx, timed context.Context, c *call, err error) *Error {
	if err == nil {
		return nil
	}
	var failure *Error
	if !errors.As(err, &failure) {
		failure = &Error{Kind: BadRequest, Err: err}
	}
	if failure.Partial == "" {
		failure.Partial = c.partial.String()
	}
	switch {
	case ctx.Err() != nil:
		return ended(ctx, failure)
	case context.Cause(timed) == errSlow && c.watch.streaming:
		return &Error{Kind: Timeout, Message: fmt.Sprintf("the answer stopped for %v", e.idle), Partial: failure.Partial, Err: errSlow}
	case context.Cause(timed) == errSlow:
		return &Error{Kind: Timeout, Message: fmt.Sprintf("no answer within %v", e.timeout), Err: errSlow}
	}
	return failure
}

// ended is the Error of a call whose context is over.
func ended(ctx context.Context, last *Error) *Error {
	e := &Error{Kind: Canceled, Err: ctx.Err()}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		e.Kind = Timeout
	}
	if last != nil {
		e.Partial, e.RetryAfter = last.Partial, last.RetryAfter
	}
	return e
}

// record tells the breaker. Any answer that blames the request shows that the provider is up; a call its caller ended shows nothing,
// but in a half-open breaker it must give its permit back.
func (e *endpoint) record(ctx context.Context, failure *Error) {
	switch {
	case ctx.Err() != nil || failure != nil && failure.Kind == Canceled:
		if e.breaker.IsHalfOpen() {
			e.breaker.RecordFailure()
		}
	case failure != nil && failure.passing() && failure.Kind != RateLimit:
		e.breaker.RecordFailure()
	default:
		e.breaker.RecordSuccess()
	}
}
