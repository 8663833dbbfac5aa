package reading

import (
	"slices"
	"testing"
)

// Lines of figures stand with their label; a line of years is the head of columns, and the page's number is nobody's figure.
func TestJoinCells(t *testing.T) {
	got := JoinCells([]string{"12", "Year ended", "2015 2014", "", "Net  income", "122,641", "266,799", "It rose.", "", "13"})
	want := []string{"", "Year ended", "2015 2014", "", "Net income 122,641 266,799", "It rose.", "", ""}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
