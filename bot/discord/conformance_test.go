package discord

import (
	"testing"

	"threadkeeper/bot/discord/fakediscord"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
)

func TestConformance(t *testing.T) {
	sent := &shapes{all: make(map[string][]byte)}
	t.Cleanup(func() { sent.known(t) })
	platformtest.Run(t, func(t *testing.T) platformtest.Harness {
		h := fakediscord.NewHarness(t, func(s *fakediscord.Server) platform.Platform {
			return New(Options{Token: s.Token(), APIURL: s.URL(), Log: platformtest.Discreet(t, s.Token(), "hm=", fakediscord.TokenPrefix)})
		})
		t.Cleanup(func() {
			for _, r := range h.Requests() {
				sent.add(t, r.Method, r.Path, []byte(r.Body))
			}
		})
		return h
	})
}
