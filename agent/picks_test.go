package agent

import (
	"slices"
	"testing"
)

func TestPicks(t *testing.T) {
	for text, want := range map[string][]int{
		"1 and 3": {0, 2}, "3, 1": {2, 0}, "the second one": {1}, "The 2nd, please": {1}, "option 2": {1}, "number 3": {2}, "the last one": {2},
		"first and third": {0, 2}, "all of them": {0, 1, 2}, "die zweite bitte": {1}, "la troisième": {2}, "el primero": {0}, "1 & 2": {0, 1},
		"7": nil, "1 and 7": nil, "0": nil, "the fourth": nil, "both": nil, "the board one": nil, "2 apples": nil, "the second quarter": nil, "": nil, "the one": nil,
		"all reports": nil,
	} {
		if got := Picks(text, 3); !slices.Equal(got, want) {
			t.Errorf("%q picks %v, want %v", text, got, want)
		}
	}
	if got := Picks("both", 2); !slices.Equal(got, []int{0, 1}) {
		t.Errorf("both of two picks %v", got)
	}
}
