package memory

import (
	"context"
	"errors"
	"testing"

	"github.com/uptrace/bun"
)

// TestAnsweredBefore finds the last answer to a request that is not too old, not erased, not unhelpful and may be seen.
func TestAnsweredBefore(t *testing.T) {
	ctx, s := t.Context(), openTest(t)
	asked := post(t, s, "s", "q", User, "Ada", "How much does the crane lift?")
	answer := post(t, s, "s", "a", Assistant, "", "It lifts 40 tonnes.").Message
	err := s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		return setLedger(ctx, tx, answer.ID, Ledger{Answers: "crane"})
	})
	if err != nil {
		t.Fatal(err)
	}
	a, err := s.Audience(ctx, asked.Session.ID, asked.Person.ID)
	if err != nil {
		t.Fatal(err)
	}
	if m, err := s.AnsweredBefore(ctx, a, "crane", answer.At); err != nil || m.ID != answer.ID {
		t.Fatal(m, err)
	}
	closed := a
	closed.Channel.Stale = true
	for what, find := range map[string]func() (*Message, error){
		"another request": func() (*Message, error) { return s.AnsweredBefore(ctx, a, "press", 0) },
		"no request":      func() (*Message, error) { return s.AnsweredBefore(ctx, a, "", 0) },
		"too old":         func() (*Message, error) { return s.AnsweredBefore(ctx, a, "crane", answer.At+1) },
		"not to be seen":  func() (*Message, error) { return s.AnsweredBefore(ctx, closed, "crane", 0) },
	} {
		if m, err := find(); !errors.Is(err, ErrNotFound) {
			t.Errorf("%s: %+v, %v", what, m, err)
		}
	}
	judge := func(value string) {
		t.Helper()
		err := s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
			_, err := tx.NewRaw(`INSERT INTO feedback (message_id, person_id, value, at) VALUES (?, ?, ?, 1) ON CONFLICT (message_id, person_id) DO UPDATE SET value = EXCLUDED.value`,
				answer.ID, asked.Person.ID, value).Exec(ctx)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	judge("unhelpful")
	if _, err := s.AnsweredBefore(ctx, a, "crane", 0); !errors.Is(err, ErrNotFound) {
		t.Error("an unhelpful answer is given again", err)
	}
	judge("helpful")
	if _, err := s.AnsweredBefore(ctx, a, "crane", 0); err != nil {
		t.Error(err)
	}
	if _, err := s.Erase(ctx, asked.Session.Key, answer.PlatformID, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := s.AnsweredBefore(ctx, a, "crane", 0); !errors.Is(err, ErrNotFound) {
		t.Error("an erased answer is given again", err)
	}
}
