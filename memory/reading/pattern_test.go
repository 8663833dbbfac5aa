package reading

import (
	"regexp"
	"slices"
	"testing"
)

// TestAPatternNeedsItsWords and matches what its regular expression matches.
func TestAPatternNeedsItsWords(t *testing.T) {
	for expr, needs := range map[string][]string{
		`\b(i|we) (would )?(prefer|rather)\b`: {"prefer", "rather"},
		`(?i)\bpassword\b[^.]{0,30}?:`:        {"password"},
		`\d+ euros?|[€$]`:                     nil,
		`(no|yes)?thing`:                      {"thing"},
		`(a{2}b|c*)`:                          nil,
	} {
		if _, got := NewPattern(expr).compiled(); !slices.Equal(got, needs) {
			t.Errorf("%s needs %q, want %q", expr, got, needs)
		}
	}
	for _, text := range []string{"My PASSWORD is: x", "password.: x", "we would rather", "rather", "", "ĳ password: ſ", "Ⱥ password:"} {
		for _, expr := range []string{`\b(i|we) (would )?(prefer|rather)\b`, `(?i)\bpassword\b[^.]{0,30}?:`} {
			if NewPattern(expr).MatchString(text) != regexp.MustCompile(expr).MatchString(text) {
				t.Errorf("%s on %q", expr, text)
			}
		}
	}
	for text, want := range map[string]bool{"My Passwort ist: x": true, "sk-abcdefghijklmnopqrstuv": true, "AKIAABCDEFGHIJKLMNOP": true, "the weather is fine": false} {
		if Secret(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}
