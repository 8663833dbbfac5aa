package memory

import "testing"

// A summary beside much that is verbatim may have less room than none.
func TestNoRoomHoldsNoWords(t *testing.T) {
	for _, n := range []int{0, -3} {
		if got := shorten("The launch is on Tuesday.", n); got != "" {
			t.Errorf("%d tokens hold %q", n, got)
		}
	}
}
