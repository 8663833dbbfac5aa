package docs

import (
	"slices"
	"testing"
)

func TestAskedPlaces(t *testing.T) {
	for _, c := range []struct {
		question string
		pages    []int
		headings []string
	}{
		{"What stands on page 12?", []int{12}, nil},
		{"Which date is on the second page?", []int{2}, nil},
		{"Who signed the last page, and the 3rd page?", []int{3, -1}, nil},
		{"What does Appendix B say?", nil, []string{"appendix b"}},
		{"How many chapters has the table of contents?", nil, []string{"tabl content"}},
		{"How do I reset it?", nil, nil},
	} {
		p := askedPlaceOf(c.question)
		if !slices.Equal(p.pages, c.pages) || !slices.Equal(p.headings, c.headings) {
			t.Errorf("%q: %v %q, want %v %q", c.question, p.pages, p.headings, c.pages, c.headings)
		}
	}
}
