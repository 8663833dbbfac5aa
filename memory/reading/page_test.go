package reading

import "testing"

// A page number at the top does not take the sentences below it for passed.
func TestAPageNumberAtTheTopHidesNoSentence(t *testing.T) {
	p := ReadPage("7\nThe lease runs until 2028 and may be extended once.\nThe rent is paid on the third day of each month.\nA deposit of 47 euros is due.")
	for _, quote := range []string{"The lease runs until 2028", "The rent is paid on the third day"} {
		if _, sentences := p.Quoted(quote); len(sentences) != 1 {
			t.Errorf("%q stands in %d sentences", quote, len(sentences))
		}
	}
}
