package agent

import (
	"strings"
	"testing"

	"threadkeeper/docs"
	"threadkeeper/memory"
)

// TestStandingPartsOfAnAnswer checks answers in the forms that other assistants write.
func TestStandingPartsOfAnAnswer(t *testing.T) {
	k := newTalk(t, "")
	d := k.document("harbour.txt", "Harbour report 2025\n\nThe harbour handled 412,000 containers in 2025. It has three terminals; a fourth is planned.",
		"Sales in euros 2024 2025\nCoffee 164,300 177,900\nBread 42,100 34,600\n\nThe authority has no debt.",
		"1 A new crane\n\nAdopted with 7 votes to 1. The purchase is paid from the reserve; no loan is taken. Nobody believes that the crane is paid for.",
		"Losses: 1.5 million tonnes were moved by night. The fee of the night is 2.5 million euros.")
	audience, err := k.store.Audience(t.Context(), k.session.ID, 0)
	if err != nil {
		t.Fatal(err)
	}
	checker := Checker{Index: &docs.Index{Store: k.store}, Audience: audience, Documents: []*memory.Document{d}}
	tests := []struct{ name, text, want string }{
		{"no citation", "The harbour handled 412,000 containers in 2025.", "✓"},
		{"a footnote and its source", "The harbour handled 412,000 containers in 2025.[^1]\n\n[^1]: harbour.txt, page 1", "✓-"},
		{"a list of sources", "The authority has no debt [2].\n\n**Sources**\n\n1. The harbour handled 999 containers.", "✓--"},
		{"a wrong page", "The authority has no debt (p. 1).", "✓"},
		{"another number", "The harbour handled 512,000 containers in 2025.", "✗"},
		{"a negation", "The authority has a debt.", "✗"},
		{"word by word, with a denial", "The purchase is paid from the reserve; no loan is taken.", "✓"},
		{"two sentences word by word", "Adopted with 7 votes to 1. The purchase is paid from the reserve; no loan is taken.", "✓"},
		{"a part that the place denies", "The crane is paid for.", "✗"},
		{"a part of a number", "5 million tonnes were moved by night.", "✗"},
		{"a number that is cut short", "The fee of the night is 2.", "?"},
		{"nothing of it", "The mayor resigned in March.", "?"},
		{"rows", "| Sales | 2024 | 2025 |\n|---|---|---|\n| Coffee | 164,300 | 177,900 |\n| Bread | 42,100 | 43,600 |\n", "✓✗"},
		{"a heading, an intro and code", "## Harbour\n\nHere is what the report says:\n\n```\nThe harbour handled 1 container.\n```\n\nThe authority has no debt.", "-----✓"},
	}
	for _, tt := range tests {
		checked, err := checker.Check(t.Context(), tt.text)
		if err != nil {
			t.Fatal(err)
		}
		got := signs(checked)
		for _, s := range checked.Statements {
			if (s.Finding == Stands || s.Finding == Differs) && (s.At.Page == 0 || s.At.Quote == "") {
				t.Errorf("%s: no place: %+v", tt.name, s)
			}
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s: %+v", tt.name, got, tt.want, checked.Statements)
		}
	}
	checker.Most = 3
	checked, err := checker.Check(t.Context(), strings.Repeat("The authority has no debt.\n\n", 10))
	if err != nil || !checked.Cut || checked.Count(Stands) != 3 {
		t.Errorf("%+v, %v", checked, err)
	}
}

// TestAStatementStandsOnOnePlace: every number, name, direction, denial and time of a statement is in the place that is shown for
// it. What is true of another place of the page is not found, or contradicted.
func TestAStatementStandsOnOnePlace(t *testing.T) {
	k := newTalk(t, "")
	d := k.document("mill.txt", "Third quarter of 2025\n\nFor the Third Quarter\n\nSales rose 8% to $41.2 million, compared to $38.1 million in the third quarter of 2024. "+
		"During the third quarter the mill bought back 12,450 shares at a cost of $3.1 million. In the fiscal year it bought back 2.2 million shares at a cost of $9.0 million. "+
		"The $4.6 million increase in stock was due to 12 new shops.\n\nFor the Full Year\n\nSales rose 5% to $160.4 million. Earnings per share increased 33% to $2.40.",
		"The board\n\nMs. Okoye succeeds Mr. Lund on 1 May. The notice period is 180 days. She receives 60% of her pay in shares and 20% in options. "+
			"She is not related to any director. The mill failed to renew its licence. The town ranks 16th in area and 38th in population. "+
			"The shop was not opened until 2019 after a long dispute.",
		"Cash flow\n(in thousands)\n2025 2024\nOperating cash flow 5,310 4,870\nFree cash flow (1,240) 880")
	audience, err := k.store.Audience(t.Context(), k.session.ID, 0)
	if err != nil {
		t.Fatal(err)
	}
	checker := Checker{Index: &docs.Index{Store: k.store}, Audience: audience, Documents: []*memory.Document{d}}
	tests := []struct{ text, want string }{
		{"Sales rose 8% to $41.2 million in the quarter.", "✓"},
		{"Full-year sales were $160.4 million.", "✓"},
		{"EPS grew 33%, to $2.40.", "✓"},
		{"The mill bought back 12,450 shares for $3.1 million in the quarter.", "✓"},
		{"Ms. Okoye takes over from Mr. Lund on 1 May.", "✓"},
		{"The notice period is 180 days.", "✓"},
		{"She is not related to any director.", "✓"},
		{"The shop was opened in 2019 after a long dispute.", "✓"},
		{"Operating cash flow was $5.3 million in 2025.", "✓"},
		{"Free cash flow was minus $1.24 million in 2025.", "✓"},
		{"The town ranks 16th in area and 38th in population.", "✓"},

		{"Sales fell 8% to $41.2 million in the quarter.", "✗"},
		{"The mill bought back 12,450 shares for $9.0 million in the quarter.", "✗"},
		{"The notice period is 90 days.", "✗"},
		{"She is related to a director.", "✗"},
		{"Sales of the quarter were $160.4 million.", "?✗"},
		{"Stock fell by $4.6 million.", "?✗"},
		{"She receives 20% of her pay in shares and 60% in options.", "?✗"},
		{"The mill renewed its licence.", "?✗"},
		{"The town ranks 38th in area and 16th in population.", "?✗"},
		{"Ms. Varga succeeds Mr. Lund on 1 May.", "?✗"},
		{"Free cash flow was $1.24 million in 2025.", "?✗"},
	}
	for _, tt := range tests {
		checked, err := checker.Check(t.Context(), tt.text)
		if err != nil {
			t.Fatal(err)
		}
		got := signs(checked)
		if !strings.Contains(tt.want, got) || got == "" {
			t.Errorf("%q: %s, want %s: %+v", tt.text, got, tt.want, checked.Statements)
		}
	}
}

// signs are the findings of a text, a sign for each statement.
func signs(c *Checked) (all string) {
	for _, s := range c.Statements {
		all += map[Finding]string{NoClaim: "-", Stands: "✓", Differs: "✗", NotFound: "?"}[s.Finding]
	}
	return all
}
