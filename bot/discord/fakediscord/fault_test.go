package fakediscord

import (
	"net/http"
	"testing"
	"time"
)

func TestLimitsOfRate(t *testing.T) {
	now := newClock()
	b := open(t, Options{Now: now.now, Global: Rate{8, time.Second}})
	for n := range 5 {
		b.post(b.general, "x")
		if got := b.header.Get("X-RateLimit-Remaining"); got != string(rune('4'-n)) || b.header.Get("X-RateLimit-Limit") != "5" || b.header.Get("X-RateLimit-Bucket") == "" || b.header.Get("X-RateLimit-Reset-After") != "5.000" {
			t.Errorf("after %d: %v", n+1, b.header)
		}
	}
	status, o := b.do("POST", "/channels/"+b.general+"/messages", say("x"))
	if status != 429 || o["retry_after"] != 5.0 || o["global"] != false || b.header.Get("Retry-After") != "5" || b.header.Get("X-RateLimit-Scope") != "user" {
		t.Errorf("%d %v %v", status, o, b.header)
	}
	other := b.AddChannel(b.guild, Channel{Name: "other"})
	b.post(other, "another channel has a limit of its own")
	b.do("GET", "/users/@me", nil)
	status, o = b.do("GET", "/users/@me", nil)
	if status != 429 || o["global"] != true || b.header.Get("X-RateLimit-Global") != "true" {
		t.Errorf("%d %v %v", status, o, b.header)
	}
	now.pass(5 * time.Second)
	b.post(b.general, "again")
	if n := b.counted(); n != 2 {
		t.Errorf("%d invalid requests, want 2", n)
	}
}

func TestFaults(t *testing.T) {
	b := open(t, Options{Rate: Rate{100, time.Second}})
	send := func() int {
		status, _ := b.raw("POST", "/channels/"+b.general+"/messages", say("x"))
		return status
	}
	posted := 0
	for _, c := range []struct {
		fault        Fault
		status, more int
	}{
		{Fault{Status: 500}, 500, 0},
		{Fault{Status: 503, After: true}, 503, 1},
		{Fault{}, 0, 0},
		{Fault{After: true}, 0, 1},
		{Fault{Status: 429, RetryAfter: time.Second}, 429, 0},
		{Fault{Status: 429, HTML: true}, 429, 0},
		{Fault{Status: 429, RetryAfter: time.Second, Scope: "shared"}, 429, 0},
		{Fault{Match: func(q *Request) bool { return q.Body == "" }, Status: 500}, 200, 1},
	} {
		c.fault.Route = routePost
		b.Break(c.fault)
		if got := send(); got != c.status {
			t.Errorf("%+v: %d, want %d", c.fault, got, c.status)
		}
		if c.fault.HTML && b.header.Get("Content-Type") != "text/html" {
			t.Errorf("%v", b.header)
		}
		if posted += c.more; len(b.Messages(b.general, "")) != posted {
			t.Errorf("%+v: %d messages, want %d", c.fault, len(b.Messages(b.general, "")), posted)
		}
	}
	if b.Unmet() != 1 {
		t.Errorf("%d faults left, want 1", b.Unmet())
	}
	b.Mend()
	if got := send(); got != 200 || b.Calls("POST /channels/*") != 9 {
		t.Error(got, b.Calls("POST /channels/*"))
	}
	if n := b.counted(); n != 2 {
		t.Errorf("%d invalid requests, want 2: those with a shared limit do not count", n)
	}
}

func TestPeopleWhoMayAsk(t *testing.T) {
	b := open(t, Options{})
	for _, header := range []string{"", "Bearer token", "token", "Bot other"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.URL()+"/api/v10/users/@me", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", header)
		resp, err := b.client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != 401 {
			t.Errorf("%q: %d", header, resp.StatusCode)
		}
	}
	if v := b.Violations(); len(v) != 4 {
		t.Errorf("%d violations, want one for each User-Agent", len(v))
	}
	if _, err := b.client().Get("https://example.com/"); err == nil {
		t.Error("a request left for another host")
	}
}
