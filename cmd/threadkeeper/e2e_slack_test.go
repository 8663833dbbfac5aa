package main

import (
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"threadkeeper/bot/platformtest"
	"threadkeeper/bot/slack/fakeslack"
)

// openSlack is a Slack with the agent view, by Socket Mode.
func openSlack(t *testing.T) *outside {
	o := slackWorld(t, fakeslack.Options{AgentView: true})
	h := o.Harness.(*fakeslack.Harness)
	o.environ = append(o.environ, "SLACK_APP_TOKEN="+h.Options().AppToken)
	o.connected = func(string) bool { return h.Sockets() > 0 }
	return o
}

// openSlackByHTTP is a Slack without the agent view that delivers by HTTP, commands and
// clicks once only.
func openSlackByHTTP(t *testing.T) *outside {
	pauses := make([]time.Duration, 1000) // longer than a start takes
	for i := range pauses {
		pauses[i] = 200 * time.Millisecond
	}
	o := slackWorld(t, fakeslack.Options{RetryWaits: pauses, SigningSecret: t.Name()}) // what another test's program had would be refused
	h := o.Harness.(*fakeslack.Harness)
	o.environ = append(o.environ, "SLACK_SIGNING_SECRET="+h.Options().SigningSecret, "SLACK_LISTEN=127.0.0.1:0", "SLACK_AGENT_VIEW=false")
	o.connected = func(log string) bool {
		m := listening.FindStringSubmatch(log)
		return m != nil && h.SetTarget(fakeslack.Target{URL: "http://" + m[1] + "/slack/events"}) == nil
	}
	o.forgets = true
	o.violations = func() []string {
		return slices.Concat(h.Violations(), slices.DeleteFunc(h.Lost(), func(what string) bool { return !strings.HasPrefix(what, "events_api ") }))
	}
	o.faults = slices.DeleteFunc(o.faults, func(f fault) bool {
		return !slices.Contains([]string{"every method fails", "everything comes again"}, f.name)
	})
	return o
}

// listening is where the program says it takes events; each start has another port, as no
// other program may have taken it meanwhile.
var listening = regexp.MustCompile(`msg="listening for events" address=(\S+)`)

// slackWorld is a Slack that the program is not led to yet.
func slackWorld(t *testing.T, options fakeslack.Options) *outside {
	var hook atomic.Pointer[func(string)]
	options.OnRequest = func(step string) {
		if f := hook.Load(); f != nil && strings.HasPrefix(step, "before ") {
			(*f)(strings.TrimPrefix(step, "before "))
		}
	}
	options.Limits = slackLimits
	h := fakeslack.NewHarness(t, options, nil)
	return &outside{Harness: h,
		environ:   []string{"SLACK_BOT_TOKEN=" + h.Options().BotToken, "SLACK_API_URL=" + h.APIURL()},
		restarted: h.Rest,
		requests:  func(f func(string)) { hook.Store(&f) },
		sources: func(at platformtest.Place, p platformtest.Post) string {
			for _, m := range h.Shown(h.Room(at, "Ada"), at.Thread, h.Person("Ada")) {
				if m.TS == p.ID {
					return strings.Join(m.Context, "\n")
				}
			}
			return ""
		},
		violations: func() []string { return slices.Concat(h.Violations(), h.Lost(), tooOften(h)) },
		faults:     slackFaults(h, &hook),
	}
}

// slackLimits are Slack's own and a fifth more: a busy machine may deliver late what was sent in time.
const slackLimits = 1.2

// tooOften are the requests that Slack refused because there had been too many.
func tooOften(h *fakeslack.Harness) []string {
	var refused []string
	for _, r := range h.Requests() {
		if r.Error == "ratelimited" {
			refused = append(refused, r.Method+" was refused: too often")
		}
	}
	return refused
}

// slackMethods are those of the Web API that the program uses while it runs.
var slackMethods = []string{"chat.postMessage", "chat.postEphemeral", "chat.update", "chat.startStream", "chat.appendStream", "chat.stopStream",
	"conversations.info", "conversations.replies", "conversations.members", "conversations.open", "users.conversations", "users.info", "users.list", "files.info", "download", "upload",
	"files.getUploadURLExternal", "files.completeUploadExternal", "files.delete", "assistant.threads.setStatus", "assistant.threads.setTitle", "agents.sessions.rename",
	"assistant.threads.setSuggestedPrompts", "chat.delete", "conversations.history", "views.open", "views.publish", "apps.connections.open", "response_url"}

func slackFaults(h *fakeslack.Harness, hook *atomic.Pointer[func(string)]) []fault {
	each := func(kind fakeslack.FaultKind, methods ...string) func() {
		return func() {
			h.Mend()
			for _, m := range methods {
				h.Server.Break(fakeslack.Fault{Kind: kind, Methods: []string{m}, After: time.Second})
			}
		}
	}
	refuse := func(code string, methods ...string) func() {
		return func() {
			h.Mend()
			h.Server.Break(fakeslack.Fault{Kind: fakeslack.Refuse, Methods: methods, Code: code})
		}
	}
	during := func(prefix string, act func()) func() {
		return func() {
			var done atomic.Bool
			f := func(method string) {
				if strings.HasPrefix(method, prefix) && done.CompareAndSwap(false, true) {
					go act()
				}
			}
			hook.Store(&f)
		}
	}
	// Connections that end in every step would be made as seldom as Slack wants it; the
	// faults of connections share the steps.
	sometimes := func(first int, arm func()) func() {
		step := -1
		return func() {
			h.Mend()
			hook.Store(nil)
			if step++; step%4 == first {
				arm()
			}
		}
	}
	return []fault{
		{"sockets cut", sometimes(0, h.CutSockets)},
		{"sockets cut in the middle of an answer", sometimes(3, during("chat.", h.CutSockets))},
		{"sockets renewed", sometimes(1, func() { h.Disconnect("refresh_requested", true) })},
		{"too many sockets", sometimes(2, func() { h.Disconnect("too_many_websockets", true) })},
		{"sockets are not greeted", sometimes(2, func() { h.Mute(1); h.CutSockets() })},
		{"too many requests of every method", each(fakeslack.Limit, slackMethods...)},
		{"every method fails", each(fakeslack.Fail, slackMethods...)},
		{"every method fails when it is done", each(fakeslack.LoseBad, findable...)},
		{"connections drop", each(fakeslack.Drop, slackMethods...)},
		{"receipts are lost", each(fakeslack.Lose, findable...)},
		{"streams expire", during("chat.appendStream", h.ExpireStreams)},
		{"streams are refused", refuse("feature_not_enabled", "chat.startStream")},
		{"streams need a scope", refuse("missing_scope", "chat.startStream")},
		{"streams are refused here", refuse("method_not_supported_for_channel_type", "chat.startStream")},
		{"everything comes again", h.Redeliver},
	}
}

// findable are the requests whose result can be looked for, or that may be made twice:
// all but those that only one person sees something of.
var findable = slices.DeleteFunc(slices.Clone(slackMethods), func(m string) bool {
	return m == "chat.postEphemeral" || m == "response_url"
})
