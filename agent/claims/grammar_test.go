package claims

import (
	"slices"
	"strings"
	"testing"
)

// TestParse reads sentences as models write them.
func TestParse(t *testing.T) {
	for _, c := range []struct {
		written, claim, text string // with the quotes numbered from 1
		quotes               []Quote
		sums                 []string
		cites                bool
	}{
		{`It lifts [d1 p3 "lifts 40"].`, `It lifts .`, `It lifts [1].`, []Quote{{1, 3, "lifts 40"}}, nil, true},
		{`It lifts. [d1 p3 "lifts 40"]`, `It lifts. `, `It lifts. [1]`, []Quote{{1, 3, "lifts 40"}}, nil, true},
		{`A [d1, p. 3, "one"] and b [d12 p4: “two”] [d2 p1 «tr»].`, `A  and b  .`, `A [1] and b [2][3].`,
			[]Quote{{1, 3, "one"}, {12, 4, "two"}, {2, 1, "tr"}}, nil, true},
		{"A line break [d1 p2 \"in the\nquote\"].", `A line break .`, `A line break [1].`, []Quote{{1, 2, "in the\nquote"}}, nil, true},
		{`Together 2,665 [= 425 + 2,240].`, `Together 2,665 .`, `Together 2,665.`, nil, []string{" 425 + 2,240"}, false},
		{`Both [d1 p1 "a b"][= 1 + 2].`, `Both .`, `Both [1].`, []Quote{{1, 1, "a b"}}, []string{" 1 + 2"}, true},
		{`No quote [d1 p3].`, `No quote [d1 p3].`, `No quote.`, nil, nil, true},
		{`No page [d1 "x"], then.`, `No page [d1 "x"], then.`, `No page, then.`, nil, nil, true},
		{`It ends early [d1 p3 "lifts`, `It ends early [d1 p3 "lifts`, `It ends early `, nil, nil, true},
		{`Single quotes [d1 p3 'lifts'].`, `Single quotes [d1 p3 'lifts'].`, `Single quotes.`, nil, nil, true},
		{`A capital [D1 p3 "x"].`, `A capital [D1 p3 "x"].`, `A capital [D1 p3 "x"].`, nil, nil, false},
		{`Parentheses (d1 p3 "x").`, `Parentheses (d1 p3 "x").`, `Parentheses (d1 p3 "x").`, nil, nil, false},
		{`A footnote [3] and a link [x](y).`, `A footnote [3] and a link [x](y).`, `A footnote [3] and a link [x](y).`, nil, nil, false},
		{`Nothing.`, `Nothing.`, `Nothing.`, nil, nil, false},
	} {
		s := Parse(c.written)
		numbers := make([]int, len(s.Quotes))
		for i := range numbers {
			numbers[i] = i + 1
		}
		if text := s.Text(numbers); s.Claim != c.claim || text != c.text || s.Cites != c.cites || !slices.Equal(s.Quotes, c.quotes) || !slices.Equal(s.Sums, c.sums) {
			t.Errorf("%q: %+v, shown as %q", c.written, s, text)
		}
	}
}

func TestTextLeavesOutWhatIsNotFound(t *testing.T) {
	s := Parse(`One [d1 p1 "a"] , two [d1 p2 "b"] [d1 p3 "c"].`)
	if got, want := s.Text([]int{0, 7, 2}), "One , two [7][2]."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

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
