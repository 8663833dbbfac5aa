package slack

import (
	"slices"
	"testing"
	"time"

	"threadkeeper/bot/slack/fakeslack"
	"threadkeeper/memory"
)

// People call us by the name that Slack shows, or that of our user.
func TestOwnNames(t *testing.T) {
	s := openFake(t, fakeslack.Options{})
	a := New(Options{BotToken: s.Options().BotToken, AppToken: s.Options().AppToken, APIURL: s.APIURL()})
	a.LookUp = time.Minute
	if got := a.OwnNames(t.Context(), memory.Key{}); !slices.Equal(got, []string{"threadkeeper"}) {
		t.Errorf("%q", got)
	}
}
