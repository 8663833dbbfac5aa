package console

import (
	"strings"
	"testing"

	"threadkeeper/agent"
	"threadkeeper/docs"
)

// TestTheQuoteOfACheckHasTheWordsThatDecide, in a narrow terminal too.
func TestTheQuoteOfACheckHasTheWordsThatDecide(t *testing.T) {
	const quote = "Comparable sales (sales for stores open at least 14 months and e-commerce sales) increased 15.6% compared to an increase of 21.4% in the fourth quarter of fiscal 2021, driven by a 13.6% increase in transactions and a 1.8% increase in average ticket"
	for _, finding := range []agent.Finding{agent.Stands, agent.Differs, agent.NotFound} {
		line := checkedLine(agent.Statement{Text: "Average ticket increased 13.6% in the fourth quarter.", Finding: finding, At: docs.Citation{Page: 2, Quote: quote}}, false)
		for _, l := range wrapped(line, 60-5) {
			if len([]rune(l)) > 55 {
				t.Errorf("%q", l)
			}
		}
		if text := strings.Join(wrapped(line, 60-5), " "); !strings.Contains(text, "a 13.6% increase in transactions and a 1.8% increase in average ticket”") || !strings.Contains(text, "“…") {
			t.Errorf("%s", text)
		}
	}
}
