package reading

import (
	"testing"

	"threadkeeper/memory/rank"
)

func TestAlike(t *testing.T) {
	holds := func(request, text string) bool {
		_, others := Alike(rank.Terms(request))
		have := PhraseSet(text)
		for _, o := range others {
			if o.In(have) {
				return true
			}
		}
		return false
	}
	for _, c := range []struct {
		request, text string
		want          bool
	}{
		{"CEO", "Ada Byron, Chairwoman and Chief Executive Officer", true},
		{"capex", "Purchases of property, plant and equipment", true},
		{"gross margin", "Gross profit 124 108", true},
		{"pets", "Dogs need consent.", true},
		{"CEO", "The chief accountant of the executive committee", false},
		{"dog", "No pets are allowed.", true},
		{"cat", "Dogs need consent.", false},
		{"windmill", "Dogs need consent.", false},
	} {
		if got := holds(c.request, c.text); got != c.want {
			t.Errorf("%q in %q: %v", c.request, c.text, got)
		}
	}
	if n, _ := Alike(rank.Terms("chief executive officer of Acme")); n != 3 {
		t.Errorf("%d terms of one phrase", n)
	}
}
