package agent

import (
	"slices"
	"testing"

	"threadkeeper/memory"
)

func TestNamedDocuments(t *testing.T) {
	var l library
	for i, name := range []string{"BESTBUY_2017_10K.pdf", "BESTBUY_2019_10K.pdf", "NETFLIX_2017_10K.pdf", "3M_2018_10K.pdf", "ULTABEAUTY_2023Q4_EARNINGS.pdf", "lease.pdf", "Quarterly report.docx"} {
		l = append(l, &memory.Document{ID: int64(i), Name: name})
	}
	for request, want := range map[string][]int64{
		"Compare the revenue of Best Buy and Netflix":    {0, 1, 2},
		"What did Best Buy earn in 2019?":                {1},
		"what was 3M's capex?":                           {3},
		"Give me the key findings of the Ulta document":  {4},
		"in bestbuy_2017_10k.pdf, who is the CEO?":       {0},
		"Do I get my deposit back under the lease?":      {5},
		"Who wrote Hamlet?":                              nil,
		"What does the report say about 10-K filings?":   nil,
		"How much did they earn?":                        nil,
		"What is said on page 3 of the document in 2017": nil,
	} {
		var got []int64
		for _, d := range l.named(request) {
			got = append(got, d.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", request, got, want)
		}
	}
	if two := l[:2]; len(two.named("Best Buy in 2019")) != 1 || two.named("the Best Buy reports") != nil {
		t.Error("of two with one name")
	}
}

// TestAPluralNamesAGroup of files: who asks about the policies means each of them.
func TestAPluralNamesAGroup(t *testing.T) {
	var l library
	for i, name := range []string{"offer_acme.md", "offer_zenith.md", "policy_travel.html", "policy_leave.html", "board.txt"} {
		l = append(l, &memory.Document{ID: int64(i), Name: name})
	}
	for request, want := range map[string][]int64{
		"What do the offers cost?":               {0, 1},
		"Which policies mention hotels?":         {2, 3},
		"Who is on the boards of our customers?": {4},
		"Do we have a police officer?":           nil,
	} {
		var got []int64
		for _, d := range l.named(request) {
			got = append(got, d.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", request, got, want)
		}
	}
}
