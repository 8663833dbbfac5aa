package reading

import (
	"slices"
	"testing"
)

func TestPageSentences(t *testing.T) {
	got := PageSentences("Costs rose by 3.5 percent, e.g. in Oslo. Dr. Berg\nled U.S. Cellular until May.\n\nOutlook\n- first point\n- second point\n価格は五円です。次は何ですか。")
	want := []string{"Costs rose by 3.5 percent, e.g. in Oslo.", "Dr. Berg led U.S. Cellular until May.", "Outlook", "- first point", "- second point", "価格は五円です。", "次は何ですか。"}
	if len(got) != len(want) {
		t.Fatalf("%q", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%q, want %q", got[i], want[i])
		}
	}
}

func TestMessageSentences(t *testing.T) {
	for text, want := range map[string][]string{
		"One. Two? Three!":                         {"One.", "Two?", "Three!"},
		"Dr. Smith paid $4.2M, e.g. in May. Done.": {"Dr. Smith paid $4.2M, e.g. in May.", "Done."},
		"See example.com now. It was 2026. Yes.":   {"See example.com now.", "It was 2026.", "Yes."},
		"a\nb\n\n- c":                              {"a", "b", "- c"},
		"今日は晴れ。明日は雨。":                              {"今日は晴れ。", "明日は雨。"},
		"...":                                      nil,
	} {
		if got := MessageSentences(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
