package claims

import (
	"strings"
	"testing"
)

func TestWithoutFootnotes(t *testing.T) {
	if got, want := WithoutFootnotes("It rose [3] by 5 [^12], see【4†source】 [1234]."), "It rose by 5, see [1234]."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestNext cuts replies into sentences with their citations; | stands at each cut.
func TestNext(t *testing.T) {
	for _, want := range []string{
		`One. |Two.`,
		`One [d1 p1 "a. b. c"]. |Two. [d1 p2 "x"] [d2 p3 "y"].| Three.`,
		"- a [= 1 + 2]\n|- b\n",
		`Half a quote [d1 p1 "a. b. c`,
		`He said "Stop!" [d1 p1 "Stop"]`,
		`Dr. Berg left in May. |Then`,
		`価格は五円です。[d1 p1 "五円"]| 次。`,
	} {
		var got []string
		for rest := strings.ReplaceAll(want, "|", ""); rest != ""; {
			n := Next(rest, true)
			got, rest = append(got, rest[:n]), rest[n:]
		}
		if got := strings.Join(got, "|"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestNextWaits: 0 while a citation may follow or is not complete.
func TestNextWaits(t *testing.T) {
	for text, want := range map[string]int{
		`It lifts`: 0, `It lifts 40 tonnes.`: 0, `It lifts 40 tonnes. `: 0, `It lifts 40 tonnes. [`: 0, `It lifts 40 tonnes. [d1 p1 "lifts`: 0,
		`It lifts 40 tonnes. [d1 p1 "lifts"]`: 0, "It lifts [d1 p1 \"a\nb": 0, `It lifts 40 tonnes. T`: 20, "It lifts\n": 9, `One. [1] Two`: 5,
	} {
		if got := Next(text, false); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
