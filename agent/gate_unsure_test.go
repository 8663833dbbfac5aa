package agent

import (
	"strings"
	"testing"
)

// TestANumberThatAScanIsUnsureOfStaysMarked: where its citation has "(?)" behind it, so has the answer, once.
func TestANumberThatAScanIsUnsureOfStaysMarked(t *testing.T) {
	for _, tt := range []struct{ says, want string }{
		{`It costs 38,700 [d1 p1 "The roaster costs 38,700"].`, "It costs 38,700(?) [1]."},
		{`It costs 38,700 euros [d1 p1 "The roaster costs 38,700 euros"].`, "It costs 38,700(?) euros [1]."},
		{`It costs 38,700(?) euros [d1 p1 "costs 38,700(?) euros"].`, "It costs 38,700(?) euros [1]."},
		{`The grinder costs 9,150 euros [d1 p1 "The grinder costs 9,150 euros"].`, "The grinder costs 9,150 euros [1]."},
	} {
		k := newTalk(t, "otherwise:\nsay: ANSWER\n  "+tt.says)
		k.document("scan.txt", "The roaster costs 38,700(?) euros. The grinder costs 9,150 euros.")
		r := k.turn("Ada", "How much does it cost?", ChoiceNone)
		if !strings.HasPrefix(r.Text, tt.want) || len(r.Citations) != 1 || r.Checks.Verified != 1 || strings.Contains(tt.want, "(?)") != strings.Contains(r.Citations[0].Quote, "(?)") {
			t.Errorf("%s\n%q, %+v, %+v", tt.says, r.Text, r.Citations, r.Checks)
		}
	}
}
