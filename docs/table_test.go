package docs

import (
	"fmt"
	"strings"
	"testing"
)

// TestPartsOfATableKeepItsHead: a passage from the middle of a statement says what its columns are, on the next page
// too.
func TestPartsOfATableKeepItsHead(t *testing.T) {
	d := newDesk(t)
	doc := d.add("statement.pdf", sampleFile(t, "statement.pdf"))
	scope := Scope{Audience: d.audience(d.session, d.person), Documents: []int64{doc.ID}}
	const head = "Consolidated Statements of Operations\n(in thousands, except per share data)\n2023 2022"
	for _, tt := range []struct{ query, row, head string }{
		{"revenue of harbour station number 148", "Revenue of harbour station number 148 788,816", head},
		{"total revenue, all other stations", "Total revenue 4,211,377 3,904,118", head},
		{"consolidated balance sheets", "Cash and cash equivalents", ""},
	} {
		found, err := d.Search(t.Context(), scope, tt.query, 3)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %d passages, %v", tt.query, len(found), err)
		}
		if p := found[0]; !strings.Contains(p.Text, tt.row) || p.Head != tt.head || strings.Contains(p.Text, head) {
			t.Errorf("%s: page %d %q under %q, want under %q", tt.query, p.Page, p.Text, p.Head, tt.head)
		}
	}
	for page, want := range map[int]string{1: "", 2: "", 3: head, 4: ""} {
		if got, err := d.Head(t.Context(), doc.ID, page); err != nil || got != want {
			t.Errorf("the head of page %d is %q, %v; want %q", page, got, err, want)
		}
	}
}

func TestTables(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		heads      []string
	}{
		{"caption, units and years", "We sell bread in all of our shops.\nRevenue by region\n(in millions)\n2023 2022\nNorth 1,204 1,100\nSouth 980 875\nTotal 2,184 1,975\n",
			[]string{"Revenue by region\n(in millions)\n2023 2022"}},
		{"dates in lines of their own", "BALANCE SHEETS\nJune 30,\n2023\nDecember 31,\n2022\nASSETS\nCash $ 3,843 $ 5,911\nInventories 130 126\n",
			[]string{"BALANCE SHEETS\nJune 30,\n2023\nDecember 31,\n2022\nASSETS"}},
		{"section titles between the rows", "Assets 2023 2022\nCash 384 591\nOther assets\nGoodwill 502 509\nLiabilities\nLoans 35 128\n", []string{"Assets 2023 2022"}},
		{"two tables", "Costs in millions\nFuel 384 591\nPay 402 409\nPeople at the end of 2023\nNorth 384 591\nSouth 402 409\n",
			[]string{"Costs in millions", "People at the end of 2023"}},
		{"prose with numbers is none", "In 2023 we sold 42,100 loaves, and in 2022 we sold 34,600.\nThat is more than the 31,200 of the year before that.\n", nil},
		{"page numbers and lists are none", "Contents\n1\n2\nChapter 12\nChapter 13\n", nil},
		{"the page's number is no row", "Fees in 2023\nPaper 384\n\n2 Refers to the fees of both years.\nRefer to the note on fees.\n139\n", nil},
		{"shares and dashes", "Share of sales 2023 2022\nBread 12 % 8 %\nCakes — 3.5 %\n", []string{"Share of sales 2023 2022"}},
	} {
		var heads []string
		for _, table := range tables(tt.text) {
			heads = append(heads, table.headText(tt.text, len(tt.text)))
		}
		if fmt.Sprintf("%q", heads) != fmt.Sprintf("%q", tt.heads) {
			t.Errorf("%s: heads %q, want %q", tt.name, heads, tt.heads)
		}
	}
}

// TestARowIsFoundByTheNumbersOfItsCells: they stand next to one another, and with zeros that nobody asks for.
func TestARowIsFoundByTheNumbersOfItsCells(t *testing.T) {
	d := newDesk(t)
	var b strings.Builder
	b.WriteString("item,count,price,days\n")
	for i := range 400 {
		fmt.Fprintf(&b, "Glue no. %d from the south store,%d,%d.00,%d\n", i, 3000+i, 6000+i, 10+i%9)
	}
	d.add("prices.csv", []byte(b.String()))
	for number, row := range map[string]string{"3250": "Glue no. 250 ", "6120": "Glue no. 120 ", "6301.00": "Glue no. 301 "} {
		found, err := d.Search(t.Context(), Scope{Audience: d.audience(d.session, d.person)}, "What is "+number+"?", 1)
		if err != nil || len(found) != 1 || !strings.Contains(found[0].Text, row) {
			t.Errorf("%s finds %v, %v", number, found, err)
		}
	}
}
