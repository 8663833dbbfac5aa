package fakediscord

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Fault is something that goes wrong with a request.
type Fault struct {
	Route string              // "POST /channels/{channel}/messages"; "" for any
	Match func(*Request) bool // nil for every request of the route
	Times int                 // 0 for once, -1 for always
	After bool                // the request is carried out first

	// Status answered, with the code of an error; 0 cuts the connection, so that the answer
	// is lost.
	Status int
	Code   int
	// Of a 429: how long to wait, "user" (the default), "global" or "shared", and whether
	// it comes from Cloudflare, as HTML.
	RetryAfter time.Duration
	Scope      string
	HTML       bool
}

type rule struct {
	Fault
	left int
}

// Break makes requests go wrong. Faults are tried in the order they were given.
func (s *Server) Break(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := &rule{f, f.Times}
	if f.Times == 0 {
		r.left = 1
	}
	s.rules = append(s.rules, r)
}

// Mend takes all faults back.
func (s *Server) Mend() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rules = nil
}

// Unmet is how many faults have not happened yet.
func (s *Server) Unmet() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.rules)
}

// matching is the fault a request meets, nil if none. The lock is held, also by Match.
func (s *Server) matching(q *Request) *Fault {
	for i, r := range s.rules {
		if r.Route != "" && r.Route != q.Route || r.Match != nil && !r.Match(q) {
			continue
		}
		if r.left > 0 {
			if r.left--; r.left == 0 {
				s.rules = slices.Delete(s.rules, i, i+1)
			}
		}
		return &r.Fault
	}
	return nil
}

func (f *Fault) answer(a *answer) {
	switch {
	case f.HTML || f.Status >= 502 && f.Status <= 504:
		if f.RetryAfter > 0 {
			a.header.Set("Retry-After", strconv.Itoa(int(math.Ceil(f.RetryAfter.Seconds()))))
		}
		a.header.Set("Content-Type", "text/html")
		a.status, a.body = f.Status, fmt.Appendf(nil, "<html><head><title>%d %s</title></head><body>cloudflare</body></html>", f.Status, http.StatusText(f.Status))
	case f.Status == http.StatusTooManyRequests:
		limited(a, f.RetryAfter, or(f.Scope, "user"))
	case f.Status != 0:
		a.write(&failure{f.Status, f.Code, fmt.Sprintf("%d: %s", f.Status, http.StatusText(f.Status)), nil})
	}
}

// violate records something the real Discord would punish or silently ignore. The lock
// is held.
func (s *Server) violate(format string, args ...any) {
	s.violations = append(s.violations, fmt.Sprintf(format, args...))
}

// Violations are the things done that Discord punishes or silently ignores: a test of a
// well-behaved bot finds none.
func (s *Server) Violations() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.violations)
}

// Calls counts the requests of a route, those with a prefix if it ends with "*".
func (s *Server) Calls(route string) int {
	prefix, many := strings.CutSuffix(route, "*")
	n := 0
	for _, r := range s.Requests() {
		if r.Route == route || many && strings.HasPrefix(r.Route, prefix) {
			n++
		}
	}
	return n
}
