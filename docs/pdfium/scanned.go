package pdfium

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"time"

	"golang.org/x/image/draw"

	"threadkeeper/docs/ocr"
	"threadkeeper/docs/sandbox"
)

const (
	scanDPI      = 300              // what a page is drawn at to be read, unless its picture is coarser
	readableDPI  = 120              // a coarser one is drawn at scanDPI: at 100 that keeps .93 of the words instead of .85, at 120 .93 instead of .94 (12 pages of six filings)
	scanMemoryMB = 128              // MiB of memory that a page may use while it is read
	scanTimeout  = 90 * time.Second // of one page; the densest seen takes 15 s
)

// CanReadScans reports why scans cannot be read, nil if they can: ocr.ErrNoEngine, or an error that wraps
// ocr.ErrLanguage.
func (e *Engine) CanReadScans() error { return e.o.Languages.Check() }

// ReadScan reads a page (1-based) of a PDF from its picture. The errors are those of Picture, and of CanReadScans.
func (e *Engine) ReadScan(ctx context.Context, data []byte, page int) (ocr.Text, error) {
	p, err := e.grey(ctx, data, page)
	if err != nil {
		return ocr.Text{}, err
	}
	return e.recognise(ctx, p)
}

// ReadPicture reads the text of a picture that is not a page. The errors are those of ReadScan.
func (e *Engine) ReadPicture(ctx context.Context, img image.Image) (ocr.Text, error) {
	return e.recognise(ctx, greyOf(img))
}

// smallSide is the length in pixels from which on a picture is large enough for letters to be told apart.
const smallSide = 2000

const sharpPixels = 2_500_000 // new columns by old rows, for which the sharp filter takes 80 MB; beyond it the plain one does

// greyOf makes a picture grey, on white, and a small one larger.
func greyOf(img image.Image) ocr.Picture {
	size := img.Bounds()
	scale := 1.0
	if longer := max(size.Dx(), size.Dy()); longer < smallSide {
		scale = min(3, smallSide/float64(max(1, longer)))
	}
	if area := float64(size.Dx()) * float64(size.Dy()) * scale * scale; area > ocr.MaxArea {
		scale *= math.Sqrt(ocr.MaxArea / area)
	}
	grey := image.NewGray(image.Rect(0, 0, max(1, int(float64(size.Dx())*scale)), max(1, int(float64(size.Dy())*scale))))
	draw.Draw(grey, grey.Rect, image.White, image.Point{}, draw.Src)
	switch {
	case grey.Rect.Size() == size.Size():
		draw.Draw(grey, grey.Rect, img, size.Min, draw.Over)
	case grey.Rect.Dx()*size.Dy() > sharpPixels:
		draw.ApproxBiLinear.Scale(grey, grey.Rect, img, size, draw.Over, nil)
	default:
		draw.CatmullRom.Scale(grey, grey.Rect, img, size, draw.Over, nil)
	}
	return ocr.Picture{Width: grey.Rect.Dx(), Height: grey.Rect.Dy(), Pixels: grey.Pix}
}

func (e *Engine) grey(ctx context.Context, data []byte, page int) (p ocr.Picture, err error) {
	if page < 1 {
		return p, fmt.Errorf("pdfium: %w: page %d", ErrNoPage, page)
	}
	j, err := e.hire(ctx, data)
	if err == nil {
		err = j.once(data, request{Page: page, DPI: scanDPI, Grey: true}, func(w *worker) error {
			head, pixels, err := w.pixels(1)
			p = ocr.Picture{Width: head.Width, Height: head.Height, DPI: head.DPI, Pixels: pixels}
			return err
		})
	}
	if err != nil {
		return p, fmt.Errorf("pdfium: %w", err)
	}
	return p, nil
}

func (e *Engine) recognise(ctx context.Context, p ocr.Picture) (text ocr.Text, err error) {
	if err := e.CanReadScans(); err != nil {
		return text, err
	}
	j, err := e.take(ctx, roleScan, scanTimeout)
	if err == nil {
		err = j.once(p.Pixels, request{Wide: p.Width, High: p.Height, DPI: p.DPI}, func(w *worker) error { return w.expect(kindWords, &text) })
	}
	if err != nil {
		return ocr.Text{}, fmt.Errorf("read a scan: %w", err)
	}
	text.Text, _ = Cut(clean(text.Text), maxPageChars)
	return text, nil
}

func answerGrey(p *openPage, dpi int, out io.Writer) error {
	if own := p.imageDPI(dpi); own >= readableDPI {
		dpi = own
	}
	w, h, err := p.pictureSize(dpi, ocr.MaxArea)
	if err != nil {
		return err
	}
	pixels, stride, err := p.render(w, h, bitmapColour, renderGrey)
	if err != nil {
		return err
	}
	grey := make([]byte, 0, w*h)
	for y := range h {
		for x := range w {
			grey = append(grey, pixels[y*stride+3*x]) // all three are the same
		}
	}
	real := int(math.Round(float64(w) / p.length("FPDF_GetPageWidthF") * 72))
	if err := writeJSON(out, kindPicture, picture{Width: w, Height: h, DPI: real}); err != nil {
		return err
	}
	return writeFrame(out, kindPixels, grey)
}

func answerScan(ctx context.Context, r *ocr.Reader, pixels []byte, q request, out io.Writer) error {
	text, err := r.Read(ctx, ocr.Picture{Width: q.Wide, Height: q.High, DPI: q.DPI, Pixels: pixels})
	switch {
	case errors.Is(err, sandbox.ErrMemory):
		return ErrMemory
	case errors.Is(err, ocr.ErrPicture):
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	case err != nil:
		return err
	}
	return writeJSON(out, kindWords, text)
}
