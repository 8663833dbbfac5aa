package discord

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"threadkeeper/bot/platform/kit"

	"pgregory.net/rapid"
)

// drawText is a text as a model may write it.
func drawText(t *rapid.T) string {
	word := rapid.SampledFrom([]string{"word", "a", "naïve", "日本語", "🎉", "👩‍👩‍👧", "**bold**", "`code x`", "[a link](https://example.org/a_b?c=d)", "https://example.org/long/path",
		"<@123>", "@everyone", "snake_case", "[1]", "||", "e\u0301", "~~", "\u202e", "```", "|", strings.Repeat("x", 90)})
	line := rapid.Custom(func(t *rapid.T) string {
		prefix := rapid.SampledFrom([]string{"", "", "", "- ", "1. ", "> ", "# ", "##### ", "    ", "```", "```go", "~~~", "| a | b |", "|---|---|", "| x | y |", "---"}).Draw(t, "prefix")
		return prefix + strings.Join(rapid.SliceOfN(word, 0, 30).Draw(t, "words"), rapid.SampledFrom([]string{" ", " ", ". ", ""}).Draw(t, "sep"))
	})
	return strings.Join(rapid.SliceOfN(line, 1, 40).Draw(t, "lines"), "\n")
}

func TestSplitKeepsEverythingWithinLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := markup(drawText(t))
		limit := rapid.SampledFrom([]int{200, 500, maxContent}).Draw(t, "limit")
		parts := split(text, limit)
		for i, p := range parts {
			if kit.Length(p) > limit {
				t.Fatalf("part %d has %d units of %d", i, kit.Length(p), limit)
			}
			if !utf8.ValidString(p) {
				t.Fatalf("part %d is cut inside a character: %q", i, p)
			}
			if strings.Count("\n"+p, "\n```")%2 != 0 {
				t.Fatalf("part %d leaves a block open: %q", i, p)
			}
		}
		if got, want := visible(strings.Join(parts, "\n")), visible(text); got != want {
			t.Fatalf("said\n%q\nof\n%q", got, want)
		}
	})
}

// visible is a text without white space and the lines of fences.
func visible(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		b.WriteString(fences.ReplaceAllString(line, ""))
	}
	return strings.Join(strings.Fields(b.String()), "")
}

var fences = regexp.MustCompile("```[a-zA-Z+.#_-]*")

func TestSplitOfAGrowingTextKeepsItsMessages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.SampledFrom([]string{"word ", "two words. ", "\n", "\n\n", "- item\n", "```go\nx := 1\n```\n", "[l](https://e.org) "}), 50, 300).Draw(t, "words")
		var before []string
		text := ""
		for i := 0; i < len(words); i += 10 {
			text += strings.Join(words[i:min(i+10, len(words))], "")
			now := split(markup(text), 300)
			if n := len(before) - 1; n > 0 && !slices.Equal(now[:min(n, len(now))], before[:n]) {
				t.Fatalf("messages that were full changed:\n%q\n%q", before[:n], now)
			}
			before = now
		}
	})
}
