package bot

import (
	"context"
	"errors"
	"sync"
)

// Why the context of a turn ends, apart from its timeout and the end of Run.
var (
	errInterrupted = errors.New("the turn is to end") // the store says why
	errLost        = errors.New("the lease was lost")
)

// running are the turns of this process by session. It is a short cut only: what
// decides is the store.
type running struct {
	mu    sync.Mutex
	turns map[int64]*runningTurn
}

type runningTurn struct {
	cancel context.CancelCauseFunc
	nudge  wake // look at the store
	mu     sync.Mutex
	rows   []int64
}

func (r *running) enter(session int64, cancel context.CancelCauseFunc) *runningTurn {
	t := &runningTurn{cancel: cancel, nudge: newWake()}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.turns[session] = t
	return t
}

// count is how many turns run.
func (r *running) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.turns)
}

func (r *running) leave(session int64, t *runningTurn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.turns[session] == t {
		delete(r.turns, session)
	}
}

// nudge lets the turn of a session look at once whether it is to end.
func (r *running) nudge(session int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if t := r.turns[session]; t != nil {
		t.nudge.ring()
	}
}

// nudgeAll does so for every turn.
func (r *running) nudgeAll() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, t := range r.turns {
		t.nudge.ring()
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
