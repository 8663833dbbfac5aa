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
		{"total units in EMEA", "sum Units = 11 @D2-4 [2 4]; Region is EMEA" + totals},
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
		{"count", ""},
		{"sum of unit price - units", ""},
		{"total units in March", ""},
		{"mean of unit price by", ""},
		{"", ""},
	})
}

var orders = File{Name: "orders-2026.csv", Table: CSV, Parts: []Part{{1, "rows 2–9", "Order ID,City,Store,Product,Status,Units,Revenue,Rooms,Rating\n" +
	"1001,Oslo,Main Street,Lamp,open,3,$30.50,2,4\n" +
	"1002,Bergen,Harbour View,Lamp,closed,5,$52.00,3,5\n" +
	"1003,Oslo,Main Street,Desk,open,1,$250.00,2,3\n" +
	"1004,Oslo,Fjord Centre,Lamp,failed,2,$20.00,1,4\n" +
	"1005,Bergen,Harbour View,Desk,open,2,$500.00,3,2\n" +
	"1006,Tromsø,Main Street,Battery,closed,40,$80.00,2,5\n" +
	"1007,Oslo,Fjord Centre,Desk,closed,1,$240.00,4,4\n" +
	"1008,New York,Main Street,Lamp,open,7,$70.00,2,1"}}}

func TestRowsAreTakenByTheValuesInThem(t *testing.T) {
	check(t, orders, []ask{
		{"how many units in Oslo?", "sum Units = 7 @F2-8 [2 4 5 8]; City is Oslo"},
		{"How many units were sold in bergen?", "sum Units = 7 @F3-6 [3 6]; City is Bergen"},
		{"how many lamps were sold in Oslo?", "sum Units = 5 @F2-5 [2 5]; City is Oslo; Product is Lamp"},
		{"how many lamps do we have", "sum Units = 17 @F2-9 [2 3 5 9]; Product is Lamp"},
		{"how many batteries", "sum Units = 40 @F7; Product is Battery"},
		{"how many units in New York", "sum Units = 7 @F9; City is New York"},
		{"how many units in Oslo and Bergen?", "sum Units Bergen = 7 @F2-8 [2 3 4 5 6 8]; sum Units Oslo = 7 @F2-8 [2 3 4 5 6 8]; sum Units = 14 @F2-8 [2 3 4 5 6 8]; City is Oslo / Bergen"},
		{"how many orders are open?", "distinct Order ID = 4 @A2-9 [2 4 6 9]; Status is open"},
		{"how many orders failed", "distinct Order ID = 1 @A5; Status is failed"},
		{"how many orders in Oslo", "distinct Order ID = 4 @A2-8 [2 4 5 8]; City is Oslo"},
		{"how many orders have 2 rooms", "distinct Order ID = 4 @A2-9 [2 4 7 9]; Rooms is 2"},
		{"number of rows with two rooms", "count = 4 @2-9 [2 4 7 9]; Rooms is 2"},
		{"how many rows have more than 4 units?", "count = 3 @3-9 [3 7 9]; Units > 4"},
		{"how many orders with at least five units in Bergen", "distinct Order ID = 1 @A3; Units ≥ 5; City is Bergen"},
		{"total revenue where units under 3", "sum Revenue = $1010.00 @G4-8 [4 5 6 8]; Units < 3"},
		{"how much revenue did we have in Bergen?", "sum Revenue = $552.00 @G3-6 [3 6]; City is Bergen"},
		{"total units and revenue in Oslo", "sum Units = 7 @F2-8 [2 4 5 8]; sum Revenue = $540.50 @G2-8 [2 4 5 8]; City is Oslo"},
		{"sum of units and revenue by city in Harbour View", "sum Units Bergen = 7 @F3-6 [3 6]; sum Revenue Bergen = $552.00 @G3-6 [3 6]; Store is Harbour View"},
		{"total units in Harbour", "sum Units = 7 @F3-6 [3 6]; Store is Harbour View"},
		{"total units by city and product in Oslo", "sum Units Oslo, Desk = 2 @F2-8 [2 4 5 8]; sum Units Oslo, Lamp = 5 @F2-8 [2 4 5 8]; City is Oslo"},
		{"which city has the most units?", "sum Units Tromsø = 40 @F2-9; sum Units Bergen = 7 @F2-9; sum Units New York = 7 @F2-9; sum Units Oslo = 7 @F2-9"},
		{"which city has the fewest rows", "count New York = 1 @B2-9; count Tromsø = 1 @B2-9; count Bergen = 2 @B2-9; count Oslo = 4 @B2-9"},
		{"average rating in Oslo", "mean Rating = 3.75 @I2-8 [2 4 5 8]; City is Oslo"},
		{"how many cities are there?", "distinct City = 4 @B2-9"},
		{"Wie viele Units in Oslo?", "sum Units = 7 @F2-8 [2 4 5 8]; City is Oslo"},
		{"Combien de units à Oslo ?", "sum Units = 7 @F2-8 [2 4 5 8]; City is Oslo"},
		{"cuántas units en Oslo", "sum Units = 7 @F2-8 [2 4 5 8]; City is Oslo"},

		// not certain
		{"how many ratings in Oslo", ""},
		{"how many units outside Oslo", ""},
		{"how many units not in Oslo", ""},
		{"how many units in Oslo without lamps", ""},
		{"how many units in Paris", ""},
		{"how many cities have more than 3 units", ""},
		{"how many are in Oslo", ""},
		{"how many rows have more than 2.5 units", "count = 4 @2-9 [2 3 7 9]; Units > 2.5"},
		{"how many rows have more than 4", ""},
		{"how many orders over 100 in Oslo", ""},
		{"how many units over 3 in Oslo", ""},
		{"how much rating in Oslo", ""},
		{"average units in Oslo and Bergen", ""},
		{"how many units in Oslo in March", ""},
		{"which has the most", ""},
		{"how many units can Oslo hold at most", ""},
	})
}

// TestAPlainWordMayBeAValue: "US" is a country, "Max" a person and "sold" a state where the table has them; where the request does not
// say which it means, nothing is computed.
func TestAPlainWordMayBeAValue(t *testing.T) {
	check(t, File{Name: "revenue.csv", Table: CSV, Parts: []Part{{1, "rows 2–5", "Country,Size,Revenue\nUS,S,1\nDE,M,2\nIN,L,4\nNO,S,8"}}}, []ask{
		{"total revenue in US", "sum Revenue = 1 @C2; Country is US"},
		{"total revenue in DE", "sum Revenue = 2 @C3; Country is DE"},
		{"what's the total revenue?", "sum Revenue = 15 @C2-5"},
		{"total revenue for us", ""},
		{"total revenue in NO", "sum Revenue = 8 @C5; Country is NO"},
		{"total revenue in IN", "sum Revenue = 4 @C4; Country is IN"},
	})
	check(t, File{Name: "hours.csv", Table: CSV, Parts: []Part{{1, "rows 2–3", "Name,Hours\nMax,3\nAnna,5"}}}, []ask{
		{"total hours of Max", "sum Hours = 3 @B2; Name is Max"},
		{"max hours", ""},
		{"Max hours", ""},
		{"total hours", "sum Hours = 8 @B2-3"},
	})
	check(t, File{Name: "houses.csv", Table: CSV, Parts: []Part{{1, "rows 2–4", "House,Status\nA,Sold\nB,Open\nC,Sold"}}}, []ask{
		{"how many houses were sold?", "count = 2 @2-4 [2 4]; Status is Sold"},
		{"how many houses are open?", "count = 1 @3; Status is Open"},
		{"how many houses are there?", "count = 3 @2-4"},
	})
}

// TestANumberIsAValueOfAColumnThatIsNamed or of one of years: "in 2024" is no order.
func TestANumberIsAValueOfAColumnThatIsNamed(t *testing.T) {
	check(t, File{Name: "orders.csv", Table: CSV, Parts: []Part{{1, "rows 2–3", "Order ID,Date,Units\n2024,2024-01-05,7\n2025,2023-07-01,3"}}}, []ask{
		{"how many orders in 2024", ""},
		{"total units of order ID 2024", "sum Units = 7 @C2; Order ID is 2024"},
	})
}

func TestTheCheapestHasTheLowestPrice(t *testing.T) {
	prices := File{Name: "prices.csv", Table: CSV, Parts: []Part{{1, "rows 2–5", "SKU,Item,Category,Unit Price,Stock\n" +
		"A-1,Desk lamp,lamps,39.00,25\nA-2,Floor lamp,lamps,129.00,6\nB-1,Stool,chairs,14.50,0\nB-2,Armchair,chairs,219.00,9"}}}
	check(t, prices, []ask{
		{"Which lamp is the cheapest?", "min Unit Price Desk lamp = 39.00 @D2; Category is lamps"},
		{"What is the cheapest item?", "min Unit Price Stool = 14.50 @D4"},
		{"the most expensive one", ""},
		{"Most expensive item", "max Unit Price Armchair = 219.00 @D5"},
		{"which category has the cheapest item?", ""},
		{"Was ist das teuerste Item?", "max Unit Price Armchair = 219.00 @D5"},
		{"cheapest sofa", ""},
		{"cheapest stock", ""},
		{"cheapest per category", ""},
	})
	check(t, File{Name: "p.csv", Table: CSV, Parts: []Part{{1, "rows 2–3", "Item,Price,Shipping cost\nA,1,2\nB,2,1"}}}, []ask{{"what is the cheapest item?", ""}})
	check(t, orders, []ask{{"which product is cheapest", ""}})
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
		{[]string{"1,234.50", "1,000"}, true, "2,234.50"},
		{[]string{"1.234,50", "1.000"}, true, "2.234,50"},
		{[]string{"12,5", "1"}, false, "13,5"},
		{[]string{"1.234"}, true, "1.234"},
		{[]string{"1.234"}, false, ""},
		{[]string{"$1,200", "$300"}, true, "$1,500"},
		{[]string{"$5", "€5"}, true, ""},
		{[]string{"12%", "3.5 %"}, true, "15.5%"},
		{[]string{"(5.00)", "1"}, true, "-4.00"},
		{[]string{"$(5.00)", "$1"}, true, "-$4.00"},
		{[]string{"5.00-", "1"}, true, "-4.00"},
		{[]string{"1,200-", "1"}, true, "-1,199"},
		{[]string{"1,200-", "500-", "1"}, true, "-1,699"},
		{[]string{"10,-", "25.-"}, true, ""},
		{[]string{"2019-", "2020-"}, true, ""},
		{[]string{"2-", "65-"}, true, ""},
		{[]string{"(5", "1"}, true, ""},
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

// TestAnEnormousTableIsNotRead: what is computed in this process takes no more memory than it may.
func TestAnEnormousTableIsNotRead(t *testing.T) {
	defer func(most int) { mostCells = most }(mostCells)
	mostCells = 1000
	part := Part{1, "rows 1–1", strings.Repeat("price,", mostCells+1)}
	check(t, File{Name: "a.csv", Table: CSV, Parts: []Part{part}}, []ask{{"sum of price", ""}})
}

// TestGroupsInOrder: whole numbers by their size, and what has no value last.
func TestGroupsInOrder(t *testing.T) {
	f := File{Name: "a.csv", Table: CSV, Parts: []Part{{1, "rows 2–5", "Month,Sold\n,2\n10,1\n9,3\n11,4"}}}
	check(t, f, []ask{{"total sold by month", "sum Sold 9 = 3 @B2-5; sum Sold 10 = 1 @B2-5; sum Sold 11 = 4 @B2-5; sum Sold – = 2 @B2-5"}})
}

// TestBlankLinesAreRows as a spreadsheet counts them.
func TestBlankLinesAreRows(t *testing.T) {
	f := File{Name: "a.csv", Table: CSV, Parts: []Part{{1, "rows 4–7", "City,Sold\nOslo,1\n\n\nBergen,4"}, {2, "rows 9–10", "City,Sold\nOslo,2\nBergen,3"}}}
	check(t, f, []ask{{"highest sold", "max Sold = 4 @B7"}, {"total sold in Oslo", "sum Sold = 3 @B4-9 [4 9]; City is Oslo"}})
}

// TestAYearInTheFilesNameIsAValue of its column all the same, and no word for its rows.
func TestAYearInTheFilesNameIsAValue(t *testing.T) {
	f := File{Name: "sales_2024_2025.csv", Table: CSV, Parts: []Part{{1, "rows 2–6",
		"Region,Product,Year,Units,Revenue\nNorth,Kayak,2024,310,248000\nNorth,Canoe,2024,120,132000\nNorth,Canoe,2025,98,112700\nSouth,Canoe,2024,205,225500\nSouth,Canoe,2025,303,300300"}}}
	check(t, f, []ask{
		{"how many canoes were sold in 2024", "sum Units = 325 @D3-5 [3 5]; Product is Canoe; Year is 2024"},
		{"combien de canoës vendus en 2024 ?", "sum Units = 325 @D3-5 [3 5]; Product is Canoe; Year is 2024"},
		{"which region sold the most canoes in 2025", ""},
		{"how many kayaks in 2024", "sum Units = 310 @D2; Product is Kayak; Year is 2024"},
	})
}
