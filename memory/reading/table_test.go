package reading

import (
	"slices"
	"testing"
)

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
		"bars, no blank":  {"||Allowance|Hotel|\n|Berlin|28|140|", "Berlin", []string{"allowance", "hotel"}, []float64{28, 140}, -1},
		"two groups":      {"(In thousands)\nThree Months Ended June 30, Six Months Ended June 30,\n2024 2023 2024 2023\nRevenue 83,522 77,551 162,362 150,422", "Revenue", []string{"three months 2024", "three months 2023", "six months 2024", "six months 2023"}, []float64{83522, 77551, 162362, 150422}, 3},
		"groups in lines": {"Three Months Ended\nJune 30,\nSix Months Ended\nJune 30,\n2024 2023 2024 2023\n(In thousands)\nRevenue 83,522 77,551 162,362 150,422", "Revenue", []string{"three months 2024", "three months 2023", "six months 2024", "six months 2023"}, []float64{83522, 77551, 162362, 150422}, 3},
		"years compared":  {"(in millions)\n2023 2022 2021 2023 vs. 2022 2022 vs. 2021\nSales 520 480 465 8% 3%", "Sales", []string{"2023", "2022", "2021", "2023 vs 2022", "2022 vs 2021"}, []float64{520, 480, 465, 8, 3}, 6},
		"no change given": {"2023 2022 2023 vs. 2022\nMargin 20.7% 22.6%", "Margin", []string{"2023", "2022"}, []float64{20.7, 22.6}, -1},
		"in lakhs":        {"(Rs. in lakhs)\n2023 2022\nGross profit 8,873.49 7,995.12", "Gross profit", []string{"2023", "2022"}, []float64{8873.49, 7995.12}, 5},
		"a note's column": {"(In thousands)\n2023 2022\nTrade receivables 14 1,250 1,310", "Trade receivables", []string{"2023", "2022"}, []float64{1250, 1310}, 3},
		"Japanese":        {"(単位:百万円)\n2024年3月期 2023年3月期\n売上高 125,430 118,920", "売上高", []string{"2024", "2023"}, []float64{125430, 118920}, 6},
		"German, in TEUR": {"Angaben in TEUR\n2023 2022\nUmsatzerlöse 84.312 79.845", "Umsatzerlöse", []string{"2023", "2022"}, []float64{84.312, 79.845}, 3},
	} {
		p := ReadPage(c.page)
		if len(p.Rows) == 0 {
			t.Errorf("%s: no rows", name)
			continue
		}
		r := p.Rows[len(p.Rows)-1]
		var values []float64
		for _, v := range r.Values {
			values = append(values, v.Digits)
		}
		if r.Label != c.label && r.Label != c.label+" (1)" || r.Scale != c.scale || c.values != nil && (!slices.Equal(values, c.values) || !slices.Equal(r.Heads[:min(len(r.Heads), len(c.heads))], c.heads)) {
			t.Errorf("%s: %q %v %v scale %d", name, r.Label, r.Heads, values, r.Scale)
		}
	}
}

// A number in a label's brackets is no value.
func TestABracketInALabelIsNotCut(t *testing.T) {
	r, ok := readRow("Diluted (Notes 1 and 12) $ 3.70 $ 2.97")
	if !ok || r.Label != "Diluted (Notes 1 and 12)" || len(r.Values) != 2 || r.Values[0].Digits != 3.7 {
		t.Errorf("%v %q %v", ok, r.Label, r.Values)
	}
}
