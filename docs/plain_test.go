package docs

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"threadkeeper/docs/pdfium"
	"threadkeeper/docs/testdata/photo"
	"threadkeeper/memory"
)

// TestNothingIsParsedInThisProcess: a file of any kind goes to a worker.
func TestNothingIsParsedInThisProcess(t *testing.T) {
	here := pdfium.ReadPlain
	defer func() { pdfium.ReadPlain = here }()
	pdfium.ReadPlain = func([]byte, string, string, pdfium.Limits) (pdfium.Plain, string) {
		t.Error("a file was parsed in this process")
		return pdfium.Plain{}, ""
	}
	d := newDesk(t)
	for name, data := range map[string][]byte{
		"a.txt": []byte("The gate opens at nine."), "a.csv": []byte("gate,opens\nnorth,nine\n"), "a.json": []byte(`{"gate": "nine"}`), "a.md": []byte("# Gate\n\nIt opens at nine."),
		"a.docx": word(t, `<d><body><p><r><t>The gate opens at nine.</t></r></p></body></d>`), "a.png": photo.PNG(30, 20, 0),
	} {
		d.add(name, data)
	}
	for name, want := range map[string]error{"bad.docx": ErrDamaged, "bad.png": ErrDamaged, "no.txt": ErrEmpty, "no.pdf": ErrNotPDF} {
		data := map[string][]byte{"bad.docx": []byte("PK\x03\x04 and no more"), "bad.png": []byte("\x89PNG\r\n\x1a\n"), "no.txt": []byte(" "), "no.pdf": []byte("no")}[name]
		doc, err := d.Add(t.Context(), d.upload(name, data), nil)
		is(t, err, want)
		if doc == nil || doc.State != memory.DocumentFailed || doc.Reason != want.Error() {
			t.Errorf("%s: %+v", name, doc)
		}
	}
}

// TestAnOversizedFileIsRefused: what needs more memory or time than a file may have ends its worker, and the
// next file is read.
func TestAnOversizedFileIsRefused(t *testing.T) {
	for _, c := range []struct {
		name string
		size int // of a row of so many cells
		o    pdfium.Options
		want error
	}{
		{"memory", 8 << 20, pdfium.Options{PlainMemoryMB: 64, FileTimeout: 10 * time.Minute}, ErrTooLarge},
		{"time", 8 << 20, pdfium.Options{FileTimeout: time.Millisecond}, ErrTimeout},
		{"bytes", 16 << 20, pdfium.Options{PlainMemoryMB: 16, FileTimeout: 10 * time.Minute}, ErrTooLarge},
	} {
		t.Run(c.name, func(t *testing.T) {
			own := pdfium.New(c.o)
			defer own.Close()
			d := newDesk(t)
			d.Engine = own
			doc, err := d.Add(t.Context(), d.upload("wide.csv", bytes.Repeat([]byte(","), c.size)), nil)
			is(t, err, c.want)
			if doc == nil || doc.State != memory.DocumentFailed || doc.Reason != c.want.Error() {
				t.Errorf("%+v", doc)
			}
			if c.want == ErrTimeout {
				return // as short a time is too short for any file
			}
			d.add("next.txt", []byte("The gate opens at nine."))
		})
	}
}

// TestLongTextIsReadFromItsBeginning: what is beyond the limit costs nothing more, and it is said that there is more.
func TestLongTextIsReadFromItsBeginning(t *testing.T) {
	for _, name := range []string{"long.txt", "long.csv"} {
		d := newDesk(t)
		d.Limits.Chars = 10_000
		doc := d.add(name, []byte(strings.Repeat("gate\n", 100_000)))
		if !strings.HasPrefix(doc.Reason, ErrTooLong.Error()) {
			t.Errorf("%s: %q", name, doc.Reason)
		}
	}
}
