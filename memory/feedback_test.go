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
		if err := s.SetFeedback(t.Context(), Feedback{Channel: r.Session.ChannelID, Nonce: "n", Person: r.Person.ID, Value: c.value, At: c.at}); err != nil {
			t.Fatal(err)
		}
		if given, err := s.Views.CountFeedback(t.Context()); err != nil || given[c.want] != 1 || len(given) != 1 {
			t.Errorf("after %s at %d: %v %v, want %s", c.value, c.at, given, err, c.want)
		}
	}
	for _, c := range []struct{ value, reason, want string }{{"unhelpful", "too_long", "too_long"}, {"unhelpful", "", "too_long"}, {"unhelpful", "wrong", "wrong"}, {"helpful", "", ""}} {
		if err := s.SetFeedback(t.Context(), Feedback{Channel: r.Session.ChannelID, Nonce: "n", Person: r.Person.ID, Value: c.value, At: 50, Reason: c.reason}); err != nil {
			t.Fatal(err)
		}
		var got string
		if err := s.reader.NewSelect().Table("feedback").Column("reason").Scan(t.Context(), &got); err != nil || got != c.want {
			t.Errorf("after %s %q: %q %v", c.value, c.reason, got, err)
		}
	}
	if err := s.SetFeedback(t.Context(), Feedback{Channel: r.Session.ChannelID + 1, Nonce: "n", Person: r.Person.ID, Value: "helpful", At: 40}); !errors.Is(err, ErrNotFound) {
		t.Errorf("from another channel: %v", err)
	}
}
