package pdfium

import (
	"context"
	"errors"
	"fmt"
	"unicode"

	"threadkeeper/docs/sandbox"
)

type document struct {
	in     *instance
	handle uint64
	total  int // pages
	data   []byte

	fields     *bool  // there are too many form fields; nil until that was asked
	formInfo   uint32 // set once the form was asked for
	formHandle uint64

	name      uint32            // see nameBuffer
	bookmarks map[int][]Heading // by page; nil until they were read
}

// Results of FPDF_GetLastError that we distinguish.
const (
	pdfErrPassword = 4
	pdfErrSecurity = 5 // an encryption that the engine does not know
)

// open reads a file. The empty password is tried, which opens files that are only protected
// against changes.
func open(ctx context.Context, box *sandbox.Module, data []byte) (*document, error) {
	in, err := newInstance(ctx, box)
	if err != nil {
		return nil, err
	}
	d := &document{in: in, data: data}
	if err := d.load(data); err != nil {
		in.Close()
		return nil, err
	}
	return d, nil
}

func (d *document) load(data []byte) error {
	in := d.in
	p := in.Alloc(uint32(len(data)) + 1) // the last byte is the empty password
	copy(in.View(p, uint32(len(data))), data)
	if end := in.View(p+uint32(len(data)), 1); end != nil {
		end[0] = 0
	}
	d.handle = in.Call("FPDF_LoadMemDocument", uint64(p), uint64(len(data)), uint64(p)+uint64(len(data)))
	reason := uint64(0)
	if d.handle == 0 {
		reason = in.Call("FPDF_GetLastError")
	} else {
		d.total = int(int32(in.Call("FPDF_GetPageCount", d.handle)))
	}
	switch err := in.failure(); {
	case err != nil:
		return err
	case reason == pdfErrPassword || reason == pdfErrSecurity:
		return ErrEncrypted
	case d.handle == 0 && in.Full():
		return ErrMemory
	case d.handle == 0:
		return ErrDamaged
	case d.total <= 0:
		return fmt.Errorf("%w: it has no pages", ErrDamaged)
	}
	return nil
}

func (d *document) close() { d.in.Close() }

var errPageLoad = errors.New("the page is damaged")

type openPage struct {
	in           *instance
	doc          *document
	handle, text uint64
	box          Rect // the visible part, in the page's own unrotated coordinates
}

// page loads a page by its 1-based number.
func (d *document) page(number int) (*openPage, error) {
	in := d.in
	p := &openPage{in: in, doc: d, handle: in.Call("FPDF_LoadPage", d.handle, uint64(number-1))}
	if p.handle != 0 {
		p.text = in.Call("FPDFText_LoadPage", p.handle)
		// FS_RECTF: left, top, right, bottom.
		if in.Call("FPDF_GetPageBoundingBox", p.handle, in.out(0, 4)) != 0 {
			p.box = Rect{Left: in.float32At(0), Top: in.float32At(1), Right: in.float32At(2), Bottom: in.float32At(3)}
		}
	}
	if err := in.failure(); err != nil {
		return nil, err
	}
	if p.handle == 0 || p.text == 0 {
		p.close()
		return nil, errPageLoad
	}
	return p, nil
}

func (p *openPage) close() {
	if p.text != 0 {
		p.in.Call("FPDFText_ClosePage", p.text)
	}
	if p.handle != 0 {
		p.in.Call("FPDF_ClosePage", p.handle)
	}
}

// read returns page number with at most maxChars characters of text. The error is the instance's
// failure; a page that is bad by itself says so in Failed.
func (d *document) read(number, maxChars int) (Page, error) {
	result := Page{Number: number}
	p, err := d.page(number)
	if errors.Is(err, errPageLoad) {
		result.Failed = err.Error()
		return result, nil
	}
	if err != nil {
		return result, err
	}
	result.Text, result.Headings, result.Truncated = p.visibleText(maxChars)
	result.Headings = append(d.bookmarksOn(number), result.Headings...)
	if n := letters(result.Text); !result.Truncated && (n < scanLetters || n < stampLetters && p.inMargins()) {
		result.Scanned = p.imageCover() >= scanCover
	}
	if !result.Truncated {
		notes, more := p.notes()
		if number == 1 {
			notes = append(notes, d.attachments()...)
		}
		result.Text, result.Truncated = withNotes(result.Text, notes, maxChars)
		result.Truncated = result.Truncated || more
	}
	p.close()
	return result, d.in.failure()
}

// letters counts the characters that leave ink.
func letters(text string) int {
	n := 0
	for _, r := range text {
		if !unicode.IsSpace(r) {
			n++
		}
	}
	return n
}
