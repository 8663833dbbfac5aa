package agent

import (
	"fmt"
	"slices"
	"strings"
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
		if got := l.named(request).ids(); !slices.Equal(got, want) {
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
		if got := l.named(request).ids(); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", request, got, want)
		}
	}
}

// TestANamedGroupHasFairShares of a small window: something of each of the offers is in the prompt, with the name of its document.
func TestANamedGroupHasFairShares(t *testing.T) {
	k := newTalk(t, otherwise)
	k.chain.Budget.Window = 8_192
	for n := range 6 {
		k.document(fmt.Sprintf("offer_%c.md", 'a'+n), fmt.Sprintf("Offer of company %d\n\n%s\n\nThis offer is valid until %d June.", n, strings.Repeat("The machine is delivered and installed by our own people. ", 16), 10+n))
	}
	k.document("minutes.txt", strings.Repeat("The offers are valid, the members said about the offers. ", 20))
	k.turn("Ada", "Until when are the offers valid?", ChoiceNone)
	prompt := k.lastRequest().User()
	for n := range 6 {
		if !strings.Contains(prompt, fmt.Sprintf("[d%d p1", n+1)) || !strings.Contains(prompt, fmt.Sprintf("valid until %d June", 10+n)) {
			t.Errorf("offer %d is missing in %s", n, prompt)
		}
	}
}
