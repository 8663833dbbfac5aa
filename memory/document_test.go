package memory

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"
)

// document is one that a session has, cited by answers.
func document(t *testing.T, s *Store, session *Session, citing ...int64) int64 {
	t.Helper()
	d := Document{SessionID: session.ID, ChannelID: session.ChannelID, Name: "prices.pdf", State: DocumentReady}
	err := s.Write(t.Context(), func(ctx context.Context, tx bun.Tx) error {
		if _, err := tx.NewInsert().Model(&d).ExcludeColumn("id").Returning("id").Exec(ctx); err != nil {
			return err
		}
		for _, m := range citing {
			c := Citation{MessageID: m, N: 1, DocumentID: d.ID, Page: 3, Quote: "for 40 euros"}
			if _, err := tx.NewInsert().Model(&c).ExcludeColumn("id").Returning("NULL").Exec(ctx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return d.ID
}

// TestAnswersGoWithTheDocumentTheyCite, in every conversation, with what was folded of them;
// what does not cite it stays.
func TestAnswersGoWithTheDocumentTheyCite(t *testing.T) {
	ctx, s := t.Context(), openTest(t)
	s.Policy = DefaultPolicy(1000)
	var citing []int64
	r := post(t, s, "s", "q", User, "Ada", "What does the roaster cost, and who sells it?")
	citing = append(citing, post(t, s, "s", "a", Assistant, "", "We decided on Ferrum, who sell it for 40 euros [1].").Message.ID)
	for i := range 40 {
		post(t, s, "s", fmt.Sprint("q", i), User, "Ada", fmt.Sprintf("We decided to use carrier K%d-77 for the delivery to hall %d.", i, i))
	}
	compact(t, s)
	if v := checkMemory(t, s, r.Session.ID); v.Segment(citing[0]) == 0 {
		t.Fatal("the answer was not folded")
	}
	for i := range forgetBatch {
		citing = append(citing, post(t, s, "elsewhere", fmt.Sprint("a", i), Assistant, "", "40 euros [1].").Message.ID)
	}
	other := post(t, s, "s", "other", Assistant, "", "The weather was fine.").Message.ID
	d := document(t, s, r.Session, citing...)
	if err := s.RemoveDocument(ctx, r.Person.ID, d); err != nil {
		t.Fatal(err)
	}
	for _, id := range append(citing, other, r.Message.ID) {
		m, err := s.Message(ctx, id)
		if stays := id == other || id == r.Message.ID; err != nil || (m.ErasedAt == 0) != stays || !stays && m.ErasedBy != r.Person.ID {
			t.Fatalf("message %d of %d: %+v %v", id, len(citing), m, err)
		}
	}
	v := checkMemory(t, s, r.Session.ID)
	if strings.Contains(v.Snapshot.Rendered, "Ferrum") {
		t.Errorf("summary: %s", v.Snapshot.Rendered)
	}
	for _, sg := range v.Segments {
		if strings.Contains(sg.Narrative, "Ferrum") {
			t.Errorf("told: %s", sg.Narrative)
		}
	}
}

// TestAnAnswerDeliveredAfterItsDocumentWentIsErased: it was complete before.
func TestAnAnswerDeliveredAfterItsDocumentWentIsErased(t *testing.T) {
	ctx, s := t.Context(), openTest(t)
	for _, removed := range []bool{false, true} {
		name := fmt.Sprint(removed)
		in := incoming("e"+name, "m"+name, "What does it cost?", true)
		r, err := s.Queue.Receive(ctx, in)
		if err != nil {
			t.Fatal(err)
		}
		turn, err := claim(s, "w", time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		d := document(t, s, r.Session)
		if removed {
			if err := s.RemoveDocument(ctx, 0, d); err != nil {
				t.Fatal(err)
			}
		}
		m, err := s.Queue.FinishTurn(ctx, &turn.Lease, Answer{Outbox: turn.Post.ID, Ref: "shown", Inbox: []int64{r.Inbox.ID}, Interactions: []int64{r.Message.InteractionID}, State: InteractionClosed,
			Message:   Message{SessionID: r.Session.ID, ChannelID: r.Session.ChannelID, Text: "40 euros [1]."},
			Citations: []Citation{{N: 1, DocumentID: d, Page: 3, Quote: "for 40 euros"}}})
		if err != nil {
			t.Fatal(err)
		}
		if m, err = s.Message(ctx, m.ID); err != nil || (m.Text == "") != removed {
			t.Errorf("document removed %v, answer %q %v", removed, m.Text, err)
		}
		cited, err := s.Citations(ctx, m.ID)
		if err != nil || (len(cited) == 0) != removed {
			t.Errorf("document removed %v, cited %+v %v", removed, cited, err)
		}
		due, err := s.Queue.OutboxDue(ctx, 10)
		if err != nil || (len(due) == 1 && due[0].Kind == PostErased && due[0].Ref == "shown") != removed {
			t.Errorf("document removed %v, posts %+v %v", removed, due, err)
		}
	}
}

// TestAnAnswerGoesWithThePictureItWasMadeFrom, although it cites nothing that people are shown.
func TestAnAnswerGoesWithThePictureItWasMadeFrom(t *testing.T) {
	for name, goes := range map[string]func(*Store, *Received, int64) error{
		"with the document": func(s *Store, r *Received, d int64) error { return s.RemoveDocument(t.Context(), r.Person.ID, d) },
		"with the message": func(s *Store, r *Received, _ int64) error {
			_, err := s.Erase(t.Context(), r.Session.Key, "photo", r.Person.ID)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, s := t.Context(), openTest(t)
			brought := post(t, s, "s", "photo", User, "Ada", "Look at this")
			d, other := document(t, s, brought.Session), document(t, s, brought.Session)
			err := s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
				_, err := tx.NewUpdate().Model((*Document)(nil)).Set("message_id = ?, picture = TRUE", brought.Message.ID).Where("id = ?", d).Exec(ctx)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			r, err := s.Queue.Receive(ctx, incoming("e", "m", "What colour is the house?", true))
			if err != nil {
				t.Fatal(err)
			}
			turn, err := claim(s, "w", time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			m, err := s.Queue.FinishTurn(ctx, &turn.Lease, Answer{Outbox: turn.Post.ID, Ref: "shown", Inbox: []int64{r.Inbox.ID},
				Interactions: []int64{r.Message.InteractionID}, State: InteractionClosed, Rests: &Shown{Documents: []int64{d, other}},
				Message: Message{SessionID: r.Session.ID, ChannelID: r.Session.ChannelID, Text: "It is painted yellow."}})
			if err != nil {
				t.Fatal(err)
			}
			if cited, err := s.Citations(ctx, m.ID); err != nil || len(cited) > 0 {
				t.Errorf("shown: %+v, %v", cited, err)
			}
			if cited, err := s.Views.LastCitations(ctx, r.Session.ID); err != nil || len(cited) > 0 {
				t.Errorf("last shown: %+v, %v", cited, err)
			}
			if err := goes(s, brought, d); err != nil {
				t.Fatal(err)
			}
			if m, err = s.Message(ctx, m.ID); err != nil || m.Text != "" {
				t.Errorf("the answer is %q, %v", m.Text, err)
			}
		})
	}
}
