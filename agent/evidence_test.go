package agent

import "testing"

// Prose above a table, and its first rows, are no part of its head.
func TestATableHeadHasNoAmounts(t *testing.T) {
	for head, want := range map[string]string{
		"Net income increased 17.8% to $340.8 million compared to\n13 Weeks Ended\n2023 2022 % Change": "13 Weeks Ended | 2023 2022 % Change",
		"($ in millions) 2023 2022\nInventories $ 20 $ 15":                                             "($ in millions) 2023 2022",
		"Gross profit increased 18.0% to $1.2 billion":                                                 "",
	} {
		if got := headOnly(head); got != want {
			t.Errorf("%q: %q, want %q", head, got, want)
		}
	}
}
