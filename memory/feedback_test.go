package memory

import (
	"context"
	"errors"
	"testing"

	"github.com/uptrace/bun"
)

func TestTheLaterOpinionCounts(t *testing.T) {
	s := openTest(t)
	r, err := s.Queue.Receive(t.Context(), incoming("1", "1", "hello", false))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Write(t.Context(), func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewInsert().Model(&Outbox{SessionID: r.Session.ID, MessageID: r.Message.ID, Nonce: "n", State: OutboxDone}).ExcludeColumn("id").Exec(ctx)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		value string
		at    int64
		want  string
	}{{"unhelpful", 20, "unhelpful"}, {"helpful", 10, "unhelpful"}, {"helpful", 20, "helpful"}, {"unhelpful", 30, "unhelpful"}} {
		if err := s.SetFeedback(t.Context(), Feedback{r.Session.ChannelID, "n", r.Person.ID, c.value, c.at}); err != nil {
			t.Fatal(err)
		}
		if given, err := s.Views.CountFeedback(t.Context()); err != nil || given[c.want] != 1 || len(given) != 1 {
			t.Errorf("after %s at %d: %v %v, want %s", c.value, c.at, given, err, c.want)
		}
	}
	if err := s.SetFeedback(t.Context(), Feedback{r.Session.ChannelID + 1, "n", r.Person.ID, "helpful", 40}); !errors.Is(err, ErrNotFound) {
		t.Errorf("from another channel: %v", err)
	}
}
