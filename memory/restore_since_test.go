package memory

import (
	"fmt"
	"slices"
	"testing"
)

// TestWhatWasSaidSinceABackupIsReadBack stands in its order, also where some of it came before, and what we posted goes with what it
// was made of.
func TestWhatWasSaidSinceABackupIsReadBack(t *testing.T) {
	s, backup := backedUp(t, func(s *Store) {
		said(t, s, "", "2", "what color is the gate?", true)
		answered(t, s, "Green.", "3")
	})
	now, _ := restored(t, s, backup)
	ctx := t.Context()
	key := said(t, now, "", "6", "and the door?", false).Session.Key
	ours := func(id, text string) Incoming {
		return Incoming{Key: key, Ref: `["` + id + `"]`, Message: &Message{PlatformID: id, Role: Assistant, Text: text}}
	}
	people := func(id, text string) Incoming {
		in := incoming("/"+id, id, text, false)
		in.Key = key
		return in
	}
	if none, err := now.SinceBackups(ctx, key, "6 or another"); len(none) > 0 || err != nil {
		t.Errorf("%+v, %v", none, err)
	}
	all, err := now.SinceBackups(ctx, key, "1")
	if err != nil || len(all) != 1 || all[0].Since == 0 {
		t.Fatal(all, err)
	}
	for _, want := range []int{3, 0} {
		n, err := now.KeepSince(ctx, all[0], []Incoming{ours("3", "Green."), people("4", "say that again"), ours("5", "The gate is green."), people("6", "and the door?"), ours("7", "I do not know.")})
		if n != want || err != nil {
			t.Errorf("%d new, want %d, %v", n, want, err)
		}
	}
	if all, err := now.SinceBackups(ctx, key, ""); len(all) > 0 || err != nil {
		t.Errorf("to be read again: %+v, %v", all, err)
	}
	if got := textsIn(t, now.path); !slices.Equal(got, []string{"the gate is green", "what color is the gate?", "Green.", "say that again", "The gate is green.", "and the door?", "I do not know."}) {
		t.Errorf("%q", got)
	}
	for i, id := range []string{"4", "6"} {
		if _, err := now.Erase(ctx, key, id, 0); err != nil {
			t.Fatal(err)
		}
		due, err := now.Queue.OutboxDue(ctx, 10)
		must(t, err)
		var changed []string
		for _, o := range due {
			if o.Kind == PostErased {
				changed = append(changed, o.Ref)
			}
		}
		if want := []string{`["5"]`, `["7"]`}[:i+1]; !slices.Equal(changed, want) {
			t.Errorf("after %s, changed: %q, want %q", id, changed, want)
		}
	}
}

// TestAnErasedAnswerIsNotReadBack, though the platform may still show it.
func TestAnErasedAnswerIsNotReadBack(t *testing.T) {
	s, backup := backedUp(t, nil)
	said(t, s, "", "2", "the code is QZX-88731", true)
	answered(t, s, "QZX-88731, I see.", "3")
	if _, err := s.Erase(t.Context(), about("").Key, "2", 0); err != nil {
		t.Fatal(err)
	}
	now, _ := restored(t, s, backup)
	all, err := now.SinceBackups(t.Context(), about("").Key, "")
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	ours := Incoming{Key: all[0].Key, Ref: `["3"]`, Message: &Message{PlatformID: "3", Role: Assistant, Text: "QZX-88731, I see."}}
	if n, err := now.KeepSince(t.Context(), all[0], []Incoming{ours}); n != 0 || err != nil {
		t.Errorf("%d new, %v", n, err)
	}
	if got := textsIn(t, now.path); !slices.Equal(got, []string{"the gate is green", ""}) {
		t.Errorf("%q", got)
	}
}

// TestWhatWasReadBackGoesWithIt: what we posted since a backup, in a direct message too, goes with the message of a public channel that
// it repeats, whichever was read back first; what was posted before that message, and shares a word of it, stays.
func TestWhatWasReadBackGoesWithIt(t *testing.T) {
	ctx := t.Context()
	s, backup := backedUp(t, func(s *Store) {
		in := incoming("dm/1", "d1", "hello", false)
		in.Key, in.Channel = Key{Platform: "test", Workspace: "@me", Channel: "dm"}, Channel{Kind: DM}
		if _, err := s.Queue.Receive(ctx, in); err != nil {
			t.Fatal(err)
		}
		said(t, s, "", "2", "who knows more?", false)
	})
	now, _ := restored(t, s, backup)
	dm, top := Key{Platform: "test", Workspace: "@me", Channel: "dm"}, about("").Key
	read := func(key Key, posts ...string) {
		all, err := now.SinceBackups(ctx, key, "")
		if err != nil || len(all) != 1 {
			t.Fatal(all, err)
		}
		var said []Incoming
		for i, text := range posts {
			id := key.Channel + fmt.Sprint(i)
			said = append(said, Incoming{Key: key, Ref: `["` + id + `"]`, Message: &Message{PlatformID: id, Role: Assistant, Text: text, At: now.Now() + 1000}})
		}
		if n, err := now.KeepSince(ctx, all[0], said); n != len(posts) || err != nil {
			t.Fatal(n, err)
		}
	}
	read(dm, "I remember: the password is YVW-44120. (#c)", "The pizza is fine.")
	read(top, "A quokka is a small animal.", "The password is ultramarine.")
	last := incoming("3", "3", "the password is YVW-44120, or ultramarine for short, and pizza for all", false)
	last.Key.Thread, last.Message.At = "", now.Now()
	later := incoming("4", "4", "what is a quokka?", false)
	later.Key.Thread, later.Message.At = "", now.Now()+5000
	for _, in := range []Incoming{last, later} {
		if _, err := now.Queue.Receive(ctx, in); err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range []string{"3", "4"} {
		if _, err := now.Erase(ctx, top, id, 0); err != nil {
			t.Fatal(err)
		}
	}
	if got := textsIn(t, now.path); !slices.Equal(got, []string{"the gate is green", "hello", "who knows more?", "", "The pizza is fine.", "A quokka is a small animal.", "", "", ""}) {
		t.Errorf("%q", got)
	}
}

// TestAPostReadBackInADirectMessageGoesWithWhatItRepeats: an answer in a channel for one person alone may stand there.
func TestAPostReadBackInADirectMessageGoesWithWhatItRepeats(t *testing.T) {
	ctx, s := t.Context(), openTest(t)
	key := said(t, s, "one", "m", "the code of the barn is QZX-88731", false).Session.Key
	in := incoming("d", "d", "hello", true)
	in.Key, in.Channel = Key{Platform: key.Platform, Workspace: "@me", Channel: "D1"}, Channel{Kind: DM}
	r, err := s.Queue.Receive(ctx, in)
	must(t, err)
	must(t, s.BeganSince(ctx, r.Session.ID))
	began, err := s.SinceBackups(ctx, in.Key, "d")
	if err != nil || len(began) != 1 || began[0].Since != 0 {
		t.Fatal(began, err)
	}
	_, err = s.KeepSince(ctx, began[0], []Incoming{{Key: in.Key, Ref: `["p"]`, Message: &Message{PlatformID: "p", Role: Assistant, Text: "I remember from #barn: the code of the barn is QZX-88731"}}})
	must(t, err)
	_, err = s.Erase(ctx, key, "m", 0)
	must(t, err)
	holds(t, s.path, "QZX-88731")
}
