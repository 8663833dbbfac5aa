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
