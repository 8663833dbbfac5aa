package docs

import "testing"

func TestOnlySlips(t *testing.T) {
	for _, c := range []struct {
		quote, page string
		want        bool
	}{
		{"the harbor was closed", "the harbour was closed", true},
		{"profits rose in the second quarter", "profit rose in second quarter", true},
		{"the informa tion was sent", "the information was sent", true},
		{"a recieved payment", "a received payment", true},
		{"sales increased in the north", "sales decreased in the north", false},
		{"the employer pays the fee", "the employee pays the fee", false},
		{"the maximum load is printed", "the minimum load is printed", false},
		{"the fee is included in the rent", "the fee is excluded in the rent", false},
		{"the board approved the plan", "the board may have approved the plan", false},
		{"delivery by March to Oslo", "delivery by May to Oslo", false},
		{"more than the guests expected", "less than the guests expected", false},
		{"der Umsatz ist gestiegen", "der Umsatz ist gesunken", false},
		{"売上は増加した", "売上は減少した", false},
	} {
		if got := onlySlips(c.quote, c.page); got != c.want {
			t.Errorf("%q for %q: %v", c.quote, c.page, got)
		}
	}
}
