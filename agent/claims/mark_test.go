package claims

import (
	"slices"
	"strings"
	"testing"
)

func TestWithoutFootnotes(t *testing.T) {
	if got, want := WithoutFootnotes("It rose [3] by 5 [^12], see【4†source】 [1234]."), "It rose by 5, see [1234]."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestAQuoteThatIsNotClosed ends where the next citation begins.
func TestAQuoteThatIsNotClosed(t *testing.T) {
	skeleton, marks := marksOf(strings.Repeat(`[d1 p1 "It rose`, 1000)+` [d1 p2 "It fell by a third"].`, nil)
	if len(marks) != 1 || marks[0].cites[0].page != 2 || !strings.HasSuffix(skeleton, string(placeholder(0))+".") {
		t.Errorf("%d marks", len(marks))
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

// TestMarks reads citations as models write them.
func TestMarks(t *testing.T) {
	named := func(name string) int {
		if strings.HasPrefix("annual report.pdf", strings.ToLower(name)) && len(name) > 5 {
			return 2
		}
		return 0
	}
	for written, want := range map[string][]cite{
		`[d1 p3 "lifts 40"]`:                        {{1, 3, "lifts 40"}},
		`[d1, p. 3, “one”]`:                         {{1, 3, "one"}},
		`[D12 page 4: 'it's one']`:                  {{12, 4, "it's one"}},
		`[d1 p3 "a b"; "c d"]`:                      {{1, 3, "a b"}, {1, 3, "c d"}},
		`[d1 p3 "a"; d2 p4 «b»]`:                    {{1, 3, "a"}, {2, 4, "b"}},
		`[d1 p3 "Harbour ("Landlord") and others"]`: {{1, 3, `Harbour ("Landlord") and others`}},
		`[d1 pp. 40-41]`:                            {{1, 40, ""}, {1, 41, ""}},
		`[d1 pp. 1 and 5]`:                          {{1, 1, ""}, {1, 5, ""}},
		`(S. 1, 5 und 7-8)`:                         {{0, 1, ""}, {0, 5, ""}, {0, 7, ""}, {0, 8, ""}},
		`[d1 "x y"]`:                                {{1, 0, "x y"}},
		`(d1, S. 4, „Wort für Wort“)`:               {{1, 4, "Wort für Wort"}},
		`[Annual report.pdf, p. 4, "x"]`:            {{2, 4, "x"}},
		`(Annual report, page 4)`:                   {{2, 4, ""}},
		`[d1 2ページ 「五円」]`:                            {{1, 2, "五円"}},
		`(see page 4)`:                              {{0, 4, ""}},
		`(page views rose)`:                         nil,
		`[3]`:                                       nil,
		`[a link](https://docs.example)`:            nil,
		`(for the year 2015)`:                       nil,
		`[d1 p3 "never closed`:                      nil,
	} {
		_, marks := marksOf(written, named)
		var got []cite
		for _, m := range marks {
			got = append(got, m.cites...)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", written, got, want)
		}
	}
	if got := (cite{words: "lifts 40 … on a … day"}).parts(); !slices.Equal(got, []string{"lifts 40", "on a", "day"}) {
		t.Errorf("parts %q", got)
	}
}

// TestAListIsNotACitation: short words in brackets are the answer itself.
func TestAListIsNotACitation(t *testing.T) {
	for text, want := range map[string]string{
		`["p12", "p15"]`:                        `["p12", "p15"]`,
		`["Chapter 2", "Chapter 3"]`:            `["Chapter 2", "Chapter 3"]`,
		`It is built ["copied from the page"].`: `It is built .`,
		`It is built [p12 "blue"].`:             `It is built .`,
	} {
		if got := Bare(text, nil); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
