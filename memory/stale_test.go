package memory

import (
	"slices"
	"testing"
	"time"
)

// TestAChannelThatWeCameBackToServesItselfOnly until its platform was asked for what was deleted while we were out of
// it, which takes that we may see it.
func TestAChannelThatWeCameBackToServesItselfOnly(t *testing.T) {
	b := &village{t: t, Store: openTest(t)}
	here, there := b.say("here", Channel{Kind: Public}, "hello", true), b.say("there", Channel{Kind: Public}, "walrus", true)
	key := Key{Platform: "test", Workspace: "w", Channel: "there"}
	for name, back := range map[string]func() error{
		"to a channel": func() error { return b.DoubtChannel(t.Context(), key, Channel{Unheard: true}) },
		"to a workspace": func() error {
			_, err := b.UncheckChannels(t.Context(), "test", "w", true)
			return err
		},
	} {
		must(t, back())
		if stale, err := b.Stale(t.Context(), "test"); len(stale) > 0 || err != nil {
			t.Errorf("%s: compared before we may see it: %v, %v", name, stale, err)
		}
		for _, c := range b.unchecked() {
			b.check(c, Public, false)
		}
		if b.reads(here, there) || !b.reads(there, there) {
			t.Errorf("%s: reads elsewhere %v, its own %v", name, b.reads(here, there), b.reads(there, there))
		}
		stale, err := b.Stale(t.Context(), "test")
		if !slices.ContainsFunc(stale, func(c StaleChannel) bool { return c.Key == key }) || err != nil {
			t.Errorf("%s: not to be compared: %v, %v", name, stale, err)
		}
		for _, c := range stale {
			must(t, b.SetFresh(t.Context(), c))
		}
		if stale, err := b.Stale(t.Context(), "test"); !b.reads(here, there) || len(stale) > 0 || err != nil {
			t.Errorf("%s: compared, and closed: %v, %v", name, stale, err)
		}
	}
}

// TestAChannelThatWeLeftAgainIsComparedAgain: what the comparison saw is from before.
func TestAChannelThatWeLeftAgainIsComparedAgain(t *testing.T) {
	b := &village{t: t, Store: openTest(t)}
	here, there := b.say("here", Channel{Kind: Public}, "hello", true), b.say("there", Channel{Kind: Public}, "walrus", true)
	key := Key{Platform: "test", Workspace: "w", Channel: "there"}
	back := func() []StaleChannel {
		must(t, b.DoubtChannel(t.Context(), key, Channel{Unheard: true}))
		b.check(b.unchecked()["there"], Public, false)
		stale, err := b.Stale(t.Context(), "test")
		if err != nil || len(stale) != 1 {
			t.Fatal(stale, err)
		}
		return stale
	}
	before := back()
	now := back()
	must(t, b.SetFresh(t.Context(), before[0]))
	if stale, err := b.Stale(t.Context(), "test"); err != nil || len(stale) != 1 || b.reads(here, there) {
		t.Errorf("it is open after the first comparison: %v, %v", stale, err)
	}
	must(t, b.SetFresh(t.Context(), now[0]))
	if !b.reads(here, there) {
		t.Error("it is closed after the second")
	}
}

// Of a channel that a backup brought nothing is shown, and nothing is answered in it, until its
// platform was asked for what was deleted since.
func TestAnUnfreshChannelIsClosed(t *testing.T) {
	var other *Session
	s, backup := backedUp(t, func(s *Store) {
		in := incoming("other", "o", "the door is red", false)
		in.Key.Channel = "other"
		r, err := s.Queue.Receive(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		other = r.Session
		document(t, s, other)
		in.Platform, in.Key.Platform, in.EventID = "console", "console", "local"
		if _, err := s.Queue.Receive(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	})
	now, _ := restored(t, s, backup)
	ctx := t.Context()
	recalled := func(session int64, want ...string) {
		t.Helper()
		a, err := now.Audience(ctx, session, 0)
		must(t, err)
		found, err := now.Recall(ctx, RecallQuery{Audience: a, Text: "what is the gate or the door?", Limit: 10})
		must(t, err)
		for _, text := range []string{"the gate is green", "the door is red"} {
			if slices.Contains(texts(found), text) != slices.Contains(want, text) {
				t.Errorf("%q is shown, wanted %q", texts(found), want)
			}
		}
	}
	documents := func(want int) {
		t.Helper()
		a, err := now.Audience(ctx, other.ID, 0)
		must(t, err)
		if n, err := a.VisibleDocuments(now.reader.NewSelect().Model((*Document)(nil))).Count(ctx); n != int64(want) || err != nil {
			t.Errorf("%d documents are shown, want %d, %v", n, want, err)
		}
	}
	documents(0)
	channels, err := now.Stale(ctx, "test")
	if err != nil || len(channels) != 2 {
		t.Fatal(channels, err)
	}
	if local, err := now.Stale(ctx, "console"); len(local) > 0 || err != nil {
		t.Error(local, err)
	}
	r := said(t, now, "", "2", "what color is the gate?", true)
	recalled(r.Session.ID)
	if turn, err := claim(now, "w", time.Minute); turn != nil || err != nil {
		t.Errorf("answered before it was checked: %+v %v", turn, err)
	}
	if _, waits, err := now.Queue.NextTurnAt(ctx); waits || err != nil {
		t.Error(waits, err)
	}
	if channels, err = now.Stale(ctx, "test"); err != nil || channels[0].Channel != "c" {
		t.Errorf("where somebody waits is not the first: %v %v", channels, err)
	}

	said(t, now, "t2", "3", "the gate was painted", false)
	all, err := now.Conversations(ctx, channels[0].Key)
	if err != nil || len(all) != 2 || !slices.Equal(all[1].Messages, []string{"2", "1"}) {
		t.Errorf("%+v %v", all, err)
	}
	// What is not found is looked for again: until then its channel serves itself only.
	for _, doubt := range []Suspicion{{Key: Key{Platform: "test", Workspace: "w", Channel: "c", Thread: "t"}, PlatformID: "1", Needs: 2},
		{Key: Key{Platform: "test", Workspace: "w", Channel: "other", Thread: "t"}, PlatformID: "o", Needs: 2}} {
		if fresh, err := now.Suspect(ctx, []Suspicion{doubt}); err != nil || fresh != 1 {
			t.Fatal(fresh, err)
		}
	}
	must(t, now.SetFresh(ctx, channels[0]))
	recalled(r.Session.ID, "the gate is green")
	if turn, err := claim(now, "w", time.Minute); turn == nil || err != nil {
		t.Errorf("not answered: %v", err)
	}
	must(t, now.SetFresh(ctx, channels[1]))
	documents(1)
	recalled(r.Session.ID, "the gate is green")
	doubts, err := now.SuspicionsDue(ctx, []string{"test"}, 10)
	if err != nil || len(doubts) != 2 {
		t.Fatal(doubts, err)
	}
	for _, x := range doubts {
		must(t, now.DropSuspicion(ctx, x.ID))
	}
	recalled(r.Session.ID, "the gate is green", "the door is red")
	if channels, err = now.Stale(ctx, "test"); len(channels) > 0 || err != nil {
		t.Error(channels, err)
	}
}
