package reading

import (
	"slices"
	"testing"
)

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
