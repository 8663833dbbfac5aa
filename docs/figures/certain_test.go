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
