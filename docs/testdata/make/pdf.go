package main

import (
	"bytes"
	"fmt"
	"strings"
)

// file is a PDF under construction: the bodies of its numbered objects, uncompressed, so that the same
// program writes the same bytes with every Go release.
type file struct {
	objects []string
	pages   []*page
	catalog string                                 // more entries of the catalog,
	trailer string                                 // and of the trailer
	seal    func(object int, stream string) string // encrypts streams; nil = plain
}

const (
	catalogObject = 1
	pagesObject   = 2
	a4Width       = 595.0
	a4Height      = 842.0
)

var fonts = map[string]string{
	"R": "Helvetica", "B": "Helvetica-Bold", "I": "Helvetica-Oblique",
}

func newFile() *file {
	f := &file{objects: make([]string, 2)} // catalog and pages are filled in by bytes
	for _, name := range []string{"R", "B", "I"} {
		f.add(fmt.Sprintf("<< /Type /Font /Subtype /Type1 /BaseFont /%s /Encoding /WinAnsiEncoding >>", fonts[name]))
	}
	return f
}

const fontResources = "/Font << /R 3 0 R /B 4 0 R /I 5 0 R >>"

// add appends an object and returns its number.
func (f *file) add(body string) int {
	f.objects = append(f.objects, body)
	return len(f.objects)
}

func (f *file) stream(entries, data string) int {
	n := len(f.objects) + 1
	if f.seal != nil {
		data = f.seal(n, data)
	}
	return f.add(fmt.Sprintf("<< %s /Length %d >>\nstream\n%s\nendstream", entries, len(data), data))
}

// page is one page's content, drawn with the origin in the lower left corner.
type page struct {
	content   bytes.Buffer
	box       string // MediaBox and whatever else belongs to the page's dictionary
	resources string // besides the fonts
}

func (f *file) page() *page {
	p := &page{box: fmt.Sprintf("/MediaBox [0 0 %g %g]", a4Width, a4Height)}
	f.pages = append(f.pages, p)
	return p
}

func (f *file) bytes() []byte {
	var kids []string
	for _, p := range f.pages {
		if p == nil { // listed, but not there
			kids = append(kids, "9999 0 R")
			continue
		}
		content := f.stream("", p.content.String())
		kids = append(kids, fmt.Sprintf("%d 0 R", f.add(fmt.Sprintf(
			"<< /Type /Page /Parent %d 0 R %s /Resources << %s %s >> /Contents %d 0 R >>",
			pagesObject, p.box, fontResources, p.resources, content))))
	}
	f.objects[catalogObject-1] = fmt.Sprintf("<< /Type /Catalog /Pages %d 0 R%s >>", pagesObject, f.catalog)
	f.objects[pagesObject-1] = fmt.Sprintf("<< /Type /Pages /Count %d /Kids [%s] >>", len(kids), strings.Join(kids, " "))

	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
	offsets := make([]int, len(f.objects))
	for i, body := range f.objects {
		offsets[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, body)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, at := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root %d 0 R %s >>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, catalogObject, f.trailer, start)
	return b.Bytes()
}
