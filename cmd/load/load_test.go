package main

import (
	"strings"
	"testing"
	"time"
)

// TestEventsThatMayOvertake says three messages a second apart and keeps them in several orders.
func TestEventsThatMayOvertake(t *testing.T) {
	second := func(n float64) time.Time { return time.Unix(0, 0).Add(time.Duration(n * float64(time.Second))) }
	said := []*remark{{id: "1", text: "one", at: second(1)}, {id: "2", text: "two", at: second(2)}, {id: "3", text: "three", at: second(3)}}
	prompt := map[string]time.Time{"1": second(1.5), "2": second(2.5), "3": second(3.5)}
	late := map[string]time.Time{"1": second(2.5), "2": second(2.2), "3": second(3.5)} // the first when the second had been said
	for _, c := range []struct {
		kept         string
		acknowledged map[string]time.Time
		want         string // "" for nothing wrong
	}{
		{"one two three", prompt, ""},
		{"one two three", nil, ""},
		{"two one three", nil, `number 1 is "two", want "one"`},
		{"two one three", prompt, `number 1 is "two", want "one"`},
		{"two one three", late, ""},
		{"two three one", late, `number 2 is "three", want "one"`},
		{"one two", late, `"three" is missing`},
		{"one two two three", late, "was not said"},
	} {
		if got := departs(strings.Fields(c.kept), said, c.acknowledged); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.kept, got, c.want)
		}
	}
}
