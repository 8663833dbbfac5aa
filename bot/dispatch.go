package bot

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"sync"
	"time"

	"threadkeeper/bot/platform/kit"
	"threadkeeper/memory"
)

// recordTime limits the store calls that end a turn whose context is done.
const recordTime = 5 * time.Second

// dispatch claims sessions and hands them to at most Workers turns at a time,
// until ctx is done; it returns when the last turn has ended. Turns run under work.
func (b *Bot) dispatch(ctx, work context.Context) {
	slots := make(chan struct{}, b.Workers)
	var turns sync.WaitGroup
	defer turns.Wait()
	for {
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
			return
		}
		claimed, pause := b.claim(ctx)
		if claimed == nil {
			<-slots
			if !b.turns.wait(ctx, pause) {
				return
			}
			continue
		}
		end := b.share.Begin(b.askerOf(ctx, claimed))
		turns.Go(func() {
			defer func() { end(); <-slots; b.turns.ring(); b.finished.ring() }()
			b.work(work, claimed)
		})
	}
}

// claim begins a turn of the session that has waited longest, or returns how long to wait.
func (b *Bot) claim(ctx context.Context) (*memory.Turn, time.Duration) {
	at, ok, err := b.Store.Queue.NextTurnAt(ctx, b.names()...)
	now := b.Store.Now()
	if err == nil && !ok {
		return nil, poll
	}
	if err == nil && at > now {
		return nil, min(poll, time.Duration(at-now)*time.Millisecond)
	}
	var claimed *memory.Turn
	if err == nil {
		claimed, err = b.Store.Queue.ClaimTurn(ctx, memory.TurnClaim{Owner: b.owner, TTL: b.Lease, Burst: burst, Nonce: nonceOf, Platforms: b.names(), Without: b.share.Full()})
	}
	if err != nil && ctx.Err() == nil {
		b.Log.Error("could not claim the next turn", "error", err)
	}
	return claimed, poll
}

func (b *Bot) askerOf(ctx context.Context, t *memory.Turn) int64 {
	if b.AtOnce <= 0 {
		return 0
	}
	m, err := b.Store.Message(ctx, t.Rows[len(t.Rows)-1].MessageID)
	if err != nil {
		return 0 // the turn will report the error
	}
	return m.PersonID
}

func (b *Bot) work(parent context.Context, claimed *memory.Turn) {
	l := &claimed.Lease
	ctx, cancel := context.WithCancelCause(parent)
	r := b.running.enter(l.SessionID, cancel)
	defer b.running.leave(l.SessionID, r)
	var renewal sync.WaitGroup
	renewed, end := context.WithCancel(parent)
	renewal.Go(func() { b.renew(renewed, l, r) })

	t := &turn{bot: b, lease: l, rows: claimed.Rows, outbox: claimed.Post, resumed: claimed.Resumed, log: b.Log.With("session", l.SessionID)}
	t.overheard.Store(claimed.Overheard)
	r.taken(t.rowIDs())
	err := guard(func() error { return t.run(ctx) })
	t.close()
	end()
	renewal.Wait()
	blameless := parent.Err() != nil || context.Cause(ctx) == errInterrupted
	cancel(nil)

	settle, done := context.WithTimeout(context.WithoutCancel(parent), recordTime)
	defer done()
	if err = b.release(settle, t, err, blameless); err != nil {
		t.log.Error("could not release the session", "error", err)
	}
	b.compactions.ring()
}

// release gives the session back after a turn that ended with err. A turn that was told to end is blameless.
func (b *Bot) release(ctx context.Context, t *turn, err error, blameless bool) error {
	var crash *panicError
	var again *retryLater
	switch {
	case err == nil && t.recorded:
		return nil // which gave the session back
	case err == nil:
		return b.Store.Queue.ReleaseLease(ctx, t.lease, 0)
	case errors.Is(err, memory.ErrFenced):
		t.log.Info("another worker has the session")
		return nil
	case errors.As(err, &crash):
		t.log.Error("turn panicked", "turn", t.id(), "error", crash, "stack", string(crash.stack))
	case errors.As(err, &again):
		t.log.Warn("turn postponed", "turn", t.id(), "error", err, "pause", again.after)
		return b.Store.Queue.ReleaseLease(ctx, t.lease, again.after)
	case blameless:
		return b.Store.Queue.UnclaimTurn(ctx, t.lease, t.rowIDs())
	default:
		t.log.Error("turn failed", "turn", t.id(), "error", err)
	}
	return b.Store.Queue.ReleaseLease(ctx, t.lease, backoff(t.attempts()))
}

// retryLater ends a turn that is retried after a pause.
type retryLater struct {
	after time.Duration
	err   error
}

func (e *retryLater) Error() string { return e.err.Error() }

func (e *retryLater) Unwrap() error { return e.err }

// renew extends the lease every third of its time and ends the turn when the
// lease is lost or the store asks for its end.
func (b *Bot) renew(ctx context.Context, l *memory.Lease, r *runningTurn) {
	tick := time.NewTicker(b.Lease / 3)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.nudge:
		case <-tick.C:
			err := b.Store.Queue.RenewLease(ctx, l, b.Lease)
			if errors.Is(err, memory.ErrFenced) {
				r.cancel(errLost)
				return
			}
			if err != nil && ctx.Err() == nil {
				b.Log.Error("could not renew a lease", "session", l.SessionID, "error", err)
			}
		}
		if rows := r.open(); len(rows) > 0 {
			if why, err := b.Store.Queue.Interruption(ctx, rows); err == nil && why != "" {
				r.cancel(errInterrupted)
				return
			}
		}
	}
}

// Causes for the end of a turn's context, apart from its timeout and the end of Run.
var (
	errInterrupted = errors.New("the turn is to end") // the store knows why
	errLost        = errors.New("the lease was lost")
)

// running holds the turns of this process by session. It is only a shortcut that tells a turn
// at once to look at the store; the store decides, because another process may run the turn.
type running struct {
	mu    sync.Mutex
	turns map[int64]*runningTurn
	begun int // turns ever taken up
}

type runningTurn struct {
	cancel context.CancelCauseFunc
	nudge  wake // rung when the turn must look at the store
	mu     sync.Mutex
	rows   []int64
}

func (r *running) enter(session int64, cancel context.CancelCauseFunc) *runningTurn {
	t := &runningTurn{cancel: cancel, nudge: newWake()}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.turns[session] = t
	r.begun++
	return t
}

func (r *running) count() (open, begun int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.turns), r.begun
}

func (r *running) leave(session int64, t *runningTurn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.turns[session] == t {
		delete(r.turns, session)
	}
}

// nudgeAll makes every turn check at once whether it must end.
func (r *running) nudgeAll() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, t := range r.turns {
		t.nudge.ring()
	}
}

// narrowed is called once something was erased, removed or closed to some: what was read before may not be shown now.
func (b *Bot) narrowed() {
	b.running.nudgeAll()
	for _, h := range b.homes {
		h.ring()
	}
}

func (t *runningTurn) taken(rows []int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rows = rows
}

func (t *runningTurn) open() []int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.rows
}

// poll is how often a queue is checked although nobody rang: another process cannot ring.
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

// wait returns when somebody has rung, about d has passed, or ctx is done (false).
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

// await returns when somebody has rung, or ctx is done (false).
func (w wake) await(ctx context.Context) bool {
	select {
	case <-w:
		return true
	case <-ctx.Done():
		return false
	}
}

// jitter returns d, up to a fifth longer.
func jitter(d time.Duration) time.Duration { return d + rand.N(d/5+1) }

// backoff returns the pause after n failed attempts: 1 s, doubled each time, at
// most a minute.
func backoff(n int) time.Duration { return jitter(min(time.Second<<min(max(n-1, 0), 6), time.Minute)) }

// sleep returns false if ctx ended before d had passed.
func sleep(ctx context.Context, d time.Duration) bool { return kit.Pause(ctx, d) == nil }

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
