package console

import "testing"

func TestTrim(t *testing.T) {
	for in, want := range map[string]string{
		"\x1b[0m  \n  a\x1b[31m b \x1b[0m\x1b[2m   \x1b[0m\n\x1b[0m\n\n": "  a\x1b[31m b\x1b[0m\x1b[2m\x1b[0m",
		"": "", "  x": "  x", "a  \n\n b": "a\n\n b",
	} {
		if got := trim(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
