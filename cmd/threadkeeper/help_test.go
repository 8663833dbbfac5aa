package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"threadkeeper/docs"
)

// told is what the program prints.
func told(t *testing.T, args ...string) (out, errs string, code int) {
	t.Helper()
	var o, e bytes.Buffer
	dir := t.TempDir()
	code = run(context.Background(), args, system{In: strings.NewReader(""), Out: &o, Err: &e, Dir: dir, Environ: []string{"HOME=" + dir}})
	return o.String(), e.String(), code
}

// TestEveryCommandHasHelp of its own: its flags and two examples, which begin as it does, and none of the settings.
func TestEveryCommandHasHelp(t *testing.T) {
	for name, two := range examples {
		out, errs, code := told(t, append(strings.Fields(name), "--help")...)
		if code != exitOK || strings.Contains(out, "--turn-tokens") || !strings.Contains(out, "help settings") {
			t.Errorf("%s --help: %d\n%s%s", name, code, out, errs)
		}
		for _, e := range two {
			if !strings.Contains(out, e) || !strings.Contains(e, "threadkeeper "+name) && !strings.Contains(e, `threadkeeper "`) && name != "import" {
				t.Errorf("%s has no example %q:\n%s", name, e, out)
			}
		}
	}
}

func TestHelpOfATopic(t *testing.T) {
	for _, topic := range []string{"settings", "memory", "documents", "privacy", "terminal", "slack", "discord", "json", "operating", "limits", "numbers", "decisions"} {
		if out, errs, code := told(t, "help", topic); code != exitOK || !strings.HasPrefix(out, "# ") {
			t.Errorf("%s: %d %.80s %s", topic, code, out, errs)
		}
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	texts := strings.Split(string(readme), "\n")
	for _, topic := range []string{"documents", "terminal", "slack"} {
		out, _, _ := told(t, "help", topic)
		texts = append(texts, strings.Split(out, "\n")...)
	}
	lists := 0
	for _, line := range texts {
		if !strings.Contains(line, "PPTX") {
			continue
		}
		lists++
		for format := range strings.SplitSeq(docs.Formats, ", ") {
			if !strings.Contains(line, format) {
				t.Errorf("%s is missing in %s", format, line)
			}
		}
	}
	if lists != 4 {
		t.Errorf("%d lists of formats", lists)
	}
	if out, _, code := told(t, "help"); code != exitOK || !strings.Contains(out, "decisions, discord, documents, json, limits, memory, numbers, operating, privacy, settings, slack, terminal") {
		t.Errorf("%d %s", code, out)
	}
	if out, _, code := told(t, "help", "manifest", "slack"); code != exitOK || !strings.HasPrefix(out, "Usage: threadkeeper manifest slack") {
		t.Errorf("%d %s", code, out)
	}
	if _, errs, code := told(t, "help", "colours"); code != exitUsage || !strings.Contains(errs, `no topic "colours"`) {
		t.Errorf("%d %s", code, errs)
	}
	for typed, meant := range map[string]string{"numers": "numbers", "Docter": "doctor", "setting": "settings"} {
		if _, errs, code := told(t, "help", typed); code != exitUsage || !strings.Contains(errs, "did you mean "+meant+"?") {
			t.Errorf("%s: %d %s", typed, code, errs)
		}
	}
}
