package console

import (
	"regexp"
	"strings"
	"testing"
)

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

// TestEveryLineOfAQuoteHasItsBar: at any width, with and without colours.
func TestEveryLineOfAQuoteHasItsBar(t *testing.T) {
	quote := "> **The cooperative buys a 12-kilogram electric roaster from Ferrum & Sons for €38,700, to be delivered by 30 June 2026.** " +
		"Adopted with 7 votes to 1. The purchase is paid from the investment reserve; no loan is taken. [1]\n"
	for _, color := range []bool{false, true} {
		for cols := 40; cols < 130; cols++ {
			s := &screen{color: color, width: func() int { return cols }}
			for line := range strings.Lines(s.render(quote)) {
				line = strings.TrimSpace(escapes.ReplaceAllString(line, ""))
				if line != "" && !strings.HasPrefix(line, "│") && !strings.HasPrefix(line, "|") {
					t.Fatalf("%d columns: %q has no bar", cols, line)
				}
			}
		}
	}
}

var escapes = regexp.MustCompile(`\x1b\[[0-9;]*m`)
