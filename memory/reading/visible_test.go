package reading

import "testing"

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"plain text\n\tindented":                 "plain text\n\tindented",
		"ht\u200btps://e\u00advil":               "https://evil",
		"@\u2060every\u034fone\u180e":            "@everyone",
		"a\u200cb\u200dc":                        "abc",
		"a\u202eb\u2066c\u200f":                  "abc",
		"a\U000e0041\U000e0042\u2063":            "a",
		"a\ufe00b\ufe0fc\U000e0101":              "abc",
		"\ufeffa\u2064\u206a\u061c":              "a",
		"a\u3164\u115f\U0001d173b":               "ab",
		"字\u200d字\u200c":                         "字字",
		"a\x00\x1b[31m\r\n\x7f\u0085":            "a[31m\n",
		"می\u200cخواهم":                          "می\u200cخواهم",
		"क्\u200dष":                              "क्\u200dष",
		"👩\u200d💻 ❤\ufe0f 1\ufe0f\u20e3 ☎\ufe0e": "👩\u200d💻 ❤\ufe0f 1\ufe0f\u20e3 ☎\ufe0e",
		"❤\ufe0f\ufe0f\ufe00 👩\u200d\u200d💻":     "❤\ufe0f 👩\u200d💻",
		"50\u00a0% d’été, «\u202foui\u202f»":     "50\u00a0% d’été, «\u202foui\u202f»",
	} {
		if got := Visible(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
