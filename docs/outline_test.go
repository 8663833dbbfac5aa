package docs

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestATableOfContentsGivesTheSections: its titles are found on their pages, though pages without a number come between, lines
// break within a title and a heading is written a little differently.
func TestATableOfContentsGivesTheSections(t *testing.T) {
	prose := "We report what happened in the year, at some length and in several sentences.\n"
	pages := []*pageRow{{Number: 1, Text: "Annual report\n" + prose},
		{Number: 2, Text: "Table of Contents\nPage\nPart I Item 1. Business 1\nItem 1A. Risk Factors. . . . 2\nExecutive Officers 3\nItem 2.\nSecurity Ownership of Certain Beneficial Owners and\nManagement\n4\nItem 3. Legal Proceedings 5\nSignatures 6\n"},
		{Number: 3, Text: "PART I\nITEM 1. BUSINESS\n" + prose}, {Number: 4, Text: "Item 1A. Risk Factors.\n" + prose}, {Number: 5, Text: "more on risks, see Item 1A. Risk Factors in this report, and Legal Proceedings as well, later in the report\n"},
		{Number: 6, Text: "Executive Officers of the Company\n" + prose}, {Number: 7, Text: "Item 2. Security Ownership of Certain Beneficial Owners\nand Management\n" + prose},
		{Number: 8, Text: "Item 3. Legal Proceedings\n" + prose}, {Number: 9, Text: "Signatures\n"}}
	var got []string
	for _, h := range contentsOf(pages) {
		got = append(got, fmt.Sprintf("%s %d", h.Title, h.Page))
	}
	want := []string{"Item 1. Business 3", "Item 1A. Risk Factors 4", "Executive Officers 6",
		"Item 2. Security Ownership of Certain Beneficial Owners and Management 7", "Item 3. Legal Proceedings 8", "Signatures 9"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	rows := []*pageRow{{Number: 1, Text: "Net sales 500\nCost of sales 300\nGross profit 200\nTaxes 40\nNet income 160\nDividends 80\n"}}
	if got := contentsOf(append(rows, pages[2:]...)); got != nil {
		t.Errorf("a table of figures became contents: %v", got)
	}
}

// TestBookmarksThatOnlyNamePagesAreNoSections, while those with titles of their own are, as deep as it takes.
func TestBookmarksThatOnlyNamePagesAreNoSections(t *testing.T) {
	mark := func(title string, page, depth int) bookmark {
		return bookmark{Heading{Title: title, Page: page}, depth}
	}
	if got := topBookmarks([]bookmark{mark("Blank Page", 1, 1), mark("Blank Page", 2, 1), mark("Blank Page", 3, 1)}); got != nil {
		t.Errorf("%v", got)
	}
	if got := topBookmarks([]bookmark{mark("Manual", 1, 1), mark("Setup", 2, 2), mark("Use", 5, 2), mark("Care", 9, 2), mark("Cleaning", 10, 3)}); len(got) != 4 {
		t.Errorf("%v", got)
	}
}

// TestALineSetApartIsAHeading, wherever it stands; one on every page is the page's head, and one of two lines is one heading.
func TestALineSetApartIsAHeading(t *testing.T) {
	text := func(s string) string { return "ACME REPORT\n" + s }
	pages := []*pageRow{{Number: 1, Text: text("Our reliance on few suppliers in few\nmarkets may hurt us.\nProse.\n"), Headings: "100 ACME REPORT\n100 Our reliance on few suppliers in few\n100 markets may hurt us.\n"},
		{Number: 2, Text: text("Freight\nProse.\n"), Headings: "100 ACME REPORT\n130 Freight\n"}, {Number: 3, Text: text("Prose.\n"), Headings: "100 ACME REPORT\n"}}
	_, lines := givenHeadings(pages)
	var got []string
	for _, h := range inOrder(pages, nil, lines) {
		got = append(got, h.Title+" "+strings.ReplaceAll(pages[h.Page-1].Text[h.At:h.End], "\n", "/"))
	}
	if !slices.Equal(got, []string{"Our reliance on few suppliers in few markets may hurt us. Our reliance on few suppliers in few/markets may hurt us.", "Freight Freight"}) {
		t.Errorf("%q", got)
	}
}

// TestAnOutlineGoesWithItsDocument, though it is kept in memory.
func TestAnOutlineGoesWithItsDocument(t *testing.T) {
	d := newDesk(t)
	doc := d.add("report.txt", []byte("Contents\nBusiness 2\nRisk Factors 3\nProperties 4\nLegal Proceedings 5\nSignatures 6\n\fBusiness\n\fRisk Factors\n\fProperties\n\fLegal Proceedings\n\fSignatures\n"))
	for range 2 {
		if all, err := d.Outline(t.Context(), doc.ID); err != nil || len(all) != 5 || all[1].Title != "Risk Factors" || all[1].Page != 3 {
			t.Fatalf("%+v, %v", all, err)
		}
	}
	if err := d.Remove(t.Context(), d.audience(d.session, d.person), doc.ID); err != nil {
		t.Fatal(err)
	}
	if all, err := d.Outline(t.Context(), doc.ID); err != nil || len(all) != 0 {
		t.Errorf("of a removed document: %+v, %v", all, err)
	}
}
