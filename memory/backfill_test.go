package memory

import (
	"context"
	"slices"
	"testing"
	"time"
)

// TestEverythingThatNamesAMessageIsMoved: a column that holds a message's id is one that
// follows it when it moves.
func TestEverythingThatNamesAMessageIsMoved(t *testing.T) {
	s := openTest(t)
	var columns []struct{ Table, Column string }
	if err := s.reader.NewRaw(`SELECT t.name AS "table", c.name AS "column" FROM sqlite_master AS t, pragma_table_info(t.name) AS c
		WHERE t.type = 'table' AND c.name IN ('message_id', 'asked_id', 'reply_to', 'parent_upto')`).Scan(t.Context(), &columns); err != nil {
		t.Fatal(err)
	}
	if len(columns) != len(byMessage) {
		t.Errorf("%d columns, %d of them moved", len(columns), len(byMessage))
	}
	for _, c := range columns {
		if !slices.Contains(byMessage, struct{ table, column string }{c.Table, c.Column}) {
			t.Errorf("%s.%s is not moved", c.Table, c.Column)
		}
	}
}

// asked takes the turn over what waits and asks a question.
func asked(t *testing.T, s *Store, token string) *Message {
	t.Helper()
	turn, err := claim(s, "w", time.Minute)
	if err != nil || turn == nil {
		t.Fatal(turn, err)
	}
	about, err := s.Message(t.Context(), turn.Rows[0].MessageID)
	if err != nil {
		t.Fatal(err)
	}
	m, err := s.Queue.FinishTurn(t.Context(), &turn.Lease, Answer{Outbox: turn.Post.ID, Ref: "ref", Inbox: []int64{turn.Rows[0].ID},
		Message:  Message{SessionID: turn.SessionID, ChannelID: about.ChannelID, InteractionID: about.InteractionID, Text: "Which colour?"},
		Question: &Question{InteractionID: about.InteractionID, MessageID: about.ID, PersonID: about.PersonID, Token: token, Text: "Which colour?"}})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestAQuestionIsClosedAfterABackfill fetches what was said before us only after we have
// asked something, as when the platform failed at first.
func TestAQuestionIsClosedAfterABackfill(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	r := said(t, s, "t", "m", "Paint it.", true)
	asked(t, s, "token")
	past := incoming("past", "first", "We need colours.", false)
	if n, err := s.Backfill(ctx, r.Session, []Incoming{past}); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	q, err := s.Queue.QuestionByToken(ctx, "token")
	if err != nil {
		t.Fatal(err)
	}
	if m, err := s.Message(ctx, q.AskedID); err != nil || m.Text != "Which colour?" {
		t.Errorf("asked by %+v %v", m, err)
	}
	if _, err := s.Queue.CloseQuestion(ctx, q.ID, "Red", QuestionAnswered); err != nil {
		t.Fatal(err)
	}
	if due, err := s.Queue.OutboxDue(ctx, 10); err != nil || len(due) != 1 || due[0].Kind != PostQuestionClosed || due[0].Ref != "ref" {
		t.Errorf("due %+v %v", due, err)
	}
}

// TestABackfillMovesNothingThatWasFoldedMeanwhile: the session that a turn has loaded may
// have been compacted since.
func TestABackfillMovesNothingThatWasFoldedMeanwhile(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	r := said(t, s, "t", "m", "Hello there.", true)
	if _, err := s.writer.NewRaw("UPDATE sessions SET watermark = ? WHERE id = ?", r.Message.ID, r.Session.ID).Exec(ctx); err != nil {
		t.Fatal(err)
	}
	if n, err := s.Backfill(ctx, r.Session, []Incoming{incoming("past", "first", "Before you came.", false)}); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	if m, err := s.Message(ctx, r.Message.ID); err != nil || m.Text != "Hello there." {
		t.Errorf("moved: %+v %v", m, err)
	}
}

// TestAnErasedQuestionIsNotAskedAgain erases a request between the look-up of what failed and
// the retry.
func TestAnErasedQuestionIsNotAskedAgain(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	r := said(t, s, "t", "m", "Tell me.", true)
	answered(t, s, "I could not.", "p")
	click, err := s.Queue.Receive(ctx, Incoming{Platform: "test", EventID: "retry", Kind: "click", Key: r.Session.Key, Command: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Erase(ctx, r.Session.Key, "m", 0); err != nil {
		t.Fatal(err)
	}
	if done, err := s.Queue.InboxRequeue(ctx, click.Inbox.ID, []int64{r.Message.ID}, "{}", nil); done || err == nil {
		t.Errorf("asked again: %v %v", done, err)
	}
	if n := pending(t, s); n != 0 {
		t.Errorf("%d wait", n)
	}
}

// TestAMentionThatABackfillBringsIsAnswered, once, whether or not the wire brings it as well.
func TestAMentionThatABackfillBringsIsAnswered(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	r := said(t, s, "t", "m", "Paint it.", true)
	answered(t, s, "Red it is.")
	lost := incoming("lost", "first", "Which colours are there?", true)
	elsewhere := incoming("t/m", "another", "Received under this id already.", true)
	if n, err := s.Backfill(ctx, r.Session, []Incoming{lost, elsewhere}); n != 2 || err != nil {
		t.Fatal(n, err)
	}
	if again, err := s.Queue.Receive(ctx, lost); err != nil || again.New {
		t.Fatalf("the wire brought it again: %+v, %v", again, err)
	}
	if n, err := s.Backfill(ctx, r.Session, []Incoming{lost}); n != 0 || err != nil {
		t.Fatal(n, err)
	}
	turn, err := claim(s, "w", time.Minute)
	if err != nil || turn == nil || len(turn.Rows) != 1 || turn.Rows[0].EventID != "lost" {
		t.Fatalf("%+v, %v", turn, err)
	}
	if m, err := s.Message(ctx, turn.Rows[0].MessageID); err != nil || m.PlatformID != "first" {
		t.Errorf("%+v, %v", m, err)
	}
	if rows, err := inboxPending(t, s, r.Session.ID); err != nil || len(rows) != 1 {
		t.Errorf("%d rows wait, %v", len(rows), err)
	}
}
