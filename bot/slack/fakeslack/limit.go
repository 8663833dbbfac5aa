package fakeslack

import (
	"math"
	"slices"
	"time"
)

// tier is how many requests a minute a method takes, per workspace. Numbers of
// Slack's documentation ("Rate limits") and its Java SDK's MethodsRateLimits.
type tier float64

const (
	tier1   tier = 10 // one, and "a small amount of burst behavior is tolerated"
	tier2   tier = 20
	tier3   tier = 50
	tier4   tier = 100
	special tier = 600 // auth.test, setStatus: hundreds a minute
	posting tier = -60 // chat.postMessage: one a second in each channel
)

// limited counts a request of its method, or is how long until it may be made: in no
// sixty seconds there are more than the tier says.
func (s *Server) limited(name string, m method, args Args) time.Duration {
	if s.o.Limits <= 0 || m.tier == 0 {
		return 0
	}
	perMinute, key := float64(m.tier), name
	if m.tier == posting {
		perMinute, key = -perMinute, name+" "+args.str("channel")
	}
	most := max(1, int(perMinute*s.o.Limits))
	now := s.o.Now()
	made := slices.DeleteFunc(s.limits[key], func(at time.Time) bool { return now.Sub(at) >= time.Minute })
	s.limits[key] = made
	if len(made) >= most {
		return made[len(made)-most].Add(time.Minute).Sub(now)
	}
	s.limits[key] = append(made, now)
	return 0
}

// Rest lets the limits forget what was requested, as a minute of rest does.
func (s *Server) Rest() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.limits)
}

// seconds is a wait as Retry-After says it: whole, at least one.
func seconds(d time.Duration) int { return max(1, int(math.Ceil(d.Seconds()))) }
