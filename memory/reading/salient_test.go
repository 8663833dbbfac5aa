package reading

import (
	"strings"
	"testing"
)

func TestDecimalCommasStayWhole(t *testing.T) {
	for text, want := range map[string]string{"The fever is 38,5 today.": "38,5", "It is 3,5 m.": "3,5", "Pay 3,5% or 1,250.75": "3,5%; 1,250.75", "The 10,482 rows": "10,482"} {
		if got := strings.Join(Salient(text), "; "); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
