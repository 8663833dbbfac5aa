package slack

import (
	"testing"

	"threadkeeper/bot/slack/fakeslack"
	"threadkeeper/memory"
)

func TestAMessageHasAnAddress(t *testing.T) {
	t.Parallel()
	s := newStage(t, fakeslack.Options{})
	thread := memory.Key{Channel: "C1", Thread: "1700000000.000100"}
	for _, c := range []struct {
		key           memory.Key
		message, want string
	}{
		{thread, "1700000000.000100", "https://threadworks.slack.com/archives/C1/p1700000000000100"},
		{thread, "1700000000.000200", "https://threadworks.slack.com/archives/C1/p1700000000000200?cid=C1&thread_ts=1700000000.000100"},
		{memory.Key{Channel: "D1"}, "1700000000.000200", "https://threadworks.slack.com/archives/D1/p1700000000000200"},
		{thread, "event:click:1", ""},
	} {
		if got := s.a.Permalink(c.key, c.message); got != c.want {
			t.Errorf("%s: %q, want %q", c.message, got, c.want)
		}
	}
}
