package pdfium

import (
	"fmt"
	"strings"
	"testing"
)

const filledText = `Application for a berth
Name of the boat
Owner
Insured
Quay

Name of the boat: Puffin
Comment by Bob: The fee was paid in May.
Owner: Ada Quill
☑ Insured
Quay: South
APPROVED by the harbour master`

// TestFilledFieldsAndCommentsAreText: what people put on a page, and nothing that is not seen.
func TestFilledFieldsAndCommentsAreText(t *testing.T) {
	e := shared
	if p := mustPages(t, e, "filled.pdf")[0]; p.Text != filledText || p.Failed != "" || p.Scanned {
		t.Errorf("%+v", p)
	}
}

// TestANoteIsMarked where it stands on the page.
func TestANoteIsMarked(t *testing.T) {
	e := shared
	for _, quote := range []string{"Owner: Ada Quill", "The fee was paid in May", "APPROVED by the harbour master"} {
		if _, found, err := e.Picture(t.Context(), read(t, "filled.pdf"), 1, quote, 72); err != nil || !found {
			t.Errorf("%s: %v, %v", quote, found, err)
		}
	}
	if _, found, err := e.Picture(t.Context(), read(t, "filled.pdf"), 1, "nobody sees this field", 72); err != nil || found {
		t.Errorf("a hidden field is marked: %v", err)
	}
}

// TestAttachedFilesAreNamed: those of the document and those that are pinned to a page.
func TestAttachedFilesAreNamed(t *testing.T) {
	file := func(name string) string {
		return "<< /Type /Filespec /F (" + name + ") /UF (" + name + ") /EF << /F 6 0 R >> >>"
	}
	data := "%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [(a) " + file("factur-x.xml") + "] >> >> >>\nendobj\n" +
		"2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n" +
		"3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> /Annots [<< /Type /Annot /Subtype /FileAttachment /Rect [10 10 20 20] /FS " + file("costs.xlsx") + " >>] >>\nendobj\n" +
		"4 0 obj\n<< /Length 58 >>\nstream\nBT /F 12 Tf 72 700 Td (The gate opens at nine.) Tj ET      \nendstream\nendobj\n" +
		"5 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>\nendobj\n6 0 obj\n<< /Type /EmbeddedFile /Length 3 >>\nstream\nx,y\nendstream\nendobj\n" +
		"trailer\n<< /Size 7 /Root 1 0 R >>\n%%EOF\n"
	e := shared
	all, _, err := pages(t, e, []byte(data), Limits{})
	if err != nil || len(all) != 1 || all[0].Text != "The gate opens at nine.\n\nAttachment: costs.xlsx\nAttachment: factur-x.xml" {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestNotesAreBounded: a page with a million comments, and a long one.
func TestNotesAreBounded(t *testing.T) {
	const comments = 50_000
	comment := func(length int) string {
		return "<< /Type /Annot /Subtype /Text /F 4 /Contents (" + strings.Repeat("y", length) + ") /Rect [10 10 20 20] >>"
	}
	var b strings.Builder
	var at []int
	object := func(body string) {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", len(at), body)
	}
	b.WriteString("%PDF-1.4\n")
	object("<< /Type /Catalog /Pages 2 0 R >>")
	object("<< /Type /Pages /Count 1 /Kids [3 0 R] >>")
	object("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Annots [5 0 R " + strings.Repeat("4 0 R ", comments) + "] >>")
	object(comment(100))
	object(comment(5 * longestNote))
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, n := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", n)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, start)
	e := shared
	all, _, err := pages(t, e, []byte(b.String()), Limits{CharsPerPage: 100_000})
	if err != nil || len(all) != 1 || len(all[0].Text) > 100_000 || strings.Contains(all[0].Text, strings.Repeat("y", 101)) || !all[0].Truncated {
		t.Errorf("%d pages, %v", len(all), err)
	}
}
