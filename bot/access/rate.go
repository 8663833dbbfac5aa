package access

import (
	"slices"
	"sync"
	"time"
)

// Rate limits how many messages of each person are answered in a minute. The zero value has no limit.
type Rate struct {
	PerMinute int

	mu    sync.Mutex
	taken map[string][]taken // in the last minute, oldest first, by person
}

type taken struct {
	message string
	at      int64
}

// Take takes one of a person's messages at a time (milliseconds), or says how long they must wait for one. A
// message that a platform delivers again is counted once.
func (r *Rate) Take(person, message string, now int64) (wait time.Duration) {
	if r.PerMinute <= 0 {
		return 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.taken == nil {
		r.taken = map[string][]taken{}
	}
	begin := now - time.Minute.Milliseconds()
	for p, times := range r.taken {
		for len(times) > 0 && times[0].at <= begin {
			times = times[1:]
		}
		if r.taken[p] = times; len(times) == 0 {
			delete(r.taken, p)
		}
	}
	times := r.taken[person]
	switch {
	case slices.ContainsFunc(times, func(t taken) bool { return t.message == message }):
		return 0
	case len(times) >= r.PerMinute:
		return time.Duration(times[0].at-begin) * time.Millisecond
	}
	r.taken[person] = append(times, taken{message, now})
	return 0
}

// Share limits how many turns of one person run at the same time. The zero value has no limit.
type Share struct {
	Most int

	mu   sync.Mutex
	runs map[int64]int // by person
}

// Begin counts a turn of a person until end is called. Person 0 is nobody.
func (s *Share) Begin(person int64) (end func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.runs == nil {
		s.runs = map[int64]int{}
	}
	s.runs[person]++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.runs[person]--; s.runs[person] == 0 {
			delete(s.runs, person)
		}
	}
}

// Full returns the people who have as many turns as they may.
func (s *Share) Full() (people []int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for p, n := range s.runs {
		if s.Most > 0 && p != 0 && n >= s.Most {
			people = append(people, p)
		}
	}
	return people
}
