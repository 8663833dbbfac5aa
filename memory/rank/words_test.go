package rank

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFoldMakesSpellingsEqual(t *testing.T) {
	for _, c := range []struct{ name, a, b string }{
		{"case and accents", "ÉCLAIR Ñandú", "eclair nandu"},
		{"letters without decomposition", "Straße Łódź Œuvre Ærø", "strasse lodz oeuvre aero"},
		{"quotation marks", "“it’s” «so»", `"it's" "so"`},
		{"dashes", "2016–2018 — −3", "2016-2018 - -3"},
		{"white space", " a\u00a0\t b\r\nc ", "a b c"},
		{"ligatures and full width", "ﬁnance ＡＢＣ１２", "finance abc12"},
		{"soft hyphen and zero width", "co\u00adop\u200berate", "cooperate"},
		{"digits of other scripts", "٣٤٫٥ १२", "34.5 12"},
		{"composed and decomposed kana", "\u304b\u3099", "が"},
		{"Russian yo, but not short i", "ёлка йога", "елка йога"},
		{"Hebrew points", "שָׁלוֹם", "שלום"},
		{"final sigma", "ΣΟΦΟΣ", "σοφοσ"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Fold(c.a); got != c.b {
				t.Errorf("Fold(%q) = %q, want %q", c.a, got, c.b)
			}
			if got := Fold(c.b); got != c.b {
				t.Errorf("Fold of the folded form = %q, want %q", got, c.b)
			}
		})
	}
	if Fold("й") == Fold("и") || Fold("か") == Fold("が") {
		t.Error("a mark that makes another letter was dropped")
	}
}

func TestWords(t *testing.T) {
	for _, c := range []struct {
		in   string
		want string
	}{
		{"FY2018 results", "fy 2018 results"},
		{"code 7Q-114", "code 7 q 114"},
		{"1,284 1'284 1\u202f284\u00a0500", "1284 1284 1284500"},
		{"1.284.500,25 1,284,500.25", "1284500.25 1284500.25"},
		{"4,5 Mio. and 3.5", "4.5 mio and 3.5"},
		{"1,2,3 go", "1 2 3 go"},
		{"due 12.05.2023.", "due 12.05.2023"},
		{"2019, 2020", "2019 2020"},
		{"東京都に行く", "東京 京都 都に に行 行く"},
		{"株 up", "株 up"},
		{"データー2023年", "デー ータ ター 2023 年"},
		{"한국어는", "한국 국어 어는"},
		{"don't e-mail a@b.example", "don t e mail a b example"},
		{"", ""},
		{"… — !", ""},
	} {
		if got := strings.Join(Words(c.in), " "); got != c.want {
			t.Errorf("Words(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestTermsMeetAcrossForms(t *testing.T) {
	for _, c := range []struct{ text, query string }{
		{"The companies' revenues were running high", "company revenue run"},
		{"бухгалтерских отчётов", "бухгалтерские отчёты"},
		{"Les sociétés françaises", "societe francaise"},
		{"ไทยแลนด์", "ไทย"},
		{"Kündigungsfrist: 3 Monate", "kundigungsfrist"},
	} {
		have := Terms(c.text)
		for _, term := range Terms(c.query) {
			if !slices.Contains(have, term) {
				t.Errorf("query %q: term %q is not among %q of the text", c.query, term, have)
			}
		}
	}
	if got := Terms("What is the status of it?"); !slices.Equal(got, []string{"status"}) {
		t.Errorf("stop words stay: %q", got)
	}
	for _, w := range []string{"may", "die", "war", "man", "son", "pour", "sin", "van"} {
		if Stop(w) {
			t.Errorf("%q is a word in English and must be searchable", w)
		}
	}
}

func TestTermsAreSafeToStore(t *testing.T) {
	long := strings.Repeat("é", 5000) + " " + strings.Repeat("x", 5000) + "\x00\xff\xfe bad\x01bytes"
	for _, term := range Terms(long) {
		if len(term) > maxWord || strings.ContainsAny(term, " \"'\x00") || !utf8.ValidString(term) {
			t.Fatalf("term %q cannot be stored", term)
		}
	}
}

func FuzzTerms(f *testing.F) {
	for _, s := range []string{"FY2018 $4.2M", "1,2.3'4", "東京a1", "\u0306и\u0306", "3\u00a0000", "'1''2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if folded := Fold(s); Fold(folded) != folded {
			t.Errorf("Fold(Fold(%q)) = %q, want %q", s, Fold(folded), folded)
		}
		for _, w := range Words(s) {
			if w == "" || strings.ContainsRune(w, ' ') {
				t.Errorf("Words(%q) has %q", s, w)
			}
		}
		Names(s)
		Missing(s, s)
	})
}
