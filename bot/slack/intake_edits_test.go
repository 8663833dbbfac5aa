package slack_test

import (
	"fmt"
	"slices"
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/slack/fakeslack"
)

// Of two edits the later one holds, in whichever order they come.
func TestAnEditDeliveredAfterALaterOne(t *testing.T) {
	t.Parallel()
	s, e, _ := socketed(t, fakeslack.Options{})
	user, channel := people(s)
	ts := s.Say(fakeslack.Said{User: user, Channel: channel, Text: us + "root"})
	for n, text := range []string{"third", "second", "fourth"} {
		at := fmt.Sprint([]int{1700000003, 1700000002, 1700000004}[n], ".000000")
		s.Emit(map[string]any{"type": "message", "subtype": "message_changed", "channel": channel, "channel_type": "channel",
			"message": map[string]any{"type": "message", "user": user, "text": us + text, "ts": ts, "edited": map[string]any{"ts": at}}}, channel)
		await(t, text, func() bool { return s.Pending() == 0 })
	}
	var texts []string
	for _, ev := range e.all() {
		if ev.Kind == platform.EventEdit {
			texts = append(texts, ev.Text)
		}
	}
	if !slices.Equal(texts, []string{"third", "fourth"}) {
		t.Errorf("edits %q", texts)
	}
}
