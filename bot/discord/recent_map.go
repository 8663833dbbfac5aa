package discord

import (
	"cmp"
	"sync"
)

// recentMap is a map that forgets its oldest entry once it holds limit entries. Its zero value is ready.
type recentMap[V any] struct {
	limit int // 0 for maxRecentMap
	mu    sync.Mutex
	byKey map[string]V
	order []string // oldest first
}

const maxRecentMap = 1024

func (n *recentMap[V]) get(key string) (V, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	v, ok := n.byKey[key]
	return v, ok
}

func (n *recentMap[V]) set(key string, v V) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.byKey == nil {
		n.byKey = make(map[string]V)
	}
	if _, known := n.byKey[key]; !known {
		if len(n.order) == cmp.Or(n.limit, maxRecentMap) {
			delete(n.byKey, n.order[0])
			n.order = n.order[1:]
		}
		n.order = append(n.order, key)
	}
	n.byKey[key] = v
}
