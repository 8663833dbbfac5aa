package figures

import "testing"

// csvFile is a table whose rows begin in line 2.
func csvFile(text string) File {
	f := lined("sales.csv", text)
	f.Table, f.Parts[0].Label = CSV, "rows"+f.Parts[0].Label[len("lines"):]
	return f
}

// TestABlankBelowAValueIsNoGroup: who writes a region once for the rows below it means all of them.
func TestABlankBelowAValueIsNoGroup(t *testing.T) {
	check(t, csvFile("Region,City,Sales\nNorth,Oslo,1\n,Bergen,2\nSouth,Rome,4\n,Milan,8"), []ask{
		{"total sales in North", ""},
		{"total sales by region", ""},
		{"count by region", ""},
		{"which region has the most sales", ""},
		{"total sales in Oslo", "sum Sales = 1 @C2; City is Oslo"},
		{"total sales", "sum Sales = 15 @C2-5"},
	})
}

// TestTotalsAreNotAddedUp whether they say so first, last or not at all.
func TestTotalsAreNotAddedUp(t *testing.T) {
	check(t, csvFile("Region,Sales\nNorth,1\nNorth,2\nNorth Total,3\nSouth,4\nSouth Total,4\nGrand Total,7"), []ask{
		{"total sales", "sum Sales = 7 @B2-5 [2 3 5]; totals [4 6 7]"},
	})
	check(t, csvFile("Region,City,Sales\nNorth,Oslo,1000\nSouth,Rome,234\n,,1234"), []ask{
		{"total sales", ""},
		{"highest sales", ""},
	})
	check(t, csvFile("Region,City,Sales,Cost\nNorth,Oslo,1000,3\nSouth,Rome,234,4\n,,1234,7"), []ask{{"total cost", ""}})
	check(t, csvFile("A,B\n1,2\n3,4"), []ask{{"total a", "sum A = 4 @A2-3"}})
}

// TestASecondTableBelowIsNotAdded.
func TestASecondTableBelowIsNotAdded(t *testing.T) {
	check(t, File{Name: "book.xlsx", Table: XLSX, Parts: []Part{{1, "Plan, rows 2–8", "City | Units\nOslo | 1\nRome | 2\nPerson | Hours\nAda | 30\nBob | 40"}}}, []ask{
		{"total units", ""},
	})
	check(t, csvFile("City,Units\nOslo,1\nRome,2\n\nPerson,Hours\nAda,30\nBob,40"), []ask{{"total units", ""}})
	check(t, csvFile("City,Units\nOslo,1\n\nRome,n/a\nParis,4"), []ask{{"total units", "sum Units = 5 @B2-5 [2 4 5]; unread [4]"}})
}

// TestANumberIsNoHead: a table whose first row has one has no names.
func TestANumberIsNoHead(t *testing.T) {
	check(t, csvFile("Oslo,1200\nBergen,1300\nRome,1400"), []ask{{"total 1200", ""}, {"sum of 1200 by oslo", ""}})
	check(t, csvFile("City,2024,2025\nOslo,1,2\nRome,3,4"), []ask{{"total 2024", "sum 2024 = 4 @B2-3"}})
}

// TestRowsAreNamedByTheirNumbers: where a blank row is not known, no row is named, and none is left out.
func TestRowsAreNamedByTheirNumbers(t *testing.T) {
	sheet := func(text string) File {
		return File{Name: "book.xlsx", Table: XLSX, Parts: []Part{{1, "Plan, rows 2–5", text}}}
	}
	check(t, sheet("City | Units\nOslo | 1\nRome | 2\nTotal | 3"), []ask{{"total units", ""}})
	check(t, sheet("City | Units\nOslo | 1\nRome |\nParis | 2"), []ask{{"total units", ""}})
	check(t, sheet("City | Units\nOslo | 1\nRome | 2\n\nTotal | 3"), []ask{{"total units", "sum Units = 3 @PlanB2-3; totals [5]"}})
}

// TestAPercentIsComparedWithPercents only.
func TestAPercentIsComparedWithPercents(t *testing.T) {
	check(t, csvFile("Order,Discount\n1,0.05\n2,0.15"), []ask{
		{"how many rows have a discount under 10%", ""},
		{"how many rows have a discount under 10", "count = 2 @2-3; Discount < 10"},
	})
	check(t, csvFile("Order,Discount\n1,5%\n2,15%"), []ask{
		{"how many rows have a discount under 10%", "count = 1 @2; Discount < 10"},
		{"how many rows have a discount under 10 percent", "count = 1 @2; Discount < 10"},
		{"how many rows have a discount under 10 prozent", "count = 1 @2; Discount < 10"},
	})
	check(t, csvFile("Order,Price\n1,5€\n2,15€"), []ask{
		{"how many rows have a price over $10", ""},
		{"how many rows have a price over €10", "count = 1 @3; Price > 10"},
	})
}
