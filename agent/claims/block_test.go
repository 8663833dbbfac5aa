package claims

import (
	"slices"
	"strings"
	"testing"
)

// TestNextBlock cuts replies into blocks, however they come; ¦ stands at each cut.
func TestNextBlock(t *testing.T) {
	for _, want := range []string{
		"One. Two.\nThree.\n\n¦Four.",
		"# Head\n¦Text\n¦- a\n¦- b\n  goes on\n\n¦End",
		"Text:\n¦1. a\n¦2. b\n\n[d1 p1 \"x y\"]\n",
		"| a | b |\n|---|---|\n| 1 | 2 |\n\nSource: [d1 p1 \"x y\"]\n\n¦After the table.",
		"First.\n\n[d1 p1 \"x y\"]\n\n¦Second, with quite a few words.",
	} {
		text := strings.ReplaceAll(want, "¦", "")
		for _, size := range []int{len(text), 1, 5} {
			var got []string
			buffer := ""
			for from := 0; from < len(text); from += size {
				buffer += text[from:min(len(text), from+size)]
				for n := 1; n > 0 && buffer != ""; {
					if n = NextBlock(buffer, from+size >= len(text)); n > 0 {
						got, buffer = append(got, buffer[:n]), buffer[n:]
					}
				}
			}
			if got := strings.Join(got, "¦"); got != want {
				t.Errorf("in pieces of %d: %q, want %q", size, got, want)
			}
		}
	}
}

// TestRows reads the tables of a page: label, values, column heads and scale.
func TestRows(t *testing.T) {
	for name, c := range map[string]struct {
		page, label string
		heads       []string
		values      []float64
		scale       int
	}{
		"in lines":        {"(in thousands)\n2015 2014\nNet income $ 122,641 $ 266,799", "Net income", []string{"2015", "2014"}, []float64{122641, 266799}, 3},
		"cells in lines":  {"(In millions)\nYear Ended December 31,\n2015\n2016\nNet sales\n$\n107,006 $\n135,987", "Net sales", []string{"2015", "2016"}, []float64{107006, 135987}, 6},
		"named columns":   {"(in millions)\nDomestic International Total\nRevenues $ 4,180 $ 1,953 $ 6,133", "Revenues", []string{"domestic", "international", "total"}, []float64{4180, 1953, 6133}, 6},
		"a mark, a dash":  {"($ in millions)\n2015 2014\nDebt (1) 12,000 —", "Debt", []string{"2015", "2014"}, []float64{12000, 0}, 6},
		"change column":   {"2015 2014 Change\nCosts 95 120 26%", "Costs", []string{"2015", "2014", "change"}, []float64{95, 120, 26}, -1},
		"per share":       {"(in thousands, except per share data)\n2015 2014\nNet income 122,641 266,799\nProfit 12,641 26,799\nDiluted $ 0.28 $ 0.62", "Diluted", []string{"2015", "2014"}, []float64{0.28, 0.62}, 0},
		"spaces, French":  {"(en milliers d'euros)\n2022 2021\nRésultat net 2 640 12 105", "Résultat net", []string{"2022", "2021"}, nil, 3},
		"French, alike":   {"(en milliers d'euros)\n2022 2021\nRésultat net 2 640 2 105", "Résultat net", []string{"2022", "2021"}, []float64{2640, 2105}, 3},
		"cells and bars":  {"| Place | Allowance | Hotel |\n| Berlin | 28 | 140 |", "Berlin", []string{"allowance", "hotel"}, []float64{28, 140}, -1},
		"two groups":      {"(In thousands)\nThree Months Ended June 30, Six Months Ended June 30,\n2024 2023 2024 2023\nRevenue 83,522 77,551 162,362 150,422", "Revenue", []string{"three months 2024", "three months 2023", "six months 2024", "six months 2023"}, []float64{83522, 77551, 162362, 150422}, 3},
		"a note's column": {"(In thousands)\n2023 2022\nTrade receivables 14 1,250 1,310", "Trade receivables", []string{"2023", "2022"}, []float64{1250, 1310}, 3},
		"Japanese":        {"(単位:百万円)\n2024年3月期 2023年3月期\n売上高 125,430 118,920", "売上高", []string{"2024", "2023"}, []float64{125430, 118920}, 6},
		"German, in TEUR": {"Angaben in TEUR\n2023 2022\nUmsatzerlöse 84.312 79.845", "Umsatzerlöse", []string{"2023", "2022"}, []float64{84.312, 79.845}, 3},
	} {
		p := readPage(1, 1, c.page)
		if len(p.rows) == 0 {
			t.Errorf("%s: no rows", name)
			continue
		}
		r := p.rows[len(p.rows)-1]
		var values []float64
		for _, v := range r.values {
			values = append(values, v.Digits)
		}
		if r.label != c.label && r.label != c.label+" (1)" || r.scale != c.scale || c.values != nil && (!slices.Equal(values, c.values) || !slices.Equal(r.heads[:min(len(r.heads), len(c.heads))], c.heads)) {
			t.Errorf("%s: %q %v %v scale %d", name, r.label, r.heads, values, r.scale)
		}
	}
}

// TestSums computes what replies write out.
func TestSums(t *testing.T) {
	for written, want := range map[string]float64{
		" 425 + 2,240": 2665, "(412,000 - 378,000) / 378,000 * 100 = 9%": 100 * 34000. / 378000, "10 / 4": 2.5, "2 × 3 − 1": 5, "(4/1)^(1/2)": 2,
		"$6.78 billion / 2": 3.39e9, "average(2, 4)": 3, "revenue 10 - costs 4": 6, "50 * 10%": 5,
	} {
		if s, ok := readSum(written); !ok || s.value < want-1e-9 || s.value > want+1e-9 {
			t.Errorf("%s: %v, %v", written, s.value, ok)
		}
	}
	for _, bad := range []string{"(2 + 3", "10 / 0", "", "a + b"} {
		if s, ok := readSum(bad); ok {
			t.Errorf("%q gives %v", bad, s.value)
		}
	}
}
