package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

// TestReportCommand tells of a question without an answer, and of the document that another is answered from.
func TestReportCommand(t *testing.T) {
	dir := t.TempDir()
	document := filepath.Join(dir, "crane.txt")
	if err := os.WriteFile(document, []byte("The crane lifts 40 tonnes. It stands at the north gate."), 0o600); err != nil {
		t.Fatal(err)
	}
	do := func(code int, args ...string) string {
		t.Helper()
		var out bytes.Buffer
		got := run(t.Context(), append(args, "--db", filepath.Join(dir, "test.db")), system{In: strings.NewReader(""), Out: &out, Err: &out, Dir: dir, Environ: []string{"HOME=" + dir}})
		if got != code {
			t.Fatalf("%q: status %d: %s", args, got, out.String())
		}
		return out.String()
	}
	do(exitOK, "ask", "What does the crane lift?", document)
	do(exitOK, "ask", "Who feeds\tthe walrus?")
	do(exitOK, "ask", "who feeds the walrus")

	text := do(exitOK, "report")
	for _, want := range []string{"Questions without an answer: 2\n", "terminal  who feeds the walrus (2 times)\n", "Answers marked unhelpful: 0\n", "   1  crane.txt\n", "Spent: 0 calls, 0 tokens "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	do(exitUsage, "report", "--days=0")

	store, err := memory.Open(t.Context(), filepath.Join(dir, "test.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	}()
	sent, err := weekly(store, "slack/U1")
	if err != nil || sent.Platform != "slack" || sent.Person != "U1" {
		t.Fatalf("%+v %v", sent, err)
	}
	text, shows, err := sent.Write(t.Context(), say.In("de"))
	if err != nil || !strings.Contains(text, "Fragen ohne Antwort: 2\n") || strings.Contains(text, "walrus") || len(shows.Messages) > 0 {
		t.Errorf("what was asked in the terminal leaves it: %s %+v %v", text, shows, err)
	}
	for _, to := range []string{"U1", "slack/", "irc/U1", "slack/U1 slack/U2", "slack/T1/U1"} {
		if r, err := weekly(store, to); err == nil {
			t.Errorf("%q was read as %+v", to, r)
		}
	}
}
