package docs

import (
	"fmt"
	"strings"
	"testing"

	"threadkeeper/docs/figures"
)

// TestTheCellsOfAQuote are named where they are certain.
func TestTheCellsOfAQuote(t *testing.T) {
	row := func(number int, cells ...string) string {
		var b strings.Builder
		for i := 0; i < len(cells); i += 2 {
			fmt.Fprintf(&b, `<c r="%s%d" t="inlineStr"><is><t>%s</t></is></c>`, cells[i], number, cells[i+1])
		}
		return fmt.Sprintf(`<row r="%d">%s</row>`, number, b.String())
	}
	head := row(1, "A", "Item", "C", "Price")
	for _, tt := range []struct{ name, rows, quote, want string }{
		{"a cell", head + row(2, "A", "Roaster", "C", "38700"), "38700", "C2"},
		{"words of a cell", head + row(2, "A", "new roaster", "C", "38700"), "roaster", "A2"},
		{"a row", head + row(2, "A", "Roaster", "C", "38700"), "Roaster |  | 38700", "A2:C2"},
		{"rows", head + row(2, "B", "Roaster", "D", "5") + row(3, "B", "Mill", "D", "6"), "Roaster |  | 5 |  | Mill |  | 6", "B2:D3"},
		{"a row that begins further left", head + row(2, "C", "Roaster", "D", "5") + row(3, "B", "Mill"), "5\nMill", "B2:D3"},
		{"a bar in a cell", head + row(2, "A", "x | y", "B", "z |", "C", "Roaster"), "Roaster", "C2"},
		{"a column of two letters", head + row(2, "A", "x", "AB", "Roaster"), "Roaster", "AB2"},
		{"behind many empty cells", head + row(2, "A", "x", "DD", "Roaster"), "Roaster", "row 2"},
		{"before many empty cells", head + row(2, "A", "x", "DD", "Roaster"), "x", "A2"},
		{"more of a long row", head + row(2, "A", strings.Repeat("long ", 1400), "B", "Roaster"), "Roaster", "row 2"},
		{"rows below an empty one", head + row(2, "A", "Mill") + row(4, "A", "Roaster"), "Roaster", "A4"},
		{"rows below many empty ones", head + row(2, "A", "Mill") + row(40, "A", "Roaster"), "Roaster", "rows 2–40"},
	} {
		data := workbookFile(t, "<worksheet><sheetData>"+tt.rows+"</sheetData></worksheet>")
		if got := placesIn(t, kindXLSX, data, tt.quote)[0]; got != "Costs, "+tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestColumnsHaveTheNamesTheyAreReadBy(t *testing.T) {
	for column := range maxColumn {
		if name := figures.Letters(column); columnOf(name+"7") != column {
			t.Fatalf("column %d is called %s", column, name)
		}
	}
}
