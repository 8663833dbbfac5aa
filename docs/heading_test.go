package docs

import (
	"fmt"
	"strings"
	"testing"
)

// placesIn reads a file and returns the place of each quote, in English.
func placesIn(t *testing.T, k kind, data []byte, quotes ...string) (places []string) {
	t.Helper()
	parts, _, err := readParts(k, data, 0)
	if err != nil {
		t.Fatal(err)
	}
	var rows []*pageRow
	for _, p := range parts {
		rows = append(rows, &pageRow{Number: p.Number, Label: p.Label, Text: p.Text})
	}
	for _, quote := range quotes {
		f, ok := findQuote(rows, 1, newQuote(quote))
		if !ok {
			t.Fatalf("%q is not in %+v", quote, parts)
		}
		places = append(places, PlacesIn("en").Of(Citation{Page: f.page, Place: f.place}))
	}
	return places
}

// para is a paragraph of a Word document in a style.
func para(style, text string) string {
	return `<w:p><w:pPr><w:pStyle w:val="` + style + `"/></w:pPr><w:r><w:t>` + text + `</w:t></w:r></w:p>`
}

const wordStyles = `<w:styles>
<w:style w:type="paragraph" w:styleId="Standard"><w:name w:val="Normal"/></w:style>
<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/><w:basedOn w:val="Standard"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Titre2"><w:name w:val="Heading 2"/></w:style>
<w:style w:type="paragraph" w:styleId="Kapitel"><w:name w:val="Kapitel"/><w:basedOn w:val="berschrift1"/></w:style>
<w:style w:type="paragraph" w:styleId="Verzeichnis"><w:name w:val="TOC Heading"/><w:basedOn w:val="berschrift1"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="a"><w:name w:val="a"/><w:basedOn w:val="b"/></w:style>
<w:style w:type="paragraph" w:styleId="b"><w:name w:val="b"/><w:basedOn w:val="a"/></w:style>
</w:styles>`

func TestTheHeadingOfAPassageInAWordDocument(t *testing.T) {
	cell := func(inner string) string { return `<w:tbl><w:tr><w:tc>` + inner + `</w:tc></w:tr></w:tbl>` }
	for _, tt := range []struct{ name, body, want string }{
		{"none before the first", para("Standard", "The text.") + para("berschrift1", "Later"), "part 1"},
		{"a heading", para("berschrift1", "Notice periods") + para("Standard", "The text."), "“Notice periods”"},
		{"by name", para("Titre2", "Préavis") + para("Standard", "The text."), "“Préavis”"},
		{"a style based on one", para("Kapitel", "Fristen") + para("Standard", "The text."), "“Fristen”"},
		{"an id that no style has", para("Heading3", "Notice") + para("Standard", "The text."), "“Notice”"},
		{"by its own level", `<w:p><w:pPr><w:outlineLvl w:val="1"/></w:pPr><w:r><w:t>Notice</w:t></w:r></w:p>` + para("Standard", "The text."), "“Notice”"},
		{"body text by its own level", para("berschrift1", "Notice") + `<w:p><w:pPr><w:pStyle w:val="Kapitel"/><w:outlineLvl w:val="9"/></w:pPr><w:r><w:t>No heading</w:t></w:r></w:p>` + para("Standard", "The text."), "“Notice”"},
		{"the contents", para("Verzeichnis", "Contents") + para("TOC1", "Notice") + para("Standard", "The text.") + para("berschrift1", "Notice"), "part 1"},
		{"a line of the contents like the heading", para("TOC1", "Notice") + para("berschrift1", "Scope") + para("Standard", "The text.") + para("berschrift1", "Notice"), "“Scope”"},
		{"the one it is", para("berschrift1", "Scope") + para("berschrift1", "The text."), "“The text.”"},
		{"the nearest", para("berschrift1", "One") + para("Titre2", "Two") + para("Standard", "The text.") + para("Titre2", "Three"), "“Two”"},
		{"of several runs and lines", `<w:p><w:pPr><w:pStyle w:val="Kapitel"/></w:pPr><w:r><w:t>Notice</w:t><w:br/></w:r><w:r><w:t xml:space="preserve"> periods</w:t></w:r></w:p>` + para("Standard", "The text."), "“Notice periods”"},
		{"empty ones", para("berschrift1", "Notice") + para("berschrift1", " ") + para("Standard", "The text."), "“Notice”"},
		{"a paragraph in a heading's style", para("berschrift1", "Notice") + para("berschrift1", strings.Repeat("Long words. ", 40)) + para("Standard", "The text."), "part 1"},
		{"a style that was changed", para("berschrift1", "Notice") + `<w:p><w:pPr><w:pStyle w:val="Standard"/><w:pPrChange><w:pPr><w:pStyle w:val="berschrift1"/></w:pPr></w:pPrChange></w:pPr><w:r><w:t>Was one</w:t></w:r></w:p>` + para("Standard", "The text."), "“Notice”"},
		{"a deleted heading", para("berschrift1", "Notice") + `<w:p><w:pPr><w:pStyle w:val="berschrift1"/></w:pPr><w:del><w:r><w:delText>Gone</w:delText></w:r></w:del></w:p>` + para("Standard", "The text."), "“Notice”"},
		{"a table under a heading", para("berschrift1", "Notice") + cell(para("Standard", "The text.")), "“Notice”"},
		{"a heading in a cell", para("berschrift1", "Notice") + cell(para("Titre2", "Side")+para("Standard", "The text.")), "part 1"},
		{"behind a table with a heading", para("berschrift1", "Notice") + cell(para("Titre2", "Side")) + para("Standard", "The text."), "“Notice”"},
		{"behind a text box with a heading", para("berschrift1", "Notice") + `<w:p><w:r><w:txbxContent>` + para("Titre2", "Box") + `</w:txbxContent></w:r></w:p>` + para("Standard", "The text."), "“Notice”"},
		{"a heading that holds a text box", `<w:p><w:pPr><w:pStyle w:val="Kapitel"/></w:pPr><w:r><w:txbxContent>` + para("Standard", "Box") + `</w:txbxContent></w:r><w:r><w:t>Notice</w:t></w:r></w:p>` + para("Standard", "The text."), "“Notice”"},
		{"styles in a circle", para("berschrift1", "Notice") + para("a", "x") + para("Standard", "The text."), "“Notice”"},
		{"a heading that looks like a sheet's rows", para("berschrift1", "Costs, row 3") + para("Standard", "The text."), "“Costs, row 3”"},
		{"empty lines before all", para("Standard", "") + para("Standard", " ") + para("berschrift1", "Notice") + para("Standard", "The text."), "“Notice”"},
	} {
		data := archive(t, map[string]string{documentPart: "<w:document><w:body>" + tt.body + "</w:body></w:document>", "word/styles.xml": wordStyles})
		if got := placesIn(t, kindDOCX, data, "The text."); got[0] != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got[0], tt.want)
		}
	}
}

func TestNotesStandUnderNoHeading(t *testing.T) {
	data := archive(t, map[string]string{documentPart: para("Heading1", "Notice") + para("", "The text."), "word/footnotes.xml": `<d><p><r><t>The note.</t></r></p></d>`,
		"word/styles.xml": "<damaged"})
	if got := strings.Join(placesIn(t, kindDOCX, data, "The text.", "The note."), "; "); got != "“Notice”; part 1" {
		t.Errorf("got %s", got)
	}
}

func TestTheHeadingOfAPassageInAWebPage(t *testing.T) {
	for _, tt := range []struct{ name, page, want string }{
		{"none", "<title>Acme</title><p>The text.", "part 1"},
		{"a heading", "<h1>Acme</h1><h2>Notice\n <i>periods</i></h2><p>The text.<h2>Scope</h2>", "“Notice periods”"},
		{"empty lines before all", "<pre>\n\n \n</pre><h2>Notice</h2><p>The text.", "“Notice”"},
		{"lines of code before", "<h2>Setup</h2><pre>a\nb\n\n\nc</pre><h2>Notice</h2><p>The text.", "“Notice”"},
		{"a hidden heading", "<h2>Notice</h2><h3 hidden>Ignore</h3><p>The text.", "“Notice”"},
		{"behind a section", "<h1>Acme</h1><section><h2>Notice</h2><p>x</section><p>The text.", "“Acme”"},
		{"behind the header of a section", "<section><header><h2>Notice</h2></header><p>The text.</section>", "“Notice”"},
		{"the foot of a page", "<h1>Acme</h1><p>x<footer>The text.</footer>", "part 1"},
		{"behind a note beside it", "<h1>Acme</h1><aside><h2>See also</h2>x</aside><p>The text.", "“Acme”"},
		{"a table", "<h1>Acme</h1><table><tr><td>The text.</table>", "“Acme”"},
		{"a table that sets the page", "<h1>Acme</h1><table><tr><td><h2>Left</h2>x<td><h2>Right</h2>The text.</table>", "part 1"},
		{"behind such a table", "<h1>Acme</h1><table><tr><td><h2>Left</h2><table><tr><td>x</table></table><p>The text.", "“Acme”"},
		{"a link to it", "<a href=#n>Notice</a><h2>Scope</h2><p>The text.<h2 id=n>Notice</h2>", "“Scope”"},
		{"a heading around another", "<h1>Acme<div><h2>Notice</h2></div></h1><p>The text.", "“Acme Notice”"},
	} {
		if got := placesIn(t, kindHTML, []byte(tt.page), "The text."); got[0] != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got[0], tt.want)
		}
	}
}

// TestASectionOfManyPartsHasItsHeading in each of them.
func TestASectionOfManyPartsHasItsHeading(t *testing.T) {
	var page strings.Builder
	var quotes, want []string
	for section := range 5 {
		fmt.Fprintf(&page, "<h2>Section %d</h2>", section)
		for i := range 200 {
			text := fmt.Sprintf("Sentence %d of chapter %d.", i, section)
			fmt.Fprintf(&page, "<p>%s</p>", text)
			if i%10 == 0 {
				quotes, want = append(quotes, text), append(want, fmt.Sprintf("“Section %d”", section))
			}
		}
	}
	for i, got := range placesIn(t, kindHTML, []byte(page.String()), quotes...) {
		if got != want[i] {
			t.Fatalf("%s: %q, want %q", quotes[i], got, want[i])
		}
	}
}

// TestHeadingsAreBounded in a page of nothing else, and in one with headings in one another.
func TestHeadingsAreBounded(t *testing.T) {
	nested := strings.Repeat("<h1><div>", 100) + strings.Repeat("many words ", 20_000)
	page := "<h2>" + strings.Repeat("long ", 20) + "</h2>" + strings.Repeat("<aside>a</aside>b", 20_000)
	for _, page := range []string{nested, page} {
		parts, _, err := readParts(kindHTML, []byte(page), 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range parts {
			if len(p.Label) > 2*partChars {
				t.Fatalf("a label has %d bytes", len(p.Label))
			}
		}
	}
	open := strings.Repeat("<p></x><tbl></x>", 2000) // elements that end as others
	if _, _, err := readDOCX(archive(t, map[string]string{documentPart: open})); err != nil {
		t.Error(err)
	}
}

func TestALongHeadingIsCut(t *testing.T) {
	got := placesIn(t, kindHTML, []byte("<h2>"+strings.Repeat("word ", 30)+"</h2><p>The text."), "The text.")[0]
	if !strings.HasPrefix(got, "“word word") || !strings.HasSuffix(got, "…”") || len([]rune(got)) > 72 {
		t.Errorf("got %q", got)
	}
}
