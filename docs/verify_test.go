package docs

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"threadkeeper/memory"
)

func TestVerify(t *testing.T) {
	d := newDesk(t)
	sample := d.add("sample.pdf", sampleFile(t, "sample.pdf"))
	hyphens := d.add("hyphens.pdf", sampleFile(t, "hyphens.pdf"))
	breaks := d.add("pagebreak.pdf", sampleFile(t, "pagebreak.pdf"))
	odd := d.add("odd.txt", []byte("The ﬁnal oﬀer was −5 % and “not” 28.5 million. Die Straße ist nicht gesperrt. 会議は火曜日に\n延期された。 No. 1,284 of 7Q-114.\nPaid on 3 May 2023 in full and without any further condition.\n| **Sum** | | | **20,140.00** |\nA cube is 2**3 of them.\nCall f(a, **kwargs) at first, then g(**more), with **all of\nthem** named."))
	const brk = "until the first frost, and after that they are to be handed to the oldest member of the rowing club"
	tests := []struct {
		name     string
		document *memory.Document
		page     int
		quote    string
		wantPage int
		want     string // "" if the quote is to be found as it is; "-" if not at all
	}{
		{"as it stands", sample, 3, "Breakfast grew most; bread for taking home fell for the first time.", 3, ""},
		{"another page", sample, 7, "Sales grew from €378,500 to €412,600.", 3, "Sales grew from €378,500 to €412,600"},
		{"case and quotes", sample, 1, "a workers' COOPERATIVE on the old fish quay", 1, "A workers’ cooperative on the old fish quay"},
		{"in quotation marks", sample, 1, "“96,300 cups of coffee served…”", 1, "96,300 cups of coffee served"},
		{"a table's row as Markdown", sample, 3, "| Breakfast | 88,700 | 109,400 | +23 % | 27 % |", 3, "Breakfast 88,700 109,400 +23 % 27 %"},
		{"a slip of the pen", sample, 2, "the storm pushed the harbor over the quay wall, and for the second time in our history", 2,
			"the storm pushed the harbour over the quay wall, and for the second time in our history"},
		{"a page that is not", sample, 99, "96,300 cups of coffee served", 1, ""},
		{"page 0", sample, 0, "96,300 cups of coffee served", 1, ""},
		{"a changed number", sample, 2, "We were closed for 13 days. The insurance paid €14,200 of the damage", 0, "-"},
		{"a longer number", sample, 1, "cups of coffee served 11 members and employees €18,45", 0, "-"},
		{"a shorter number", sample, 1, "6,300 cups of coffee served", 0, "-"},
		{"a negation", sample, 2, "In May we had not stopped handing out single-use cups. We were afraid of it.", 0, "-"},
		{"part of a word", sample, 1, "lowers", 0, "-"},
		{"a paraphrase", sample, 1, "The café sold nearly a hundred thousand cups of coffee", 0, "-"},
		{"no words", sample, 1, " … ", 0, "-"},
		{"a divided word", hyphens, 1, "wrote down every maintenance of the lamp", 1, "wrote down every main- tenance of the lamp"},
		{"a divided compound", hyphens, 1, "each of the twenty-five captains", 1, "each of the twenty- five captains"},
		{"over the page break", breaks, 1, brk, 1, brk},
		{"over the page break, page of its end", breaks, 2, brk, 1, brk},
		{"over the page break, changed", breaks, 1, "they are to be sold to the oldest member", 0, "-"},
		{"ligatures", odd, 1, "the final offer was", 1, "The ﬁnal oﬀer was"},
		{"a minus", odd, 1, "5 % and \"not", 1, "−5 % and “not"},
		{"a number cut at its point", odd, 1, "“not” 28", 0, "-"},
		{"ß", odd, 1, "Die Strasse ist nicht gesperrt", 1, "Die Straße ist nicht gesperrt"},
		{"a lost negation", odd, 1, "Die Straße ist gesperrt. 会議は火曜日に延期された。 No. 1,284 of 7Q-114.", 0, "-"},
		{"a script without spaces", odd, 1, "火曜日に延期された", 1, "火曜日に 延期された"},
		{"a changed identifier", odd, 1, "会議は火曜日に延期された。 No. 1,284 of 7R-114. Paid on 3 May 2023 in full", 0, "-"},
		{"bold type", odd, 1, "Sum** | | | **20,140.00", 1, "Sum | | | 20,140.00"},
		{"a power", odd, 1, "A cube is 2**3 of them", 1, ""},
		{"the stars of a program", odd, 1, "Call f(a, **kwargs) at first, then g(**more)", 1, ""},
		{"bold type that begins in the quote", odd, 1, "then g(**more), with **all of", 1, "then g(**more), with all of"},
		{"a changed month", odd, 1, "Paid on 3 Mar 2023 in full and without any further condition", 0, "-"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := d.Verify(t.Context(), Citation{N: 4, DocumentID: tt.document.ID, Page: tt.page, Quote: tt.quote})
			if tt.want == "-" {
				is(t, err, ErrNotFound)
				return
			}
			want := tt.want
			if want == "" {
				want = strings.TrimSuffix(tt.quote, ".")
			}
			if err != nil || got.Page != tt.wantPage || got.Quote != want || got.N != 4 || got.Document != tt.document.Name {
				t.Fatalf("%+v, %v\nwant page %d, %q", got, err, tt.wantPage, want)
			}
			again, err := d.Verify(t.Context(), got)
			if err != nil || again != got {
				t.Errorf("verified again: %+v, %v", again, err)
			}
		})
	}
	_, err := d.Verify(t.Context(), Citation{DocumentID: 99, Page: 1, Quote: "96,300 cups"})
	is(t, err, ErrNotFound)
}

// prose is pages of made-up sentences, none of which occurs twice.
func prose(seed uint64, pages, lines int) []*pageRow {
	words := strings.Fields("harbour wind lamp keeper invoice clause supplier delivery pressure valve meeting budget tide member report " +
		"committee steamer ledger annual closing notice quarter garden bridge Müller naïve übergabe Москва and the of for with from under")
	rnd := rand.New(rand.NewPCG(seed, 1))
	var list []*pageRow
	for n := range pages {
		var b strings.Builder
		for range lines {
			for range 9 {
				b.WriteString(words[rnd.IntN(len(words))])
				if rnd.IntN(6) == 0 {
					fmt.Fprintf(&b, " %d,%03d", rnd.IntN(90)+1, rnd.IntN(1000))
				}
				b.WriteByte(' ')
			}
			b.WriteString("end.\n")
		}
		list = append(list, &pageRow{Number: n + 1, Text: clean(b.String())})
	}
	return list
}

// retype changes what does not matter in a quote.
func retype(t *rapid.T, quote string) string {
	if rapid.Bool().Draw(t, "capitals") {
		quote = strings.ToUpper(quote)
	}
	space := rapid.SampledFrom([]string{" ", "\n", " \u00a0 ", "\u200b "}).Draw(t, "space")
	quote = strings.Join(strings.Fields(quote), space)
	if rapid.Bool().Draw(t, "dots") {
		quote = "“" + quote + "…”"
	}
	return quote
}

func TestQuotesAreFoundHoweverTheyAreTyped(t *testing.T) {
	pages := prose(1, 6, 12)
	rapid.Check(t, func(t *rapid.T) {
		p := pages[rapid.IntRange(0, len(pages)-1).Draw(t, "page")]
		words := strings.Fields(p.Text)
		from := rapid.IntRange(0, len(words)-13).Draw(t, "from")
		want := strings.Join(words[from:from+rapid.IntRange(8, 12).Draw(t, "words")], " ")
		f, ok := findQuote(pages, 1, newQuote(retype(t, want)))
		if !ok || f.page != p.Number || strings.TrimSuffix(f.text, ".") != strings.TrimSuffix(want, ".") {
			t.Fatalf("page %d, %q, %v\nwant page %d, %q", f.page, f.text, ok, p.Number, want)
		}
	})
}

func TestAChangedFigureIsNeverFound(t *testing.T) {
	pages := prose(2, 6, 12)
	rapid.Check(t, func(t *rapid.T) {
		p := pages[rapid.IntRange(0, len(pages)-1).Draw(t, "page")]
		words := strings.Fields(p.Text)
		from := rapid.IntRange(0, len(words)-31).Draw(t, "from")
		quote := []rune(strings.Join(words[from:from+30], " "))
		var at []int
		for i, r := range quote {
			if unicode.IsDigit(r) {
				at = append(at, i)
			}
		}
		if len(at) == 0 {
			return
		}
		i := rapid.SampledFrom(at).Draw(t, "digit")
		quote[i] = '0' + (quote[i]-'0'+rune(rapid.IntRange(1, 9).Draw(t, "by")))%10
		changed := string(quote)
		if f, ok := findQuote(pages, p.Number, newQuote(changed)); ok {
			t.Fatalf("%q found as %q", changed, f.text)
		}
		if f, ok := findNear(pages, p.Number, newQuote(changed), changed); ok {
			t.Fatalf("%q taken for %q", changed, f.text)
		}
	})
}

func TestASlipBesideItsLikeIsASlip(t *testing.T) {
	if !onlySlips("notice of end supplier invoices invoice naive steamer", "notice of end supplier invoice invoice naive steamer") {
		t.Error("an ending put to the first of two equal words is no slip")
	}
	if onlySlips("the fee fell by a tenth", "the fee rose by a tenth") {
		t.Error("another word is a slip")
	}
}

func TestASlipIsSnappedToTheText(t *testing.T) {
	pages := prose(3, 6, 12)
	rapid.Check(t, func(t *rapid.T) {
		p := pages[rapid.IntRange(0, len(pages)-1).Draw(t, "page")]
		words := strings.Fields(p.Text)
		from := rapid.IntRange(0, len(words)-21).Draw(t, "from")
		words = words[from : from+20]
		want := strings.TrimSuffix(strings.Join(words, " "), ".")
		slip := append([]string{}, words...)
		i := rapid.IntRange(1, 18).Draw(t, "word")
		if strings.ContainsFunc(slip[i], unicode.IsDigit) || len(negations(slip[i])) > 0 {
			return
		}
		slip[i] += rapid.SampledFrom([]string{"s", "x", "ed"}).Draw(t, "ending")
		quote := strings.Join(slip, " ")
		if len(negations(quote)) != len(negations(want)) {
			return
		}
		f, ok := findNear(pages, p.Number, newQuote(quote), quote)
		if !ok || f.page != p.Number || strings.TrimSuffix(f.text, ".") != want {
			t.Fatalf("page %d, %q, %v\nwant page %d, %q", f.page, f.text, ok, p.Number, want)
		}
	})
}

func TestClosest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.StringOfN(rapid.SampledFrom([]rune("abc")), 1, 12, -1)
		text, pattern := letters.Draw(t, "text"), letters.Draw(t, "pattern")
		limit := rapid.IntRange(0, 6).Draw(t, "limit")
		least := len(pattern) // of all parts of text, the empty one included
		for i := range text {
			for j := i; j <= len(text); j++ {
				least = min(least, edits(text[i:j], pattern))
			}
		}
		from, to, distance, ok := closest(text, pattern, limit)
		if ok != (least <= limit) {
			t.Fatalf("found %v, the least distance is %d", ok, least)
		}
		if ok && (distance != least || edits(text[from:to], pattern) != least) {
			t.Fatalf("%q at distance %d, the least is %d", text[from:to], distance, least)
		}
	})
}

// edits is the Levenshtein distance.
func edits(a, b string) int {
	if a == "" || b == "" {
		return len(a) + len(b)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}

func BenchmarkVerify1500Pages(b *testing.B) {
	pages := prose(4, 1500, 35)
	words := strings.Fields(pages[1200].Text)
	exact := strings.Join(words[40:70], " ")
	slip := strings.Replace(exact, " ", "s ", 1)
	b.Run("elsewhere", func(b *testing.B) {
		for b.Loop() {
			if _, ok := findQuote(pages, 3, newQuote(exact)); !ok {
				b.Fatal("not found")
			}
		}
	})
	b.Run("near", func(b *testing.B) {
		for b.Loop() {
			if _, ok := findNear(pages, 3, newQuote(slip), slip); !ok {
				b.Fatal("not found")
			}
		}
	})
}
