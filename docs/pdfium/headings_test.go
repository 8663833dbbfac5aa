package pdfium

import (
	"slices"
	"testing"
)

// TestABoldLineIsAHeading, and prose is none, nor is the head of a table.
func TestABoldLineIsAHeading(t *testing.T) {
	e := shared
	var titles []string
	if _, err := e.Pages(t.Context(), read(t, "sample.pdf"), Limits{}, func(_ int, p Page) error {
		for _, h := range p.Headings {
			titles = append(titles, h.Text)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(titles, "Decisions of the members’ meeting") || len(titles) < 6 || len(titles) > 60 {
		t.Errorf("%q", titles)
	}
	for _, head := range []string{"Work Start Finished by Budget", "In euros 2024 2025"} {
		if slices.Contains(titles, head) {
			t.Errorf("the head of a table: %q", head)
		}
	}
}
