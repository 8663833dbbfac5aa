package memory

import (
	"context"
	"testing"
	"time"
)

func TestCancelledQuestionEndsItsInteraction(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	r, err := s.Queue.Receive(ctx, incoming("e", "m", "Summarise the report", true))
	if err != nil {
		t.Fatal(err)
	}
	turn, _ := claim(s, "w", time.Minute)
	if _, err := s.Queue.FinishTurn(ctx, &turn.Lease, Answer{Outbox: turn.Post.ID, Inbox: []int64{r.Inbox.ID}, State: InteractionClosed,
		Message:  Message{SessionID: r.Session.ID, ChannelID: r.Session.ChannelID, InteractionID: r.Message.InteractionID, Text: "Which report?"},
		Question: &Question{InteractionID: r.Message.InteractionID, MessageID: r.Message.ID, Token: "t", Text: "Which report?"}}); err != nil {
		t.Fatal(err)
	}
	q, err := s.Queue.OpenQuestion(ctx, r.Session.ID)
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := s.Queue.CloseQuestion(ctx, q.ID, "", QuestionCancelled); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if ok, err := s.Queue.CloseQuestion(ctx, q.ID, "late click", QuestionAnswered); ok || err != nil {
		t.Fatal("closed twice", err)
	}
	i := new(Interaction)
	if err := s.reader.NewSelect().Model(i).Where("id = ?", q.InteractionID).Scan(ctx); err != nil || i.State != InteractionCancelled {
		t.Fatalf("interaction %s %v", i.State, err)
	}
}
