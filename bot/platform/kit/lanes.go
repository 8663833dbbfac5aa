package kit

import (
	"context"
	"sync"
)

// Lanes run the work of each channel, threads included, in the order it was added, and the
// work of different channels concurrently. The zero value is ready to use.
type Lanes struct {
	all sync.WaitGroup

	mu    sync.Mutex
	lanes map[string]*lane   // by channel; present while the channel has unfinished work
	bound map[string]binding // channels and threads with unfinished work
}

type lane struct {
	group string
	queue []errand
	empty chan struct{} // closed when all its work is done
}

type errand struct {
	channel string
	work    func()
}

// binding keeps the unfinished work of a channel or thread in one lane. A thread's home may
// become known while its work runs; moving the rest to another lane would break the order.
type binding struct {
	lane string
	n    int // errands
}

// Put adds work of a channel or thread to the lane of home, its parent channel. Wait can
// wait for all lanes of a group.
func (l *Lanes) Put(group, channel, home string, work func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lanes == nil {
		l.lanes, l.bound = make(map[string]*lane), make(map[string]binding)
	}
	b, ok := l.bound[channel]
	if !ok {
		b.lane = home
	}
	b.n++
	l.bound[channel] = b
	x := l.lanes[b.lane]
	if x != nil {
		x.queue = append(x.queue, errand{channel, work})
		return
	}
	x = &lane{group: group, queue: []errand{{channel, work}}, empty: make(chan struct{})}
	l.lanes[b.lane] = x
	l.all.Go(func() { l.run(b.lane, x) })
}

func (l *Lanes) run(name string, x *lane) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(x.queue) > 0 {
		t := x.queue[0]
		x.queue = x.queue[1:]
		l.mu.Unlock()
		t.work()
		l.mu.Lock()
		b := l.bound[t.channel]
		if b.n--; b.n > 0 {
			l.bound[t.channel] = b
		} else {
			delete(l.bound, t.channel)
		}
	}
	delete(l.lanes, name)
	close(x.empty)
}

// Wait returns when all work put so far for a group is done; group "" means all groups.
// The error is ctx's.
func (l *Lanes) Wait(ctx context.Context, group string) error {
	l.mu.Lock()
	var busy []*lane
	for _, x := range l.lanes {
		if group == "" || x.group == group {
			busy = append(busy, x)
		}
	}
	l.mu.Unlock()
	for _, x := range busy {
		select {
		case <-x.empty:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// Join returns when all work is done. Call it once nothing more is put.
func (l *Lanes) Join() { l.all.Wait() }
