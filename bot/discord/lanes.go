package discord

import (
	"context"
	"sync"
)

// lanes do the work of each channel, threads included, in the order it came, and that
// of different channels side by side. One goroutine puts work and waits.
type lanes struct {
	all sync.WaitGroup

	mu    sync.Mutex
	lanes map[string]*lane   // by channel; there while work of it is under way
	bound map[string]binding // channels and threads of which work is under way
}

type lane struct {
	guild string // "" for direct messages
	queue []errand
	empty chan struct{} // closed when the last work is done
}

type errand struct {
	channel string
	work    func()
}

// binding keeps the work of a channel or thread in one lane, whatever is learned of
// the place meanwhile.
type binding struct {
	lane string
	n    int // errands
}

// put adds work of a channel or thread to the lane of home, the channel it is in.
func (l *lanes) put(guild, channel, home string, work func()) {
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
	x = &lane{guild: guild, queue: []errand{{channel, work}}, empty: make(chan struct{})}
	l.lanes[b.lane] = x
	l.all.Go(func() { l.run(b.lane, x) })
}

// busy reports whether work of a channel, or of the one it is in, is under way.
func (l *lanes) busy(channel, home string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, bound := l.bound[channel]
	return bound || l.lanes[home] != nil
}

// run works through a lane and closes it.
func (l *lanes) run(name string, x *lane) {
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

// wait returns when the work of a guild is done, that of all if guild is "". The error
// is that of ctx.
func (l *lanes) wait(ctx context.Context, guild string) error {
	l.mu.Lock()
	var busy []*lane
	for _, x := range l.lanes {
		if guild == "" || x.guild == guild {
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
