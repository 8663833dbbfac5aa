package main

import (
	"strings"
	"testing"
)

// TestAWrongCommandLineNamesTheHelpToRead of the command that was meant, and no value that nobody can type.
func TestAWrongCommandLineNamesTheHelpToRead(t *testing.T) {
	for line, want := range map[string]string{
		"--nosuch":         "(see threadkeeper --help)",
		"chekc":            `did you mean "check"? (see threadkeeper --help)`,
		"ask":              "(see threadkeeper ask --help)",
		"import --threed":  "(see threadkeeper import --help)",
		"manifest teams":   "(see threadkeeper manifest --help)",
		"init --for teams": `one of "terminal", "slack", "discord" but got "teams" (see threadkeeper init --help)`,
	} {
		if _, errs, code := told(t, strings.Fields(line)...); code != exitUsage || !strings.Contains(errs, want) {
			t.Errorf("%s: %d %s", line, code, errs)
		}
	}
}

// TestAMissingFileIsNamed by every command that takes one, without the words of the system.
func TestAMissingFileIsNamed(t *testing.T) {
	for _, line := range []string{"check none.md none.pdf", "import none.jsonl", "restore none.db", "usage --config none.yaml", "ask Why? none.pdf"} {
		_, errs, code := told(t, strings.Fields(line)...)
		if code == exitOK || !strings.Contains(errs, "there is no file ") || strings.Contains(errs, "no such file") {
			t.Errorf("%s: %d %s", line, code, errs)
		}
	}
	if _, errs, code := told(t, "import", "."); code != exitFailed || !strings.Contains(errs, "is a folder") {
		t.Errorf("a folder: %d %s", code, errs)
	}
}
