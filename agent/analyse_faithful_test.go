package agent

import "testing"

func TestFaithful(t *testing.T) {
	for _, c := range []struct {
		query, original, known string
		want                   bool
	}{
		{"When does Project Alder end?", "When does it end?", "Project Alder is late.", true},
		{"When does Project Yew end?", "When does it end?", "Project Alder is late.", false},
		{"Deploy Alder on 5 May", "Do not deploy it on 5 May", "Alder", false},
		{"Deploy Alder on 6 May", "Deploy it on 5 May", "Alder", false},
		{"", "Deploy it", "", false},
	} {
		if got := faithful(c.query, c.original, c.known); got != c.want {
			t.Errorf("%q for %q: %v", c.query, c.original, got)
		}
	}
}
