package main

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"threadkeeper/bot/discord/fakediscord"
	"threadkeeper/bot/platformtest"
)

// openDiscord is a Discord with one server.
func openDiscord(t *testing.T) *outside {
	h := fakediscord.NewHarness(t, nil)
	var hook atomic.Pointer[func(string)]
	watch := func() {
		h.Server.Break(fakediscord.Fault{Times: -1, Match: func(r *fakediscord.Request) bool {
			if f := hook.Load(); f != nil {
				(*f)(r.Route)
			}
			return false
		}})
	}
	watch()
	return &outside{Harness: h,
		environ:   []string{"DISCORD_TOKEN=" + h.Token(), "DISCORD_API_URL=" + h.URL()},
		connected: func(string) bool { return h.Ready() > 0 && len(h.Commands()) > 0 },
		restarted: h.ForgetIdentify,
		forgets:   true,
		begun:     h.Identified,
		requests:  func(f func(string)) { hook.Store(&f) },
		sources: func(at platformtest.Place, p platformtest.Post) string {
			var all strings.Builder
			for _, m := range h.Messages(at.Thread, "") {
				all.WriteString(m.Content + "\n")
			}
			return all.String()
		},
		violations: h.Violations,
		faults:     discordFaults(h, watch),
	}
}

// inTurn is one fault after the other: sessions are begun five seconds apart.
func inTurn(faults ...func()) func() {
	n := 0
	return func() {
		n++
		faults[(n-1)%len(faults)]()
	}
}

func discordFaults(h *fakediscord.Harness, watch func()) []fault {
	breaks := func(faults ...fakediscord.Fault) func() {
		return func() {
			h.Mend()
			watch()
			for _, f := range faults {
				h.Server.Break(f)
			}
		}
	}
	// everyRoute is a fault that the first request to each route meets.
	everyRoute := func(f fakediscord.Fault) func() {
		return func() {
			met := make(map[string]bool)
			f.Times, f.Match = -1, func(r *fakediscord.Request) bool {
				before := met[r.Route]
				met[r.Route] = true
				return !before
			}
			breaks(f)()
		}
	}
	mute := h.Cut // so that the interval of heartbeats is told first
	const post, edit = "POST /channels/{channel}/messages", "PATCH /channels/{channel}/messages/{message}"
	return []fault{
		{"gateway cut", h.Cut},
		{"gateway asks for a reconnection", h.Reconnect},
		{"resume refused or session invalid", inTurn(func() { h.RefuseResume(); h.Cut() }, func() { h.Invalidate(false) })},
		{"session invalid, but resumable", func() { h.Invalidate(true) }},
		{"cut at the next heartbeat", func() { h.CutAt(1); h.AskHeartbeat() }},
		{"cut at hello and resume", func() { h.CutAt(10); h.CutAt(6); h.Cut() }},
		{"cut at identify, or before READY", inTurn(func() { h.CutAt(2); h.RefuseResume(); h.Cut() }, h.Cut,
			func() { h.CutOn("READY", false); h.RefuseResume(); h.Cut() }, h.Cut)},
		{"cut after RESUMED", func() { h.CutOn("RESUMED", true); h.Cut() }},
		{"cut at every message", func() { h.CutOn("MESSAGE_CREATE", false) }},
		{"cut after every message", func() { h.CutOn("MESSAGE_CREATE", true) }},
		{"cut at every interaction", func() { h.CutOn("INTERACTION_CREATE", false) }},
		{"a reconnection asked for first", func() { h.ReconnectFirst(); h.Cut() }},
		{"gateway silent", func() { h.Pulse(2 * time.Second); mute(); mute = h.Mute }},
		{"a storm of 429", breaks(fakediscord.Fault{Status: http.StatusTooManyRequests, RetryAfter: 200 * time.Millisecond, Times: 4})},
		{"a 429 for all", breaks(fakediscord.Fault{Status: http.StatusTooManyRequests, RetryAfter: 300 * time.Millisecond, Scope: "global"})},
		{"a 429 of every route", everyRoute(fakediscord.Fault{Status: http.StatusTooManyRequests, RetryAfter: 100 * time.Millisecond})},
		{"a 429 of Cloudflare", everyRoute(fakediscord.Fault{Status: http.StatusTooManyRequests, RetryAfter: time.Second, HTML: true})},
		{"a 500 of every route", everyRoute(fakediscord.Fault{Status: http.StatusInternalServerError})},
		{"a 500 of every route that was carried out", everyRoute(fakediscord.Fault{Status: http.StatusInternalServerError, After: true})},
		{"every receipt is lost", everyRoute(fakediscord.Fault{After: true})},
		{"500s", breaks(fakediscord.Fault{Route: post, Status: http.StatusInternalServerError, Times: 2}, fakediscord.Fault{Route: edit, Status: http.StatusInternalServerError})},
		{"receipts are lost", breaks(fakediscord.Fault{Route: post, After: true}, fakediscord.Fault{Route: edit, After: true})},
		{"everything comes again", h.Redeliver},
	}
}
