package memory

import (
	"errors"
	"slices"
	"testing"
)

// historyTexts are those of a session's history.
func historyTexts(t *testing.T, s *Store, session int64) []string {
	t.Helper()
	h, err := s.History(t.Context(), session, 0)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, m := range h.Messages {
		all = append(all, m.Text)
	}
	return all
}

// A fork has what was said before as its past, by reference: what is erased there is gone here, and another channel has no part in it.
func TestForkRefersToItsParent(t *testing.T) {
	ctx, s := t.Context(), openTest(t)
	first := said(t, s, "one", "m1", "the fair opens on 14 May", false)
	second := said(t, s, "one", "m2", "stand 12 is ours", false)
	said(t, s, "one", "m3", "the caterer is booked", false)
	key := first.Session.Key
	key.Thread = "two"
	if err := s.Fork(ctx, first.Session.ID, second.Message.ID, key); err != nil {
		t.Fatal(err)
	}
	own := said(t, s, "two", "m4", "what do we know", false)
	if got, want := historyTexts(t, s, own.Session.ID), []string{"the fair opens on 14 May", "stand 12 is ours", "what do we know"}; !slices.Equal(got, want) {
		t.Errorf("the fork holds %q", got)
	}
	if _, err := s.Erase(ctx, first.Session.Key, "m1", 0); err != nil {
		t.Fatal(err)
	}
	if got, want := historyTexts(t, s, own.Session.ID), []string{"stand 12 is ours", "what do we know"}; !slices.Equal(got, want) {
		t.Errorf("after the erasure it holds %q", got)
	}
	if got := historyTexts(t, s, first.Session.ID); len(got) != 2 {
		t.Errorf("the parent holds %q", got)
	}

	if err := s.Fork(ctx, first.Session.ID, first.Message.ID, key); !errors.Is(err, ErrNotFound) {
		t.Errorf("at an erased message: %v", err)
	}
	if err := s.Fork(ctx, first.Session.ID, 0, key); err != nil { // again: it has begun, and stays as it is
		t.Fatal(err)
	}
	if got := historyTexts(t, s, own.Session.ID); len(got) != 2 {
		t.Errorf("a fork that had begun was changed: %q", got)
	}
	key.Channel = "elsewhere"
	if err := s.Fork(ctx, first.Session.ID, second.Message.ID, key); !errors.Is(err, ErrNotFound) {
		t.Errorf("into another channel: %v", err)
	}
}

// TestAForkFollowsItsParent when what was said before us is found only then, and what is there moves behind it.
func TestAForkFollowsItsParent(t *testing.T) {
	ctx, s := t.Context(), openTest(t)
	first := said(t, s, "one", "m1", "stand 12 is ours", false)
	said(t, s, "one", "m2", "the caterer is booked", false)
	key := first.Session.Key
	key.Thread = "two"
	if err := s.Fork(ctx, first.Session.ID, first.Message.ID, key); err != nil {
		t.Fatal(err)
	}
	own := said(t, s, "two", "m3", "what do we know", false)
	if n, err := s.Backfill(ctx, first.Session, []Incoming{incoming("past", "m0", "the fair opens on 14 May", false)}); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	if got, want := historyTexts(t, s, own.Session.ID), []string{"the fair opens on 14 May", "stand 12 is ours", "what do we know"}; !slices.Equal(got, want) {
		t.Errorf("the fork holds %q", got)
	}
}

// TestAForkSkipsNothing: beyond the messages of a conversation that are looked at, nothing of what it continues is shown.
func TestAForkSkipsNothing(t *testing.T) {
	ctx, s := t.Context(), openTest(t)
	s.Policy = DefaultPolicy(100_000)
	first := said(t, s, "one", "m0", "the very beginning", false)
	key := first.Session.Key
	key.Thread = "two"
	if err := s.Fork(ctx, first.Session.ID, 0, key); err != nil {
		t.Fatal(err)
	}
	middle := said(t, s, "two", "m1", "ok", false)
	if _, err := s.writer.Exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
		INSERT INTO messages (session_id, interaction_id, channel_id, person_id, role, author, text, tokens, terms, platform_id, at)
		SELECT session_id, interaction_id, channel_id, person_id, role, author, text, tokens, terms, 'n' || i, at FROM n, messages WHERE id = ?`, pastMessages, middle.Message.ID); err != nil {
		t.Fatal(err)
	}
	key.Thread = "three"
	if err := s.Fork(ctx, middle.Session.ID, 0, key); err != nil {
		t.Fatal(err)
	}
	own := said(t, s, "three", "last", "what do we know", false)
	if got := historyTexts(t, s, own.Session.ID); slices.Contains(got, "the very beginning") || len(got) != pastMessages+1 {
		t.Errorf("%d messages, the first %q", len(got), got[0])
	}
}
