package docs

import (
	"archive/zip"
	"bytes"
	"io"
	"testing"
)

const odtHead = `<office:document-content><office:body><office:text><text:tracked-changes><text:changed-region><text:deletion><text:p>The gate is shut.</text:p></text:deletion></text:changed-region></text:tracked-changes>`

func odt(t *testing.T, body, manifest string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, member := range [][2]string{{"mimetype", "application/vnd.oasis.opendocument.text"}, {"content.xml", odtHead + body + `</office:text></office:body></office:document-content>`}, {"META-INF/manifest.xml", manifest}} {
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

// TestAnOpenDocumentTextIsRead as a Word document is: headings, tables, notes and comments, and nothing that was deleted.
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
	for name, want := range map[string]error{"secret.odt": ErrEncrypted, "cut.odt": ErrDamaged} {
		data := map[string][]byte{"secret.odt": odt(t, "\x00", `<manifest:encryption-data/>`), "cut.odt": odt(t, "<text:p>", "")}[name]
		_, err := d.Add(t.Context(), d.upload(name, data), nil)
		is(t, err, want)
	}
}
