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
