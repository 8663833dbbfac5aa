package discord

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"threadkeeper/bot/discord/fakediscord"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
	"threadkeeper/memory"
)

// restart is a new process that knows what the last one stored.
func (w *town) restart(meanwhile func()) {
	w.t.Helper()
	if err := w.stop(); err != nil {
		w.t.Fatal(err)
	}
	w.fresh()
	w.last = w.stored
	meanwhile()
	w.run()
}

// stored is what a store would hold.
func (w *town) stored(context.Context) ([]platform.Seen, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []platform.Seen
	for _, ev := range w.events {
		if ev.Kind != platform.EventMessage {
			continue
		}
		key := ev.Key
		if key.Thread == "" {
			key.Thread = ev.Opens
		}
		i := slices.IndexFunc(all, func(s platform.Seen) bool { return s.Key == key })
		if i < 0 {
			all, i = append(all, platform.Seen{Key: key}), len(all)
		}
		all[i].Messages = slices.Insert(all[i].Messages, 0, ev.Message)
	}
	return all, nil
}

func TestMessagesMissedWhileDownAreRead(t *testing.T) {
	t.Parallel()
	var hours atomic.Int64
	w := newTown(t, fakediscord.Options{Now: func() time.Time { return time.Now().Add(time.Duration(hours.Load()-1) * time.Hour) }})
	quiet := w.s.AddChannel(w.guild, fakediscord.Channel{Name: "quiet", Type: fakediscord.TextChannel})
	w.s.Say(fakediscord.Said{User: w.bob, Channel: quiet, Text: "long ago"})
	hours.Add(1)
	w.run()
	root := w.say("root")
	w.s.OpenThread(w.ada, w.general, root.ID, "a thread", false)
	inside := w.s.Say(fakediscord.Said{User: w.ada, Channel: root.ID, Text: "in the thread"})
	direct := w.s.DM(w.ada)
	w.s.Say(fakediscord.Said{User: w.ada, Channel: direct, Text: "directly"})
	edited := w.s.Say(fakediscord.Said{User: w.bob, Channel: root.ID, Text: "to be edited"})
	w.until(platform.EventMessage, 4)
	w.restart(func() {
		w.s.Say(fakediscord.Said{User: w.ada, Channel: root.ID, Text: "missed in the thread"})
		w.s.Say(fakediscord.Said{User: w.ada, Channel: direct, Text: "missed directly"})
		w.s.Say(fakediscord.Said{User: w.ada, Channel: w.general, Text: "missed in the channel"})
		w.s.Say(fakediscord.Said{User: w.ada, Channel: quiet, Text: "missed elsewhere"})
		w.s.Edit(root.ID, edited.ID, "edited")
		w.s.Delete(root.ID, inside.ID)
	})
	w.until(platform.EventMessage, 8)
	texts := w.texts()
	for _, want := range []string{"missed in the thread", "missed directly", "missed in the channel", "missed elsewhere"} {
		if !slices.Contains(texts[4:], want) {
			t.Errorf("%q was not read: %q", want, texts)
		}
	}
	if len(texts) != 8 {
		t.Errorf("received %q", texts)
	}
	if got := w.until(platform.EventEdit, 1); len(got) != 1 || got[0].Message != edited.ID || got[0].Text != "edited" {
		t.Errorf("edits %+v", got)
	}
	if got := w.missing(); !slices.Equal(got.Messages, []string{inside.ID}) || got.Key.Thread != root.ID || got.Key.Channel != w.general || got.Of != 3 {
		t.Errorf("missing %+v", got)
	}
	if got := w.received(platform.EventDelete); len(got) != 0 {
		t.Errorf("deletions %+v", got)
	}
}

// A process that ends while it reads what it missed may have stored something newer.
func TestTheNewestMissedMessagesAreReadFirst(t *testing.T) {
	now := time.Now()
	a := New(Options{Log: slog.New(slog.DiscardHandler)})
	in := newIntake(a, platform.Handler{}, nil)
	in.missed.since, in.missed.pending = snowflake(now.Add(-time.Hour)), map[string][]platform.Seen{"1": {}}
	var channels []wireChannel
	for n := range missedChannels + 1 { // the first has the oldest
		channels = append(channels, wireChannel{ID: fmt.Sprint(1000 + n), LastMessageID: snowflake(now.Add(time.Duration(n-missedChannels) * time.Second))})
	}
	gaps := in.findGaps("1", channels, time.Time{})
	for i, g := range gaps {
		if want := fmt.Sprint(1000 + missedChannels - i); g.Key.Channel != want {
			t.Fatalf("channel %s is read as number %d, want %s", g.Key.Channel, i+1, want)
		}
	}
	if len(gaps) != missedChannels {
		t.Errorf("%d gaps, want %d", len(gaps), missedChannels)
	}
}

func TestUnreadMessagesAreReadByTheNextProcess(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	quiet := w.s.AddChannel(w.guild, fakediscord.Channel{Name: "quiet", Type: fakediscord.TextChannel})
	w.run()
	root := w.say("root")
	w.s.OpenThread(w.ada, w.general, root.ID, "a thread", false)
	w.s.Say(fakediscord.Said{User: w.ada, Channel: root.ID, Text: "in the thread"})
	w.until(platform.EventMessage, 2)
	var edited fakediscord.Message
	w.restart(func() {
		w.refuse = func(ev platform.Event) error {
			if ev.Text == "slow to be stored" {
				return errors.New("the process ends first")
			}
			return nil
		}
		w.s.Say(fakediscord.Said{User: w.ada, Channel: quiet, Text: "slow to be stored"})
		edited = w.s.Say(fakediscord.Said{User: w.ada, Channel: root.ID, Text: "newer"})
	})
	w.until(platform.EventMessage, 3)
	w.restart(func() {
		w.refuse = nil
		w.s.Edit(root.ID, edited.ID, "newest")
	})
	w.until(platform.EventMessage, 4)
	if texts := w.texts(); !slices.Equal(texts, []string{"root", "in the thread", "newer", "slow to be stored"}) {
		t.Errorf("received %q", texts)
	}
	if got := w.until(platform.EventEdit, 1); len(got) != 1 || got[0].Message != edited.ID || got[0].Text != "newest" {
		t.Errorf("edits %+v", got)
	}
}

// What is said while a long absence is read is newer than what was missed. The next process
// reads the rest, and once that is done the checkpoint is cleared.
func TestALongAbsenceIsReadByTheNextProcess(t *testing.T) {
	t.Parallel()
	var hours atomic.Int64
	w := newTown(t, fakediscord.Options{Now: func() time.Time { return time.Now().Add(time.Duration(hours.Load()-6) * time.Hour) }})
	quiet := w.s.AddChannel(w.guild, fakediscord.Channel{Name: "quiet", Type: fakediscord.TextChannel})
	w.run()
	w.say("first")
	w.until(platform.EventMessage, 1)
	w.restart(func() {
		w.refuse = func(ev platform.Event) error {
			if ev.Text == "missed" {
				return errors.New("the process ends first")
			}
			return nil
		}
		hours.Add(3)
		w.s.Say(fakediscord.Said{User: w.ada, Channel: quiet, Text: "missed"})
		hours.Add(3)
		w.say("said now")
	})
	w.until(platform.EventMessage, 2)
	w.restart(func() {
		if w.checkpoints[w.guild].IsZero() {
			t.Error("what was missed is not kept")
		}
		w.refuse = nil
	})
	w.until(platform.EventMessage, 3)
	if texts := w.texts(); !slices.Equal(texts, []string{"first", "said now", "missed"}) {
		t.Errorf("received %q", texts)
	}
	w.eventually(func() bool { since, _ := w.checkpoint(t.Context(), w.guild); return since.IsZero() }, "the end of the checkpoint")
}

func TestTheMessageAThreadBeganOnIsLookedAtToo(t *testing.T) {
	t.Parallel()
	for _, deleted := range []bool{false, true} {
		w := newTown(t, fakediscord.Options{})
		w.run()
		root := w.say("root")
		w.s.OpenThread(w.ada, w.general, root.ID, "a thread", false)
		w.s.Say(fakediscord.Said{User: w.ada, Channel: root.ID, Text: "in the thread"})
		w.until(platform.EventMessage, 2)
		w.restart(func() {
			if deleted {
				w.s.Delete(w.general, root.ID)
			} else {
				w.s.Edit(w.general, root.ID, "roots")
			}
		})
		if deleted {
			if got := w.missing(); !slices.Equal(got.Messages, []string{root.ID}) || got.Key.Thread != root.ID {
				t.Errorf("missing %+v", got)
			}
			continue
		}
		if got := w.until(platform.EventEdit, 1)[0]; got.Message != root.ID || got.Key.Thread != "" || got.Opens != root.ID {
			t.Errorf("%+v", got)
		}
	}
}

// A forum's post stands in its own thread, the message of another thread does not.
func TestADeletedForumPostIsMissing(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	forum := w.s.AddChannel(w.guild, fakediscord.Channel{Name: "forum", Type: fakediscord.ForumChannel})
	w.run()
	post := w.s.Post(w.ada, forum, "A question", "what about this?")
	w.s.Say(fakediscord.Said{User: w.bob, Channel: post, Text: "in it"})
	w.until(platform.EventMessage, 2)
	w.restart(func() {
		w.s.Delete(post, post)
		w.s.SetThread(post, true, false)
	})
	if got := w.missing(); !slices.Equal(got.Messages, []string{post}) || got.Key.Channel != forum || got.Key.Thread != post {
		t.Errorf("missing %+v", got)
	}
}

// Discord need not look for what a thread began on.
func TestAnUnreportedMessageIsNotTakenForDeleted(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.run()
	root := w.say("root")
	w.s.OpenThread(w.ada, w.general, root.ID, "a thread", false)
	w.s.Say(fakediscord.Said{User: w.ada, Channel: root.ID, Text: "in the thread"})
	w.until(platform.EventMessage, 2)
	in := newIntake(w.a, platformtest.Handler(platform.Handler{Receive: w.receive, Absent: w.absent}), nil)
	read := func(found *wireMessage) *wireMessage {
		t.Helper()
		began, err := in.began(t.Context(), root.ID, found)
		if err != nil {
			t.Fatal(err)
		}
		return began
	}
	if got := read(nil); got == nil || got.ID != root.ID || got.ChannelID != w.general {
		t.Errorf("looked for: %+v", got)
	}
	if got := read(&wireMessage{ID: root.ID}); got == nil || got.ID != root.ID || got.ChannelID != w.general {
		t.Errorf("told: %+v", got)
	}
	w.s.Delete(w.general, root.ID)
	if got := read(nil); got != nil {
		t.Errorf("deleted: %+v", got)
	}
}

func TestALongGapIsReadInOrder(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.run()
	w.say("first")
	w.until(platform.EventMessage, 1)
	want := []string{"first"}
	w.restart(func() {
		for n := range 250 {
			want = append(want, fmt.Sprint("missed ", n))
			w.say(want[n+1])
		}
	})
	w.say("live")
	w.until(platform.EventMessage, len(want)+1)
	if got := w.texts(); !slices.Equal(got, append(want, "live")) {
		t.Errorf("received %q", got)
	}
}

// A thread on what a program said, such as that a build failed, is about that, and about what it said since.
func TestTheHistoryOfAThreadOnAProgramsMessage(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	program := w.s.AddProgram("Builds").ID
	w.s.AddMember(w.guild, program)
	forum := w.s.AddChannel(w.guild, fakediscord.Channel{Name: "alerts", Type: fakediscord.ForumChannel})
	root := w.s.Say(fakediscord.Said{User: program, Channel: w.general, Text: "Build 7 failed"}).ID
	w.s.OpenThread(w.ada, w.general, root, "a thread", true)
	for thread, channel := range map[string]string{root: w.general, w.s.Post(program, forum, "Build 7", "Build 7 failed"): forum} {
		w.s.Say(fakediscord.Said{User: program, Channel: thread, Text: "still failing"})
		w.s.Say(fakediscord.Said{User: w.ada, Channel: thread, Text: "oh no"})
		read, err := w.a.History(t.Context(), memory.Key{Platform: "discord", Workspace: w.guild, Channel: channel, Thread: thread}, 0, 10)
		past := read.Events
		if err != nil || len(past) != 3 || past[0].Text != "Build 7 failed" || past[0].Author.Kind != memory.Bot || past[0].Author.Name != "Builds" || past[1].Text != "still failing" || past[1].Author.Kind != memory.Bot || past[2].Text != "oh no" {
			t.Errorf("%+v, %v", past, err)
		}
	}
}

func TestHistory(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.s.SetNick(w.guild, w.bob, "Bobby")
	root := w.s.Say(fakediscord.Said{User: w.ada, Channel: w.general, Text: "root", Files: []fakediscord.File{{Name: "a.txt", Data: []byte("a")}}})
	w.s.OpenThread(w.ada, w.general, root.ID, "a thread", true)
	var last string
	for n := range 150 {
		last = w.s.Say(fakediscord.Said{User: w.bob, Channel: root.ID, Text: fmt.Sprint("message ", n)}).ID
	}
	key := memory.Key{Platform: "discord", Workspace: w.guild, Channel: w.general, Thread: root.ID}
	read, err := w.a.History(t.Context(), key, 0, 1000)
	past := read.Events
	if err != nil || len(past) != 151 || !read.Whole {
		t.Fatalf("%d events, %v", len(past), err)
	}
	top, err := w.a.History(t.Context(), memory.Key{Platform: "discord", Workspace: w.guild, Channel: w.general}, 0, 10)
	if err != nil || len(top.Events) != 1 || top.Events[0].Replied != past[150].At {
		t.Errorf("when the thread was replied to: %+v, %v", top.Events, err)
	}
	if p := past[0]; p.Text != "root" || p.Key != key || len(p.Files) != 1 || p.Author.Name != "Ada" {
		t.Errorf("begins with %+v", p)
	}
	if p := past[150]; p.Text != "message 149" || p.Message != last || p.Author.Name != "Bobby" || p.Ours {
		t.Errorf("ends with %+v", p)
	}
	if read, err = w.a.History(t.Context(), key, 0, 10); err != nil || len(read.Events) != 10 || read.Whole || read.Events[0].Text != "root" || read.Events[9].Message != last {
		t.Errorf("of ten: %+v, %v", read, err)
	}
	if read, err = w.a.History(t.Context(), key, past[150].At, 1000); err != nil || len(read.Events) == 0 || !read.Whole || read.Events[len(read.Events)-1].Message != last {
		t.Errorf("since the last: %+v, %v", read, err)
	}
	if read, err = w.a.History(t.Context(), key, past[150].At+1, 1000); err != nil || len(read.Events) != 0 || !read.Whole {
		t.Errorf("after the last: %+v, %v", read, err)
	}
}

func TestUnansweredMessagesBeforeTheFirstConnectionAreRead(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	other := w.s.AddChannel(w.guild, fakediscord.Channel{Name: "other", Type: fakediscord.TextChannel})
	w.say("answered in the channel")
	if _, err := w.a.Post(t.Context(), platform.Address{Key: memory.Key{Platform: "discord", Workspace: w.guild, Channel: w.general}}, reply("Answered.")); err != nil {
		t.Fatal(err)
	}
	w.say("not answered")
	threaded := w.s.Say(fakediscord.Said{User: w.ada, Channel: other, Text: "answered in a thread"})
	w.s.OpenThread(w.ada, other, threaded.ID, "a thread", false)
	w.run()
	w.say("live")
	w.until(platform.EventMessage, 2)
	if got := w.texts(); !slices.Equal(got, []string{"not answered", "live"}) {
		t.Errorf("received %q", got)
	}
}
