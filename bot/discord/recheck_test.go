package discord

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"threadkeeper/bot/discord/fakediscord"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
)

// TestWhatABackupBringsIsCompared: of a backup that is days old everything is looked for, also what
// catching up does not reach, and threads that are gone. What is there is new to nobody.
func TestWhatABackupBringsIsCompared(t *testing.T) {
	t.Parallel()
	var days atomic.Int64
	w := newTown(t, fakediscord.Options{Now: func() time.Time { return time.Now().Add(time.Duration(days.Load()-3) * 24 * time.Hour) }})
	w.run()
	root := w.say("root")
	w.s.OpenThread(w.ada, w.general, root.ID, "a thread", false)
	taken := w.s.Say(fakediscord.Said{User: w.ada, Channel: root.ID, Text: "to be deleted"})
	for range 120 { // more than one page
		w.s.Say(fakediscord.Said{User: w.ada, Channel: root.ID, Text: "among others"})
	}
	edited := w.s.Say(fakediscord.Said{User: w.bob, Channel: root.ID, Text: "to be edited"})
	other := w.say("other")
	w.s.OpenThread(w.ada, w.general, other.ID, "to be gone", false)
	w.s.Say(fakediscord.Said{User: w.ada, Channel: other.ID, Text: "to be gone with its thread"})
	direct := w.s.DM(w.ada)
	w.s.Say(fakediscord.Said{User: w.ada, Channel: direct, Text: "directly"})
	w.until(platform.EventMessage, 126)
	if err := w.stop(); err != nil {
		t.Fatal(err)
	}
	stored, err := w.stored(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	heard := len(w.texts())
	w.s.Edit(root.ID, edited.ID, "edited")
	w.s.Delete(root.ID, taken.ID)
	w.s.DeleteChannel(other.ID)
	days.Add(3)
	w.fresh()
	w.backup = &platformtest.Backup{Brought: stored}
	w.run()
	w.eventually(func() bool { return len(w.backup.Checked()) == 2 }, "the end of the comparison")
	var gone []string // threads, and messages
	for _, a := range w.toldAbsent() {
		if len(a.Messages) == 0 {
			gone = append(gone, a.Key.Thread)
		}
		gone = append(gone, a.Messages...)
	}
	want := []string{taken.ID, other.ID}
	slices.Sort(gone)
	slices.Sort(want)
	if gone = slices.Compact(gone); !slices.Equal(gone, want) || len(w.received(platform.EventDelete)) > 0 {
		t.Errorf("not found: %q, not %q; deleted: %+v", gone, want, w.received(platform.EventDelete))
	}
	if got := w.received(platform.EventEdit); len(got) != 1 || got[0].Message != edited.ID || got[0].Text != "edited" {
		t.Errorf("edits %+v", got)
	}
	if n := len(w.texts()); n != heard {
		t.Errorf("%d messages count as new", n-heard)
	}
}
