package docs

import (
	"archive/zip"
	"bytes"
	"io"
	"testing"
)

const odtHead = `<office:document-content><office:body><office:text><text:tracked-changes><text:changed-region><text:deletion><text:p>The gate is shut.</text:p></text:deletion></text:changed-region></text:tracked-changes>`

func odt(t *testing.T, body, manifest string, more ...[2]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, member := range append([][2]string{{"mimetype", "application/vnd.oasis.opendocument.text"}, {"content.xml", odtHead + body + `</office:text></office:body></office:document-content>`}, {"META-INF/manifest.xml", manifest}}, more...) {
		f, err := w.CreateHeader(&zip.FileHeader{Name: member[0], Method: zip.Store})
		if err == nil {
			_, err = io.WriteString(f, member[1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestAnOpenDocumentTextIsRead as a Word document is: headings, tables, notes and comments, and nothing that is hidden or was deleted.
func TestAnOpenDocumentTextIsRead(t *testing.T) {
	d := newDesk(t)
	doc := d.add("gate.odt", odt(t, `<text:h text:outline-level="1">Hours</text:h><text:p>The <text:span>gate</text:span> opens<text:s/>at nine<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Ten in May.</text:p></text:note-body></text:note>,
		not<office:annotation><dc:creator>Bob</dc:creator><dc:date>2026-05-03</dc:date><text:p>Really?</text:p></office:annotation> before.</text:p>`+
		`<table:table><table:table-row><table:table-cell><text:p>Roaster</text:p></table:table-cell><table:table-cell><text:p>38,700</text:p></table:table-cell></table:table-row></table:table>`, ""))
	const want = "Hours\nThe gate opens at nine,   not before.\nRoaster | 38,700 |\n1 Ten in May.\nComment by Bob: Really?"
	if text, err := d.Page(t.Context(), doc.ID, 1); err != nil || text != want {
		t.Errorf("%q, %v", text, err)
	}
	c, err := d.Verify(t.Context(), Citation{DocumentID: doc.ID, Page: 1, Quote: "The gate opens at nine, not before."})
	if err != nil || c.Place != "“Hours”" {
		t.Errorf("%+v, %v", c, err)
	}
	hidden := d.add("hidden.odt", odt(t, `<style:style style:name="T1"><style:text-properties text:display="none"/></style:style><text:p>The gate<draw:frame><draw:image/><svg:desc>A photo</svg:desc></draw:frame> opens`+
		`<text:span text:style-name="T1"> at ten</text:span> at nine<text:hidden-text text:is-hidden="true">or not</text:hidden-text>, <text:span text:style-name="T2">says <text:creator>Bob</text:creator></text:span>.</text:p>`+
		`<text:section text:display="none"><text:p>Never.<text:note><text:note-body><text:p>At all.</text:p></text:note-body></text:note></text:p></text:section>`, ""))
	if text, err := d.Page(t.Context(), hidden.ID, 1); err != nil || text != "The gate opens at nine, says Bob." {
		t.Errorf("%q, %v", text, err)
	}
	for name, want := range map[string]error{"secret.odt": ErrEncrypted, "cut.odt": ErrDamaged} {
		data := map[string][]byte{"secret.odt": odt(t, "\x00", `<manifest:encryption-data/>`), "cut.odt": odt(t, "<text:p>", "")}[name]
		_, err := d.Add(t.Context(), d.upload(name, data), nil)
		is(t, err, want)
	}
}
