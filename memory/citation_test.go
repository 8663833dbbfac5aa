package memory

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/uptrace/bun"
)

func TestCitationsCarryTheDocumentsName(t *testing.T) {
	ctx, s := t.Context(), openTest(t)
	r := post(t, s, "s", "q", User, "Ada", "What does it cost?")
	answer := post(t, s, "s", "a", Assistant, "", "It costs 40 euros [1].")
	err := s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		d := Document{SessionID: r.Session.ID, ChannelID: r.Session.ChannelID, Name: "prices.pdf", State: DocumentReady}
		if _, err := tx.NewInsert().Model(&d).ExcludeColumn("id").Returning("id").Exec(ctx); err != nil {
			return err
		}
		c := Citation{MessageID: answer.Message.ID, N: 1, DocumentID: d.ID, Page: 3, Quote: "for 40 euros"}
		_, err := tx.NewInsert().Model(&c).ExcludeColumn("id").Returning("NULL").Exec(ctx)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Citations(ctx, answer.Message.ID)
	if err != nil || len(got) != 1 || got[0].Document != "prices.pdf" || got[0].Page != 3 {
		t.Fatalf("%+v %v", got, err)
	}
	a, err := s.Audience(ctx, r.Session.ID, 0)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := s.Views.Export(ctx, a, r.Session.ID, &out); err != nil || !strings.Contains(out.String(), `"document":"prices.pdf","page":3,"quote":"for 40 euros"`) {
		t.Fatalf("%v %s", err, out.String())
	}
}
