package memory

import (
	"context"
	"slices"
	"testing"
	"time"
)

// replied asks a question in a channel of a kind and answers it.
func replied(t *testing.T, s *Store, platform, channel string, kind ChannelKind, question string, l Ledger) (*Message, *Outbox, *Received) {
	t.Helper()
	in := incoming(question, question, question, true)
	in.Platform, in.Key = platform, Key{Platform: platform, Workspace: "w", Channel: channel, Thread: "t"}
	in.Channel, in.Person.PlatformID = Channel{Kind: kind, Name: channel}, "u1"
	r, err := s.Queue.Receive(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	turn, err := claim(s, "w", time.Minute)
	if err != nil || turn == nil {
		t.Fatal(turn, err)
	}
	m, err := s.Queue.FinishTurn(context.Background(), &turn.Lease, Answer{Outbox: turn.Post.ID, Ref: "ref", Inbox: []int64{turn.Rows[0].ID}, Ledger: l,
		Message: Message{SessionID: turn.SessionID, ChannelID: r.Session.ChannelID, InteractionID: r.Message.InteractionID, Text: "Answer to " + question, ReplyTo: r.Message.ID}})
	if err != nil {
		t.Fatal(err)
	}
	return m, turn.Post, r
}

// TestReport counts everything and quotes only what was said in public and on the owner's own platform.
func TestReport(t *testing.T) {
	s := openTest(t)
	none := Ledger{NotFound: true, Route: "chat"}
	replied(t, s, "test", "ops", Public, "Who feeds the walrus?", none)
	replied(t, s, "test", "ops", Public, "When does it open?", Ledger{Route: "lookup"})
	replied(t, s, "test", "board", Private, "Who is to be fired?", none)
	replied(t, s, "test", "D1", DM, "What do I earn?", none)
	_, _, erased := replied(t, s, "test", "ops", Public, "Where is my key?", none)
	if _, err := s.Erase(t.Context(), erased.Session.Key, erased.Message.PlatformID, 0); err != nil {
		t.Fatal(err)
	}
	m, post, r := replied(t, s, "console", "terminal", DM, "What did I plan?", none)
	if err := s.SetFeedback(t.Context(), Feedback{Channel: m.ChannelID, Nonce: post.Nonce, Person: r.Person.ID, Value: "unhelpful", At: 1, Reason: "too_long"}); err != nil {
		t.Fatal(err)
	}

	of := ReportOf{Own: "console", Limit: 5}
	got, err := s.Views.Report(t.Context(), of)
	if err != nil {
		t.Fatal(err)
	}
	texts := func(l Listed[Asked]) (all []string) {
		for _, a := range l.Shown {
			all = append(all, a.Channel+": "+a.Text)
		}
		return all
	}
	if all := texts(got.Unanswered); !slices.Equal(all, []string{"terminal: What did I plan?", "ops: Who feeds the walrus?"}) || got.Unanswered.Count != 4 {
		t.Errorf("unanswered: %d, %q", got.Unanswered.Count, all)
	}
	if all := texts(got.Unhelpful); !slices.Equal(all, []string{"terminal: What did I plan?"}) || got.Unhelpful.Count != 1 || got.Helpful != 0 ||
		!slices.Equal(got.Unhelpful.Shown[0].Reasons, []string{"too_long"}) || got.Reasons["too_long"] != 1 {
		t.Errorf("unhelpful: %+v %v %d", got.Unhelpful, got.Reasons, got.Helpful)
	}

	for reader, want := range map[string][]string{"u1": {"ops: Who feeds the walrus?"}, "u2": nil} {
		if told, err := s.Views.Report(t.Context(), ReportOf{Limit: 5, Platform: "test", Reader: reader}); err != nil || !slices.Equal(texts(told.Unanswered), want) || told.Unanswered.Count != 4 {
			t.Errorf("%s is told %d, %q, %v", reader, told.Unanswered.Count, texts(told.Unanswered), err)
		}
	}
	if a := got.Unanswered.Shown[1]; a.Message == 0 || a.Message == a.Answer {
		t.Errorf("%+v has no id", a)
	}
	if k, err := s.Views.DirectChannel(t.Context(), "test", "u1"); err != nil || k != (Key{Platform: "test", Workspace: "w", Channel: "D1"}) {
		t.Errorf("their direct messages are %+v, %v", k, err)
	}
	if k, err := s.Views.DirectChannel(t.Context(), "test", "u2"); err != ErrNotFound {
		t.Errorf("those of nobody are %+v, %v", k, err)
	}

	of.Since = m.At + time.Hour.Milliseconds()
	if got, err := s.Views.Report(t.Context(), of); err != nil || got.Unanswered.Count+got.Unhelpful.Count > 0 || len(got.Unanswered.Shown) > 0 {
		t.Errorf("of later: %+v %v", got, err)
	}

	if _, err := s.Erase(t.Context(), r.Session.Key, m.PlatformID, 0); err != nil {
		t.Fatal(err)
	}
	if given, err := s.Views.CountFeedback(t.Context()); err != nil || len(given) > 0 {
		t.Errorf("of an erased answer: %v %v", given, err)
	}
}
