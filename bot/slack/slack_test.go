package slack_test

import (
	"strings"
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/slack"
	"threadkeeper/bot/slack/fakeslack"
)

func TestRevokedTokensEndTheRun(t *testing.T) {
	s, _, end := socketed(t, fakeslack.Options{})
	s.Uninstall()
	await(t, "the sockets closed", func() bool { return s.Sockets() == 0 })
	if err := end(); err == nil || !strings.Contains(err.Error(), "install") {
		t.Errorf("%v", err)
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
		err := slack.New(o).Run(t.Context(), platform.Handler{Receive: new(ear).receive}, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v does not name %s", err, c.want)
		}
	}
}
