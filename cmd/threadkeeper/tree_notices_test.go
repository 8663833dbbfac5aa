package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestNoticesNameEveryModule fails when a module that is linked into a program has no entry in
// THIRD_PARTY_NOTICES, or an entry stays behind a module that is not linked any more.
func TestNoticesNameEveryModule(t *testing.T) {
	text, err := os.ReadFile("../../THIRD_PARTY_NOTICES")
	if err != nil {
		t.Fatal(err)
	}
	_, entries, _ := strings.Cut(string(text), "\n4  Go modules\n=")
	entries, _, _ = strings.Cut(entries, "\nNotice of ")
	named := map[string]bool{}
	for _, l := range strings.Split(entries, "\n") {
		if name, ok := strings.CutPrefix(l, "  "); ok && strings.Contains(name, ".") && !strings.HasPrefix(name, " ") {
			named[name] = true
		}
	}
	linked := map[string]bool{}
	for _, goos := range []string{"linux", "darwin", "windows"} {
		cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", "threadkeeper/cmd/...")
		cmd.Env = append(os.Environ(), "GOOS="+goos, "CGO_ENABLED=0")
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", goos, err)
		}
		for _, m := range strings.Fields(string(out)) {
			linked[m] = m != "threadkeeper"
		}
	}
	for m, outside := range linked {
		if outside && !named[m] {
			t.Errorf("%s has no entry", m)
		}
	}
	for m := range named {
		if !linked[m] {
			t.Errorf("%s has an entry and is not linked", m)
		}
	}
}
