package slack

import "testing"

func TestWhatIsTakenForDeleted(t *testing.T) {
	said := []message{{TS: "1700000010.000000"}, {TS: "1700000020.000000"}}
	for name, c := range map[string]struct {
		span span
		id   string
		want bool
	}{
		"not among what was read":   {span{said: said}, "1700000015.000000", true},
		"among it":                  {span{said: said}, "1700000020.000000", false},
		"an empty answer":           {span{}, "1700000015.000000", false},
		"before what was read":      {span{said: said, since: "1700000009.000000"}, "1700000009.000000", false},
		"after what was read":       {span{said: said, until: "1700000020.000000"}, "1700000021.000000", false},
		"something unreadable here": {span{said: append(said[:2:2], message{})}, "1700000015.000000", false},
	} {
		if got := c.span.lacks(c.id); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
