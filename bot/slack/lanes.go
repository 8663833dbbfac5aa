package slack

import (
	"context"
	"sync"
)

// maxWaiting is how many deliveries may be under way or wait before the wire is not
// read any more. A delivery waits for the store, seldom for a look-up.
const maxWaiting = 2000

// lanes do the work of each channel in the order it came, and that of different
// channels side by side.
type lanes struct {
	room chan struct{}
	all  sync.WaitGroup

	mu      sync.Mutex
	waiting map[string][]func() // a channel is in it while work of it is under way
}

func newLanes() *lanes {
	return &lanes{room: make(chan struct{}, maxWaiting), waiting: make(map[string][]func())}
}

// put adds work to a lane, once there is room for it.
func (l *lanes) put(ctx context.Context, lane string, work func()) error {
	select {
	case l.room <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if queue, busy := l.waiting[lane]; busy {
		l.waiting[lane] = append(queue, work)
		return nil
	}
	l.waiting[lane] = nil
	l.all.Go(func() { l.run(lane, work) })
	return nil
}

func (l *lanes) run(lane string, work func()) {
	for work != nil {
		work()
		<-l.room
		work = l.next(lane)
	}
}

// next takes the work that came first, or closes the lane.
func (l *lanes) next(lane string) func() {
	l.mu.Lock()
	defer l.mu.Unlock()
	queue := l.waiting[lane]
	if len(queue) == 0 {
		delete(l.waiting, lane)
		return nil
	}
	l.waiting[lane] = queue[1:]
	return queue[0]
}

// wait returns when all work is done and nothing is put any more.
func (l *lanes) wait() { l.all.Wait() }
