package figures

import (
	"strings"
	"testing"
)

var sales = File{Name: "sales.csv", Table: CSV, Parts: []Part{
	{1, "rows 2–4", "Region,Product,Unit Price,Units,Year\nEMEA,Lamp,12.50,10,2024\nAPAC,Lamp,13.00,4,2024\nEMEA,\"Desk, oak\",250,1,2025"},
	{2, "rows 5–6", "Region,Product,Unit Price,Units,Year\nAMER,Chair,99.99,n/a,2025\nTotal,,375.49,15,"},
}}

func TestColumnsAreComputed(t *testing.T) {
	const totals = "; totals [6]"
	check(t, sales, []ask{
		{"mean of unit price by region", "mean Unit Price AMER = 99.99 @C2-5; mean Unit Price APAC = 13.00 @C2-5; mean Unit Price EMEA = 131.25 @C2-5" + totals},
		{"What is the average price?", "mean Unit Price = 93.8725 @C2-5" + totals},
		{"sum of unitprice in sales.csv", "sum Unit Price = 375.49 @C2-5" + totals},
		{"total unit pric", "sum Unit Price = 375.49 @C2-5" + totals},
		{"total units", "sum Units = 15 @D2-5; unread [5]" + totals},
		{"total units in EMEA", "sum Units = 11 @D2-4; Region is EMEA" + totals},
		{"total units for region EMEA in 2024", "sum Units = 10 @D2; Region is EMEA; Year is 2024" + totals},
		{"Which product has the highest price?", "max Unit Price Desk, oak = 250 @C4" + totals},
		{"lowest unit price", "min Unit Price = 12.50 @C2" + totals},
		{"which region has the highest total unit price", "sum Unit Price EMEA = 262.50 @C2-5; sum Unit Price AMER = 99.99 @C2-5; sum Unit Price APAC = 13.00 @C2-5" + totals},
		{"how many rows are there?", "count = 4 @2-5" + totals},
		{"count by region", "count AMER = 1 @A2-5; count APAC = 1 @A2-5; count EMEA = 2 @A2-5" + totals},
		{"How many regions are there?", "distinct Region = 3 @A2-5" + totals},
		{"Durchschnitt von unit price nach region", "mean Unit Price AMER = 99.99 @C2-5; mean Unit Price APAC = 13.00 @C2-5; mean Unit Price EMEA = 131.25 @C2-5" + totals},
		{"min and max of unit price", "min Unit Price = 12.50 @C2; max Unit Price = 250 @C4" + totals},
		{"median unit price", "median Unit Price = 56.495 @C2-5" + totals},

		// not certain
		{"mean of price excluding EMEA", ""},
		{"mean of discount", ""},
		{"total units > 3", ""},
		{"what drives the unit price?", ""},
		{"total sales by region", ""},
		{"sum of region", ""},
		{"mean price in EMEA and APAC", ""},
		{"unit price", ""},
		{"sum of unit price - units", ""},
		{"how many units", ""},
		{"total units in March", ""},
		{"mean of unit price by", ""},
		{"", ""},
	})
}

func TestSheetsAreTables(t *testing.T) {
	book := File{Name: "costs.xlsx", Table: XLSX, Parts: []Part{
		{1, "Costs, rows 4–6", "Sales report 2025\nItem | Price (EUR) | Share\nRoaster | 38700.5 | 0.5\nGrinder |  | 0.25"},
		{2, "Costs, rows 7–9", "Sales report 2025\nMill | 100 | 0.25\nPress | 20"},
		{3, "Staff, rows 2–3", "Name | Age\nAda | 36\nBob | 41"},
	}}
	check(t, book, []ask{
		{"sum of price", "sum Price (EUR) = 38820.5 @CostsB5-9; unread [6]"},
		{"highest price", "max Price (EUR) = 38700.5 @CostsB5; unread [6]"},
		{"lowest price", "min Price (EUR) = 20 @CostsB7-9; unread [6]"},
		{"average age", "mean Age = 38.5 @StaffB2-3"},
		{"how many rows in staff", "count = 2 @Staff2-3"},
		{"how many rows", ""},
	})
}

func TestATableThatIsNotWholeHasNoAnswer(t *testing.T) {
	cut := File{Name: "a.csv", Table: CSV, Parts: []Part{{1, "row 2", "a,price\nx,1"}, {2, "row 2", "a,price\ny,2"}}}
	check(t, cut, []ask{{"sum of price", ""}})
}

func TestNumbersAreReadAsTheirColumnWritesThem(t *testing.T) {
	tests := []struct {
		cells []string
		comma bool
		want  string // of the sum, "" for none
	}{
		{[]string{"1", "2.50", "-3"}, true, "0.50"},
		{[]string{"1,234.50", "1,000"}, true, "2234.50"},
		{[]string{"1.234,50", "1.000"}, true, "2234.50"},
		{[]string{"12,5", "1"}, false, "13.5"},
		{[]string{"1.234"}, true, "1.234"},
		{[]string{"1.234"}, false, ""},
		{[]string{"$1,200", "$300"}, true, "$1500"},
		{[]string{"$5", "€5"}, true, ""},
		{[]string{"12%", "3.5 %"}, true, "15.5%"},
		{[]string{"(5.00)", "1"}, true, "-4.00"},
		{[]string{"−5", "1 000"}, true, "995"},
		{[]string{"10 EUR", "5 EUR"}, true, "15 EUR"},
		{[]string{"2024-03-01", "2024-04-01"}, true, ""},
		{[]string{"1.5", "2,5"}, true, ""},
		{[]string{"0.1", "0.2"}, true, "0.3"},
	}
	for _, tt := range tests {
		tab := table{names: []string{"n"}, commas: tt.comma}
		for _, c := range tt.cells {
			tab.rows = append(tab.rows, record{cells: []string{c}})
		}
		got := ""
		if list, _, ok := tab.numbers(0); ok {
			got = tab.measure(opSum, 0, request{which: -1}, list, "")[0].Value
		}
		if got != tt.want {
			t.Errorf("%q: %q, want %q", tt.cells, got, tt.want)
		}
	}
}

// TestAnEnormousTableIsLeftToOthers: what is computed in this process takes no more memory than it may.
func TestAnEnormousTableIsLeftToOthers(t *testing.T) {
	part := Part{1, "rows 1–1", strings.Repeat("price,", mostCells+1)}
	check(t, File{Name: "a.csv", Table: CSV, Parts: []Part{part}}, []ask{{"sum of price", ""}})
}

// TestGroupsInOrder: whole numbers by their size, and what has no value last.
func TestGroupsInOrder(t *testing.T) {
	f := File{Name: "a.csv", Table: CSV, Parts: []Part{{1, "rows 2–5", "Month,Sold\n10,1\n,2\n9,3\n11,4"}}}
	check(t, f, []ask{{"total sold by month", "sum Sold 9 = 3 @B2-5; sum Sold 10 = 1 @B2-5; sum Sold 11 = 4 @B2-5; sum Sold – = 2 @B2-5"}})
}
