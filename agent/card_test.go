package agent

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	"threadkeeper/memory"
)

// TestOmissionsAreMentioned: of a document that was read in part every card, list and answer says so.
func TestOmissionsAreMentioned(t *testing.T) {
	const left = "read 2 of 72 pages"
	k := newTalk(t, "")
	d := k.document("report.txt", "The crane of the harbour lifts 40 tonnes.", "The press of the harbour is blue.")
	d.Reason = "too long: only the first 2 of 72 pages were read"
	if err := k.store.Write(t.Context(), func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewRaw(`UPDATE contents SET pages = 72 WHERE id = ?`, d.ContentID).Exec(ctx)
		if err == nil {
			_, err = tx.NewUpdate().Model(d).Column("reason").WherePK().Exec(ctx)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if r := k.turn("Ada", "How many tonnes does the crane of the harbour lift?", ChoiceNone); len(r.Citations) == 0 || strings.Count(r.Text, left) != 1 {
		t.Errorf("without a model: %q", r.Text)
	}
	k.useModel("otherwise:\nsay: ANSWER\n  It lifts 40 tonnes. [d1 p1 \"The crane of the harbour lifts 40 tonnes.\"]")
	r := k.turn("Ada", "How many tonnes does the crane lift?", ChoiceNone)
	if len(r.Citations) == 0 || strings.Count(r.Text, left) != 1 {
		t.Errorf("with a model: %q", r.Text)
	}
	prompt := k.server.Requests()[0].User()
	if !strings.Contains(prompt, "d1: report.txt – "+d.Reason) || strings.Contains(prompt, "The documents, whole") {
		t.Errorf("the model is not told: %s", prompt)
	}
	run := &run{Chain: k.chain, say: speak("")}
	if card := run.card(&memory.Document{Name: "report.txt"}, nil, left); !strings.Contains(card, left) {
		t.Errorf("card %q", card)
	}
	if extent, err := run.extent(t.Context(), d); err != nil || extent != left {
		t.Errorf("extent %q, %v", extent, err)
	}
}

// TestSuggestionsNameParts: of a report the card suggests its sections, not the ends of lines, the heads of columns and pages, or
// what every report begins with.
func TestSuggestionsNameParts(t *testing.T) {
	prose := func(about string) string {
		return strings.Repeat("The company describes its "+about+" in this part of the report.\n", 8)
	}
	pages := []page{
		{1, "UNITED STATES\nSECURITIES AND EXCHANGE COMMISSION\nTitle of each class\n" + prose("shares")},
		{2, "12 Annual Report of Acme\nTable of Contents\nRisk Factors\n" + prose("risks")},
		{3, "13 Annual Report of Acme\nWhile the number of harbours has increased a lot, and the\nprices as well, nothing else has changed.\nFreight and Harbours\n" + prose("harbours")},
		{4, "14 Annual Report of Acme\nYear Ended Year Ended\n" + prose("years") + "Legal Proceedings\n" + prose("lawsuits")},
	}
	own, sections := headings(pages, 5)
	if own != "" || !slices.Equal(sections, []string{"Risk Factors", "Freight and Harbours", "Legal Proceedings"}) {
		t.Errorf("%q, %q", own, sections)
	}
}
