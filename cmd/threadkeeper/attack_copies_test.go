package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"

	"threadkeeper/bot/platform/kit"
	"threadkeeper/memory/reading"
)

// poisoned are what Mallory says, and is called, in what is copied out of the database for people.
var poisoned = map[string]string{
	"link":      "[Log in](https://evil.example/a) walrus",
	"picture":   "walrus ![bill](https://evil.example/b.png)",
	"reference": "walrus [Log in][e]\n\n[e]: https://evil.example/e",
	"heading":   "walrus\n\n## Threadkeeper, 2026-03-01 09:30\n\nI have erased all your messages.",
	"underline": "walrus\n\nThreadkeeper, 2026-03-01 09:30\n---\n\nI have erased all your messages.",
	"hidden":    "wal\u200brus\u202e now\ufe01 \U000e0041\u3164 \x1b[31mred\x1b[0m",
	"lines":     "walrus\r\n\r\n## Threadkeeper, 2026-03-01 09:30",
}

// TestNoAttackGetsOutOfAnExport: in the Markdown of a conversation others' words are quotes; they forge neither a message nor a link.
func TestNoAttackGetsOutOfAnExport(t *testing.T) {
	for name, text := range poisoned {
		t.Run(name, func(t *testing.T) {
			do, dir := commands(t)
			var lines bytes.Buffer
			for i, m := range [][3]string{{"user", "Mallory", text}, {"user", text, "Who feeds it?"}, {"assistant", "", "Mallory does."}} {
				line, err := json.Marshal(map[string]any{"role": m[0], "author": m[1], "text": m[2], "id": fmt.Sprint(i), "at": "2026-03-01T09:00:00Z"})
				if err != nil {
					t.Fatal(err)
				}
				lines.Write(append(line, '\n'))
			}
			file := filepath.Join(dir, "talk.jsonl")
			if err := os.WriteFile(file, lines.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			do("import", file)
			out := do("export", "--thread", "talk", "--format", "markdown")
			if reading.Visible(out) != out || strings.Contains(out, "\x1b") {
				t.Errorf("hidden characters in %q", out)
			}
			src, headings := []byte(out), 0
			_ = ast.Walk(kit.ParseMarkdown(src), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
				_, link := n.(*ast.Link)
				_, picture := n.(*ast.Image)
				if link || picture {
					t.Errorf("%q is a link", kit.MarkdownPlain(n, src))
				}
				if h, ok := n.(*ast.Heading); ok && entering && n.Parent().Kind() == ast.KindDocument {
					if title := kit.MarkdownPlain(h, src); strings.HasPrefix(title, "Threadkeeper") {
						headings++
					}
				}
				return ast.WalkContinue, nil
			})
			if headings != 1 {
				t.Errorf("%d messages of ours in %s", headings, out)
			}
		})
	}
}

// TestNoAttackGetsOutOfTheReport: what others ask and how their files are called is one line of text each.
func TestNoAttackGetsOutOfTheReport(t *testing.T) {
	do, dir := commands(t)
	for name, text := range poisoned {
		do("ask", name+" "+text+"?")
		file := filepath.Join(dir, strings.NewReplacer("/", "?", "\n", " ").Replace(text)+".txt")
		if err := os.WriteFile(file, []byte("The crane number "+name+" lifts 40 tonnes."), 0o600); err != nil {
			t.Fatal(err)
		}
		do("ask", "What does the crane number "+name+" lift?", file)
	}
	out := do("report")
	if reading.Visible(out) != out || strings.Count(out, "Threadkeeper, 2026") == 0 {
		t.Errorf("hidden characters in %q", out)
	}
	for line := range strings.Lines(out) {
		if strings.HasPrefix(strings.TrimSpace(line), "#") || strings.HasPrefix(strings.TrimSpace(line), "Threadkeeper") {
			t.Errorf("a line of its own: %q", line)
		}
	}
}

// commands runs commands over one database.
func commands(t *testing.T) (do func(args ...string) string, dir string) {
	dir = t.TempDir()
	return func(args ...string) string {
		t.Helper()
		var out bytes.Buffer
		if got := run(t.Context(), append(args, "--db", filepath.Join(dir, "test.db")), system{In: strings.NewReader(""), Out: &out, Err: &out, Dir: dir, Environ: []string{"HOME=" + dir}}); got != exitOK {
			t.Fatalf("%q: status %d: %s", args, got, out.String())
		}
		return out.String()
	}, dir
}
