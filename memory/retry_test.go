package memory

import (
	"context"
	"testing"
	"time"

	"github.com/uptrace/bun"
)

// TestARequestIsAskedAgainThoughItsAnswerIsErased with a document that the answer cites.
func TestARequestIsAskedAgainThoughItsAnswerIsErased(t *testing.T) {
	ctx, s := t.Context(), openTest(t)
	r := said(t, s, "t", "m1", "where does the ferry leave", true)
	document := &Document{SessionID: r.Session.ID, ChannelID: r.Session.ChannelID, Name: "a.txt", State: DocumentReady}
	if err := s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewInsert().Model(document).ExcludeColumn("id").Returning("id").Exec(ctx)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	turn, err := claim(s, "w", time.Minute)
	if err != nil || turn == nil {
		t.Fatal(turn, err)
	}
	answer, err := s.Queue.FinishTurn(ctx, &turn.Lease, Answer{Outbox: turn.Post.ID, Ref: "r", Posts: []string{"p1"}, Inbox: []int64{turn.Rows[0].ID},
		Interactions: []int64{r.Message.InteractionID}, State: InteractionFailed,
		Message:   Message{SessionID: r.Session.ID, ChannelID: r.Session.ChannelID, InteractionID: r.Message.InteractionID, Text: "at the pier", ReplyTo: r.Message.ID},
		Citations: []Citation{{N: 1, DocumentID: document.ID, Page: 1, Quote: "the pier"}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.RemoveDocument(ctx, 0, document.ID); err != nil {
		t.Fatal(err)
	}
	if m, err := s.Message(ctx, answer.ID); err != nil || m.ErasedAt == 0 {
		t.Fatalf("the answer stays: %+v, %v", m, err)
	}
	if asked, err := s.Queue.FailedRequest(ctx, r.Session.ChannelID, turn.Post.Nonce); err != nil || len(asked) != 1 || asked[0].ID != r.Message.ID {
		t.Errorf("asked %+v, %v", asked, err)
	}
	if _, err := s.Queue.FailedRequest(ctx, r.Session.ChannelID+1, turn.Post.Nonce); err != ErrNotFound {
		t.Errorf("from another channel: %v", err)
	}
}
