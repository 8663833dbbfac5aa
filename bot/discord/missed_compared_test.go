package discord

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"threadkeeper/bot/discord/fakediscord"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
	"threadkeeper/memory"
)

// TestARestoredBackupIsCompared: of a backup that is days old everything is looked for, also what
// catching up does not reach, and threads that are gone. What is there is new to nobody.
func TestARestoredBackupIsCompared(t *testing.T) {
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

// TestOldDeletionsAreFound: while nobody was here for ten days messages were deleted and edited, more than catching up
// compares. A pass over everything stored finds them, a page of Discord's at a time; what was said meanwhile is new to nobody.
func TestOldDeletionsAreFound(t *testing.T) {
	t.Parallel()
	var ms atomic.Int64
	ago := (10 * 24 * time.Hour).Milliseconds()
	w := newTown(t, fakediscord.Options{Now: func() time.Time { return time.Now().Add(time.Duration(ms.Load()-ago) * time.Millisecond) }})
	say := func(channel, text string) string {
		ms.Add(2)
		return w.s.Say(fakediscord.Said{User: w.ada, Channel: channel, Text: text}).ID
	}
	seen := func(channel, thread string, messages ...string) platform.Seen {
		slices.Reverse(messages)
		return platform.Seen{Key: memory.Key{Platform: "discord", Workspace: w.guild, Channel: channel, Thread: thread}, Messages: messages}
	}
	root, other, last := say(w.general, "root"), say(w.general, "other"), say(w.general, "third")
	for _, id := range []string{root, other, last} {
		w.s.OpenThread(w.ada, w.general, id, "a thread", false)
	}
	thread := []string{root}
	for range 130 {
		thread = append(thread, say(root, "a line"))
	}
	sparse := []string{other}
	for range 2 {
		sparse = append(sparse, say(other, "stored"))
		for range 110 {
			say(other, "not stored")
		}
	}
	ends := []string{last, say(last, "first"), say(last, "second")}
	hidden := w.s.AddChannel(w.guild, fakediscord.Channel{Name: "hidden", Type: fakediscord.TextChannel})
	unseen := []string{say(hidden, "we may not read this any more")}
	w.s.SetOverwrites(hidden, fakediscord.Overwrite{ID: w.s.Bot().ID, Type: 1, Deny: fmt.Sprint(fakediscord.ReadMessageHistory)})
	unopened := say(w.general, "no thread could be opened on it")
	gone := []string{thread[7], thread[130], sparse[0], sparse[2], ends[1], ends[2]}
	for i, id := range gone {
		at := []string{root, root, w.general, other, last, last}[i]
		w.s.Delete(at, id)
	}
	w.s.Edit(root, thread[50], "edited")
	ms.Store(ago)
	w.sweep = &platformtest.Sweep{Stored: []platform.Seen{seen(hidden, "", unseen...), seen(w.general, unopened, unopened), seen(w.general, root, slices.Clone(thread)...),
		seen(w.general, other, slices.Clone(sparse)...), seen(w.general, last, slices.Clone(ends)...)}}
	w.run()
	w.eventually(w.sweep.Over, "the end of the pass")
	var missing []string
	for _, a := range w.toldAbsent() {
		missing = append(missing, a.Messages...)
	}
	slices.Sort(missing)
	slices.Sort(gone)
	if missing = slices.Compact(missing); !slices.Equal(missing, gone) {
		t.Errorf("missing %q, want %q", missing, gone)
	}
	if got := w.received(platform.EventEdit); len(got) != 1 || got[0].Message != thread[50] || got[0].Edited == 0 {
		t.Errorf("edits %+v", got)
	}
	if slices.ContainsFunc(w.toldAbsent(), func(a platform.Absence) bool { return len(a.Messages) == 0 }) {
		t.Errorf("conversations are missing: %+v", w.toldAbsent())
	}
	if len(w.texts()) > 0 || len(w.received(platform.EventDelete)) > 0 {
		t.Errorf("received %q, %+v", w.texts(), w.received(platform.EventDelete))
	}
}

// TestAFileTakenAwayLongAgoIsFound: a file was taken out of a message, and a message deleted that a reply had asked about: it is not stored
// itself, and Discord may not say that it is gone. What is still there stays.
func TestAFileTakenAwayLongAgoIsFound(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	files := []fakediscord.File{{Name: "taken.txt", Data: []byte("a")}, {Name: "kept.txt", Data: []byte("b")}}
	m := w.s.Say(fakediscord.Said{User: w.ada, Channel: w.general, Text: "two files", Files: files})
	there := w.s.Say(fakediscord.Said{User: w.bob, Channel: w.general, Text: "The report", Files: files[1:]})
	gone := w.s.Say(fakediscord.Said{User: w.bob, Channel: w.general, Text: "The plan", Files: files[:1]})
	about := w.s.Say(fakediscord.Said{User: w.ada, Channel: w.general, Text: "sum it up", ReplyTo: there.ID})
	lost := w.s.Say(fakediscord.Said{User: w.ada, Channel: w.general, Text: "sum it up", ReplyTo: gone.ID})
	held := func(m fakediscord.Message) (ids []string) {
		for _, a := range m.Attachments {
			ids = append(ids, a.ID)
		}
		return ids
	}
	w.s.Withdraw(w.general, m.ID, "taken.txt")
	w.s.Delete(w.general, gone.ID)
	key := memory.Key{Platform: "discord", Workspace: w.guild, Channel: w.general}
	w.sweep = &platformtest.Sweep{Stored: []platform.Seen{{Key: key, Messages: []string{lost.ID, about.ID, m.ID}}},
		Held: map[string][]string{m.ID: held(m), about.ID: held(there), lost.ID: held(gone)}}
	w.run()
	w.eventually(w.sweep.Over, "the end of the pass")
	var got []string
	for _, ev := range w.received(platform.EventFile) {
		got = append(got, ev.Message)
	}
	slices.Sort(got)
	want := []string{held(m)[0], held(gone)[0]}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("gone are %q, want %q", got, want)
	}
}
