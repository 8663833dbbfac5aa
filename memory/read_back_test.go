package memory

import (
	"fmt"
	"testing"

	"threadkeeper/memory/reading"
)

// TestAChannelDigestIsGivenOnce: not what is stored already, nor what was deleted before it was stored, and once more
// nothing new.
func TestAChannelDigestIsGivenOnce(t *testing.T) {
	ctx, s := t.Context(), openTest(t)
	said := incoming("e1", "m1", "the ferry leaves at nine", true)
	r, err := s.Queue.Receive(ctx, said)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Queue.ReceiveErase(ctx, incoming("e2", "", "", false), "m2"); err != nil {
		t.Fatal(err)
	}
	var read []Incoming
	for _, id := range []string{"m1", "m2", "m3"} {
		in := incoming("", id, "the ferry leaves at nine: "+id, false)
		read = append(read, in)
	}
	for i, want := range []int{2, 0} { // of m2 it keeps that it is gone
		if n, err := s.KeepRead(ctx, said.Key, read); err != nil || n != want {
			t.Errorf("time %d: %d new, %v", i, n, err)
		}
	}
	a, err := s.Audience(ctx, r.Session.ID, r.Person.ID)
	if err != nil {
		t.Fatal(err)
	}
	all := DigestQuery{Audience: a, Before: r.Message.ID + 1, Limit: 10, Period: reading.Period{To: s.Now() + 1}}
	lines := func() (ids []string) {
		d, err := s.Digest(ctx, all)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range d.Lines {
			ids = append(ids, l.PlatformID)
			if l.Key.Thread == readThread {
				t.Error("a line's place is one that no platform has")
			}
		}
		return ids
	}
	if got := lines(); len(got) != 2 || got[0] != "m1" || got[1] != "m3" {
		t.Errorf("told %q", got)
	}
	only, err := s.OnlyRead(ctx, said.Key, "m3")
	if err != nil || !only {
		t.Errorf("m3 was only read: %t, %v", only, err)
	}
	later := incoming("e3", "m3", "the ferry leaves at nine: m3", true)
	if _, err := s.Queue.Receive(ctx, later); err != nil {
		t.Fatal(err)
	}
	all.Before++
	if only, err = s.OnlyRead(ctx, said.Key, "m3"); err != nil || only {
		t.Errorf("m3 was said to us: %t, %v", only, err)
	}
	if _, err := s.Queue.ReceiveErase(ctx, incoming("e4", "", "", false), "m3"); err != nil {
		t.Fatal(err)
	}
	if got := lines(); len(got) != 1 {
		t.Errorf("after the deletion: %q", got)
	}
}

// TestWhatWasReadOfAThreadStandsInItsThread, and goes with it.
func TestWhatWasReadOfAThreadStandsInItsThread(t *testing.T) {
	ctx, s := t.Context(), openTest(t)
	asked := said(t, s, "t1", "m1", "what did I miss?", true)
	thread := asked.Session.Key
	thread.Thread = "t9"
	in := incoming("", "m9", "version 7 is rolled back", false)
	if n, err := s.KeepRead(ctx, thread, []Incoming{in}); err != nil || n != 1 {
		t.Fatal(n, err)
	}
	a, err := s.Audience(ctx, asked.Session.ID, asked.Person.ID)
	if err != nil {
		t.Fatal(err)
	}
	lines := func() []DigestLine {
		d, err := s.Digest(ctx, DigestQuery{Audience: a, Before: asked.Message.ID, Limit: 10, Period: reading.Period{To: s.Now() + 1}})
		if err != nil {
			t.Fatal(err)
		}
		return d.Lines
	}
	if got := lines(); len(got) != 1 || got[0].PlatformID != "m9" || got[0].Key != thread {
		t.Fatalf("%+v", got)
	}
	if held, err := s.HeldMessages(ctx, thread, 10); err != nil || len(held) != 1 {
		t.Errorf("the thread holds %q, %v", held, err)
	}
	top := thread
	top.Thread = ""
	if held, err := s.HeldMessages(ctx, top, 10); err != nil || len(held) != 0 {
		t.Errorf("the top of the channel holds %q, %v", held, err)
	}
	threads, err := s.Views.Threads(ctx, a, 10)
	if err != nil || len(threads) != 1 {
		t.Errorf("threads %+v, %v", threads, err)
	}
	if _, err := s.EraseConversation(ctx, thread); err != nil {
		t.Fatal(err)
	}
	if got := lines(); len(got) != 0 {
		t.Errorf("after the thread was deleted: %+v", got)
	}
}

// TestForgettingInAThreadReachesWhatWasReadOfIt before it was ours: no digest tells it again.
func TestForgettingInAThreadReachesWhatWasReadOfIt(t *testing.T) {
	ctx, s := t.Context(), openTest(t)
	asked := said(t, s, "t1", "m1", "what did I miss?", true)
	thread := asked.Session.Key
	thread.Thread = "t9"
	if n, err := s.KeepRead(ctx, thread, []Incoming{incoming("", "m9", "my PIN is 4471", false)}); err != nil || n != 1 {
		t.Fatal(n, err)
	}
	r := said(t, s, "t9", "m9", "my PIN is 4471", false)
	a, err := s.Audience(ctx, r.Session.ID, r.Person.ID)
	if err != nil {
		t.Fatal(err)
	}
	if n := forget(t, s, a, r.Session.ID, r.Person.ID); n != 1 {
		t.Errorf("%d messages are said to be forgotten", n)
	}
	if n, err := s.reader.NewSelect().Table("messages").Where("text LIKE '%4471%'").Count(ctx); err != nil || n != 0 {
		t.Errorf("%d are left, %v", n, err)
	}
}

// TestForgettingMuchInAThreadReachesItsFirstMessage, which was read at the top of the channel, after more replies than one
// transaction erases.
func TestForgettingMuchInAThreadReachesItsFirstMessage(t *testing.T) {
	ctx, s := t.Context(), openTest(t)
	thread := said(t, s, "t1", "m1", "what did I miss?", true).Session.Key
	top := thread
	thread.Thread, top.Thread = "m9", ""
	var replies []Incoming
	for i := range forgetBatch + 10 {
		replies = append(replies, incoming("", fmt.Sprint("r", i), fmt.Sprint("my PIN is not ", i), false))
	}
	if n, err := s.KeepRead(ctx, thread, replies); err != nil || n != len(replies) {
		t.Fatal(n, err)
	}
	if n, err := s.KeepRead(ctx, top, []Incoming{incoming("", "m9", "my PIN is 4471", false)}); err != nil || n != 1 {
		t.Fatal(n, err)
	}
	r := said(t, s, "m9", "m9", "my PIN is 4471", false)
	for i := range forgetBatch - 1 {
		said(t, s, "m9", fmt.Sprint("m9/", i), fmt.Sprint("nor ", i), false)
	}
	a, err := s.Audience(ctx, r.Session.ID, r.Person.ID)
	if err != nil {
		t.Fatal(err)
	}
	forget(t, s, a, r.Session.ID, r.Person.ID)
	if n, err := s.reader.NewSelect().Table("messages").Where("text LIKE '%PIN%' OR text LIKE 'nor%'").Count(ctx); err != nil || n != 0 {
		t.Errorf("%d are left, %v", n, err)
	}
}

// TestAJokeTakesNothingBackElsewhere: a digest has the lines of several threads side by side.
func TestAJokeTakesNothingBackElsewhere(t *testing.T) {
	ctx, s := t.Context(), openTest(t)
	said(t, s, "t1", "m1", "We decided to use Postgres for the archive.", false)
	r := said(t, s, "t2", "m2", "just kidding", false)
	a, err := s.Audience(ctx, r.Session.ID, r.Person.ID)
	if err != nil {
		t.Fatal(err)
	}
	d, err := s.Digest(ctx, DigestQuery{Audience: a, Before: r.Message.ID + 1, Limit: 10, Period: reading.Period{To: s.Now() + 1}})
	if err != nil || len(d.Points) != 1 {
		t.Errorf("%+v %v", d, err)
	}
}

// TestALinkAsksNothing, though a question mark stands near its end.
func TestALinkAsksNothing(t *testing.T) {
	s := openTest(t)
	for text, want := range map[string]bool{"see https://wiki.example/?q=1": false, "is it?": true, "really?!": true, "¿vale? 🙂": true, "هل هو جاهز؟": true, "ok": false} {
		r := said(t, s, "t", text, text, false)
		lines, err := s.LastLines(t.Context(), r.Session.ID, "", 1)
		if err != nil || lines[0].Asks != want {
			t.Errorf("%s: %+v %v", text, lines, err)
		}
	}
}
