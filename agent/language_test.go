package agent

import "testing"

func TestAddressesAreInNoLanguage(t *testing.T) {
	for text, want := range map[string]string{
		"see https://example.com/lathe":                "",
		"mail a@b.de please":                           "en",
		"look at www.para.com/de/que, thanks":          "en",
		"[wie](https://example.com/the/and/of) ist es": "de",
	} {
		if got := Language(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
