package figures

import (
	"strings"
	"testing"
)

var staff = csvFile("Name,Department,Salary,Start,City\nAlice Moor,Sales,52000,2019-03-01,Bern\nBob Ito,Engineering,71000,2020-07-15,Osaka\nCarla Ruiz,Engineering,68500,2018-01-10,Madrid\n" +
	"Eve Adams,Support,45000,2017-05-20,Leeds\nGina Rossi,Sales,51000,2016-09-09,Roma")

// TestTheRowsWithinABoundAreListed, and no other.
func TestTheRowsWithinABoundAreListed(t *testing.T) {
	staff.Name = "people.csv"
	check(t, staff, []ask{
		{"Who started before 2018?", "found Start Eve Adams = 2017-05-20 @D5; found Start Gina Rossi = 2016-09-09 @D6; Start < 2018"},
		{"who started after March 2019", "found Start Bob Ito = 2020-07-15 @D3; Start > 2019-03"},
		{"who started since 10 January 2018 in Sales?", "found Start Alice Moor = 2019-03-01 @D2; Start ≥ 2018-01-10; Department is Sales"},
		{"Who has a salary over 60,000?", "found Salary Bob Ito = 71000 @C3; found Salary Carla Ruiz = 68500 @C4; Salary > 60,000"},
		{"list people with a salary of at least 71000", "found Salary Bob Ito = 71000 @C3; Salary ≥ 71000"},
		{"which employees have a salary below 50.000", "found Salary Eve Adams = 45000 @C5; Salary < 50.000"},
		{"how many people started before 2018?", "count = 2 @5-6; Start < 2018"},
		{"Who started before 2010?", ""},
		{"Who left before 2018?", ""},
		{"Who has a salary over 60k?", "found Salary Bob Ito = 71000 @C3; found Salary Carla Ruiz = 68500 @C4; Salary > 60k"},
		{"Who earns more than 70 thousand?", "found Salary Bob Ito = 71000 @C3; Salary > 70 thousand"},
		{"who has a salary between 50,000 and 52k?", "found Salary Alice Moor = 52000 @C2; found Salary Gina Rossi = 51000 @C6; Salary ≥ 50,000; Salary ≤ 52k"},
		{"Wie viele Personen verdienen zwischen 40000 und 51000?", "count = 2 @5-6; Salary ≥ 40000; Salary ≤ 51000"},
		{"who started between 2018 and 2019?", "found Start Alice Moor = 2019-03-01 @D2; found Start Carla Ruiz = 2018-01-10 @D4; Start ≥ 2018; Start ≤ 2019"},
		{"who started between 1 January 2018 and 1 June 2019", "found Start Alice Moor = 2019-03-01 @D2; found Start Carla Ruiz = 2018-01-10 @D4; Start ≥ 2018-01-01; Start ≤ 2019-06-01"},
		{"who has a salary between 50,000?", ""},
		{"who has a salary between 50,000 or 52k?", ""},
		{"Who earns the most?", "sum Salary Bob Ito = 71000 @C2-6; sum Salary Carla Ruiz = 68500 @C2-6; sum Salary Alice Moor = 52000 @C2-6; sum Salary Gina Rossi = 51000 @C2-6; sum Salary Eve Adams = 45000 @C2-6"},
		{"Who complains the most?", ""},
		{"What did we earn in total?", ""},
		{"who started after 13/01/2018 in Sales?", "found Start Alice Moor = 2019-03-01 @D2; Start > 2018-01-13; Department is Sales"},
		{"who started after 05/04/2018?", "unclear Start 05/04/2018"},
		{"total salary before 2018", "sum Salary = 96000 @C5-6; Start < 2018"},
	})
	check(t, csvFile("Item,Due,Paid\nA,2018-03-01,2018-04-01\nB,2019,2019-01-02"), []ask{
		{"which items are before 2019?", ""},
		{"which items are due before 2019?", "found Due A = 2018-03-01 @B2; Due < 2019"},
		{"which items are due after February 2018?", "found Due A = 2018-03-01 @B2; Due > 2018-02; unread [3]"},
	})
	check(t, csvFile("Item,Due\nA,01/02/2018\nB,05/02/2019"), []ask{
		{"items due before 2019", "found Due A = 01/02/2018 @B2; Due < 2019"},
		{"items due before March 2018", "unclear Due 01/02/2018"},
		{"how many items are due before March 2018?", "unclear Due 01/02/2018"},
	})
	check(t, csvFile("Item,Due,Revenue\nPump,13/02/2018,1600000\nFan,05/02/2019,1200000"), []ask{
		{"items due before 6 February 2019", "found Due Pump = 13/02/2018 @B2; found Due Fan = 05/02/2019 @B3; Due < 2019-02-06"},
		{"items due after 01/02/2019", "found Due Fan = 05/02/2019 @B3; Due > 2019-02-01"},
		{"items due between 1 January 2019 and 1 March 2019", "found Due Fan = 05/02/2019 @B3; Due ≥ 2019-01-01; Due ≤ 2019-03-01"}, // though the row that shows the order is left out
		{"items with a revenue above 1.5m", "found Revenue Pump = 1600000 @C2; Revenue > 1.5m"},
		{"items with a revenue above 1.250 million", "found Revenue Pump = 1600000 @C2; Revenue > 1.250 million"},
		{"items with a revenue above 1.5 million", "found Revenue Pump = 1600000 @C2; Revenue > 1.5 million"},
	})
	check(t, csvFile("Item,Due,Width\nPump,02/13/2018,40\nFan,02/05/2019,70"), []ask{
		{"items due before 6 February 2019", "found Due Pump = 02/13/2018 @B2; found Due Fan = 02/05/2019 @B3; Due < 2019-02-06"},
		{"items with a width under 60m", ""},
	})
	check(t, csvFile("Item;Due\nPump;03.05.26\nFan;14.06.2026"), []ask{
		{"items due before 4 May 2026", "found Due Pump = 03.05.26 @B2; Due < 2026-05-04"},
	})
	check(t, csvFile("Item;Price\nPump;1.234\nFan;2.500\nBelt;12,50"), []ask{
		{"items with a price between 1000 and 2000", "found Price Pump = 1.234 @B2; Price ≥ 1000; Price ≤ 2000"},
		{"total price of pump and fan", "sum Price Fan = 2.500 @B2-3; sum Price Pump = 1.234 @B2-3; sum Price = 3.734 @B2-3; Item is Pump / Fan"},
	})
	check(t, csvFile("Item,Due\nPump,13/02/2018\nFan,02/13/2019"), []ask{
		{"items due before 6 February 2019", ""},
	})
	check(t, csvFile("City,Population\nOslo,700\nBergen,290"), []ask{
		{"Which city is the largest?", "max Population Oslo = 700 @B2"},
	})
	check(t, csvFile("City,Founded\nOslo,1948\nBergen,1970"), []ask{{"Which city is the largest?", ""}})
	check(t, csvFile("Team,Defects\nNorth,7\nSouth,2"), []ask{{"Which team is the worst?", ""}})
	payroll := csvFile("Name,Salary,Status\nAnn,100,paid\nBob,200,open")
	payroll.Name = "people.csv"
	check(t, payroll, []ask{{"how many people are paid?", "count = 1 @2; Status is paid"}})
	check(t, csvFile("Project,Budget (thousands)\nMill,45\nQuay,80"), []ask{
		{"projects with a budget under 60k", ""},
		{"projects with a budget under 60", "found Budget (thousands) Mill = 45 @B2; Budget (thousands) < 60"},
	})
	check(t, csvFile("Host,Address,Installed\nweb,10.1.12.5,2018-03-01\ndb,10.2.14.7,2021-03-01"), []ask{{"which hosts were installed before 1 May 2019?", "found Installed web = 2018-03-01 @C2; Installed < 2019-05-01"}})
}

// TestWhoIsTheColumnOfNames, and people are rows where the file or a column is named after them.
func TestWhoIsTheColumnOfNames(t *testing.T) {
	staff.Name = "people.csv"
	check(t, staff, []ask{
		{"Who has the highest salary?", "max Salary Bob Ito = 71000 @C3"},
		{"Wer hat das niedrigste salary?", "min Salary Eve Adams = 45000 @C5"},
		{"which employee has the highest salary?", "max Salary Bob Ito = 71000 @C3"},
		{"how many people work in Sales?", "count = 2 @2-6 [2 6]; Department is Sales"},
		{"how many employees live in Roma", "count = 1 @6; City is Roma"},
		{"how many people are there?", "count = 5 @2-6"},
		{"how many people work from home?", ""},
	})
	check(t, csvFile("No,City,Units\n7,Oslo,3\n9,Bonn,4"), []ask{{"total units not in Oslo", ""}})
	check(t, csvFile("Product,City,Units\nLamp,Oslo,3\nDesk,Bonn,4"), []ask{{"how many people live in Oslo", ""}})
}

// TestMonthsAndDaysHaveShortForms.
func TestMonthsAndDaysHaveShortForms(t *testing.T) {
	check(t, csvFile("Month,Day,Revenue\nJan,Mon,1\nMar,Tue,2\nMai,Di,4"), []ask{
		{"total revenue in March", "sum Revenue = 2 @C3; Month is Mar"},
		{"total revenue in May", "sum Revenue = 4 @C4; Month is Mai"},
		{"total revenue on Monday", "sum Revenue = 1 @C2; Day is Mon"},
		{"total revenue in April", ""},
	})
	check(t, csvFile("Month,Revenue\nJanuary,1\nMarch,2"), []ask{{"total revenue in Mar", "sum Revenue = 2 @B3; Month is March"}})
}

// TestANumberIsQuotedWithItsRows: those that stand together in one quote, with the head above them; of many the first ones.
func TestANumberIsQuotedWithItsRows(t *testing.T) {
	quotes := func(question string, f File) (all []string) {
		a, _ := Compute(question, f)
		for _, r := range a.Rows {
			for _, p := range append([]Place{r.Place}, r.Place.Also...) {
				all = append(all, p.Quote)
			}
		}
		return all
	}
	got := strings.Join(quotes("mean salary in Sales", staff), "|")
	if want := "Name,Department,Salary,Start,City\nAlice Moor,Sales,52000,2019-03-01,Bern|Gina Rossi,Sales,51000,2016-09-09,Roma"; got != want {
		t.Errorf("got %q", got)
	}
	if got := quotes("total units", sales); len(got) != 2 || !strings.HasPrefix(got[1], "Region,Product,Unit Price,Units,Year\nAMER,Chair") {
		t.Errorf("got %q", got)
	}
	if got := quotes("total n", csvFile("N,Text"+strings.Repeat("\n1,a row that is as long as rows are now and then", 200))); len(got) != 1 || !strings.HasPrefix(got[0], "N,Text\n1,a row") || len(got[0]) > 400 {
		t.Errorf("got %q", got)
	}
}
