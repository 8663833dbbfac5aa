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

// TestARatioIsNoGroup: what is measured is not grouped by.
func TestARatioIsNoGroup(t *testing.T) {
	check(t, csvFile("Driver,Fare,Km\nEva,12,4.5\nEva,20,9.25\nIlo,8,3"), []ask{
		{"average fare per km", ""},
		{"average fare per driver", "mean Fare Eva = 16 @B2-4; mean Fare Ilo = 8 @B2-4"},
	})
}

// TestAPhoneNumberIsNoCount: what a word before "number" names is no number of rows.
func TestAPhoneNumberIsNoCount(t *testing.T) {
	check(t, csvFile("Member,Phone,City\nHetty,01550 555 019,Ely\nOmar,01550 555 020,Ely\nIda,01550 555 021,Cray"), []ask{
		{"phone number of hetty", ""},
		{"Hetty's phone number", ""},
		{"what is the member number of ely", ""},
		{"number of members in Ely", "distinct Member = 2 @A2-3; City is Ely"},
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

// TestTheBestOfSeveralRowsIsThatOfTheirSums: "which city has the highest revenue" asks for no single order.
func TestTheBestOfSeveralRowsIsThatOfTheirSums(t *testing.T) {
	check(t, orders, []ask{
		{"which city has the highest revenue?", "sum Revenue Bergen = $552.00 @G2-9; sum Revenue Oslo = $540.50 @G2-9; sum Revenue Tromsø = $80.00 @G2-9; sum Revenue New York = $70.00 @G2-9"},
		{"which order id has the highest revenue?", "max Revenue 1005 = $500.00 @G6"},
		{"which city has the highest revenue of a row?", ""},
		{"which city has the highest rating?", "max Rating Bergen = 5 @I3; max Rating Tromsø = 5 @I7"},
	})
	check(t, csvFile("Sensor,Reading\nA,1\nA,5\nB,4"), []ask{{"which sensor has the highest reading?", ""}})
}

// TestNumbersOfThingsAreNotAddedUp, but "number of employees" says how many.
func TestNumbersOfThingsAreNotAddedUp(t *testing.T) {
	check(t, orders, []ask{{"total orders", ""}, {"average order value", ""}, {"what is the largest order?", ""}, {"total orders in Oslo", ""}})
	check(t, csvFile("Department,Number of employees,Days\nSales,4,3\nLegal,2,9\nBoard,2,9"), []ask{
		{"how many employees are there?", "sum Number of employees = 8 @B2-4"},
		{"how many days?", "sum Days = 21 @C2-4"},
	})
	check(t, csvFile("ID of customer,Number of order,City\n7,20,Oslo\n9,25,Rome\n9,31,Rome"), []ask{
		{"how many customers are there?", "distinct ID of customer = 2 @A2-4"},
		{"how many orders are there?", "distinct Number of order = 3 @B2-4"},
		{"total number of order", ""},
	})
	check(t, csvFile("City,Phone of customers\nOslo,20\nRome,25"), []ask{{"total phone of customers", ""}})
}

// TestCurrenciesAreNotAddedUp across what a column says they are in.
func TestCurrenciesAreNotAddedUp(t *testing.T) {
	check(t, csvFile("Payee,Amount,Currency\nA,10,EUR\nB,5,USD\nC,1,EUR"), []ask{
		{"total amount", ""},
		{"highest amount", ""},
		{"which payee has the highest amount", ""},
		{"total amount by currency", "sum Amount EUR = 11 @B2-4; sum Amount USD = 5 @B2-4"},
		{"total amount in EUR", "sum Amount = 11 @B2-4 [2 4]; Currency is EUR"},
		{"how many rows", "count = 3 @2-4"},
	})
	check(t, csvFile("Payee,Amount,Currency\nA,10,EUR\nC,1,EUR"), []ask{{"total amount", "sum Amount = 11 @B2-3"}})
}

// TestTitlesMayStandAboveTheHead, as in the exports of banks; a row of words among rows of numbers is no head.
func TestTitlesMayStandAboveTheHead(t *testing.T) {
	check(t, csvFile("Statement, checking account\nAccount;DE12 3456 / Giro\nBalance on 31.01.2026:;1.234,56 EUR\n\nDate;Payee;Purpose;\"Amount, EUR\"\n01.01.2026;Shop;Rent, flat;-950,00\n02.01.2026;Ada;Refund;50,50-\n03.01.2026;Bob;Pay;1.000,00"), []ask{
		{"total amount eur", "sum Amount, EUR = -0,50 @D6-8"},
		{"how many rows are there?", "count = 3 @6-8"},
	})
	check(t, csvFile("Sales report\nCity,Units\nOslo,1\nRome,2"), []ask{{"total units", "sum Units = 3 @B3-4"}})
	check(t, csvFile("Oslo,1200\nBergen,n/a\nRome,1400"), []ask{{"how many rows are there?", ""}})
	check(t, csvFile(",City,Units\n0,Oslo,1\n1,Rome,2"), []ask{{"total units", "sum Units = 3 @C2-3"}})
}

// TestAHeadOfTwoRowsIsNotCertain.
func TestAHeadOfTwoRowsIsNotCertain(t *testing.T) {
	check(t, csvFile("Region,Q1,,Q2,\n,Plan,Actual,Plan,Actual\nNorth,1,2,3,4\nSouth,5,6,7,8\nEast,5,6,7,8\nWest,5,6,7,8\nMid,5,6,7,8"), []ask{
		{"total q1", ""}, {"total plan", ""},
	})
	check(t, csvFile(",Q1,,Q2,\nRegion,Plan Q1,Actual Q1,Plan Q2,Actual Q2\nNorth,1,2,3,4\nSouth,5,6,7,8"), []ask{{"total actual q1", "sum Actual Q1 = 8 @C3-4"}})
}

// TestGroupsDifferInMoreThanTheirCase.
func TestGroupsDifferInMoreThanTheirCase(t *testing.T) {
	check(t, csvFile("City,Units\nOslo,1\nROME,2\noslo,4"), []ask{
		{"total units by city", "sum Units Oslo = 5 @B2-4; sum Units ROME = 2 @B2-4"},
		{"how many cities?", "distinct City = 2 @A2-4"},
	})
	check(t, csvFile("City,Revenue\nOslo,5\noslo,4\nBergen,7"), []ask{
		{"which city has the highest revenue?", "sum Revenue Oslo = 9 @B2-4; sum Revenue Bergen = 7 @B2-4"},
	})
}
