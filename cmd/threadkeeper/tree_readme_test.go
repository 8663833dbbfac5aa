package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestPicturesOfTheReadmeAreThere looks for each file that the README shows or links to.
func TestPicturesOfTheReadmeAreThere(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`\]\(([^):]+)\)`).FindAllSubmatch(text, -1)
	for _, m := range found {
		if _, err := os.Stat(filepath.Join("..", "..", string(m[1]))); err != nil {
			t.Error(err)
		}
	}
	if len(found) == 0 {
		t.Error("no picture found")
	}
}

// TestContributingNamesFilesThatAreThere looks for each path in CONTRIBUTING.md.
func TestContributingNamesFilesThatAreThere(t *testing.T) {
	text, err := os.ReadFile("../../.github/CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("`([a-z_]+(?:/[a-z_*]+)+(?:\\.go)?)`").FindAllSubmatch(text, -1)
	for _, m := range found {
		if files, err := filepath.Glob(filepath.Join("..", "..", string(m[1]))); err != nil || len(files) == 0 {
			t.Errorf("%s is not there: %v", m[1], err)
		}
	}
	if len(found) < 20 {
		t.Errorf("only %d paths found", len(found))
	}
}
