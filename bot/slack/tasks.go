package slack

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

const (
	maxTasks = 8 // at once
	taskTime = 20 * time.Second
)

// tasks are goroutines that no event waits for: suggested prompts, titles, the page about
// us.
type tasks struct {
	room chan struct{}
	all  sync.WaitGroup
}

// startTask runs work in the background. If there is no room for it, it is dropped,
// and a failure is only logged.
func (a *Adapter) startTask(ctx context.Context, what string, work func(context.Context) error) {
	select {
	case a.tasks.room <- struct{}{}:
	default:
		a.Log.Info("skipped, too much at once", "what", what)
		return
	}
	a.tasks.all.Go(func() {
		defer func() { <-a.tasks.room }()
		ctx, cancel := context.WithTimeout(ctx, taskTime)
		defer cancel()
		if err := guard(func() error { return work(ctx) }); err != nil && !errors.Is(err, context.Canceled) {
			a.Log.Warn("failed", "what", what, "error", err)
		}
	})
}

func guard(work func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("slack: panic: %v", r)
		}
	}()
	return work()
}
