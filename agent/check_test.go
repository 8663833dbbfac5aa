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
		"Sales in euros 2024 2025\nCoffee 164,300 177,900\nBread 42,100 34,600\n\nThe authority has no debt.")
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
		{"nothing of it", "The mayor resigned in March.", "?"},
		{"rows", "| Sales | 2024 | 2025 |\n|---|---|---|\n| Coffee | 164,300 | 177,900 |\n| Bread | 42,100 | 43,600 |\n", "✓✗"},
		{"a heading, an intro and code", "## Harbour\n\nHere is what the report says:\n\n```\nThe harbour handled 1 container.\n```\n\nThe authority has no debt.", "-----✓"},
	}
	for _, tt := range tests {
		checked, err := checker.Check(t.Context(), tt.text)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, s := range checked.Statements {
			got += map[Finding]string{NoClaim: "-", Stands: "✓", Differs: "✗", NotFound: "?"}[s.Finding]
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
