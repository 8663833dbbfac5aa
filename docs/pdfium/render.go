package pdfium

import (
	"errors"
	"image"
	"math"
	"slices"

	"github.com/tetratelabs/wazero/api"
)

// Rect is an area of a page in PDF points (1/72 inch), measured from the page's lower left corner
// before rotation.
type Rect struct{ Left, Bottom, Right, Top float64 }

func (r Rect) meets(o Rect) bool {
	return r.Left < o.Right && o.Left < r.Right && r.Bottom < o.Top && o.Bottom < r.Top
}

const (
	maxPictureArea = 8_000_000 // pixels
	maxPictureSide = 16_384    // pixels
	defaultDPI     = 150
)

// Flags of FPDF_RenderPageBitmap, and formats of bitmaps.
const (
	renderAnnotations = 0x01
	renderGrey        = 0x08
	renderRGB         = 0x10 // not BGR
	bitmapColour      = 2    // FPDFBitmap_BGR: on a grey bitmap this engine does not draw images of the same size
	bitmapPadded      = 3    // FPDFBitmap_BGRx
)

var errPicture = errors.New("the page cannot be drawn")

// draw renders the page on white and multiplies the rectangles with yellow. Pictures larger than
// the limits are made at a lower resolution: a page may claim to be a million points wide.
func (p *openPage) draw(dpi int, highlights []Rect) (*image.RGBA, error) {
	w, h, err := p.pictureSize(dpi, maxPictureArea)
	if err != nil {
		return nil, err
	}
	pixels, stride, err := p.render(w, h, bitmapPadded, renderRGB)
	if err != nil {
		return nil, err
	}
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		row := img.Pix[y*img.Stride:][:4*w]
		copy(row, pixels[y*stride:])
		for x := 3; x < len(row); x += 4 {
			row[x] = 0xff
		}
	}
	areas := make([]image.Rectangle, len(highlights))
	for i, r := range highlights {
		areas[i] = p.toPixels(r, uint64(w), uint64(h))
	}
	multiplyYellow(img, areas)
	return img, p.in.failure()
}

// render draws the page on white into memory of the engine, w × h pixels in lines of stride bytes, which are there until the
// document is closed.
func (p *openPage) render(w, h int, format, flags uint64) (pixels []byte, stride int, err error) {
	in, width, height := p.in, uint64(w), uint64(h)
	bitmap := in.Call("FPDFBitmap_CreateEx", width, height, format, 0, 0)
	if err := in.failure(); err != nil {
		return nil, 0, err
	}
	if bitmap == 0 {
		return nil, 0, ErrMemory
	}
	in.Call("FPDFBitmap_FillRect", bitmap, 0, 0, width, height, 0xffffffff)
	in.Call("FPDF_RenderPageBitmap", bitmap, p.handle, 0, 0, width, height, 0, renderAnnotations|flags)
	stride = int(in.Call("FPDFBitmap_GetStride", bitmap))
	pixels = in.View(uint32(in.Call("FPDFBitmap_GetBuffer", bitmap)), uint32(stride*h))
	return pixels, stride, in.failure()
}

// pictureSize is the size in pixels of the page at dpi pixels an inch, within the limits.
func (p *openPage) pictureSize(dpi int, area float64) (w, h int, err error) {
	return pictureSize(p.length("FPDF_GetPageWidthF"), p.length("FPDF_GetPageHeightF"), dpi, area)
}

// length is a side of the page as it is shown, in points.
func (p *openPage) length(function string) float64 {
	return p.float(function, p.handle)
}

func (p *openPage) float(function string, args ...uint64) float64 {
	return float64(api.DecodeF32(p.in.Call(function, args...)))
}

// pictureSize is the size in pixels of a page given in points, within the limits.
func pictureSize(width, height float64, dpi int, area float64) (w, h int, err error) {
	if !(width > 0 && height > 0) || math.IsInf(width*height, 0) {
		return 0, 0, errPicture
	}
	if dpi <= 0 {
		dpi = defaultDPI
	}
	scale := float64(dpi) / 72
	scale = min(scale, math.Sqrt(area/(width*height)), maxPictureSide/max(width, height))
	return max(1, int(width*scale)), max(1, int(height*scale)), nil
}

// toPixels maps a rectangle of the page, by the page's box and rotation, to the picture.
func (p *openPage) toPixels(r Rect, width, height uint64) image.Rectangle {
	corner := func(x, y float64) image.Point {
		p.in.Call("FPDF_PageToDevice", p.handle, 0, 0, width, height, 0,
			api.EncodeF64(x), api.EncodeF64(y), p.in.out(0, 4), p.in.out(1, 4))
		return image.Pt(int(p.in.int32At(0)), int(p.in.int32At(1)))
	}
	a, b := corner(r.Left, r.Bottom), corner(r.Right, r.Top)
	return image.Rect(a.X, a.Y, b.X, b.Y).Inset(-1)
}

// multiplyYellow tints areas as a marker pen does: white becomes yellow, black stays. Where
// areas overlap they are tinted once.
func multiplyYellow(img *image.RGBA, areas []image.Rectangle) {
	for i, area := range areas {
		area = area.Intersect(img.Rect)
		for y := area.Min.Y; y < area.Max.Y; y++ {
			for x := area.Min.X; x < area.Max.X; x++ {
				done := func(earlier image.Rectangle) bool { return image.Pt(x, y).In(earlier) }
				if slices.ContainsFunc(areas[:i], done) {
					continue
				}
				blue := &img.Pix[img.PixOffset(x, y)+2]
				*blue = uint8(int(*blue) * 2 / 5)
			}
		}
	}
}
