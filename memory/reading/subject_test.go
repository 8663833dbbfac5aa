package reading

import "testing"

func TestSameStatement(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"The launch is on 3 May.", "The launch is now on 5 May.", true},
		{"The launch date is 14 May.", "Correction: the launch moved to 28 May.", true},
		{"My favourite colour is blue.", "My favourite colour is green.", true},
		{"The launch is on 3 May.", "The launch is in Berlin.", false}, // of another kind
		{"The launch is on 3 May.", "The dinner is on 5 May.", false},  // of another thing
		{"We decided to use blue.", "We agreed on eight weeks instead.", false},
	} {
		if got := SameStatement(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
	}
}
