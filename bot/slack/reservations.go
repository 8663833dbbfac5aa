package slack

import "time"

// reservationTime is how long a reservation holds: longer than most replies grow.
const reservationTime = 2 * time.Minute

// reservations are calls that will be needed to bring begun replies into their final
// form, by method: when each expires, the next first.
type reservations map[string][]time.Time

func (p reservations) count(method string, now time.Time) int {
	owed := p[method]
	for len(owed) > 0 && !owed[0].After(now) {
		owed = owed[1:]
		p[method] = owed
	}
	return len(owed)
}

// reserve keeps a call of a method for later, unless the method's limit has none left:
// what is begun then could not be finished in time. release must follow.
func (l *limits) reserve(method string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	limiters, _ := l.limiters(method, "")
	if l.paused[method].After(now) || limiters[0].TokensAt(now) < float64(1+l.reserved.count(method, now)) {
		return false
	}
	if l.reserved == nil {
		l.reserved = make(reservations)
	}
	l.reserved[method] = append(l.reserved[method], now.Add(reservationTime))
	return true
}

func (l *limits) release(method string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if owed := l.reserved[method]; len(owed) > 0 {
		l.reserved[method] = owed[1:]
	}
}
