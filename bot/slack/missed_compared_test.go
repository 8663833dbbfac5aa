package slack_test

import (
	"fmt"
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

// TestARestoredBackupIsCompared: of a backup that is days old everything is looked for, also what
// catching up does not reach. What is there is new to nobody.
func TestARestoredBackupIsCompared(t *testing.T) {
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

// TestOldDeletionsAreFound: while nobody was here for ten days messages were deleted and edited, more than catching up
// compares. A pass over everything stored finds them, a page of Slack's at a time; what was said meanwhile is new to nobody.
func TestOldDeletionsAreFound(t *testing.T) {
	t.Parallel()
	var ms atomic.Int64
	ago := (10 * 24 * time.Hour).Milliseconds()
	w := newOutage(t, fakeslack.Options{Now: func() time.Time { return time.Now().Add(time.Duration(ms.Load()-ago) * time.Millisecond) }})
	var before []string
	for n := range 130 {
		before = append(before, w.say(w.root, fmt.Sprint("line ", n)))
	}
	var direct []string
	for range 2 {
		direct = append(direct, w.Say(fakeslack.Said{User: w.ada, Channel: w.dm, Text: "directly"}))
		for range 220 { // more than a page
			ms.Add(2)
			w.Say(fakeslack.Said{User: w.ada, Channel: w.dm, Text: "not stored", Silent: true})
		}
	}
	thread := platform.Seen{Key: memory.Key{Platform: "slack", Workspace: fakeslack.TeamID, Channel: w.channel, Thread: w.root}}
	thread.Messages = append([]string{w.root, w.edited, w.taken}, before...)
	slices.Reverse(thread.Messages)
	top := platform.Seen{Key: memory.Key{Platform: "slack", Workspace: fakeslack.TeamID, Channel: w.dm}, Messages: slices.Clone(direct)}
	slices.Reverse(top.Messages)
	elsewhere := platform.Seen{Key: memory.Key{Workspace: "TOTHER", Channel: "C1"}, Messages: []string{"1700000000.000001"}}
	bob := w.AddUser(fakeslack.User{Name: "Bob"}).ID
	alone := platform.Seen{Key: memory.Key{Platform: "slack", Workspace: fakeslack.TeamID, Channel: w.DM(bob)}}
	alone.Messages = []string{w.Say(fakeslack.Said{User: bob, Channel: w.DM(bob), Text: "the only one"})}
	w.Delete(alone.Key.Channel, alone.Messages[0]) // an empty answer proves nothing
	w.Edit(w.channel, w.edited, "edited")
	gone := []string{w.taken, before[10], before[99], direct[0], direct[1]}
	for _, ts := range gone[:3] {
		w.Delete(w.channel, ts)
	}
	for _, ts := range gone[3:] {
		w.Delete(w.dm, ts)
	}
	w.GiveUp()
	ms.Store(ago)
	e := &ear{sweep: &platformtest.Sweep{Stored: []platform.Seen{elsewhere, alone, thread, top}}}
	listen(t, adapter(t, w.Server, slack.Options{AppToken: w.Options().AppToken}), e)
	await(t, "the end of the pass", e.sweep.Over)
	slices.Sort(gone)
	if ids := e.missing(); !slices.Equal(ids, gone) {
		t.Errorf("missing %q, want %q", ids, gone)
	}
	for _, ev := range e.all() {
		if ev.Kind != platform.EventEdit || ev.Message != w.edited || ev.Text != "edited" || ev.Edited == 0 {
			t.Errorf("%+v", ev)
		}
	}
	if len(e.ids(platform.EventEdit)) != 1 {
		t.Error("the edit was not found")
	}
}

// TestAFileTakenAwayLongAgoIsFound: Slack says of no message that it was changed when its file is deleted or taken out of the
// channel. A file that Slack withholds, or that is still in the message, stays.
func TestAFileTakenAwayLongAgoIsFound(t *testing.T) {
	t.Parallel()
	w := newOutage(t, fakeslack.Options{})
	elsewhere := w.AddChannel(fakeslack.Channel{Name: "plans", Kind: fakeslack.Private, Members: []string{fakeslack.BotUser, w.ada}}).ID
	ts := w.Say(fakeslack.Said{User: w.ada, Channel: w.channel, Thread: w.root, Text: "three files", Files: []fakeslack.NewFile{
		{Name: "deleted.txt", Data: []byte("a")}, {Name: "unshared.txt", Data: []byte("b")}, {Name: "kept.txt", Data: []byte("c"), Stub: true}}})
	m, _ := w.Message(w.channel, ts)
	held := slices.Clone(m.Files)
	w.Say(fakeslack.Said{User: w.ada, Channel: elsewhere, Text: "here too", FileIDs: []string{held[1]}})
	w.DeleteFile(held[0])
	w.Unshare(w.ada, held[1], w.channel)
	w.GiveUp()
	key := memory.Key{Platform: "slack", Workspace: fakeslack.TeamID, Channel: w.channel, Thread: w.root}
	e := &ear{sweep: &platformtest.Sweep{Stored: []platform.Seen{{Key: key, Messages: []string{ts}}}, Held: map[string][]string{ts: held}}}
	listen(t, adapter(t, w.Server, slack.Options{AppToken: w.Options().AppToken}), e)
	await(t, "the end of the pass", e.sweep.Over)
	got := make(map[string][]string)
	for _, ev := range e.all() {
		if ev.Kind == platform.EventFile {
			got[ev.Message] = ev.Kept
		}
	}
	if kept, told := got[held[1]]; len(got) != 2 || got[held[0]] != nil || !told || !slices.Equal(kept, []string{elsewhere}) {
		t.Errorf("gone are %v, want %s, and %s but for %s", got, held[0], held[1], elsewhere)
	}
}
