package docs

import (
	"fmt"
	"strings"
	"testing"

	"threadkeeper/memory"
)

// TestAQuoteStandsWhereItsReaderLooks in files of every kind.
func TestAQuoteStandsWhereItsReaderLooks(t *testing.T) {
	var table, source, sheet strings.Builder
	table.WriteString("id,name\n")
	for i := range 800 {
		fmt.Fprintf(&table, "%d,pump of yard %d\n", 1000+i, i+2)
		fmt.Fprintf(&source, "func step%d() {}\n", i+1)
		fmt.Fprintf(&sheet, `<row r="%d"><c r="A%[1]d" t="inlineStr"><is><t>yard of row %[1]d</t></is></c><c r="B%[1]d"><v>%d</v></c></row>`, i+1, 5000+i)
	}
	deck := archive(t, map[string]string{
		presentationPart:                  `<p:presentation><p:sldIdLst><p:sldId id="256" r:id="x"/><p:sldId id="257" r:id="y"/></p:sldIdLst></p:presentation>`,
		"ppt/_rels/presentation.xml.rels": `<Relationships><Relationship Id="x" Target="slides/slide1.xml"/><Relationship Id="y" Target="slides/slide2.xml"/></Relationships>`,
		"ppt/slides/slide1.xml":           `<p:sld><a:p><a:r><a:t>Plan 2027</a:t></a:r></a:p></p:sld>`,
		"ppt/slides/slide2.xml":           `<p:sld><a:p><a:r><a:t>The new roaster</a:t></a:r></a:p></p:sld>`,
	})
	d := newDesk(t)
	var added *memory.Document
	for _, tt := range []struct {
		name, file  string
		data        []byte // nil for the file of the case before
		quote, want string
		german      string
	}{
		{"a page of a PDF", "sample.pdf", sampleFile(t, "sample.pdf"), "Sales grew from €378,500 to €412,600.", "page 3", "Seite 3"},
		{"a page of printed text", "minutes.txt", []byte("Opened at nine.\fClosed at noon."), "Closed at noon", "page 2", "Seite 2"},
		{"a row", "pumps.csv", []byte(table.String()), "pump of yard 700", "row 700", "Zeile 700"},
		{"rows", "pumps.csv", nil, "1001,pump of yard 3\n1002,pump of yard 4\n1003,pump of yard 5", "rows 3–5", "Zeilen 3–5"},
		{"the names of columns", "pumps.csv", nil, "id,name", "row 1", "Zeile 1"},
		{"rows without a head of their own", "one.csv", []byte("\"two\nlines\";4711"), "lines;4711", "row 1", "Zeile 1"},
		{"a row of several lines", "long.csv", []byte("id;text\n1;\"first\nsecond\nthird\"\n2;fourth item"), "second third", "row 2", "Zeile 2"},
		{"the row behind it", "long.csv", nil, "fourth item", "row 3", "Zeile 3"},
		{"a row behind blank lines", "gaps.csv", []byte("\n\nid;text\n\n1;first\n\n\n2;\"a\n\nb\"\n3;third\n"), "3;third", "row 9", "Zeile 9"},
		{"rows about blank lines", "gaps.csv", nil, "1;first\n\n\n2;", "rows 5–8", "Zeilen 5–8"},
		{"a line of code", "main.go", []byte(source.String()), "func step702() {}", "line 702", "Zeile 702"},
		{"lines of code", "main.go", nil, "func step3() {}\nfunc step4() {}", "lines 3–4", "Zeilen 3–4"},
		{"a line below empty ones", "app.log", []byte("\n\n10:00 started\n10:01 failed: disk full\n"), "failed: disk full", "line 4", "Zeile 4"},
		{"a line of JSON", "order.json", []byte("{\n \"item\": \"roaster\",\n \"price\": 38700\n}"), `"price": 38700`, "line 3", "Zeile 3"},
		{"a row of a sheet", "costs.xlsx", workbookFile(t, "<worksheet><sheetData>"+sheet.String()+"</sheetData></worksheet>"), "yard of row 640 | 5639", "Costs, A640:B640", "Costs, A640:B640"},
		{"rows of a sheet", "costs.xlsx", nil, "yard of row 7 | 5006\nyard of row 8 | 5007", "Costs, A7:B8", "Costs, A7:B8"},
		{"a cell of a sheet", "costs.xlsx", nil, "5639", "Costs, B640", "Costs, B640"},
		{"the end of a row and the next", "costs.xlsx", nil, "5006\nyard of row 8", "Costs, A7:B8", "Costs, A7:B8"},
		{"the names of a sheet's columns", "costs.xlsx", nil, "yard of row 1 | 5000", "Costs", "Costs"},
		{"another sheet", "costs.xlsx", nil, "Ada", "Staff, row 1", "Staff, Zeile 1"},
		{"a sheet with empty rows", "gaps.xlsx", workbookFile(t, costs), "Roaster | 2026-03-14 | 38700.5", "Costs, A4:C4", "Costs, A4:C4"},
		{"the names of columns and a row", "gaps.xlsx", nil, "Price\nRoaster", "Costs, row 4", "Costs, Zeile 4"},
		{"a slide", "plan.pptx", deck, "The new roaster", "slide 2", "Folie 2"},
		{"a Word file", "letter.docx", word(t, `<w:p><w:r><w:t>The rent is 1,450 euros.</w:t></w:r></w:p>`), "The rent is 1,450 euros", "part 1", "Teil 1"},
		{"a section of a Word file", "handbook.docx", word(t, para("Heading1", "Notice periods")+para("", "Three months.")), "Three months", "“Notice periods”", "„Notice periods“"},
		{"a section of a web page", "handbook.html", []byte("<!doctype html><h1>Notice periods</h1><p>Three months."), "Three months", "“Notice periods”", "„Notice periods“"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.data != nil {
				added = d.add(tt.file, tt.data)
			}
			c, err := d.Verify(t.Context(), Citation{DocumentID: added.ID, Page: 1, Quote: tt.quote})
			if got := PlacesIn("en").Of(c); err != nil || got != tt.want {
				t.Errorf("got %q, %v, want %q", got, err, tt.want)
			}
			if got := PlacesIn("de").Of(c); got != tt.german {
				t.Errorf("got %q, want %q", got, tt.german)
			}
			if place, err := d.Place(t.Context(), added.ID, c.Page, tt.quote); err != nil || place != c.Place {
				t.Errorf("looked up it is %q, %v, not %q", place, err, c.Place)
			}
		})
	}
}
