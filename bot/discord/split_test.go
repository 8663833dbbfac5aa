package discord

import (
	"fmt"
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
			if fenceAfter("", p) != "" {
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

func TestSplitCutsWhereItReadsWell(t *testing.T) {
	long := func(n int) string { return strings.TrimSpace(strings.Repeat("word ", n)) }
	code := "```go\n" + strings.Repeat("x := 1\n", 12) + "```"
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"short":             {"hello", []string{"hello"}},
		"empty":             {"", []string{""}},
		"paragraphs":        {long(15) + "\n\n" + long(15), []string{long(15), long(15)}},
		"lines":             {"- " + long(12) + "\n- " + long(12), []string{"- " + long(12), "- " + long(12)}},
		"sentences":         {"One two three four five six. " + long(20), []string{"One two three four five six. ", long(20)}},
		"before a block":    {long(10) + "\n" + code, []string{long(10), code}},
		"a link stays one":  {long(15) + " [the handbook of everything](https://example.org/handbook)", []string{long(15) + " ", "[the handbook of everything](https://example.org/handbook)"}},
		"a block goes on":   {"```go\n" + strings.Repeat("x := 1\n", 20) + "```", nil},
		"one word too long": {strings.Repeat("🎉", 70), nil},
	} {
		t.Run(name, func(t *testing.T) {
			got := split(c.text, 101)
			if c.want != nil && !slices.Equal(got, c.want) {
				t.Errorf("%q", got)
			}
			if c.want == nil && len(got) != 2 {
				t.Errorf("%d parts %q", len(got), got)
			}
		})
	}
	got := split("```go\n"+strings.Repeat("x := 1\n", 20)+"```", 101)
	for i, p := range got {
		if !strings.HasPrefix(p, "```go\nx") || !strings.HasSuffix(p, "1\n```") {
			t.Errorf("part %d is %q", i, p)
		}
	}
}

// A heading stands above what it heads, not at the end of the message before.
func TestAHeadingIsNotLeftBehind(t *testing.T) {
	for _, heading := range []string{"## Part %d", "**Part %d**", "# Chapter\n\n## Part %d"} {
		for _, body := range []string{strings.Repeat("This goes on. ", 9), "```go\n" + strings.Repeat("x := 1\n", 12) + "```"} {
			var text strings.Builder
			for n := range 12 {
				fmt.Fprintf(&text, heading+"\n\n%s\n\n", n, body)
			}
			parts := split(text.String(), 500)
			if len(parts) < 3 {
				t.Fatalf("%d parts", len(parts))
			}
			for _, p := range parts[:len(parts)-1] {
				lines := strings.Split(strings.TrimSpace(p), "\n")
				if last := lines[len(lines)-1]; strings.Contains(last, "Part") || strings.Contains(last, "Chapter") {
					t.Errorf("a part ends with %q", last)
				}
			}
		}
	}
	if parts := split("## Only\n\n"+strings.Repeat("word ", 200), 500); !strings.HasPrefix(parts[0], "## Only\n\nword") {
		t.Errorf("the first part is %q", parts[0])
	}
}
