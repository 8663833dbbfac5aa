package discord

import (
	"context"
	"runtime/debug"
	"sync"
)

// tasks are the goroutines that show progress. Each ends with its turn's context,
// or when Run does.
type tasks struct {
	mu      sync.Mutex
	ended   bool
	n       int
	cancels map[int]context.CancelFunc
	all     sync.WaitGroup
}

// start runs f until it returns; its context is done when ctx is, or with join. It
// reports whether f runs: after join nothing is started.
func (t *tasks) start(ctx context.Context, f func(context.Context)) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended {
		return false
	}
	ctx, cancel := context.WithCancel(ctx)
	if t.cancels == nil {
		t.cancels = make(map[int]context.CancelFunc)
	}
	id := t.n
	t.n++
	t.cancels[id] = cancel
	t.all.Go(func() {
		defer t.end(id)
		f(ctx)
	})
	return true
}

func (t *tasks) end(id int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cancels[id]()
	delete(t.cancels, id)
}

// open lets tasks be started again after join.
func (t *tasks) open() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = false
}

// join ends all tasks and returns when the last has ended.
func (t *tasks) join() {
	t.mu.Lock()
	t.ended = true
	for _, cancel := range t.cancels {
		cancel()
	}
	t.mu.Unlock()
	t.all.Wait()
}

// caught is deferred by every handler: a panic ends the event, not the process.
func (a *Adapter) caught(where string) {
	if r := recover(); r != nil {
		a.Log.Error("panic", "where", where, "panic", r, "stack", string(debug.Stack()))
	}
}
