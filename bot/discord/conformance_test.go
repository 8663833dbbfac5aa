package discord

import (
	"testing"
	"time"

	"threadkeeper/bot/discord/fakediscord"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
)

func TestConformance(t *testing.T) {
	t.Parallel()
	sent := &shapes{all: make(map[string][]byte)}
	t.Cleanup(func() { sent.known(t) })
	platformtest.Run(t, func(t *testing.T) platformtest.Harness {
		h := fakediscord.NewHarness(t, func(s *fakediscord.Server) platform.Platform {
			a := New(Options{Token: s.Token(), APIURL: s.URL(), Log: platformtest.Discreet(t, s.Token(), "hm=", fakediscord.TokenPrefix)})
			a.timing.respond, a.timing.store = time.Minute, time.Minute
			return a
		})
		t.Cleanup(func() {
			for _, r := range h.Requests() {
				sent.add(t, r.Method, r.Path, []byte(r.Body))
			}
		})
		return h
	})
}
