package slack

import "sync"

// maxRecentSet bounds a recentSet.
const maxRecentSet = 1000

// recentSet is a set that starts anew once it is full. The zero value is ready.
type recentSet struct {
	mu  sync.Mutex
	all map[string]bool
}

func (r *recentSet) add(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.all == nil || len(r.all) >= maxRecentSet {
		r.all = make(map[string]bool)
	}
	r.all[name] = true
}

// remove reports whether name was there.
func (r *recentSet) remove(name string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	there := r.all[name]
	delete(r.all, name)
	return there
}
