package reading

import (
	"slices"
	"testing"
)

// Lines of figures stand with their label; a line of years is the head of columns, and the page's number is nobody's figure.
func TestJoinCells(t *testing.T) {
	got := JoinCells([]string{"12", "Year ended", "2015 2014", "", "Net  income", "122,641", "266,799", "It rose.", "", "13"})
	want := []string{"", "Year ended", "2015 2014", "", "Net income 122,641 266,799", "It rose.", "", ""}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestLinesThatAreWhole are not joined, nor are those of a program.
func TestLinesThatAreWhole(t *testing.T) {
	for text, want := range map[string]int{"Signed in Bremen by H. Krug\nExcluding jewellery and art.": 2, "static final int LIMIT = 50;\nvoid evictTheOldest() {}": 2} {
		if all := Statements(text, true); len(all) != want {
			t.Errorf("%+v", all)
		}
	}
	if all := Statements("static final int LIMIT = 50;\nvoid evictTheOldest() {}", false); len(all) != 2 {
		t.Errorf("%+v", all)
	}
	if all := Statements("The tenant pays the rent on the first day of each month;\nthe landlord pays for repairs of the roof and of the walls.", false); len(all) != 1 {
		t.Errorf("%+v", all)
	}
	if all := Statements("Signed in Bremen by Mr Krug and\nby Ms Roth.", false); len(all) != 1 {
		t.Errorf("%+v", all)
	}
}

// TestRowsOfSmallTables: a cell in quotation marks may hold separators, and an object of values is a row below what it stands in.
func TestRowsOfSmallTables(t *testing.T) {
	for text, want := range map[string]string{
		"Name,Note\nTom,\"late, sick\"\nAna,fine":                                   "Ana,fine < Name,Note",
		"name,start,end\nLena,2018, 2021\nKim,2019, 2022":                           "Kim,2019, 2022 < name,start,end",
		"| Name | From | To |\n|---|---|---|\n| Kim | 2019 | 2022 |":                "| Kim | 2019 | 2022 | < | Name | From | To |",
		"item,2024, 2025\nGlue,12, 120":                                             "Glue,12, 120 < item,2024, 2025",
		"| Part | Stock |\n|---|---|\n| Gear | none |":                              "| Gear | none | < | Part | Stock |",
		"{\n \"orders\": [\n  {\n   \"id\": 2,\n   \"state\": \"open\"\n  }\n ]\n}": "\"id\": 2, \"state\": \"open\" < \"orders\": [",
		"[\n {\n  \"part\": \"Bolt\",\n  \"state\": \"open\"\n }\n]":                "\"part\": \"Bolt\", \"state\": \"open\" < ",
	} {
		all := Statements(text, false)
		if last := all[len(all)-1]; !last.Row || last.Text+" < "+last.Header != want {
			t.Errorf("%q: %+v", text, last)
		}
	}
}
