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
	e, _ := newEngine(t, Options{Workers: 1})
	if p := mustPages(t, e, "filled.pdf")[0]; p.Text != filledText || p.Failed != "" || p.Scanned {
		t.Errorf("%+v", p)
	}
}

// TestANoteIsMarked where it stands on the page.
func TestANoteIsMarked(t *testing.T) {
	e, _ := newEngine(t, Options{Workers: 1})
	for _, quote := range []string{"Owner: Ada Quill", "The fee was paid in May", "APPROVED by the harbour master"} {
		if _, found, err := e.Picture(t.Context(), read(t, "filled.pdf"), 1, quote, 72); err != nil || !found {
			t.Errorf("%s: %v, %v", quote, found, err)
		}
	}
	if _, found, err := e.Picture(t.Context(), read(t, "filled.pdf"), 1, "nobody sees this field", 72); err != nil || found {
		t.Errorf("a hidden field is marked: %v", err)
	}
}

// TestNotesAreBounded: a page with a million comments, and a long one.
func TestNotesAreBounded(t *testing.T) {
	const comments = 50_000
	one := "<< /Type /Annot /Subtype /Text /F 4 /Contents (x" + strings.Repeat("y", longestNote) + ") /Rect [10 10 20 20] >>"
	var b strings.Builder
	var at []int
	object := func(body string) {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", len(at), body)
	}
	b.WriteString("%PDF-1.4\n")
	object("<< /Type /Catalog /Pages 2 0 R >>")
	object("<< /Type /Pages /Count 1 /Kids [3 0 R] >>")
	object("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Annots [" + strings.Repeat("4 0 R ", comments) + "] >>")
	object(one)
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, n := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", n)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, start)
	e, _ := newEngine(t, Options{Workers: 1})
	all, _, err := pages(t, e, []byte(b.String()), Limits{CharsPerPage: 100_000})
	if err != nil || len(all) != 1 || len(all[0].Text) > 100_000 || !all[0].Truncated {
		t.Errorf("%d pages, %v", len(all), err)
	}
}
