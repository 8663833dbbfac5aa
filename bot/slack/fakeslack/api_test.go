package fakeslack

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"
)

// The requests of testdata/requests.json, which Slack's own types are held against
// too (certify/shapes.mjs), are taken or refused here as they say.
func TestRequestsThatTypesKnow(t *testing.T) {
	raw, err := os.ReadFile("testdata/requests.json")
	if err != nil {
		t.Fatal(err)
	}
	s := newStage(t, Options{})
	thread := s.say("a question", "")
	dm := s.DM(s.ada)
	s.Slash(s.ada, s.room, "/memory", "")
	trigger := ""
	for id := range s.triggers {
		trigger = id
	}
	fill := map[string]string{"$CHANNEL": s.room, "$THREAD": thread, "$POST": s.post("ours", ""), "$USER": s.ada, "$TEAM": TeamID, "$DM": dm,
		"$DMTHREAD": s.Say(Said{User: s.ada, Channel: s.DM(s.ada), Text: "hi"}), "$TRIGGER": trigger}
	var requests []struct {
		Method, Error string
		Args          json.RawMessage
	}
	if err := json.Unmarshal(raw, &requests); err != nil {
		t.Fatal(err)
	}
	wrong := 0
	for _, r := range requests {
		text := string(r.Args)
		for name, v := range fill {
			text = strings.ReplaceAll(text, `"`+name+`"`, `"`+v+`"`)
		}
		var args map[string]any
		if err := json.Unmarshal([]byte(text), &args); err != nil {
			t.Fatal(err)
		}
		v, _ := s.do(r.Method, args)
		if r.Error != "" {
			wrong++
		}
		if code, _ := v["error"].(string); code != r.Error {
			t.Errorf("%s %s: %v, want the error %q", r.Method, text, v, r.Error)
		}
		if r.Method == "chat.startStream" && r.Error == "" {
			fill["$STREAM"] = v["ts"].(string)
		}
	}
	if len(s.Violations()) != wrong {
		t.Errorf("%d violations, want %d: %q", len(s.Violations()), wrong, s.Violations())
	}
}

func TestTokensAndScopes(t *testing.T) {
	s := newStage(t, Options{Scopes: []string{"chat:write"}})
	for token, code := range map[string]string{"": "not_authed", "xoxb-other": "invalid_auth", "xapp-fake": "not_allowed_token_type"} {
		if v, _ := s.form("auth.test", token, url.Values{}); v["error"] != code {
			t.Errorf("with the token %q: %v, want %s", token, v, code)
		}
	}
	v, resp := s.form("auth.test", "xoxb-fake", url.Values{})
	if v["user_id"] != BotUser || v["bot_id"] != BotID || resp.Header.Get("X-OAuth-Scopes") != "chat:write" {
		t.Errorf("auth.test: %v, scopes %q", v, resp.Header.Get("X-OAuth-Scopes"))
	}
	if v := s.refused("users.info", "missing_scope", map[string]any{"user": s.ada}); v["needed"] != "users:read" || v["provided"] != "chat:write" {
		t.Errorf("missing scope: %v", v)
	}
	s.refused("chat.nothing", "unknown_method", nil)
	s.Revoke("token_revoked")
	s.refused("auth.test", "token_revoked", nil)
}

func TestRateLimits(t *testing.T) {
	s := newStage(t, Options{Limits: 1})
	ts := ""
	for i := range 60 {
		ts = s.post(fmt.Sprint(i), "")
	}
	s.clock.pass(50 * time.Second)
	v, resp := s.do("chat.postMessage", map[string]any{"channel": s.room, "text": "too many"})
	if resp.StatusCode != http.StatusTooManyRequests || resp.Header.Get("Retry-After") != "10" || v["error"] != "ratelimited" {
		t.Fatalf("%d %v, Retry-After %q", resp.StatusCode, v, resp.Header.Get("Retry-After"))
	}
	other := s.AddChannel(Channel{Name: "other", Members: []string{BotUser}}).ID
	s.must("chat.postMessage", map[string]any{"channel": other, "text": "each channel has its own"})
	s.clock.pass(10 * time.Second)
	s.post("now it may", "")
	for range 50 {
		s.must("chat.update", map[string]any{"channel": s.room, "ts": ts, "text": "x"})
	}
	if _, resp := s.do("chat.update", map[string]any{"channel": s.room, "ts": ts, "text": "x"}); resp.StatusCode != http.StatusTooManyRequests {
		t.Errorf("the 51st change in a minute: status %d", resp.StatusCode)
	}
	s.clean()
}

func TestFaults(t *testing.T) {
	s := newStage(t, Options{})
	say := map[string]any{"channel": s.room, "text": "hello"}
	for _, f := range []struct {
		fault  Fault
		status int // 0: no answer
		posted int
	}{
		{Fault{Kind: Fail}, 500, 0},
		{Fault{Kind: Drop}, 0, 0},
		{Fault{Kind: Lose}, 0, 1},
		{Fault{Kind: LoseBad}, 500, 1},
		{Fault{Kind: Limit, After: 2 * time.Second}, 429, 0},
		{Fault{Kind: Refuse, Code: "invalid_metadata_format"}, 200, 0},
	} {
		f.fault.Methods = []string{"chat.postMessage"}
		s.Break(f.fault)
		before := len(s.Messages(s.room))
		_, resp := s.do("chat.postMessage", say)
		status := 0
		if resp != nil {
			status = resp.StatusCode
		}
		if n := len(s.Messages(s.room)) - before; status != f.status || n != f.posted {
			t.Errorf("%s: status %d and %d posts, want %d and %d", f.fault.Kind, status, n, f.status, f.posted)
		}
		s.must("chat.postMessage", say) // only once
	}
	s.clean()
}

func TestUnknownArgumentsAreViolations(t *testing.T) {
	s := newStage(t, Options{})
	s.must("chat.postMessage", map[string]any{"channel": s.room, "text": "x", "tread_ts": "1.1"})
	if v := s.Violations(); len(v) != 1 || !strings.Contains(v[0], "tread_ts") {
		t.Errorf("violations %q", v)
	}
}
