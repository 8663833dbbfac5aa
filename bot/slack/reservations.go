package slack

import "time"

// promiseTime is how long a promise holds: longer than most replies grow.
const promiseTime = 2 * time.Minute

// promises are calls that will have to be made to bring into their final form what has
// been begun, by method: when each is forgotten, the next first.
type promises map[string][]time.Time

// count is how many calls of a method are owed.
func (p promises) count(method string, now time.Time) int {
	owed := p[method]
	for len(owed) > 0 && !owed[0].After(now) {
		owed = owed[1:]
		p[method] = owed
	}
	return len(owed)
}

// promise keeps a call of a method for later, unless the method's limit has none left:
// what is begun then could not be ended in time. keep must follow.
func (l *limits) promise(method string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	limiters, _ := l.of(method, "")
	if l.paused[method].After(now) || limiters[0].TokensAt(now) < float64(1+l.owed.count(method, now)) {
		return false
	}
	if l.owed == nil {
		l.owed = make(promises)
	}
	l.owed[method] = append(l.owed[method], now.Add(promiseTime))
	return true
}

// keep ends a promise: the call is made now, or not at all.
func (l *limits) keep(method string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if owed := l.owed[method]; len(owed) > 0 {
		l.owed[method] = owed[1:]
	}
}
