package fakediscord

import (
	"fmt"
	"hash/fnv"
	"math"
	"net/http"
	"strconv"
	"time"
)

// window counts the requests of one bucket in a fixed time.
type window struct {
	used  int
	reset time.Time
}

// take counts one more, or reports when there is room again.
func (w *window) take(now time.Time, r Rate) (ok bool) {
	if !now.Before(w.reset) {
		w.used, w.reset = 0, now.Add(r.Per)
	}
	if w.used >= r.Limit {
		return false
	}
	w.used++
	return true
}

func (s *Server) window(key string) *window {
	w := s.buckets[key]
	if w == nil {
		w = new(window)
		s.buckets[key] = w
	}
	return w
}

// count applies the limits of a route and of the whole bot, writes the headers, and
// answers 429 when one is exceeded.
// https://docs.discord.com/developers/topics/rate-limits
func (s *Server) count(a *answer, c *call, route string, k kind) bool {
	now, rate := s.now(), s.opts.Rate
	if k == ordinary {
		rate = Rate{max(10, rate.Limit), rate.Per}
	}
	if g := s.window("global"); k != interacting && !g.take(now, s.opts.Global) {
		limited(a, g.reset.Sub(now), "global")
		return false
	}
	h := fnv.New64a()
	h.Write([]byte(route))
	bucket := strconv.FormatUint(h.Sum64(), 16)
	major := c.PathValue("channel") + c.PathValue("guild") + c.PathValue("token")
	b := s.window(bucket + "/" + major)
	ok := b.take(now, rate)
	after := b.reset.Sub(now)
	set := a.header.Set
	set("X-RateLimit-Bucket", bucket)
	set("X-RateLimit-Limit", strconv.Itoa(rate.Limit))
	set("X-RateLimit-Remaining", strconv.Itoa(rate.Limit-b.used))
	set("X-RateLimit-Reset", fmt.Sprintf("%.3f", float64(b.reset.UnixMilli())/1000))
	set("X-RateLimit-Reset-After", fmt.Sprintf("%.3f", after.Seconds()))
	if !ok {
		limited(a, after, "user")
	}
	return ok
}

// limited answers 429. Scope is "user", "global" or "shared".
func limited(a *answer, after time.Duration, scope string) {
	seconds := math.Ceil(after.Seconds()*1000) / 1000
	h := a.header
	h.Set("Retry-After", strconv.Itoa(int(math.Ceil(seconds))))
	h.Set("X-RateLimit-Scope", scope)
	if scope == "global" {
		h.Set("X-RateLimit-Global", "true")
	}
	a.write(reply{http.StatusTooManyRequests, map[string]any{"message": "You are being rate limited.", "retry_after": seconds, "global": scope == "global"}})
}

// invalidLimit is how many 401, 403 and 429 in ten minutes get an address banned.
const invalidLimit = 10000

func (s *Server) countInvalid() {
	now := s.now()
	s.invalid = append(s.invalid, now)
	for now.Sub(s.invalid[0]) > 10*time.Minute {
		s.invalid = s.invalid[1:]
	}
	if len(s.invalid) > invalidLimit {
		s.violate("%d invalid requests in ten minutes", len(s.invalid))
	}
}

// Invalid is how many requests of the last ten minutes count toward a ban.
func (s *Server) Invalid() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.invalid)
}
