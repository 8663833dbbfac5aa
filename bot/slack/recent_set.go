package slack

import "sync"

// maxRecent bounds what a recent remembers.
const maxRecent = 1000

// recent is a set of what happened of late. The zero value is ready.
type recent struct {
	mu  sync.Mutex
	all map[string]bool
}

func (r *recent) add(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.all == nil || len(r.all) >= maxRecent {
		r.all = make(map[string]bool)
	}
	r.all[name] = true
}

// remove reports whether name was there.
func (r *recent) remove(name string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	there := r.all[name]
	delete(r.all, name)
	return there
}
