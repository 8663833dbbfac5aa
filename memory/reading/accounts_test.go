package reading

import (
	"slices"
	"testing"
)

func TestAccountsNameTheRowsThatAnswer(t *testing.T) {
	for _, c := range []struct{ question, row, title string }{
		{"Is the gross margin improving?", "cost sale", "statement incom"},
		{"What was capex in 2020?", "purchas properti", "statement cash flow"},
		{"What is the quick ratio?", "total current liabil", "balanc sheet"},
		{"Use the balance sheet", "", "balanc sheet"},
	} {
		a := Accounts(c.question)
		if c.row != "" && !slices.ContainsFunc(a.Rows, func(ways []string) bool { return slices.Contains(ways, c.row) }) {
			t.Errorf("%q: rows %q, want %q among them", c.question, a.Rows, c.row)
		}
		if !slices.Contains(a.Titles, c.title) {
			t.Errorf("%q: titles %q, want %q among them", c.question, a.Titles, c.title)
		}
	}
	for _, question := range []string{"", "How do I reset the router?", "Is it in the S&P 500?"} {
		if a := Accounts(question); len(a.Rows)+len(a.Titles) > 0 {
			t.Errorf("%q: %+v, want nothing", question, a)
		}
	}
}
