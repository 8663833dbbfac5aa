package slack

import (
	"context"
	"slices"
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/slack/fakeslack"
)

func TestALongAnswerIsSplitAndWhole(t *testing.T) {
	t.Parallel()
	s := newStage(t, fakeslack.Options{})
	m := looks["answer"]
	m.Text = long(3)
	ref := s.post(s.to, m)
	shown := s.Shown(s.channel, s.root, s.ada)
	if len(shown) < 3 || !slices.Equal(words(s.shows()), words([]string{m.Text})) {
		t.Errorf("%d parts, %d words of %d", len(shown), len(words(s.shows())), len(words([]string{m.Text})))
	}
	for i, p := range shown {
		if last := i == len(shown)-1; p.Feedback != last || (len(p.Context) > 0) != last {
			t.Errorf("part %d of %d: %+v", i, len(shown), p.Context)
		}
	}
	erased := platform.Outgoing{Nonce: m.Nonce, Kind: platform.KindErased, Text: "[erased]"}
	if _, err := s.a.Edit(t.Context(), ref, erased); err != nil {
		t.Fatal(err)
	}
	if shown := s.Shown(s.channel, s.root, s.ada); len(shown) != 1 || shown[0].Text != "" || !slices.Equal(shown[0].Context, []string{"[erased]"}) || len(shown[0].Buttons) != 0 {
		t.Errorf("after erasing: %+v", shown)
	}
}

func TestAnEditReachesThePartsThatAnotherAdded(t *testing.T) {
	t.Parallel()
	s := newStage(t, fakeslack.Options{})
	ref := s.post(s.to, reply("short"))
	text := long(3)
	if _, err := s.a.Edit(t.Context(), ref, reply(text)); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(words(s.shows()), words([]string{text})) {
		t.Errorf("grown: %q", brief(s.shows()))
	}
	if _, err := s.adapter().Edit(t.Context(), ref, reply("short again")); err != nil {
		t.Fatal(err)
	}
	s.want("short again")
}

// TestWithdrawalsAreAnnouncedFirst: nothing is deleted that the core does not know of.
func TestWithdrawalsAreAnnouncedFirst(t *testing.T) {
	t.Parallel()
	s := newStage(t, fakeslack.Options{})
	ref := s.post(s.to, reply(long(3)))
	before := len(s.Shown(s.channel, s.root, s.ada))
	var told []string
	m := reply("short")
	m.Withdraw = func(_ context.Context, ts string) error {
		if _, there := s.Message(s.channel, ts); !there {
			t.Errorf("%s was deleted already", ts)
		}
		told = append(told, ts)
		return nil
	}
	if _, err := s.a.Edit(t.Context(), ref, m); err != nil {
		t.Fatal(err)
	}
	if deleted := s.Requests("chat.delete"); len(told) != before-1 || len(deleted) != len(told) {
		t.Errorf("of %d messages %d were deleted, told of %d", before, len(deleted), len(told))
	}
}

// TestAPostThatWasReplacedCanBeChanged: its first messages are gone, others have its nonce.
func TestAPostThatWasReplacedCanBeChanged(t *testing.T) {
	t.Parallel()
	s := newStage(t, fakeslack.Options{})
	ref := s.post(s.to, reply("first"))
	closed := fakeslack.Fault{Kind: fakeslack.Refuse, Code: "edit_window_closed", Methods: []string{"chat.update"}}
	text := long(3)
	for i, now := range []string{"second", text, "third", "last"} {
		if i != 1 { // a part that is replaced comes after the others
			s.Break(closed)
		}
		name, err := s.adapter().Edit(t.Context(), ref, reply(now))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(words(s.shows()), words([]string{now})) {
			t.Errorf("of %d words %d are shown", len(words([]string{now})), len(words(s.shows())))
		}
		var shown []string
		for _, m := range s.Shown(s.channel, s.root, s.ada) {
			shown = append(shown, m.TS)
		}
		if named := s.a.Messages(name); !slices.Equal(slices.Sorted(slices.Values(named)), shown) {
			t.Errorf("messages %q are named %q", shown, named)
		}
	}
}

func TestAnAnsweredQuestionLosesItsButtons(t *testing.T) {
	t.Parallel()
	s := newStage(t, fakeslack.Options{})
	m := looks["question"]
	ref := s.post(s.to, m)
	m.Question = nil
	if _, err := s.a.Edit(t.Context(), ref, m); err != nil {
		t.Fatal(err)
	}
	if shown := s.Shown(s.channel, s.root, s.ada); shown[0].Text != m.Text || len(shown[0].Buttons) != 0 {
		t.Errorf("shown %+v", shown)
	}
}

func TestAPostThatCannotBeChangedIsReplaced(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"edit_window_closed", "cant_update_message"} {
		s := newStage(t, fakeslack.Options{})
		ref := s.post(s.to, reply("half an ans"))
		s.Break(fakeslack.Fault{Kind: fakeslack.Refuse, Code: word, Methods: []string{"chat.update"}})
		if _, err := s.a.Edit(t.Context(), ref, reply("a whole answer")); err != nil {
			t.Fatal(err)
		}
		s.want("a whole answer")
	}
}
