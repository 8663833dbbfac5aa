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
