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
	outline := `<text:outline-style><text:outline-level-style text:level="1" style:num-format="I" style:num-prefix="Part "/><text:outline-level-style text:level="2" style:num-format=""/></text:outline-style>`
	numbered := d.add("numbered.odt", odt(t, `<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/><text:list-level-style-number text:level="2" style:num-format="1" text:display-levels="2"/>`+
		`<text:list-level-style-number text:level="3" style:num-format="a" style:num-prefix="(" style:num-suffix=")" text:start-value="2"/></text:list-style><text:list-style style:name="L2"><text:list-level-style-bullet text:level="1"/></text:list-style>`+
		`<text:h text:outline-level="1">Lease</text:h><text:h text:outline-level="2">Plain</text:h><text:list text:style-name="L1"><text:list-header><text:p>Head</text:p></text:list-header><text:list-item><text:p>Term</text:p><text:list><text:list-item><text:p>A year.</text:p><text:p>From May.</text:p></text:list-item>`+
		`<text:list-item><text:p>Ends</text:p><text:list><text:list-item><text:p>in May,</text:p></text:list-item><text:list-item><text:p>or June.</text:p></text:list-item></text:list></text:list-item></text:list></text:list-item></text:list>`+
		`<text:list text:style-name="L2"><text:list-item><text:p>A point</text:p></text:list-item></text:list><text:list text:style-name="L1" text:continue-numbering="true"><text:list-item><text:p>Rent</text:p></text:list-item></text:list>`+
		`<text:list text:style-name="L1"><text:list-item><text:p>Anew</text:p></text:list-item><text:list-item text:start-value="7"><text:p>Seventh</text:p></text:list-item><text:list-item><text:p>Eighth</text:p></text:list-item></text:list>`+
		`<text:list text:style-name="L1"><text:list-item><text:p>Another</text:p></text:list-item></text:list><text:h text:outline-level="1">End</text:h><text:h text:outline-level="1" text:restart-numbering="true" text:start-value="9">Annex</text:h>`, "", [2]string{"styles.xml", outline}))
	const counts = "Part I Lease\nPlain\nHead\n1. Term\n1.1 A year.\nFrom May.\n1.2 Ends\n(b) in May,\n(c) or June.\nA point\n2. Rent\n1. Anew\n7. Seventh\n8. Eighth\n1. Another\nPart II End\nPart IX Annex"
	if text, err := d.Page(t.Context(), numbered.ID, 1); err != nil || text != counts {
		t.Errorf("%q, %v", text, err)
	}
	for name, want := range map[string]error{"secret.odt": ErrEncrypted, "cut.odt": ErrDamaged} {
		data := map[string][]byte{"secret.odt": odt(t, "\x00", `<manifest:encryption-data/>`), "cut.odt": odt(t, "<text:p>", "")}[name]
		_, err := d.Add(t.Context(), d.upload(name, data), nil)
		is(t, err, want)
	}
}
