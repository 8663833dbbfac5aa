package docs

import "testing"

func TestPeriodsFitQuestions(t *testing.T) {
	name := func(s string) period {
		p := periodOf(s)
		p.dates = datesOf(s)
		return p
	}
	for _, c := range []struct {
		question   string
		has        period
		year, kind float64
	}{
		{"What was revenue in FY22, against FY21?", name("ACME_2022_10K"), 1, 0.5},
		{"What was revenue in FY22, against FY21?", name("ACME_2021_10K"), 0.5, 0.5},
		{"What was revenue in FY2022?", name("ACME_2022Q3_10Q"), 1, 0},
		{"And in Q3 of FY2022?", name("ACME_2022Q3_10Q"), 1, 1},
		{"the third quarter of 2022", name("ACME_2022Q3_10Q"), 1, 1},
		{"What does the 8-K say?", name("ACME_2022_8K"), 0, 1},
		{"The 8k filing dated 1st July 2022", name("ACME_2022_8K_dated-2022-07-01"), 1, 1},
		{"What was revenue in 2018?", firstPagePeriod("FORM 10-K\nAnnual report, filed in 2019,\nfor the fiscal year ended December 31, 2018"), 1, 0.5},
		{"What does the annual report say?", firstPagePeriod("FORM 10-K\nfor the fiscal year ended June 30, 2018"), 0, 1},
		{"What is the warranty?", firstPagePeriod("User manual"), 0, 0.5},
	} {
		asked := name(c.question)
		if y, k := yearFit(asked, c.has), kindFit(asked, c.has); y != c.year || k != c.kind {
			t.Errorf("%q and %+v: year %v, kind %v; want %v and %v", c.question, c.has, y, k, c.year, c.kind)
		}
	}
}
