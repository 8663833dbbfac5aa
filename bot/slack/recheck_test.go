package slack_test

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
	"threadkeeper/bot/slack"
	"threadkeeper/bot/slack/fakeslack"
	"threadkeeper/memory"
)

// TestWhatABackupBringsIsCompared: of a backup that is days old everything is looked for, also what
// catching up does not reach. What is there is new to nobody.
func TestWhatABackupBringsIsCompared(t *testing.T) {
	t.Parallel()
	var days atomic.Int64
	w := newOutage(t, fakeslack.Options{Now: func() time.Time { return time.Now().Add(time.Duration(days.Load()-3) * 24 * time.Hour) }})
	stored := seen(w.before.all())
	w.Edit(w.channel, w.edited, "edited")
	w.Delete(w.channel, w.taken)
	elsewhere := platform.Seen{Key: memory.Key{Workspace: "TOTHER", Channel: "C1"}, Messages: []string{"1700000000.000001"}}
	days.Add(3)
	e := &ear{backup: &platformtest.Backup{Brought: append(stored, elsewhere)}}
	listen(t, adapter(t, w.Server, slack.Options{AppToken: w.Options().AppToken}), e)
	await(t, "the end of the comparison", func() bool { return len(e.backup.Checked()) >= 2 })
	for _, ev := range e.all() {
		switch {
		case ev.Kind == platform.EventDelete && ev.Message == w.taken && ev.Key.Thread == w.root:
		case ev.Kind == platform.EventEdit && ev.Message == w.edited && ev.Text == "edited":
		case ev.Kind == platform.EventEdit && ev.Message != w.edited: // as it is stored
		default:
			t.Errorf("%+v", ev)
		}
	}
	// What was not found is reported as missing; Slack's own event of the deletion may come as well, sooner or later.
	if !slices.Contains(e.missing(), w.taken) && len(e.ids(platform.EventDelete)) != 1 || !slices.ContainsFunc(e.all(), func(ev platform.Event) bool { return ev.Text == "edited" }) {
		t.Errorf("received %+v", e.all())
	}
	for _, channel := range e.backup.Checked() {
		if channel.Workspace == "TOTHER" {
			t.Error("a channel of another workspace was compared")
		}
	}
}
