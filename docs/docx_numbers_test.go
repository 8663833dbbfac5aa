package docs

import (
	"strings"
	"testing"
)

// TestNumbersOfParagraphsAreRead: those that Word counts itself, by styles and by paragraphs, and lists that begin anew.
func TestNumbersOfParagraphsAreRead(t *testing.T) {
	level := func(at, form, label, more string) string {
		return `<w:lvl w:ilvl="` + at + `"><w:start w:val="1"/><w:numFmt w:val="` + form + `"/>` + more + `<w:lvlText w:val="` + label + `"/></w:lvl>`
	}
	para := func(properties, text string) string {
		return "<w:p><w:pPr>" + properties + "</w:pPr><w:r><w:t>" + text + "</w:t></w:r></w:p>"
	}
	of := func(list, level string) string {
		return `<w:numPr><w:ilvl w:val="` + level + `"/><w:numId w:val="` + list + `"/></w:numPr>`
	}
	styled := func(name string) string { return `<w:pStyle w:val="` + name + `"/>` }
	text, heads, err := readDOCX(archive(t, map[string]string{
		"word/numbering.xml": `<w:numbering><w:abstractNum w:abstractNumId="7">` + level("0", "decimal", "%1.", `<w:pStyle w:val="Head"/>`) + level("1", "decimal", "%1.%2", `<w:pStyle w:val="Clause"/>`) + level("2", "lowerLetter", "(%3)", "") + `</w:abstractNum>` +
			`<w:abstractNum w:abstractNumId="8">` + level("0", "bullet", "•", "") + `</w:abstractNum><w:abstractNum w:abstractNumId="9">` + level("0", "upperRoman", "Article %1", "") + level("1", "decimal", "Section %1.%2", "<w:isLgl/>") + `</w:abstractNum>` +
			`<w:abstractNum w:abstractNumId="11">` + level("0", "decimal", "Part %1", "") + level("1", "decimal", "§ %2", `<w:lvlRestart w:val="0"/>`) + level("2", "ordinalText", "%3", "") + `</w:abstractNum>` +
			`<w:abstractNum w:abstractNumId="10">` + level("0", "decimal", strings.Repeat("%1", maxLabel), "") + `</w:abstractNum>` +
			`<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="8"/></w:num><w:num w:numId="3"><w:abstractNumId w:val="9"/></w:num>` +
			`<w:num w:numId="4"><w:abstractNumId w:val="7"/><w:lvlOverride w:ilvl="2"><w:startOverride w:val="1"/></w:lvlOverride></w:num><w:num w:numId="5"><w:abstractNumId w:val="10"/></w:num>` +
			`<w:num w:numId="6"><w:abstractNumId w:val="11"/></w:num><w:num w:numId="7"><w:abstractNumId w:val="11"/><w:lvlOverride w:ilvl="0">` + level("0", "upperLetter", "Annex %1", "") + `</w:lvlOverride></w:num></w:numbering>`,
		"word/styles.xml": `<w:styles><w:style w:styleId="Head"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>` +
			`<w:style w:styleId="Clause"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style><w:style w:styleId="Bold"><w:basedOn w:val="Head"/><w:pPr><w:numPr><w:ilvl w:val="1"/></w:numPr></w:pPr></w:style></w:styles>`,
		documentPart: "<w:document><w:body>" + para(styled("Head"), "Term") + para(styled("Clause"), "It runs for a year.") + para(styled("Clause"), "It may be ended") + para(of("1", "2"), "by either party,") + para(of("1", "2"), "in writing.") +
			para(of("4", "2"), "Anew") + para(styled("Head")+of("0", "0"), "Without") + para(styled("Head"), "Fee") + para(styled("Bold"), "It is 5.") + para(of("2", "0"), "A point") +
			para(of("3", "0"), "Duties") + para(of("3", "1"), "To pay") + para(of("3", "0"), "Rights") + para(of("5", "0"), "Long") + para(of("99", "7"), "Nowhere") + para("", "Plain") +
			para(of("6", "0"), "Sale") + para(of("6", "1"), "Price") + para(of("6", "1")+"<w:rPr><w:del/></w:rPr>", "") + para(of("6", "1")+"<w:rPr><w:moveFrom/></w:rPr>", "") + para(of("6", "0"), "Use") + para(of("6", "1"), "Care") + para(of("6", "2"), "Third") + para(of("7", "0"), "Plan") + "</w:body></w:document>",
	}))
	const want = "1. Term\n1.1 It runs for a year.\n1.2 It may be ended\n(a) by either party,\n(b) in writing.\n(a) Anew\nWithout\n2. Fee\n2.1 It is 5.\nA point\nArticle I Duties\nSection 1.1 To pay\nArticle II Rights\nLong\nNowhere\nPlain\nPart 1 Sale\n§ 1 Price\n\n\nPart 2 Use\n§ 2 Care\nThird\nAnnex C Plan\n"
	if err != nil || text != want || len(heads) == 0 || heads[0].text != "1. Term" {
		t.Errorf("%q, want %q, %v, %v", text, want, heads, err)
	}
	for n, want := range map[int]string{1: "a", 27: "aa", 0: "", 5000: ""} {
		if got := counted(n, "lowerLetter"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
