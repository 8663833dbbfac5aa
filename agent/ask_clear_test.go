package agent

import "testing"

func TestClearEnoughPassesOnlyTheObvious(t *testing.T) {
	for _, text := range []string{
		"List the three largest cities of Portugal by population.",
		"Classify each of the following as a river or a mountain: Elbe, Eiger, Rhone, Matterhorn",
		"Who is the author of Pride and Prejudice?",
	} {
		if clear, score := ClearEnough(text); !clear {
			t.Errorf("%q does not pass: %.2f", text, score)
		}
	}
	for _, text := range []string{"", "Tides", "Can you help me with my project?", "Suggest a good plan for me", "I need to learn something new at home"} {
		if clear, score := ClearEnough(text); clear {
			t.Errorf("%q passes: %.2f", text, score)
		}
	}
}
