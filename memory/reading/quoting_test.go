package reading

import "testing"

func TestCutQuote(t *testing.T) {
	for _, c := range []struct{ text, quote, rest string }{
		{"> Bob: it rains\n> in Spain\n\nis that true?", "Bob: it rains\nin Spain", "is that true?"},
		{"> one\n\n> two\n\nand?", "one\n\ntwo", "and?"},
		{">tight\nwell", "tight", "well"},
		{"> all of it", "", "> all of it"},
		{"no quote\n> later", "", "no quote\n> later"},
		{">", "", ">"},
		{"", "", ""},
	} {
		if quote, rest := CutQuote(c.text); quote != c.quote || rest != c.rest {
			t.Errorf("%q: %q and %q", c.text, quote, rest)
		}
	}
}

func TestWhatStandsOutsideQuotes(t *testing.T) {
	text := "From the survey: \"Battens soft. We must have new ones.\" I prefer slate.\n> Never call us\nHe said “no” twice."
	for sentence, want := range map[string]string{"From the survey: \"Battens soft.": "From the survey: \"Battens soft.", "We must have new ones.\"": "", "Never call us": "",
		"I prefer slate.": "I prefer slate.", "He said “no” twice.": "He said   twice."} {
		if got := OutsideQuotes(text, sentence); got != want {
			t.Errorf("%q: %q, want %q", sentence, got, want)
		}
	}
}
