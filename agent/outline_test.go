package agent

import (
	"context"
	"strings"
	"testing"

	"github.com/uptrace/bun"
)

// headed gives the pages of a document the headings that a PDF would have given.
func (k *talk) headed(document int64, headings ...string) {
	k.t.Helper()
	err := k.store.Write(context.Background(), func(ctx context.Context, tx bun.Tx) error {
		for i, h := range headings {
			if _, err := tx.NewRaw(`UPDATE pages SET headings = ? WHERE number = ? AND content_id = (SELECT content_id FROM documents WHERE id = ?)`,
				h, i+1, document).Exec(ctx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		k.t.Fatal(err)
	}
}

// TestAnOutlineLeavesNoSectionOut that has only a list or a table.
func TestAnOutlineLeavesNoSectionOut(t *testing.T) {
	k := newTalk(t, "")
	k.chain.Model = nil
	k.file("move.md", "# Move\n\n## Summary\n\nWe move the archive to the new building in June 2027.\n\n## Costs\n\n- Vans: 4,200 euros\n\n## Risks\n\n- The lift may not be ready.\n- Damp in the cellar.\n\n"+
		"## Next steps\n\n| What | Who |\n|---|---|\n| Order boxes | Pia |\n\n## Setup\n\n```sh\nmake install\n```\n")
	got := k.turn("Ada", "summarise", ChoiceNone)
	for _, want := range []string{"**Summary** (line 5): We move", "**Costs** (line 9): Vans: 4,200 euros [2]", "**Risks** (line 13): The lift may not be ready. [3]", "**Next steps** (line 20): | Order boxes | Pia | [4]", "**Setup** (line 25): make install"} {
		if !strings.Contains(got.Text, want) {
			t.Errorf("no %q in:\n%s", want, got.Text)
		}
	}
}

// TestAnOutlineNamesTheSections of a report, each with what it says first.
func TestAnOutlineNamesTheSections(t *testing.T) {
	k := newTalk(t, "")
	prose := func(about string) string {
		return strings.Repeat("The company says much about "+about+" on this page of its report. ", 5) + "\n"
	}
	k.chain.Index.Limits.Pages = 0
	d := k.document("annual.pdf", "Annual report\nThese statements are subject to risks. Readers should review the risks.\n",
		"Business\nUnless the context otherwise requires, we are Acme.\nWe roast coffee in two towns.\n"+prose("coffee"),
		"Risk Factors\nThis was partly offset by lower rents in both towns.\nIf harvests fail, our costs may rise and our margins may fall.\n"+prose("harvests")+"A strike in the port may stop our deliveries for weeks.\n"+prose("ports"),
		"Properties\nThe following table shows our shops:\nTown Shops\nOslo 112 140\nBergen 131 150\nTotal 243 290\n"+prose("shops"))
	k.headed(d.ID, "", "b1 Business\n", "b1 Risk Factors\n120 If harvests fail, our costs may rise and our margins may fall.\n120 A strike in the port may stop our deliveries for weeks.\n", "b1 Properties\n")
	k.new = append(k.new, d)
	for question, wants := range map[string][]string{
		"summarise": {"**Business** (page 2): We roast coffee in two towns.", "**Risk Factors** (page 3): If harvests fail", "**Properties** (page 4)"},
	} {
		got := k.turn("Ada", question, ChoiceNone).Text
		for _, want := range wants {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in:\n%s", question, want, got)
			}
		}
		if strings.Contains(got, "Readers should review") {
			t.Errorf("%s: %s", question, got)
		}
	}
}
