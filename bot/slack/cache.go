package slack

import (
	"context"
	"sync"
	"time"
)

const (
	retryFailedAfter = 10 * time.Second // how long a look-up that failed is not made again
	maxOptional      = 4                // look-ups under way at which optional ones are left out
)

// cache remembers what Slack says of people or channels. It is bounded, and one
// look-up of an id serves all who ask for it.
type cache[T any] struct {
	fetch      func(ctx context.Context, id string) (T, error)
	maxAge     time.Duration // how long an entry is fresh
	maxEntries int           // entries

	mu       sync.Mutex
	entries  map[string]*entry[T]
	inFlight int
}

type entry[T any] struct {
	value    T
	err      error
	known    bool          // value was fetched once
	optional bool          // the last look-up was an optional one, and failed
	expires  time.Time     // when to fetch again
	ready    chan struct{} // closed when the look-up under way is done; nil when none is
}

// get is what is known of id. It is looked up if it has to be; an entry that is stale
// serves those who would wait, and stays when its look-up fails. urgent is false for
// callers that can do without an answer when many look-ups are under way.
func (d *cache[T]) get(ctx context.Context, id string, urgent bool) (T, error) {
	d.mu.Lock()
	e := d.entry(id)
	switch {
	case time.Now().Before(e.expires) && (e.known || !urgent || !e.optional), e.known && (e.ready != nil || !urgent && d.inFlight >= maxOptional):
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
	case !urgent && d.inFlight >= maxOptional:
		defer d.mu.Unlock()
		return e.value, errTooManyLookups
	}
	return d.look(ctx, id, e, urgent)
}

// retry is what is known of id, looked up now if it could not be in the time that an
// event has. Meanwhile other callers get no value.
func (d *cache[T]) retry(ctx context.Context, id string) (T, error) {
	for {
		d.mu.Lock()
		e := d.entry(id)
		ready := e.ready
		switch {
		case e.known:
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

// look makes the look-up of an entry. The lock is held on entry and released.
func (d *cache[T]) look(ctx context.Context, id string, e *entry[T], urgent bool) (T, error) {
	e.ready = make(chan struct{})
	d.inFlight++
	d.mu.Unlock()
	value, err := d.fetch(ctx, id)

	d.mu.Lock()
	defer d.mu.Unlock()
	d.inFlight--
	close(e.ready)
	e.ready = nil
	e.optional = err != nil && !urgent
	switch {
	case err == nil:
		e.value, e.err, e.known, e.expires = value, nil, true, time.Now().Add(d.maxAge)
	case e.known:
		e.expires = time.Now().Add(retryFailedAfter)
	default:
		e.err, e.expires = err, time.Now().Add(retryFailedAfter)
	}
	return e.value, e.err
}

// drop removes the entry of id. A running look-up serves only those who wait for it.
func (d *cache[T]) drop(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.entries, id)
}

func (d *cache[T]) dropAll() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.entries = nil
}

// entry finds or adds the entry of id. The lock is held.
func (d *cache[T]) entry(id string) *entry[T] {
	if e := d.entries[id]; e != nil {
		return e
	}
	if d.entries == nil {
		d.entries = make(map[string]*entry[T])
	}
	for old, e := range d.entries {
		if len(d.entries) < d.maxEntries {
			break
		}
		if e.ready == nil {
			delete(d.entries, old)
		}
	}
	e := new(entry[T])
	d.entries[id] = e
	return e
}
