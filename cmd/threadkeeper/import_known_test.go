package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWhoSaysTheSameIsNotKnown: two who say the same at once, and one who says it again, in an export that has grown and in another file.
func TestWhoSaysTheSameIsNotKnown(t *testing.T) {
	do, dir := commands(t)
	takes := func(want string, lines ...string) {
		t.Helper()
		file := filepath.Join(dir, "talk.jsonl")
		if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
			t.Fatal(err)
		}
		if out := do("import", file); !strings.Contains(out, want) {
			t.Errorf("no %q in %s", want, out)
		}
	}
	said := func(kind, author string, id int) string {
		return fmt.Sprintf(`{%s"role":"user","author":%q,"at":"2026-03-01T09:00:00Z","text":"yes","id":%d}`, kind, author, id)
	}
	const export = `"type":"message",`
	takes("1 message imported, 0 already known", said(export, "Ada", 1))
	takes("1 message imported, 1 already known", said(export, "Ada", 1), said(export, "Bob", 2))
	takes("1 message imported, 3 already known", said(export, "Ada", 1), said(export, "Bob", 2), said(export, "Ada", 3), said(export, "Ada", 1))
	takes("1 message imported, 0 already known", said("", "Ada", 4))
	takes("0 messages imported, 1 already known", said("", "Ada", 4))
}
