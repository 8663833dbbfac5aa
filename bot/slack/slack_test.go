package slack_test

import (
	"context"
	"strings"
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
	"threadkeeper/bot/slack"
	"threadkeeper/bot/slack/fakeslack"
	"threadkeeper/memory"
)

func TestRevokedTokensEndTheRun(t *testing.T) {
	s, _, end := socketed(t, fakeslack.Options{})
	s.Uninstall()
	await(t, "the sockets closed", func() bool { return s.Sockets() == 0 })
	if err := end(); err == nil || !strings.Contains(err.Error(), "install") {
		t.Errorf("%v", err)
	}
}

// TestATokenThatIsRefusedMidRunEndsIt, although no event says so, at the next request.
func TestATokenThatIsRefusedMidRunEndsIt(t *testing.T) {
	for mode, o := range map[string]slack.Options{"Socket Mode": {AppToken: "xapp"}, "HTTP": {SigningSecret: "secret", Listen: "127.0.0.1:0"}} {
		for code, removals := range map[string]int{"invalid_auth": 0, "token_revoked": 1} {
			s := fakeslack.New(fakeslack.Options{})
			t.Cleanup(s.Close)
			if o.AppToken != "" {
				o.AppToken = s.Options().AppToken
			}
			a, began, told, done := adapter(t, s, o), make(chan struct{}, 9), 0, make(chan error, 1)
			h := platform.Handler{Receive: func(context.Context, platform.Event) error { began <- struct{}{}; return nil },
				Absent: func(context.Context, platform.Absence) error { told++; return nil }}
			go func() { done <- a.Run(t.Context(), platformtest.Handler(h), nil) }()
			<-began // with what every start asks for
			s.Revoke(code)
			if _, err := a.Post(t.Context(), platform.Address{Key: memory.Key{Workspace: fakeslack.TeamID, Channel: "C1"}}, platform.Outgoing{Text: "hello"}); err == nil {
				t.Error("posted")
			}
			if err := <-done; err == nil || !strings.Contains(err.Error(), "refused ("+code+"): set SLACK_BOT_TOKEN") || told != removals {
				t.Errorf("%s, %s: %v, %d removals told, want %d", mode, code, err, told, removals)
			}
		}
	}
}

func TestBadTokensSayWhatToDo(t *testing.T) {
	s := fakeslack.New(fakeslack.Options{})
	t.Cleanup(s.Close)
	for _, c := range []struct {
		o    slack.Options
		want string
	}{
		{slack.Options{BotToken: "xoxb-wrong", AppToken: s.Options().AppToken}, "SLACK_BOT_TOKEN"},
		{slack.Options{BotToken: s.Options().BotToken, AppToken: "xapp-wrong"}, "SLACK_APP_TOKEN"},
		{slack.Options{BotToken: s.Options().BotToken}, "SLACK_SIGNING_SECRET"},
		{slack.Options{BotToken: s.Options().BotToken, SigningSecret: "x"}, "listen"},
		{slack.Options{}, "SLACK_BOT_TOKEN"},
	} {
		a := adapter(t, s, c.o)
		o := c.o
		o.APIURL, o.Log = s.APIURL(), a.Log
		err := slack.New(o).Run(t.Context(), platformtest.Handler(platform.Handler{Receive: new(ear).receive}), nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v does not name %s", err, c.want)
		}
	}
}
