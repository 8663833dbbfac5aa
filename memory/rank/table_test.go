package rank

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func stored(s string) string { return strings.Join(Terms(s), " ") }

func tableOf(query string, reach int, texts ...string) *Table {
	t := NewQuery(query).NewTable(len(texts), reach)
	for _, s := range texts {
		t.Add(stored(s))
	}
	return t
}

func TestBM25(t *testing.T) {
	table := tableOf("total revenue", 0,
		"Total revenue was 5",
		"Total headcount was 7",
		"Weather report",
		"Total costs and total taxes")
	stats := table.Stats()
	if stats.N != 4 || !slices.Equal(stats.DF, []int{3, 1}) {
		t.Fatalf("stats = %+v", stats)
	}
	s := table.BM25(stats, 1.2, .75)
	if s[0] <= s[3] || s[3] <= 0 || s[1] <= 0 || s[2] != 0 {
		t.Errorf("scores %v: want the text with both terms first and the one with none at 0", s)
	}
	// Okapi's formula by hand for the second text: one "total", three terms.
	idf := math.Log(1 + (4-3+0.5)/(3+0.5))
	want := idf * 2.2 / (1 + 1.2*(0.25+0.75*3/stats.Avg))
	if math.Abs(s[1]-want) > 1e-9 {
		t.Errorf("score = %v, want %v", s[1], want)
	}
}

func TestNearRewardsTermsTogether(t *testing.T) {
	table := tableOf("net income", 4,
		"net income rose",
		"net sales rose while other companies lost much of their income",
		"income net of tax")
	s := table.Near(.9, .4)
	if s[0] <= 0 || s[2] <= 0 || s[1] != 0 {
		t.Errorf("pairs = %v, want the first and third text only", s)
	}
	if tableOf("net income", 0, "net income").Near(1, 0) != nil {
		t.Error("a table without reach has no pairs")
	}
}

func TestGroupSumsRows(t *testing.T) {
	parts := tableOf("alpha beta", 3, "alpha beta 1", "beta", "gamma 2 3")
	whole := tableOf("alpha beta", 3, "alpha beta 1 beta", "gamma 2 3")
	grouped := parts.Group([]int{0, 0, 1}, 2)
	if got, want := grouped.BM25(grouped.Stats(), 1, .5), whole.BM25(whole.Stats(), 1, .5); !slices.Equal(got, want) {
		t.Errorf("BM25 of grouped rows = %v, of the whole texts %v", got, want)
	}
	if got, want := grouped.Digits(), whole.Digits(); !slices.Equal(got, want) {
		t.Errorf("digits of grouped rows = %v, of the whole texts %v", got, want)
	}
}

func TestCoverIsWeightedByRarity(t *testing.T) {
	table := tableOf("total zeppelin", 0, "total", "total zeppelin", "total x", "total y")
	c := table.Cover(table.Stats())
	if c[0] > .2 || math.Abs(c[1]-1) > 1e-9 {
		t.Errorf("cover = %v, want a small share for the common term and 1 for both", c)
	}
}

func TestEmptyAndHugeQueries(t *testing.T) {
	table := tableOf("the of and", 3, "anything at all")
	if s := table.BM25(table.Stats(), 1, 0); s[0] != 0 || table.Cover(table.Stats())[0] != 0 || table.Near(1, 0)[0] != 0 {
		t.Error("a query without terms must score nothing")
	}
	if s := NewQuery("x").NewTable(0, 2).Stats(); s.N != 0 || s.Avg != 0 {
		t.Errorf("stats of no texts = %+v", s)
	}
	var words strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&words, "w%d ", i)
	}
	if n := len(NewQuery(words.String()).Terms()); n != maxTerms {
		t.Errorf("a pasted page keeps %d terms, want %d", n, maxTerms)
	}
}

// Five thousand passages of 120 terms must be scored in under 10 ms.
func BenchmarkScore5000(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	texts := make([]string, 5000)
	for i := range texts {
		terms := make([]string, 120)
		for j := range terms {
			terms[j] = fmt.Sprintf("%c%s", 'a'+r.IntN(26), strings.Repeat("x", int(r.ExpFloat64()*3)))
		}
		texts[i] = strings.Join(terms, " ")
	}
	q := NewTermQuery([]string{"axx", "bxxx", "cx", "dxxxxx", "exx", "fxxxx", "gxxx", "hx", "ixxxx", "jxx"})
	b.ReportAllocs()
	for b.Loop() {
		t := q.NewTable(len(texts), 4)
		for _, s := range texts {
			t.Add(s)
		}
		t.BM25(t.Stats(), .6, .2)
		t.Near(.9, .4)
	}
}

func BenchmarkTerms(b *testing.B) {
	page := strings.Repeat("Total net revenues for the fiscal year ended December 31, 2018 were $1,284.5 million, an increase of 4.2%. ", 30)
	b.SetBytes(int64(len(page)))
	for b.Loop() {
		Terms(page)
	}
}
