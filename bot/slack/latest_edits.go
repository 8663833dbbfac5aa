package slack

import "sync"

// latest remembers of messages when they were edited last, as Slack has it: an edit may be
// told after a later one. The zero value is ready.
type latest struct {
	mu  sync.Mutex
	all map[string]string
}

// outdated reports whether a later edit of a message is known.
func (l *latest) outdated(message, edited string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if edited < l.all[message] {
		return true
	}
	if l.all == nil || len(l.all) >= maxSeen {
		l.all = make(map[string]string)
	}
	l.all[message] = edited
	return false
}
