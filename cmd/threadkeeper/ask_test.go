package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAQuestionNeedsNoCommand(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "report.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	commands := []string{"chat", "check", "serve", "ask"}
	for args, want := range map[string]bool{
		"What is it?|report.pdf": true, "What is it": true, "why?": true, "-c|And in 2024?": true, "--json|--continue|How so?": true, "--model|large|--db=x.db|How so?": true,
		"": false, "chat": false, "chekc": false, "--json": false, "ask|What is it?": false, "--attach|my report.pdf": false, "--db=a b?": false, "--db|a b?": false, "--help|What is it?": false,
		"summarise|report.txt": true, "--json|summarise|report.txt": true, "summarise|missing.txt": false, "summarise": false, "chekc|report.txt": false,
	} {
		if got := asks(strings.Split(args, "|"), commands, system{Dir: dir}); got != want {
			t.Errorf("%s: %v", args, got)
		}
	}
	for args, want := range map[string]bool{"summarise": true, "serv": false} {
		if got := asks([]string{args}, commands, system{In: bufio.NewReader(strings.NewReader("a report"))}); got != want {
			t.Errorf("a report and %s: %v", args, got)
		}
	}
}

func TestWhatIsPipedInIsAFile(t *testing.T) {
	for data, want := range map[string]string{
		"some text": "standard-input.txt", "%PDF-1.7\n": "standard-input.pdf", "": "", " \n": "",
	} {
		path, err := saveInput(t.Context(), strings.NewReader(data), t.TempDir(), 1)
		if err != nil || path == "" && want != "" || path != "" && filepath.Base(path) != want {
			t.Errorf("%q is saved as %q, %v", data, path, err)
		}
	}
	if _, err := saveInput(t.Context(), bytes.NewReader(make([]byte, 1<<20+1)), t.TempDir(), 1); err == nil || !strings.Contains(err.Error(), "MAX_FILE_MB") {
		t.Errorf("too much: %v", err)
	}
}

// TestAnInputWithoutEndIsLeft when the program is stopped.
func TestAnInputWithoutEndIsLeft(t *testing.T) {
	in, out := io.Pipe()
	defer out.Close()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := saveInput(ctx, in, t.TempDir(), 1); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
