package kit

import (
	"fmt"
	"slices"
	"strings"
	"testing"

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
	var f Fence
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if f.Next(line) || trimmed == "| name | value |" || trimmed == "|---|---|" {
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
		parts := Split(text, limit, Fence{})
		var got []string
		for _, p := range parts {
			if Length(p) > limit && len(parts) > 1 {
				t.Fatalf("a part has %d characters, limit %d:\n%s", Length(p), limit, p)
			}
			var f Fence
			for line := range strings.Lines(p) {
				f.Next(line)
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
	parts := Split(code, 150, Fence{})
	if len(parts) < 3 {
		t.Fatalf("%d parts", len(parts))
	}
	for i, p := range parts[1 : len(parts)-1] {
		if !strings.HasPrefix(p, "```go\n") || !strings.HasSuffix(p, "\n```") {
			t.Errorf("part %d does not stand for itself:\n%s", i+1, p)
		}
	}
	table := "| name | value |\n|---|---|\n" + strings.Repeat("| one | two |\n", 30)
	for i, p := range Split(table, 150, Fence{}) {
		if !strings.HasPrefix(p, "| name | value |\n|---|---|\n| one") {
			t.Errorf("part %d has no head:\n%s", i, p)
		}
	}
}

func TestSplitPrefersTheGapsOfAText(t *testing.T) {
	text := strings.Repeat("Some words here. ", 5) + "\n\n" + strings.Repeat("Other words there. ", 3) + "\n- an item\n- another item\n"
	parts := Split(text, 150, Fence{})
	if len(parts) != 2 || !strings.HasPrefix(parts[1], "Other") {
		t.Errorf("cut elsewhere than at the blank line: %q", parts)
	}
	nested := "- one\n" + strings.Repeat("    - nested item\n", 20)
	for i, p := range Split(nested, 120, Fence{})[1:] {
		if !strings.HasPrefix(p, "- nested") {
			t.Errorf("part %d begins as code: %q", i+1, p)
		}
	}
	long := strings.Repeat("x", 500)
	if parts := Split(long, 100, Fence{}); len(parts) != 5 || strings.Join(parts, "") != long {
		t.Errorf("one long word: %q", parts)
	}
	if parts := Split(strings.Repeat("🙂", 60), 100, Fence{}); len(parts) != 2 || Length(parts[0]) != 100 {
		t.Errorf("characters of two units each: %q", parts)
	}
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
			got := Split(c.text, 101, Fence{})
			if c.want != nil && !slices.Equal(got, c.want) {
				t.Errorf("%q", got)
			}
			if c.want == nil && len(got) != 2 {
				t.Errorf("%d parts %q", len(got), got)
			}
		})
	}
	got := Split("```go\n"+strings.Repeat("x := 1\n", 20)+"```", 101, Fence{})
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
			parts := Split(text.String(), 500, Fence{})
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
	if parts := Split("## Only\n\n"+strings.Repeat("word ", 200), 500, Fence{}); !strings.HasPrefix(parts[0], "## Only\n\nword") {
		t.Errorf("the first part is %q", parts[0])
	}
}

// What would be cut stays whole: a link, a tag, a character of several runes.
func TestUncutText(t *testing.T) {
	t.Parallel()
	words := strings.Repeat("word ", 18)
	for _, whole := range []string{"[the handbook](https://example.org/handbook)", "`some code`", "<@123456789012>", "**in bold type**", "https://example.org/a/long/path"} {
		if parts := Split(words+whole+" and so on, and so on", 100, Fence{}); len(parts) != 2 || !strings.HasPrefix(parts[1], whole) {
			t.Errorf("%q", parts)
		}
	}
	family := "👩‍👩‍👧"
	for i, part := range Split(strings.Repeat(family, 30), 100, Fence{}) {
		if strings.ReplaceAll(part, family, "") != "" {
			t.Errorf("part %d is cut inside a character: %q", i, part)
		}
	}
}

// On Discord a tilde makes no fence, and neither does what is indented.
func TestFencesOfBackticksOnly(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][2]bool{"```go": {true, true}, "~~~": {true, false}, "    ```": {true, false}, "text ```": {false, false}} {
		if markdown, ticks := new(Fence), (&Fence{Ticks: true}); markdown.Next(line) != want[0] || ticks.Next(line) != want[1] || markdown.Inside() != want[0] || ticks.Inside() != want[1] {
			t.Errorf("%q: in Markdown %v, on Discord %v", line, markdown.Inside(), ticks.Inside())
		}
	}
}

func TestShorten(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"short": "short", "ten chars.": "ten chars.", "a word or two": "a word or…", "onelongword here": "onelongwo…", "🙂🙂🙂🙂🙂🙂": "🙂🙂🙂🙂…"} {
		if got := Shorten(in, 10); got != want || Length(got) > 10 {
			t.Errorf("Shorten(%q) = %q", in, got)
		}
	}
}
