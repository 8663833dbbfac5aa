package reading

import "testing"

// The sentence of a citation is taken from an answer without its markers; tables and block quotes have none.
func TestCitedSentence(t *testing.T) {
	const answer = "The budget is **$75 million**[1]. It grew by 4 % [2] and then by 5 % [3].\n\n> quoted words [4]\n\n| a | 7 [5] |\n- Costs fell. [6] It rose. [B8]"
	for label, want := range map[string][2]string{
		"1": {"The budget is $75 million.", "The budget is **$75 million**"},
		"2": {"It grew by 4 % and then by 5 %.", "It grew by 4 %"},
		"3": {"It grew by 4 % and then by 5 %.", "It grew by 4 %"},
		"4": {}, "5": {}, "7": {}, "8": {},
		"6":  {"Costs fell.", "- Costs fell"},
		"B8": {"It rose.", "It rose"},
	} {
		if sentence, begins := CitedSentence(answer, label); sentence != want[0] || begins != want[1] {
			t.Errorf("[%s]: %q, %q", label, sentence, begins)
		}
	}
}
