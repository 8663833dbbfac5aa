package kit

import (
	"cmp"
	"slices"
	"sync"
)

// Recent is a map that forgets its oldest entry once it holds Limit entries. Its zero value is ready.
type Recent[V any] struct {
	Limit int // 0 for 1,024

	mu    sync.Mutex
	byKey map[string]V
	order []string // oldest first
}

// Get returns the entry of a key.
func (n *Recent[V]) Get(key string) (V, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	v, ok := n.byKey[key]
	return v, ok
}

// Set makes v the newest entry, that of a key.
func (n *Recent[V]) Set(key string, v V) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.byKey == nil {
		n.byKey = make(map[string]V)
	}
	if _, known := n.byKey[key]; known {
		at := slices.Index(n.order, key)
		n.order = slices.Delete(n.order, at, at+1)
	} else if len(n.order) == cmp.Or(n.Limit, 1024) {
		delete(n.byKey, n.order[0])
		n.order = n.order[1:]
	}
	n.order, n.byKey[key] = append(n.order, key), v
}
