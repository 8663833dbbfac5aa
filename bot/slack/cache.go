package slack

import (
	"context"
	"sync"
	"time"
)

const (
	failedFor = 10 * time.Second // how long a look-up that failed is not made again
	idleMost  = 4                // look-ups under way at which those nobody waits for are left out
)

// directory remembers what Slack says of people or channels. It is bounded, and one
// look-up of an id serves all who ask for it.
type directory[T any] struct {
	fetch func(ctx context.Context, id string) (T, error)
	keep  time.Duration // how long an entry is fresh
	most  int           // entries

	mu       sync.Mutex
	known    map[string]*entry[T]
	underway int
}

type entry[T any] struct {
	value T
	err   error
	good  bool          // value was fetched once
	hasty bool          // the last look-up failed for somebody who could do without
	due   time.Time     // when to fetch again
	ready chan struct{} // closed when the look-up under way is done; nil when none is
}

// get is what is known of id. It is looked up if it has to be; an entry that is stale
// serves those who would wait, and stays when its look-up fails. urgent is false for
// those who rather do without than take part in a rush.
func (d *directory[T]) get(ctx context.Context, id string, urgent bool) (T, error) {
	d.mu.Lock()
	e := d.entry(id)
	switch {
	case time.Now().Before(e.due) && (e.good || !urgent || !e.hasty), e.good && (e.ready != nil || !urgent && d.underway >= idleMost):
		defer d.mu.Unlock()
		return e.value, e.err
	case e.ready != nil:
		ready := e.ready
		d.mu.Unlock()
		select {
		case <-ready:
			d.mu.Lock()
			defer d.mu.Unlock()
			return e.value, e.err
		case <-ctx.Done():
			var none T
			return none, ctx.Err()
		}
	case !urgent && d.underway >= idleMost:
		defer d.mu.Unlock()
		return e.value, errRush
	}
	return d.look(ctx, id, e, urgent)
}

// retry is what is known of id, looked up now if it could not be in the time that an
// event has. Meanwhile others do without.
func (d *directory[T]) retry(ctx context.Context, id string) (T, error) {
	for {
		d.mu.Lock()
		e := d.entry(id)
		ready := e.ready
		switch {
		case e.good:
			defer d.mu.Unlock()
			return e.value, nil
		case ready == nil:
			return d.look(ctx, id, e, true)
		}
		d.mu.Unlock()
		select {
		case <-ready: // it may have had less time
		case <-ctx.Done():
			var none T
			return none, ctx.Err()
		}
	}
}

// look makes the look-up of an entry. The lock is held, and given back.
func (d *directory[T]) look(ctx context.Context, id string, e *entry[T], urgent bool) (T, error) {
	e.ready = make(chan struct{})
	d.underway++
	d.mu.Unlock()
	value, err := d.fetch(ctx, id)

	d.mu.Lock()
	defer d.mu.Unlock()
	d.underway--
	close(e.ready)
	e.ready = nil
	e.hasty = err != nil && !urgent
	switch {
	case err == nil:
		e.value, e.err, e.good, e.due = value, nil, true, time.Now().Add(d.keep)
	case e.good:
		e.due = time.Now().Add(failedFor)
	default:
		e.err, e.due = err, time.Now().Add(failedFor)
	}
	return e.value, e.err
}

// forget makes the next get of id look it up.
func (d *directory[T]) forget(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if e := d.known[id]; e != nil {
		e.due = time.Time{}
	}
}

// entry finds or adds the entry of id. The lock is held.
func (d *directory[T]) entry(id string) *entry[T] {
	if e := d.known[id]; e != nil {
		return e
	}
	if d.known == nil {
		d.known = make(map[string]*entry[T])
	}
	for old, e := range d.known {
		if len(d.known) < d.most {
			break
		}
		if e.ready == nil {
			delete(d.known, old)
		}
	}
	e := new(entry[T])
	d.known[id] = e
	return e
}
