package slack_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"threadkeeper/bot/slack"
	"threadkeeper/bot/slack/fakeslack"
)

func TestTwoConnectionsAndARefreshLoseNothing(t *testing.T) {
	s, e, end := socketed(t, fakeslack.Options{})
	user, channel := people(s)
	var want []string
	for n := range 60 {
		if n%20 == 10 {
			s.Disconnect("refresh_requested", false)
		}
		want = append(want, fmt.Sprint("message ", n))
		s.Say(fakeslack.Said{User: user, Channel: channel, Text: want[n]})
	}
	await(t, "every message", func() bool { return len(e.texts()) == len(want) && s.Pending() == 0 })
	got := e.texts()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) || len(s.Lost()) > 0 {
		t.Errorf("%d messages, lost %v", len(got), s.Lost())
	}
	if v := s.Violations(); len(v) > 0 {
		t.Errorf("Slack would not take: %q", v)
	}
	if err := end(); err != nil {
		t.Error(err)
	}
}

func TestNothingIsAcknowledgedBeforeItIsStored(t *testing.T) {
	s, e, _ := socketed(t, fakeslack.Options{AckWait: 100 * time.Millisecond})
	user, channel := people(s)
	e.mu.Lock()
	e.fail = 2
	e.mu.Unlock()
	s.Say(fakeslack.Said{User: user, Channel: channel, Text: "<@" + fakeslack.BotUser + "> keep this"})
	await(t, "the message, delivered again", func() bool { return len(e.texts()) == 1 && s.Pending() == 0 })
}

func TestASlowStoreIsNotAcknowledged(t *testing.T) {
	s := fakeslack.New(fakeslack.Options{RetryWaits: make([]time.Duration, 1000), AckWait: 50 * time.Millisecond})
	t.Cleanup(s.Close)
	e := &ear{hold: make(chan struct{})}
	listen(t, adapter(t, s, slack.Options{AppToken: s.Options().AppToken}), e)
	await(t, "two connections", func() bool { return s.Sockets() == 2 })
	user, channel := people(s)
	s.Say(fakeslack.Said{User: user, Channel: channel, Text: "one"})
	await(t, "a second delivery", func() bool {
		s.Say(fakeslack.Said{User: user, Channel: channel, Text: "more"})
		return s.Pending() > 20
	})
	if n := len(s.Acks()); n > 0 {
		t.Errorf("%d acknowledged", n)
	}
	close(e.hold)
	await(t, "all acknowledged", func() bool { return s.Pending() == 0 })
}

func TestAFrameTheLibraryDoesNotReadIsReceivedOrAcknowledged(t *testing.T) {
	s, e, _ := socketed(t, fakeslack.Options{})
	user, channel := people(s)
	s.Emit(map[string]any{"type": "sunrise_over_the_sea", "event_ts": "1700000000.000100"}, channel)
	s.Emit(map[string]any{"type": "message", "channel": channel, "channel_type": "channel", "user": user, "text": "malformed blocks", "ts": "1700000001.000100",
		"event_ts": "1700000001.000100", "blocks": []any{map[string]any{"type": "rich_text", "elements": 7}, "x"}}, channel)
	await(t, "the message", func() bool { return slices.Contains(e.texts(), "malformed blocks") })
	await(t, "everything acknowledged", func() bool { return s.Pending() == 0 })
}

func TestAStormOfConnectionsIsLimited(t *testing.T) {
	s, _, _ := socketed(t, fakeslack.Options{})
	before, begun := s.Opened(), time.Now()
	for time.Since(begun) < time.Second {
		s.CutSockets()
		time.Sleep(5 * time.Millisecond)
	}
	// Each of the two is asked for once a second.
	if n, took := s.Opened()-before, time.Since(begun); n > 2*(1+int(took/time.Second)) {
		t.Errorf("%d connections in %s", n, took)
	}
}
