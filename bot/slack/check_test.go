package slack

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"threadkeeper/bot/slack/fakeslack"
)

// checked are the findings about a workspace, "name: found" or "name FAILED: error".
func checked(t *testing.T, s *fakeslack.Server, change func(*Options)) string {
	t.Helper()
	o := Options{BotToken: s.Options().BotToken, AppToken: s.Options().AppToken, APIURL: s.APIURL(), AgentView: true, Log: slog.New(slog.DiscardHandler)}
	change(&o)
	var all strings.Builder
	New(o).Check(t.Context(), func(name, found string, err error) {
		if err != nil {
			name, found = name+" FAILED", err.Error()
		}
		all.WriteString(name + ": " + found + "\n")
	})
	return all.String()
}

func expect(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("no %q in:\n%s", p, text)
		}
	}
}

func openFake(t *testing.T, o fakeslack.Options) *fakeslack.Server {
	t.Helper()
	s := fakeslack.New(o)
	t.Cleanup(s.Close)
	return s
}

func TestCheckOfAGoodSetUp(t *testing.T) {
	s := openFake(t, fakeslack.Options{})
	text := checked(t, s, func(*Options) {})
	expect(t, text, "Slack: workspace Threadworks, as @threadkeeper", "Slack scopes: all ", "Socket Mode opens",
		"Slack does not show a bot its event subscriptions", "message.channels", "agent_session_stopped")
	if strings.Contains(text, "FAILED") {
		t.Error(text)
	}
	expect(t, checked(t, s, func(o *Options) { o.AppToken, o.SigningSecret, o.Listen = "", "secret", ":3000" }), "by HTTP, on :3000")
}

// TestCheckNamesTokensOfTwoApps: an app-level token names its app.
func TestCheckNamesTokensOfTwoApps(t *testing.T) {
	for token, mixed := range map[string]bool{"xapp-1-" + fakeslack.OtherAppID + "-1-f00d": true, "xapp-1-" + fakeslack.AppID + "-1-f00d": false} {
		s := openFake(t, fakeslack.Options{AppToken: token})
		text := checked(t, s, func(*Options) {})
		if got := strings.Contains(text, "SLACK_APP_TOKEN belongs to app "+fakeslack.OtherAppID+" and SLACK_BOT_TOKEN to app "+fakeslack.AppID); got != mixed || strings.Contains(text, "FAILED") != mixed {
			t.Errorf("%s: %s", token, text)
		}
	}
}

// TestCheckSaysWhetherTheAppIsAnAgent, as soon as somebody has written to it directly.
func TestCheckSaysWhetherTheAppIsAnAgent(t *testing.T) {
	for _, c := range []struct {
		is, set bool
		want    string
	}{
		{true, true, "Slack agent: yes"}, {true, false, "Slack agent FAILED: the app is an agent: set SLACK_AGENT_VIEW=true"},
		{false, true, "Slack agent FAILED: the app is not an agent"}, {false, false, "Slack agent: no"},
	} {
		s := openFake(t, fakeslack.Options{AgentView: c.is})
		check := func() string { return checked(t, s, func(o *Options) { o.AgentView = c.set }) }
		expect(t, check(), "Slack agent: not known")
		ada := s.AddUser(fakeslack.User{Name: "Ada"}).ID
		s.Say(fakeslack.Said{User: ada, Channel: s.DM(ada), Text: "hi"})
		expect(t, check(), c.want)
	}
}

func TestCheckNamesMissingScopes(t *testing.T) {
	s := openFake(t, fakeslack.Options{Scopes: []string{"app_mentions:read", "chat:write", "files:read"}})
	text := checked(t, s, func(*Options) {})
	expect(t, text, "Slack scopes FAILED: ", "files:write is missing: no page pictures or exports", "im:history is missing: it does not see direct messages", "install the app again")
	if strings.Contains(text, "chat:write is missing") {
		t.Error(text)
	}
}

func TestCheckOfWrongTokens(t *testing.T) {
	s := openFake(t, fakeslack.Options{})
	text := checked(t, s, func(o *Options) { o.BotToken = "xoxb-wrong" })
	expect(t, text, "Slack FAILED: ", "Slack does not recognise SLACK_BOT_TOKEN")
	if strings.Count(text, "FAILED") != 1 || strings.Contains(text, "xoxb-wrong") {
		t.Error(text)
	}
	expect(t, checked(t, s, func(o *Options) { o.AppToken = "xapp-wrong" }), "Slack: workspace", "Slack events FAILED: ", "Slack does not recognise SLACK_APP_TOKEN")
	s.Revoke("token_revoked")
	expect(t, checked(t, s, func(*Options) {}), "Slack FAILED: ", "no longer valid: install the app again")
	s.Close()
	expect(t, checked(t, s, func(*Options) {}), "Slack FAILED: ", "cannot be reached from here")
}

func TestClockSkew(t *testing.T) {
	head := http.Header{"Date": {"Sat, 21 Nov 2026 10:00:00 GMT"}}
	skew, known := clockSkew(head, time.Date(2026, 11, 21, 10, 6, 0, 0, time.UTC))
	if !known || skew != 6*time.Minute {
		t.Errorf("%s, %v", skew, known)
	}
	if _, known := clockSkew(http.Header{}, time.Now()); known {
		t.Error("a skew without a date")
	}
}
