package kit

import (
	"context"
	"sync"
)

// Lanes do the work of each channel, threads included, in the order it came, and that
// of different channels side by side. The zero value is ready.
type Lanes struct {
	all sync.WaitGroup

	mu    sync.Mutex
	lanes map[string]*lane   // by channel; there while work of it is under way
	bound map[string]binding // channels and threads of which work is under way
}

type lane struct {
	group string
	queue []errand
	empty chan struct{} // closed when the last work is done
}

type errand struct {
	channel string
	work    func()
}

// binding keeps the work of a channel or thread in one lane, whatever is learned of
// its home meanwhile.
type binding struct {
	lane string
	n    int // errands
}

// Put adds work of a channel or thread to the lane of home, the channel it is in. Wait can
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

// Busy reports whether work of a channel, or of the one it is in, is under way.
func (l *Lanes) Busy(channel, home string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, bound := l.bound[channel]
	return bound || l.lanes[home] != nil
}

// run works through a lane and closes it.
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

// Wait returns when the work of a group that was put until now is done, that of all groups
// if group is "". The error is that of ctx.
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

// Join returns when all work is done and no more is put.
func (l *Lanes) Join() { l.all.Wait() }
