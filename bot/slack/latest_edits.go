package slack

import "sync"

// latestEdits remembers when messages were last edited, by Slack's clock: an edit may be
// delivered after a later one. The zero value is ready.
type latestEdits struct {
	mu  sync.Mutex
	all map[string]string
}

// outdated reports whether a later edit of a message is known.
func (l *latestEdits) outdated(message, edited string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if edited < l.all[message] {
		return true
	}
	if l.all == nil || len(l.all) >= maxRemembered {
		l.all = make(map[string]string)
	}
	l.all[message] = edited
	return false
}
