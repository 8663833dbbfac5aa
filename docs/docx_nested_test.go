package docs

import "testing"

// TestATableInACellHasLinesOfItsOwn, and its rows are none of the row around it.
func TestATableInACellHasLinesOfItsOwn(t *testing.T) {
	cell := func(inner string) string { return "<w:tc>" + inner + "</w:tc>" }
	para := func(text string) string { return "<w:p><w:r><w:t>" + text + "</w:t></w:r></w:p>" }
	row := func(cells ...string) string {
		all := ""
		for _, c := range cells {
			all += cell(c)
		}
		return "<w:tr>" + all + "</w:tr>"
	}
	inner := "<w:tbl>" + row(para("Size"), para("Fee")) + row(para("Large"), para("75 EUR")) + "</w:tbl><w:p></w:p>"
	text, _, err := readDOCX(archive(t, map[string]string{documentPart: "<w:document><w:body><w:tbl>" + row(para("Site"), para("Units")) + row(para("Harbour"), para("Prices:")+inner) +
		row("<w:p></w:p>", para("Total")) + row(para("Airport"), para("On request")) + "</w:tbl></w:body></w:document>"}))
	const want = "Site | Units |\nHarbour | Prices:\nSize | Fee |\nLarge | 75 EUR |\n\n | Total |\nAirport | On request |"
	if got := clean(text); err != nil || got != want {
		t.Errorf("%q, %v", got, err)
	}
}
