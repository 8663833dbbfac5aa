package docs

import (
	"slices"
	"testing"
)

func TestNamedDocuments(t *testing.T) {
	names := []string{"ULTABEAUTY_2023Q4_EARNINGS.pdf", "JOHNSON_JOHNSON_2022_10K.pdf", "3M_2020_10K.pdf", "BESTBUY_2023.pdf", "MGMRESORTS_2022.pdf", "netflix-2019.pdf"}
	all := make([]candidate, len(names))
	for i, n := range names {
		all[i].Name = n
	}
	x := newNameIndex(all)
	for _, c := range []struct {
		question string
		want     []string
	}{
		{"Give me the key findings of the Ulta document", names[:1]},
		{"What drove JnJ's margin?", names[1:2]},
		{"Is Johnson & Johnson growing?", names[1:2]},
		{"What is the 3 year average of capex for 3M?", names[2:3]},
		{"What is the 3 year average of capex?", nil},
		{"Compare the revenue of Netflix and Best Buy", []string{names[3], names[5]}},
		{"What did MGM spend?", names[4:5]},
		{"What was the net income?", nil},
		{"", nil},
	} {
		own, share, _ := x.named(c.question)
		var got []string
		for i := range names {
			if own[i] != 0 && share[i] > 0 {
				got = append(got, names[i])
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q names %q, want %q", c.question, got, c.want)
		}
	}
}
