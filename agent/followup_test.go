package agent

import "testing"

func TestContinuedQuestion(t *testing.T) {
	for _, c := range []struct{ question, part, want string }{
		{"What was the revenue in 2015?", "in 2016", "What was the revenue in 2016?"},
		{"What was the revenue of 2015?", "2016", "What was the revenue of 2016?"},
		{"What is the budget for the flood gates?", "for the corner", "What is the budget for the corner?"},
		{"How large is Norway?", "Sweden", "How large is Sweden?"},
		{"Wie viele Gäste kamen im Mai?", "im Juni", "Wie viele Gäste kamen im Juni?"},
		{"How long is the warranty?", "the battery", "How long is the battery?"},
		{"How long is the warranty?", "batteries", "How long is the warranty – batteries?"},
	} {
		if got := continued(c.question, c.part); got != c.want {
			t.Errorf("%q + %q: %q, want %q", c.question, c.part, got, c.want)
		}
	}
}
