package main

import (
	"os"
	"regexp"
	"testing"
)

// TestVersionIsTheNewestRelease compares the program's version with the newest release in the
// changelog.
func TestVersionIsTheNewestRelease(t *testing.T) {
	text, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?m)^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$`).FindSubmatch(text)
	if m == nil {
		t.Fatal("no heading of a release")
	}
	if string(m[1]) != version {
		t.Errorf("the newest release is %s, the program is %s", m[1], version)
	}
}

// TestVersionIsAFlagToo, and says version, processor, engine and schema.
func TestVersionIsAFlagToo(t *testing.T) {
	command, _, _ := told(t, "version")
	if !regexp.MustCompile(`^threadkeeper \d+\.\d+\.\d+ \(.*go\d.* \w+/\w+\)\nPDF engine: .+\nschema: \d+\n$`).MatchString(command) {
		t.Errorf("%q", command)
	}
	if flag, errs, code := told(t, "--version"); flag != command || code != exitOK {
		t.Errorf("%d %q %s", code, flag, errs)
	}
}
