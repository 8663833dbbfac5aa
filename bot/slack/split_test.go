package slack

import (
	"fmt"
	"strings"
	"testing"

	"threadkeeper/bot/platform/kit"

	"pgregory.net/rapid"
)

// document draws Markdown of paragraphs, lists, tables and fenced code.
func document(t *rapid.T) string {
	word := rapid.StringMatching(`[a-zé日]{1,9}`)
	sentence := func() string { return strings.Join(rapid.SliceOfN(word, 1, 30).Draw(t, "words"), " ") + "." }
	var b strings.Builder
	for range rapid.IntRange(1, 12).Draw(t, "blocks") {
		switch rapid.IntRange(0, 5).Draw(t, "kind") {
		case 0:
			fmt.Fprintf(&b, "## %s\n\n", sentence())
		case 1:
			for range rapid.IntRange(1, 8).Draw(t, "items") {
				fmt.Fprintf(&b, "- %s\n    - %s\n", sentence(), sentence())
			}
			b.WriteByte('\n')
		case 2:
			b.WriteString("| name | value |\n|---|---|\n")
			for range rapid.IntRange(1, 20).Draw(t, "rows") {
				fmt.Fprintf(&b, "| %s | %s |\n", word.Draw(t, "cell"), word.Draw(t, "cell"))
			}
			b.WriteByte('\n')
		case 3:
			mark := rapid.SampledFrom([]string{"```", "~~~", "````"}).Draw(t, "fence")
			b.WriteString(mark + "go\n")
			for range rapid.IntRange(1, 20).Draw(t, "lines") {
				fmt.Fprintf(&b, "\t%s\n", sentence())
			}
			b.WriteString(mark + "\n\n")
		default:
			b.WriteString(sentence() + "\n\n")
		}
	}
	return b.String()
}

// said are a text's words, without what a split repeats: fences and table heads.
func said(text string) []string {
	var words []string
	var f fence
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if f.next(line) || trimmed == "| name | value |" || trimmed == "|---|---|" {
			continue
		}
		words = append(words, strings.Fields(line)...)
	}
	return words
}

// Nothing is lost or doubled, every part is within the limit, and every fence that
// opens closes, however the text is cut.
func TestSplitKeepsEverything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, limit := document(t), rapid.IntRange(90, 900).Draw(t, "limit")
		parts := split(text, limit)
		var got []string
		for _, p := range parts {
			if kit.Length(p) > limit && len(parts) > 1 {
				t.Fatalf("a part has %d characters, limit %d:\n%s", kit.Length(p), limit, p)
			}
			var f fence
			for line := range strings.Lines(p) {
				f.next(line)
			}
			if f.open != "" {
				t.Fatalf("a fence stays open:\n%s", p)
			}
			got = append(got, said(p)...)
		}
		if want := strings.Join(said(text), ""); strings.Join(got, "") != want {
			t.Fatalf("split changed the words\n got %s\nwant %s", strings.Join(got, ""), want)
		}
	})
}

func TestSplitRepeatsWhatAPartNeeds(t *testing.T) {
	code := "Before.\n\n```go\n" + strings.Repeat("line of code\n", 30) + "```\n\nAfter."
	parts := split(code, 150)
	if len(parts) < 3 {
		t.Fatalf("%d parts", len(parts))
	}
	for i, p := range parts[1 : len(parts)-1] {
		if !strings.HasPrefix(p, "```go\n") || !strings.HasSuffix(p, "\n```") {
			t.Errorf("part %d does not stand for itself:\n%s", i+1, p)
		}
	}
	table := "| name | value |\n|---|---|\n" + strings.Repeat("| one | two |\n", 30)
	for i, p := range split(table, 150) {
		if !strings.HasPrefix(p, "| name | value |\n|---|---|\n| one") {
			t.Errorf("part %d has no head:\n%s", i, p)
		}
	}
}

func TestSplitPrefersTheGapsOfAText(t *testing.T) {
	text := strings.Repeat("Some words here. ", 5) + "\n\n" + strings.Repeat("Other words there. ", 3) + "\n- an item\n- another item\n"
	parts := split(text, 150)
	if len(parts) != 2 || !strings.HasPrefix(parts[1], "Other") {
		t.Errorf("cut elsewhere than at the blank line: %q", parts)
	}
	nested := "- one\n" + strings.Repeat("    - nested item\n", 20)
	for i, p := range split(nested, 120)[1:] {
		if !strings.HasPrefix(p, "- nested") {
			t.Errorf("part %d begins as code: %q", i+1, p)
		}
	}
	long := strings.Repeat("x", 500)
	if parts := split(long, 100); len(parts) != 5 || strings.Join(parts, "") != long {
		t.Errorf("one long word: %q", parts)
	}
	if parts := split(strings.Repeat("🙂", 60), 100); len(parts) != 2 || kit.Length(parts[0]) != 100 {
		t.Errorf("characters of two units each: %q", parts)
	}
}
