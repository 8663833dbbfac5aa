package discord

import (
	"context"
	"runtime/debug"
	"sync"
)

// tasks are the goroutines that show progress. Each ends with its turn's context,
// or when Run does.
type tasks struct {
	mu  sync.Mutex
	run context.Context
	end context.CancelFunc
	all sync.WaitGroup
}

// open lets tasks be started until join.
func (t *tasks) open() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.run, t.end = context.WithCancel(context.Background())
}

// start runs f until it returns; its context is done when ctx is, or with join. It
// reports whether f runs: after join nothing is started.
func (t *tasks) start(ctx context.Context, f func(context.Context)) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.run.Err() != nil {
		return false
	}
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(t.run, cancel)
	t.all.Go(func() {
		defer cancel()
		defer stop()
		f(ctx)
	})
	return true
}

// join ends all tasks and returns when the last has ended.
func (t *tasks) join() {
	t.mu.Lock()
	t.end()
	t.mu.Unlock()
	t.all.Wait()
}

// caught is deferred by every handler: a panic ends the event, not the process.
func (a *Adapter) caught(where string) {
	if r := recover(); r != nil {
		a.Log.Error("panic", "where", where, "panic", r, "stack", string(debug.Stack()))
	}
}
