package fakediscord

import (
	"fmt"
	"hash/fnv"
	"math"
	"net/http"
	"strconv"
	"time"
)

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
	(&tooOften{message: "You are being rate limited.", after: after, scope: scope}).answer(a)
}

// tooOften is a 429. One that a handler returns is for what the request does, while the
// headers tell of its route, which allows more.
type tooOften struct {
	code    int // 0 for none
	message string
	after   time.Duration
	scope   string // "user", "global" or "shared"
}

func (e *tooOften) Error() string { return e.message }

func (e *tooOften) answer(a *answer) {
	seconds := math.Ceil(e.after.Seconds()*1000) / 1000
	h := a.header
	h.Set("Retry-After", strconv.Itoa(int(math.Ceil(seconds))))
	h.Set("X-RateLimit-Scope", e.scope)
	if e.scope == "global" {
		h.Set("X-RateLimit-Global", "true")
	}
	body := map[string]any{"message": e.message, "retry_after": seconds, "global": e.scope == "global"}
	if e.code != 0 {
		body["code"] = e.code
	}
	a.write(reply{http.StatusTooManyRequests, body})
}

// Limits of what a request does: new names of a channel
// (https://github.com/discord/discord-api-docs/issues/1900) and changes of a channel's
// messages that are older than an hour (https://docs.discord.food/resources/message#edit-message).
var (
	renames  = Rate{2, 10 * time.Minute}
	oldEdits = Rate{3, 6 * time.Second}
)

// once takes one more of something that is limited in a channel.
func (s *Server) once(what string, c *channel, r Rate, e tooOften) error {
	w := s.window(what + "/" + c.ID)
	if w.take(s.now(), r) {
		return nil
	}
	e.after, e.scope = w.reset.Sub(s.now()), "user"
	return &e
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
