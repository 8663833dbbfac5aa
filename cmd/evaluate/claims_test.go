package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// Replies are judged on the product's own index, and the figures come by file and by form.
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
	if err := json.Unmarshal(lines.Bytes(), &rows); err != nil || len(rows) < 3 || rows[0].Records != 3 || rows[0].Measures["right whole"] != 1 ||
		rows[0].Measures["wrong caught"] != .5 || rows[1].Name != "replies.txt" {
		t.Errorf("%v: %s", err, lines.Bytes())
	}
}
