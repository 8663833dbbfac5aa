package kit

import (
	"cmp"
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

// Set makes v the entry of a key. An entry that is set again keeps its age.
func (n *Recent[V]) Set(key string, v V) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.byKey == nil {
		n.byKey = make(map[string]V)
	}
	if _, known := n.byKey[key]; !known {
		if len(n.order) == cmp.Or(n.Limit, 1024) {
			delete(n.byKey, n.order[0])
			n.order = n.order[1:]
		}
		n.order = append(n.order, key)
	}
	n.byKey[key] = v
}
