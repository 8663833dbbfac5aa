package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// What cannot be checked is written out for a judge, whose answers are counted in.
func TestClaimsAreContested(t *testing.T) {
	dir, prompts, answers := t.TempDir(), t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		"documents.txt": "=== quay Quay report.pdf\n--- 1\nThe crane lifts 40 tonnes. It was painted in May.\n",
		"replies.txt": "=== right | quay | What does it lift?\nThe crane lifts 40 tonnes [d1 p1 \"The crane lifts 40 tonnes\"].\n" +
			"=== right | quay | What of it?\nThe crane lifts 40 tonnes [d1 p1 \"The crane lifts 40 tonnes\"]. Its coat of paint dates from spring: May.\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	whole := func(c checks) float64 {
		c.Dir, c.JSON = dir, true
		lines := bytes.Split(bytes.TrimSpace(printedBy(t, func() error { return c.Run(t.Context()) })), []byte("\n"))
		var rows []row
		if err := json.Unmarshal(lines[len(lines)-1], &rows); err != nil {
			t.Fatal(err)
		}
		return rows[0].Measures["right whole"]
	}
	if got := whole(checks{Contested: prompts}); got != .5 {
		t.Errorf("%v are whole before", got)
	}
	written, err := filepath.Glob(filepath.Join(prompts, "*"))
	if err != nil || len(written) != 2 {
		t.Fatalf("%q, %v", written, err)
	}
	if p, err := os.ReadFile(written[1]); err != nil || !bytes.Contains(p, []byte("1. Its coat of paint dates from spring: May.")) || !bytes.Contains(p, []byte("[d1 p1]\nThe crane lifts")) {
		t.Errorf("%v: %s", err, p)
	}
	if err := os.WriteFile(filepath.Join(answers, "002.json"), []byte(`{"verdicts": [{"n": 1, "verdict": "supported", "page": "d1 p1", "quote": "It was painted in May."}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := whole(checks{Verdicts: answers}); got != 1 {
		t.Errorf("%v are whole with the verdict", got)
	}
}

// Replies are judged on the product's own index, and the figures come by file.
func TestClaimsJudgesReplies(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"documents.txt": "=== quay Quay report.pdf\n--- 1\nThe crane lifts 40 tonnes. It was painted in May.\n",
		"replies.txt": "=== right | quay | What does it lift?\nThe crane lifts 40 tonnes [d1 p1 \"The crane lifts 40 tonnes\"].\n" +
			"=== wrong | quay | What does it lift? | 50\nIt lifts 50 tonnes [d1 p1 \"The crane lifts 40 tonnes\"]. It was painted in May [d1 p1 \"painted in May\"].\n" +
			"=== wrong | quay | What does it lift?\nThe crane lifts 40 tonnes [d1 p1 \"The crane lifts 40 tonnes\"].\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	lines := bufio.NewScanner(bytes.NewReader(printedBy(t, func() error { return (&checks{Dir: dir, JSON: true}).Run(t.Context()) })))
	var good []bool
	for range 3 {
		lines.Scan()
		var p played
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil || p.Dropped || len(p.Claims) == 0 {
			t.Fatalf("%v in %s", err, lines.Bytes())
		}
		good = append(good, p.Good)
	}
	if !good[0] || !good[1] || good[2] {
		t.Errorf("good: %v", good)
	}
	lines.Scan()
	var rows []row
	if err := json.Unmarshal(lines.Bytes(), &rows); err != nil || len(rows) < 2 || rows[0].Records != 3 || rows[0].Measures["right whole"] != 1 ||
		rows[0].Measures["wrong caught"] != .5 || rows[1].Name != "replies.txt" {
		t.Errorf("%v: %s", err, lines.Bytes())
	}
}
