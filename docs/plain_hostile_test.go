package docs

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	enc "encoding/binary"
	"fmt"
	"hash/crc32"
	"image/color"
	"image/gif"
	"image/jpeg"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"threadkeeper/memory"
)

// bombed is an archive with members of text and one of many bytes: repeated is written again and again.
func bombed(t *testing.T, members map[string]string, name, begin, repeated string, size int) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, text := range members {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(f, text); err != nil {
			t.Fatal(err)
		}
	}
	f, err := w.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(f, begin); err != nil {
		t.Fatal(err)
	}
	block := strings.Repeat(repeated, max(1, 1<<20/len(repeated)))
	for n := 0; n < size; n += len(block) {
		if _, err := io.WriteString(f, block); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// claims writes a size over that of a picture; a PNG's sum is put right.
func claims(data []byte, at int, order enc.ByteOrder, bytesEach int) []byte {
	for i := range 2 {
		if bytesEach == 4 {
			order.PutUint32(data[at+4*i:], 60_000)
		} else {
			order.PutUint16(data[at+2*i:], 60_000)
		}
	}
	if bytesEach == 4 {
		enc.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
	}
	return data
}

func jpegOf(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, flat(16, 16, color.Black), nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gifOf(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := gif.Encode(&b, flat(16, 16, color.Black), nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func sheets(n int) map[string]string {
	return map[string]string{
		workbookPart:                 `<workbook><sheets>` + strings.Repeat(`<sheet name="S" r:id="a"/>`, n) + `</sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="a" Target="worksheets/sheet1.xml"/></Relationships>`,
	}
}

// TestHostileFilesAreRefused: bombs of every kind end with a reason that people are told, and the next file is read.
func TestHostileFilesAreRefused(t *testing.T) {
	const sheet = "xl/worksheets/sheet1.xml"
	tests := []struct {
		name string
		data []byte
		want error
	}{
		{"claims.png", claims(pngOf(t, flat(16, 16, color.Black)), 16, enc.BigEndian, 4), ErrTooLarge},
		{"claims.jpg", claims(jpegOf(t), bytes.Index(jpegOf(t), []byte{0xFF, 0xC0})+5, enc.BigEndian, 2), ErrTooLarge},
		{"claims.gif", claims(gifOf(t), 6, enc.LittleEndian, 2), ErrTooLarge},
		{"space.xlsx", bombed(t, sheets(1), sheet, "<worksheet><sheetData>", " ", 4*maxTag), ErrTooLarge},
		{"body.docx", bombed(t, nil, documentPart, "<d>", "<p></p>", int(maxXML)+1), ErrTooLarge},
		{"body.odt", odt(t, strings.Repeat("<text:p/>", int(maxXML)/9), ""), ErrTooLarge},
		{"space.odt", odt(t, strings.Repeat(" ", 4*maxTag), ""), ErrTooLarge},
		{"deep.odt", odt(t, strings.Repeat("<text:span>", maxDepth+1), ""), ErrDamaged},
		{"long.eml", []byte("Subject: Hi\nContent-Type: text/html\n\n<p>" + strings.Repeat("<b>x", maxHTML/4)), ErrTooLarge},
		{"only.zip", bombed(t, nil, "more.zip", "", "0", 1<<20), ErrUnsupported},
		{"empty.xlsx", archive(t, map[string]string{workbookPart: `<workbook><sheets/></workbook>`}), ErrEmpty},
		{"deep.html", []byte(strings.Repeat("<div>", maxHTML/10)), ErrDamaged},
		{"long.html", []byte("<p>" + strings.Repeat("<b>x", maxHTML/4)), ErrTooLarge},
	}
	d := newDesk(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc, err := d.Add(t.Context(), d.upload(tt.name, tt.data), nil)
			is(t, err, tt.want)
			if doc == nil || doc.Reason != tt.want.Error() {
				t.Errorf("%+v", doc)
			}
		})
	}
	d.add("next.txt", []byte("The gate opens at nine."))
}

// TestAnArchiveIsUnpackedOnlySoFar: one part of gigabytes, and one that is named again and again.
func TestAnArchiveIsUnpackedOnlySoFar(t *testing.T) {
	const sheet = "xl/worksheets/sheet1.xml"
	slides := func(n int) map[string]string {
		return map[string]string{
			presentationPart:                  `<p:presentation><p:sldIdLst>` + strings.Repeat(`<p:sldId id="256" r:id="x"/>`, n) + `</p:sldIdLst></p:presentation>`,
			"ppt/_rels/presentation.xml.rels": `<Relationships><Relationship Id="x" Target="slides/slide1.xml"/></Relationships>`,
		}
	}
	read := func(data []byte, read func([]byte, int) ([]page, bool, error)) error {
		_, _, err := read(data, 0)
		return err
	}
	is(t, read(bombed(t, sheets(1), sheet, "<worksheet><sheetData>", "<row/>", 8<<20), readXLSX), ErrTooLarge)
	is(t, read(bombed(t, sheets(1000), sheet, "<worksheet><sheetData>", "<row/>", 1<<20), readXLSX), ErrTooLarge)
	is(t, read(bombed(t, sheets(1), "xl/sharedStrings.xml", "<sst>", "<si><t>a</t></si>", 8<<20), readXLSX), ErrTooLarge)
	named := sheets(1) // one long string, named by many cells of a row
	named["xl/sharedStrings.xml"] = "<sst><si><t>" + strings.Repeat("a", 64<<10) + "</t></si></sst>"
	is(t, read(bombed(t, named, sheet, "<worksheet><sheetData><row>", `<c t="s"><v>0</v></c>`, 1<<20), readXLSX), ErrTooLarge)
	is(t, read(bombed(t, slides(1), "ppt/slides/slide1.xml", "<p:sld>", "<a:p/>", 8<<20), readPPTX), ErrTooLarge)
	is(t, read(bombed(t, slides(1000), "ppt/slides/slide1.xml", "<p:sld>", "<a:p/>", 1<<20), readPPTX), ErrTooLarge)
}

// TestTextBesideADocumentIsNotRead: files in files, macros, formulas and links to elsewhere; nothing is fetched.
func TestTextBesideADocumentIsNotRead(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("%s was fetched", r.URL)
		fmt.Fprint(w, "secret")
	}))
	t.Cleanup(elsewhere.Close)
	linked := func(id, kind, target string) string {
		return fmt.Sprintf(`<Relationship Id=%q Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/%s" TargetMode="External" Target="%s/%s"/>`, id, kind, elsewhere.URL, target)
	}
	tests := []struct {
		name, want string
		data       []byte
	}{
		{"book.xlsm", "Total | 38700 |", bombed(t, map[string]string{
			workbookPart: `<workbook><sheets><sheet name="A" r:id="a"/><sheet name="B" r:id="b"/><sheet name="C" r:id="c"/></sheets></workbook>`,
			"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="a" Target="worksheets/sheet1.xml"/>` + linked("b", "worksheet", "x.xlsx") +
				`<Relationship Id="c" Target="../../../../etc/passwd"/></Relationships>`,
			"xl/worksheets/sheet1.xml": `<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>Total</t></is></c><c r="B1"><f>WEBSERVICE("` + elsewhere.URL + `")</f><v>38700</v></c>` +
				`<c r="C1"><f>cmd|' /C calc'!A0</f></c><c r="D1" t="str"><v>` + strings.Repeat("a<!-- -->", 200_000) + `</v></c></row></sheetData></worksheet>`,
			"xl/vbaProject.bin":                  "Sub Workbook_Open()",
			"xl/externalLinks/externalLink1.xml": `<externalLink><t>secret</t></externalLink>`,
		}, "xl/embeddings/more.xlsx", "", "0", int(2*maxUnpacked))},
		{"letter.docm", "The gate opens at nine.", bombed(t, map[string]string{
			documentPart: `<!DOCTYPE d SYSTEM "` + elsewhere.URL + `/d.dtd"><w:document><w:body><w:p><w:r><w:t>The gate opens at nine.</w:t></w:r></w:p><w:altChunk r:id="a"/>` +
				`<w:p><w:r><w:instrText>DDEAUTO c:\\windows\\cmd.exe "/k calc"</w:instrText></w:r><w:hyperlink r:id="h"/></w:p></w:body></w:document>`,
			"word/_rels/document.xml.rels": `<Relationships>` + linked("a", "aFChunk", "chunk.html") + linked("h", "hyperlink", "here") + linked("f", "footnotes", "footnotes.xml") + `</Relationships>`,
			"word/_rels/settings.xml.rels": `<Relationships>` + linked("t", "attachedTemplate", "secret.dotm") + `</Relationships>`,
			"word/vbaProject.bin":          "Sub AutoOpen()",
		}, "word/embeddings/more.docx", "", "0", int(2*maxUnpacked))},
		{"deck.pptm", "The gate opens at nine.", bombed(t, map[string]string{
			presentationPart:                  `<p:presentation><p:sldIdLst><p:sldId id="256" r:id="x"/><p:sldId id="257" r:id="y"/></p:sldIdLst></p:presentation>`,
			"ppt/_rels/presentation.xml.rels": `<Relationships><Relationship Id="x" Target="slides/slide1.xml"/>` + linked("y", "slide", "slide.xml") + `</Relationships>`,
			"ppt/slides/slide1.xml": `<p:sld><a:p><a:r><a:rPr><a:hlinkClick r:id="m" action="ppaction://macro?name=Auto"/></a:rPr><a:t>The gate opens at nine.</a:t></a:r></a:p>` +
				`<p:pic><p:blipFill><a:blip r:link="p"/></p:blipFill></p:pic></p:sld>`,
			"ppt/slides/_rels/slide1.xml.rels": `<Relationships>` + linked("p", "image", "p.png") + linked("m", "video", "m.mp4") + `</Relationships>`,
			"ppt/vbaProject.bin":               "Sub Auto()",
		}, "ppt/embeddings/more.pptx", "", "0", int(2*maxUnpacked))},
		{"page.html", "The gate opens at nine.", []byte(strings.ReplaceAll(`<!doctype html><base href="URL/"><link rel=stylesheet href="URL/s.css"><meta http-equiv=refresh content="0;url=URL/r"><script src="URL/s.js"></script>`+
			`<style>@import "URL/i.css";</style><iframe src="URL/f"></iframe><object data="URL/o"></object><img src="URL/i.png" onerror="document.write('secret')"><p>The gate opens at nine.</p>`, "URL", elsewhere.URL))},
		{"letter.odt", "The gate opens at nine.", odt(t, strings.ReplaceAll(`<office:scripts><office:event-listeners><script:event-listener script:event-name="dom:load" xlink:href="URL/macro"/></office:event-listeners></office:scripts>`+
			`<text:p>The gate opens at nine.</text:p><text:section><text:section-source xlink:href="URL/s.odt"/></text:section><text:p><draw:frame><draw:image xlink:href="URL/i.png"/><draw:object xlink:href="URL/o"/></draw:frame></text:p>`, "URL", elsewhere.URL), "",
			[2]string{"Basic/Standard/Module1.xml", "<script:module>Sub Main calc</script:module>"}, [2]string{"Object 1/content.xml", "<text:p>secret</text:p>"})},
		{"letter.eml", "From: a@example.invalid\n\nThe gate opens at nine.", []byte(strings.ReplaceAll("From: a@example.invalid\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n"+
			"<p>The gate opens at nine.</p><img src=URL/i.png><link rel=stylesheet href=URL/s.css><script src=URL/s.js></script>\n--b\nContent-Type: message/external-body; access-type=URL; URL=\"URL/x\"\n\nContent-Type: text/plain\n\n"+
			"\n--b\nContent-Type: application/vnd.ms-word.document.macroEnabled.12\nContent-Disposition: attachment; filename=a.docm\n\nSub AutoOpen() secret\n--b--\n", "URL", elsewhere.URL))},
		{"rows.csv", "name,total\n", []byte("name,total\n\"=WEBSERVICE(\"\"" + elsewhere.URL + "\"\")\",=2+3\n")},
	}
	d := newDesk(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc := d.add(tt.name, tt.data)
			n, err := d.Pages(t.Context(), doc.ID)
			if err != nil {
				t.Fatal(err)
			}
			text := ""
			for page := 1; page <= n; page++ {
				one, err := d.Page(t.Context(), doc.ID, page)
				if err != nil {
					t.Fatal(err)
				}
				text += one
			}
			if !strings.HasPrefix(text, tt.want) {
				t.Errorf("%.80q", text)
			}
			for _, beside := range []string{"calc", "secret", "Sub ", "passwd"} {
				if strings.Contains(text, beside) {
					t.Errorf("%q is in %.80q", beside, text)
				}
			}
		})
	}
}

// bitmapBomb is a page that is one picture of 60,000 × 60,000 pixels, black and white.
func bitmapBomb(t *testing.T) []byte {
	t.Helper()
	const side = 60_000
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	line := make([]byte, side/8)
	for range side {
		if _, err := z.Write(line); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	content := "612 0 0 792 0 0 cm /I Do"
	var b bytes.Buffer
	fmt.Fprintf(&b, "%%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n")
	fmt.Fprintf(&b, "3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >> >>\nendobj\n")
	fmt.Fprintf(&b, "4 0 obj\n<< /Length %d >>\nstream\n%s\nendstream\nendobj\n", len(content), content)
	fmt.Fprintf(&b, "5 0 obj\n<< /Type /XObject /Subtype /Image /Width %d /Height %d /BitsPerComponent 1 /ColorSpace /DeviceGray /Filter /FlateDecode /Length %d >>\nstream\n", side, side, packed.Len())
	b.Write(packed.Bytes())
	b.WriteString("\nendstream\nendobj\ntrailer\n<< /Size 6 /Root 1 0 R >>\n%%EOF\n")
	return b.Bytes()
}

// TestABombInAScanIsRefused: a page that is a picture of gigabytes.
func TestABombInAScanIsRefused(t *testing.T) {
	if !(&Index{Engine: engine}).ReadsScans() {
		t.Skip("this build reads no scans: run `make engine`")
	}
	d := newDesk(t)
	doc, err := d.Add(t.Context(), d.upload("scan.pdf", bitmapBomb(t)), nil)
	if err == nil || doc.State != memory.DocumentFailed || doc.Reason == "" {
		t.Errorf("%+v, %v", doc, err)
	}
	d.add("next.pdf", sampleFile(t, "columns.pdf"))
}

// manyFrames is a moving picture of n frames, each the same.
func manyFrames(t *testing.T, n int) []byte {
	t.Helper()
	one := gifOf(t)
	at := bytes.IndexByte(one, 0x2C) // of the first frame, behind head and colours
	head, frame := one[:at], one[at:len(one)-1]
	return append(append(bytes.Clone(head), bytes.Repeat(frame, n)...), 0x3B)
}

// manyFields is a file of pages with a line of text and n form fields in all.
func manyFields(n, pages int) []byte {
	var fields, kids, b strings.Builder
	object := 6
	for p := range pages {
		page := object
		object++
		fmt.Fprintf(&kids, "%d 0 R ", page)
		var on strings.Builder
		for i := range n / pages {
			fmt.Fprintf(&on, "%d 0 R ", object)
			fmt.Fprintf(&b, "%d 0 obj\n<< /Type /Annot /Subtype /Widget /FT /Tx /T (f%d.%d) /V (v%d) /Rect [10 10 100 20] >>\nendobj\n", object, p, i, i)
			object++
		}
		fields.WriteString(on.String())
		fmt.Fprintf(&b, "%d 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> /Annots [%s] >>\nendobj\n", page, on.String())
	}
	return []byte("%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [" + fields.String() + "] >> >>\nendobj\n" +
		fmt.Sprintf("2 0 obj\n<< /Type /Pages /Kids [%s] /Count %d >>\nendobj\n", kids.String(), pages) +
		"4 0 obj\n<< /Length 58 >>\nstream\nBT /F 12 Tf 72 700 Td (The gate opens at nine.) Tj ET      \nendstream\nendobj\n" +
		"5 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>\nendobj\n" +
		b.String() + fmt.Sprintf("trailer\n<< /Size %d /Root 1 0 R >>\n%%%%EOF\n", object))
}

// TestALargeNumberOfPartsEnds: many of what a file has a few of, entities that stand for more and more, and parts that name
// each other end with the text, or with a reason that people are told. The next file is read.
func TestALargeNumberOfPartsEnds(t *testing.T) {
	entities := `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">`
	for i := range 9 {
		entities += fmt.Sprintf("<!ENTITY %c %q>", 'b'+i, strings.Repeat(fmt.Sprintf("&%c;", 'a'+i), 10))
	}
	loop := `<Relationships><Relationship Id="a" Target="document.xml"/><Relationship Id="b" Target="../word/document.xml"/><Relationship Id="c" Target="_rels/document.xml.rels"/></Relationships>`
	book := sheets(1)
	book["xl/worksheets/sheet1.xml"] = `<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>999999</v></c></row></sheetData></worksheet>`
	tests := []struct {
		name string
		data []byte
		want error
	}{
		{"strings.xlsx", bombed(t, book, "xl/sharedStrings.xml", "<sst>", "<si><t>The gate opens at nine.</t></si>", int(maxUnpacked/2)), nil},
		{"entities.pptx", archive(t, map[string]string{
			presentationPart:                  `<p:presentation><p:sldIdLst><p:sldId id="256" r:id="x"/></p:sldIdLst></p:presentation>`,
			"ppt/_rels/presentation.xml.rels": `<Relationships><Relationship Id="x" Target="slides/slide1.xml"/></Relationships>`,
			"ppt/slides/slide1.xml":           entities + "]><p:sld><a:p><a:r><a:t>&j;</a:t></a:r></a:p></p:sld>",
		}), ErrDamaged},
		{"loop.docx", archive(t, map[string]string{
			documentPart:                   `<w:document><w:body><w:p><w:r><w:t>The gate opens at nine.</w:t></w:r></w:p></w:body></w:document>`,
			"word/_rels/document.xml.rels": loop, "_rels/.rels": loop,
		}), nil},
		{"parts.eml", []byte("Subject: Hi\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nThe gate opens at nine.\n" + strings.Repeat("--b\nContent-Disposition: attachment; filename=a.pdf\n\n\n", 50_000)), nil},
		{"nested.eml", []byte("Subject: Hi\nContent-Type: multipart/mixed; boundary=b\n\nThe gate opens at nine.\n--b\n\nThe gate opens at nine.\n" + strings.Repeat("--b\nContent-Type: multipart/mixed; boundary=b\n\n", 50_000)), nil},
		{"nested.html", []byte(strings.Repeat("<div>", maxHTML/5+1)), ErrTooLarge},
		{"frames.gif", manyFrames(t, 20_000), nil},
		{"fields.pdf", manyFields(20_000, 1), nil},
		{"spread.pdf", manyFields(10_000, 50), nil},
	}
	d := newDesk(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc, err := d.Add(t.Context(), d.upload(tt.name, tt.data), nil)
			is(t, err, tt.want)
			if doc == nil || tt.want != nil && doc.Reason != tt.want.Error() || tt.want == nil && doc.State != memory.DocumentReady {
				t.Errorf("%+v", doc)
			}
		})
	}
	d.add("next.txt", []byte("The gate opens at nine."))
}

// TestOmittedFormFieldsAreReported as the rest of a long page is.
func TestOmittedFormFieldsAreReported(t *testing.T) {
	d := newDesk(t)
	const told = "of page 1 only the beginning was read"
	if doc := d.add("many.pdf", manyFields(6_000, 1)); !strings.Contains(doc.Reason, told) {
		t.Errorf("told: %q", doc.Reason)
	}
	if doc := d.add("spread.pdf", manyFields(6_000, 3)); !strings.Contains(doc.Reason, "of pages 1–3 only the beginning was read") {
		t.Errorf("told: %q", doc.Reason)
	}
	if doc := d.add("some.pdf", manyFields(20, 2)); doc.Reason != "" {
		t.Errorf("told: %q", doc.Reason)
	}
}
