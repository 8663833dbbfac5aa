package reading

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestAPatternNeedsItsWords and matches what its regular expression matches.
func TestAPatternNeedsItsWords(t *testing.T) {
	for _, tt := range []struct{ expr, tried, left string }{ // texts with | between them
		{`\b(i|we) (would )?(prefer|rather)\b`, "we: rather|if i did prefer", "we would|i"},
		{`(?i)\bpassword\b[^.]{0,30}?:`, "password :", "password"},
		{`\d+ euros?|[€$]`, "nothing", ""},
		{`(no|yes)?thing`, "something", "none"},
		{`(a{2}b|c*)`, "d", ""},
		{`\b(?:pins?|pay|passwords?) .{0,3}(?:card|cash)`, "the cash, please pay |pin cards", "in a card of paper|pay me"},
		{`(?:call|text)(?: me)+ \d+|\bre(?:ply|port)+ now$`, "call me 1|report. reply now", "a caller 1|port it now"},
	} {
		needs := NewPattern(tt.expr).needs()
		for text := range strings.SplitSeq(tt.tried, "|") {
			if needs != nil && !needs(text) {
				t.Errorf("%s is not tried on %q", tt.expr, text)
			}
		}
		for text := range strings.SplitSeq(tt.left, "|") {
			if text != "" && (needs == nil || needs(text)) {
				t.Errorf("%s is tried on %q", tt.expr, text)
			}
		}
	}
	for _, text := range []string{"My PASSWORD is: x", "password.: x", "we would rather", "rather", "", "ĳ password: ſ", "Ⱥ password:"} {
		for _, expr := range []string{`\b(i|we) (would )?(prefer|rather)\b`, `(?i)\bpassword\b[^.]{0,30}?:`} {
			if want := regexp.MustCompile(expr).FindStringIndex(text); !slices.Equal(NewPattern(expr).FindStringIndex(text), want) || NewPattern(expr).MatchString(text) != (want != nil) {
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
