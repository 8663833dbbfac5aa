package docs

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// workbookFile is a workbook of two visible sheets and a hidden one, with macros and a link to another file.
func workbookFile(t *testing.T, sheet string) []byte {
	return archive(t, map[string]string{
		workbookPart: `<workbook><sheets><sheet name="Costs" r:id="a"/><sheet name="Old" state="veryHidden" r:id="b"/><sheet name="Staff" r:id="c"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="a" Target="worksheets/sheet1.xml"/><Relationship Id="b" Target="worksheets/sheet2.xml"/>` +
			`<Relationship Id="c" Target="/xl/worksheets/sheet3.xml"/><Relationship Id="d" TargetMode="External" Target="http://example.invalid/x.xlsx"/></Relationships>`,
		"xl/sharedStrings.xml":     `<sst><si><t>Item</t></si><si><r><t>Roas</t></r><r><t>ter</t></r></si><si><t>Price</t></si></sst>`,
		"xl/styles.xml":            `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[Red]dd/mm/yyyy"/><numFmt numFmtId="165" formatCode="0.0 &quot;days&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`,
		"xl/worksheets/sheet1.xml": sheet,
		"xl/worksheets/sheet2.xml": `<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>secret</t></is></c></row></sheetData></worksheet>`,
		"xl/worksheets/sheet3.xml": `<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>Ada</t></is></c></row></sheetData></worksheet>`,
		"xl/vbaProject.bin":        "Sub Workbook_Open()",
	})
}

const costs = `<worksheet><sheetData>
<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>2</v></c></row>
<row r="4"><c r="A4" t="s"><v>1</v></c><c r="B4" s="1"><v>46095</v></c><c r="C4"><f>SUM(D1:D9)</f><v>38700.5</v></c><c r="D4" s="2"><v>3</v></c><c r="E4" t="b"><v>1</v></c></row>
<row r="5"><c r="A5"/></row>
</sheetData></worksheet>`

func TestWorkbookIsReadBySheetAndRow(t *testing.T) {
	parts, cut, err := readXLSX(workbookFile(t, costs), 0)
	if err != nil || cut || len(parts) != 2 {
		t.Fatalf("%+v, %v, %v", parts, cut, err)
	}
	if want := "Item |  | Price\nRoaster | 2026-03-14 | 38700.5 | 3 | TRUE"; parts[0].Text != want || parts[0].Label != "Costs, row 4" {
		t.Errorf("got %q of %q", parts[0].Text, parts[0].Label)
	}
	if parts[1].Text != "Ada" || parts[1].Label != "Staff, row 1" || parts[1].Number != 2 {
		t.Errorf("got %+v", parts[1])
	}
}

// TestAMergedCellHoldsForItsRows, but a number only once.
func TestAMergedCellHoldsForItsRows(t *testing.T) {
	row := func(cells string) string { return "<row>" + cells + "</row>" }
	word := func(w string) string { return `<c t="inlineStr"><is><t>` + w + `</t></is></c>` }
	parts, _, err := readXLSX(workbookFile(t, `<worksheet><sheetData>`+row(word("Region")+word("City")+word("Budget"))+row(word("North")+word("Oslo")+`<c><v>9</v></c>`)+
		row(`<c/>`+word("Bergen"))+row(`<c/>`+word("Bodø"))+row(word("South")+word("Rome")+`<c><v>8</v></c>`)+
		`</sheetData><mergeCells><mergeCell ref="A2:A4"/><mergeCell ref="C2:C4"/><mergeCell ref="A1:B1"/><mergeCell ref="A9:A99"/><mergeCell ref="x"/></mergeCells></worksheet>`), 0)
	if err != nil || parts[0].Text != "Region | City | Budget\nNorth | Oslo | 9\nNorth | Bergen\nNorth | Bodø\nSouth | Rome | 8" {
		t.Errorf("%q, %v", parts[0].Text, err)
	}
}

// TestWhatASheetHidesIsLeftOutAndTold: rows and columns, but not those that are only folded.
func TestWhatASheetHidesIsLeftOutAndTold(t *testing.T) {
	cells := func(values ...string) string {
		row := ""
		for _, v := range values {
			row += `<c t="inlineStr"><is><t>` + v + `</t></is></c>`
		}
		return row + "</row>"
	}
	sheet := `<worksheet><cols><col min="1" max="1"/><col min="2" max="2" hidden="1"/><col min="3" max="3" hidden="1" outlineLevel="1"/></cols><sheetData>` +
		`<row>` + cells("Name", "Salary", "City") + `<row hidden="1">` + cells("Bob", "1", "Rome") + `<row hidden="1" outlineLevel="1">` + cells("Ada", "2", "Oslo") + `</sheetData></worksheet>`
	d := newDesk(t)
	doc := d.add("staff.xlsx", workbookFile(t, sheet))
	if text, err := d.Page(t.Context(), doc.ID, 1); err != nil || text != "Name |  | City\nAda |  | Oslo" || doc.Reason != HiddenRows {
		t.Errorf("%q, %q, %v", text, doc.Reason, err)
	}
	if _, ok, err := d.Compute(t.Context(), doc, "How many rows are there?"); ok || err != nil {
		t.Errorf("computed from what is shown alone: %v", err)
	}
	if doc := d.add("costs.xlsx", workbookFile(t, costs)); doc.Reason != HiddenSheets {
		t.Errorf("%q", doc.Reason)
	}
	wide := "<worksheet><cols>" + strings.Repeat(`<col min="1" max="16384" width="9"/>`, 20_000) + "</cols><sheetData><row>" + cells("Name") + "</sheetData></worksheet>"
	if _, _, err := readXLSX(workbookFile(t, wide), 0); err != nil {
		t.Errorf("columns with widths: %v", err)
	}
	many := "<worksheet><cols>" + strings.Repeat(`<col min="1" max="16384" hidden="1"/>`, 20_000) + "</cols></worksheet>"
	if _, _, err := readXLSX(workbookFile(t, many), 0); !errors.Is(err, ErrTooLarge) {
		t.Errorf("columns without end: %v", err)
	}
}

// TestRowsThatAFilterHidesAreRead, and told: of the sheet or of a table on it; not those hidden by hand, above or below it, or where
// the arrows of a filter stand and nothing is filtered.
func TestRowsThatAFilterHidesAreRead(t *testing.T) {
	sheet := `<worksheet><sheetData>`
	for n, name := range []string{"Name", "Ada", "Bob", "Cyd", "Dora", "Eve"} {
		hidden := map[bool]string{true: ` hidden="1"`}[n%2 == 0 && n > 0 || n == 5]
		sheet += fmt.Sprintf(`<row r="%d"%s><c t="inlineStr"><is><t>%s</t></is></c></row>`, n+1, hidden, name)
	}
	sheet += "</sheetData>"
	const filtered = `<autoFilter ref="A1:B4"><filterColumn colId="0"><filters><filter val="Ada"/></filters></filterColumn></autoFilter>`
	d := newDesk(t)
	for name, tt := range map[string]struct{ sheet, table, text, told string }{
		"by hand":          {"", "", "Name\nAda\n\nCyd", HiddenRows},
		"of the sheet":     {filtered, "", "Name\nAda\nBob\nCyd", HiddenRows + ". " + FilteredRows},
		"of a table":       {"", `<table ref="A1:B6">` + strings.Replace(filtered, "B4", "B6", 1) + `</table>`, "Name\nAda\nBob\nCyd\nDora\nEve", FilteredRows},
		"nothing filtered": {`<autoFilter ref="A1:B6"><filterColumn colId="0" hiddenButton="1"/></autoFilter>`, "", "Name\nAda\n\nCyd", HiddenRows},
		"arrows alone":     {`<autoFilter ref="A1:B6"/>`, "", "Name\nAda\n\nCyd", HiddenRows},
	} {
		doc := d.add(name+".xlsx", archive(t, map[string]string{
			workbookPart:                 `<workbook><sheets><sheet name="Staff" r:id="a"/></sheets></workbook>`,
			"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="a" Target="worksheets/sheet1.xml"/></Relationships>`,
			"xl/worksheets/sheet1.xml":   sheet + tt.sheet + "</worksheet>",
			"xl/worksheets/_rels/sheet1.xml.rels": `<Relationships><Relationship Id="a" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/table" Target="../tables/table1.xml"/>` +
				`<Relationship Id="b" Target="../tables/table2.xml"/></Relationships>`,
			"xl/tables/table1.xml": tt.table,
		}))
		if text, err := d.Page(t.Context(), doc.ID, 1); err != nil || text != tt.text || doc.Reason != tt.told {
			t.Errorf("%s: %q, %q, %v", name, text, doc.Reason, err)
		}
		if e, err := d.Extent(t.Context(), doc.ID); err != nil || strings.Join(e.Hides, ". ") != tt.told {
			t.Errorf("%s: %+v, %v", name, e, err)
		}
	}
}

// TestOfficeDocumentsOfTheWebAreRead: the editors in a browser give their parts other names, which the references tell.
func TestOfficeDocumentsOfTheWebAreRead(t *testing.T) {
	const kinds = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
	root := func(target string) string {
		return `<Relationships><Relationship Id="rId1" Type="` + kinds + `officeDocument" Target="` + target + `"/></Relationships>`
	}
	d := newDesk(t)
	for name, tt := range map[string]struct {
		members map[string]string
		want    string
	}{
		"minutes.docx": {map[string]string{
			"_rels/.rels":                    root("/word/document22.xml"),
			"word/document22.xml":            `<w:document><w:body><w:p><w:pPr><w:pStyle w:val="H"/></w:pPr><w:r><w:t>Hours</w:t></w:r></w:p><w:p><w:r><w:t>The gate opens at nine.</w:t></w:r></w:p></w:body></w:document>`,
			"word/_rels/document22.xml.rels": `<Relationships><Relationship Id="rId1" Type="` + kinds + `styles" Target="styles22.xml"/><Relationship Id="rId2" Type="` + kinds + `footnotes" Target="footnotes2.xml"/></Relationships>`,
			"word/styles22.xml":              `<w:styles><w:style w:styleId="H"><w:name w:val="heading 1"/></w:style></w:styles>`,
			"word/footnotes2.xml":            `<w:footnotes><w:footnote><w:p><w:r><w:t>Ten in May.</w:t></w:r></w:p></w:footnote></w:footnotes>`,
		}, "Hours\nThe gate opens at nine.\nTen in May."},
		"costs.xlsx": {map[string]string{
			"_rels/.rels":       root("xl/workbook22.xml"),
			"xl/workbook22.xml": `<workbook><sheets><sheet name="Costs" r:id="rId1"/></sheets></workbook>`,
			"xl/_rels/workbook22.xml.rels": `<Relationships><Relationship Id="rId1" Type="` + kinds + `worksheet" Target="worksheets/sheet12.xml"/><Relationship Id="rId2" Type="` + kinds + `sharedStrings" Target="sharedStrings22.xml"/>` +
				`<Relationship Id="rId3" Type="` + kinds + `styles" Target="styles22.xml"/></Relationships>`,
			"xl/sharedStrings22.xml":    `<sst><si><t>Roaster</t></si></sst>`,
			"xl/styles22.xml":           `<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="9"/></cellXfs></styleSheet>`,
			"xl/worksheets/sheet12.xml": `<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" s="1"><v>0.5</v></c></row></sheetData></worksheet>`,
		}, "Roaster | 50%"},
	} {
		doc := d.add(name, archive(t, tt.members))
		if text, err := d.Page(t.Context(), doc.ID, 1); err != nil || text != tt.want {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	for _, target := range []string{"xl/workbook.bin", "visio/document.xml", "word/missing.xml"} {
		_, err := d.Add(t.Context(), d.upload("other.bin", archive(t, map[string]string{"_rels/.rels": root(target)})), nil)
		if want := map[bool]error{true: ErrEmpty, false: ErrUnsupported}[target == "word/missing.xml"]; !errors.Is(err, want) {
			t.Errorf("%s: %v", target, err)
		}
	}
}

// TestBlankRowsOfASheetAreBlankLines, so that a line's number is known; not those in front of a row far below or above.
func TestBlankRowsOfASheetAreBlankLines(t *testing.T) {
	row := func(n, w string) string {
		return `<row r="` + n + `"><c t="inlineStr"><is><t>` + w + `</t></is></c></row>`
	}
	parts, _, err := readXLSX(workbookFile(t, `<worksheet><sheetData>`+row("1", "City")+row("2", "Oslo")+row("5", "Total")+row("4", "x")+row("999999999", "y")+`</sheetData></worksheet>`), 0)
	if err != nil || parts[0].Text != "City\nOslo\n\n\nTotal\nx"+strings.Repeat("\n", maxBlank+1)+"y" {
		t.Errorf("%q, %v", parts[0].Text, err)
	}
}

// TestNumbersAreReadAsTheirFormatsShowThem: shares, sums of money, lengths of time and days, without the noise of binary fractions.
func TestNumbersAreReadAsTheirFormatsShowThem(t *testing.T) {
	for _, tt := range []struct{ code, value, want string }{
		{"General", "3.3000000000000003", "3.3"},
		{"General", "0.1", "0.1"},
		{"General", "1E+22", "10000000000000000000000"},
		{"General", "-1234567.891", "-1234567.891"},
		{"0%", "0.15", "15%"},
		{"0.0%;[Red]-0.0%", "-0.07", "-7%"},
		{`0.0" %"`, "0.5", "0.5"},
		{`"$"#,##0.00`, "1234.5", "$1234.5"},
		{`\$#,##0`, "-5", "-$5"},
		{"#,##0.00 [$€-407]", "5", "€5"},
		{"[$CHF] #,##0", "5", "CHF 5"},
		{"[$-409]d-mmm-yy", "46095", "2026-03-14"},
		{"mmm", "46095", "2026-03-14"},
		{"[h]:mm", "1.5", "36:00"},
		{"[h]:mm", "-0.25", "-6:00"},
		{"h:mm AM/PM", "0.75", "18:00"},
		{"mm:ss", "0.000694444444444444", "0:01:00"},
		{"[Red]0.0", "7", "7"},
		{"0.0 \\m", "7", "7"},
	} {
		w := workbook{}
		if got := w.value("", tt.value, formatOf(tt.code)); got != tt.want {
			t.Errorf("%s as %q: %q, want %q", tt.value, tt.code, got, tt.want)
		}
	}
}

func TestWorkbookIsBounded(t *testing.T) {
	row := `<row><c t="inlineStr"><is><t>` + strings.Repeat("word ", 40) + `</t></is></c></row>`
	parts, cut, err := readXLSX(workbookFile(t, "<worksheet><sheetData>"+strings.Repeat(row, 1000)+"</sheetData></worksheet>"), 5000)
	if err != nil || !cut || len(parts) == 0 {
		t.Fatalf("%d parts, %v, %v", len(parts), cut, err)
	}
	for name, sheet := range map[string]string{
		"far away": `<worksheet><sheetData><row r="1"><c r="ZZZZZZZZZ1"><v>1</v></c><c r="A1"><v>2</v></c></row></sheetData></worksheet>`,
		"nested":   strings.Repeat("<c>", maxDepth+1),
		"cut off":  `<worksheet><sheetData><row r="1"><c`,
	} {
		if _, _, err := readXLSX(workbookFile(t, sheet), 1000); err != nil && !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPresentationIsReadBySlide(t *testing.T) {
	data := archive(t, map[string]string{
		presentationPart:                   `<p:presentation><p:sldIdLst><p:sldId id="256" r:id="x"/><p:sldId id="257" r:id="y"/><p:sldId id="258" r:id="z"/></p:sldIdLst></p:presentation>`,
		"ppt/_rels/presentation.xml.rels":  `<Relationships><Relationship Id="x" Target="slides/slide2.xml"/><Relationship Id="y" Target="slides/slide1.xml"/><Relationship Id="z" Target="slides/slide3.xml"/></Relationships>`,
		"ppt/slides/slide1.xml":            `<p:sld show="0"><a:p><a:r><a:t>hidden</a:t></a:r></a:p></p:sld>`,
		"ppt/slides/slide2.xml":            `<p:sld><a:p><a:r><a:t>Plan </a:t></a:r><a:r><a:t>2027</a:t></a:r></a:p><a:tbl><a:tr><a:tc><a:p><a:r><a:t>Roaster</a:t></a:r></a:p></a:tc><a:tc><a:p><a:r><a:t>38,700</a:t></a:r></a:p></a:tc></a:tr></a:tbl></p:sld>`,
		"ppt/slides/slide3.xml":            `<p:sld><p:sp><p:nvSpPr><p:cNvPr id="2" hidden="1"/></p:nvSpPr><p:txBody><a:p><a:r><a:t>The price is 1</a:t></a:r></a:p></p:txBody></p:sp><p:sp><p:nvSpPr><p:cNvPr id="3"/></p:nvSpPr><a:p><a:r><a:t>Thank you</a:t></a:r></a:p></p:sp></p:sld>`,
		"ppt/slides/_rels/slide2.xml.rels": `<Relationships/>`,
	})
	slides, cut, err := readPPTX(data, 0)
	if err != nil || cut || len(slides) != 3 {
		t.Fatalf("%+v, %v, %v", slides, cut, err)
	}
	if want := "Plan 2027\nRoaster | 38,700 |"; slides[0].Text != want || slides[0].Label != "slide 1" || slides[1].Text != "" || slides[1].Scanned || slides[2].Label != "slide 3" || slides[2].Text != "Thank you" {
		t.Errorf("got %+v", slides)
	}
	if k, err := kindOf(data, "deck.pptx", ""); k != kindPPTX || err != nil {
		t.Errorf("kind %q, %v", k, err)
	}
}

// TestASlideWithoutTextIsTold: slides keep their numbers, and what is only a picture is not passed over in silence.
func TestASlideWithoutTextIsTold(t *testing.T) {
	deck := archive(t, map[string]string{
		presentationPart:                  `<p:presentation><p:sldIdLst><p:sldId id="256" r:id="x"/><p:sldId id="257" r:id="y"/><p:sldId id="258" r:id="z"/></p:sldIdLst></p:presentation>`,
		"ppt/_rels/presentation.xml.rels": `<Relationships><Relationship Id="x" Target="slides/slide1.xml"/><Relationship Id="y" Target="slides/slide2.xml"/><Relationship Id="z" Target="slides/slide3.xml"/></Relationships>`,
		"ppt/slides/slide1.xml":           `<p:sld><a:p><a:r><a:t>Plan</a:t></a:r></a:p></p:sld>`,
		"ppt/slides/slide2.xml":           `<p:sld><p:pic/></p:sld>`,
		"ppt/slides/slide3.xml":           `<p:sld><a:p><a:r><a:t>Thank you</a:t></a:r></a:p></p:sld>`,
	})
	d := newDesk(t)
	doc := d.add("deck.pptx", deck)
	if !strings.Contains(doc.Reason, "no text on page 2;") {
		t.Errorf("%q", doc.Reason)
	}
	if text, err := d.Page(t.Context(), doc.ID, 3); err != nil || text != "Thank you" {
		t.Errorf("%q, %v", text, err)
	}
	if e, err := d.Extent(t.Context(), doc.ID); err != nil || len(e.Scans)+len(e.Unread) > 0 || !slices.Equal(e.Blank, []int{2}) {
		t.Errorf("%+v, %v", e, err)
	}
	if whole, err := d.WhollyRead(t.Context(), []int64{doc.ContentID}); err != nil || !whole {
		t.Errorf("%v, %v", whole, err)
	}
}
