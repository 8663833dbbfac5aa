package docs

import (
	"bytes"
	"fmt"
	"image"
	_ "image/gif" // the others are imported by picture.go
	"math"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp"
)

// Limits on decoding a picture, and its size afterwards. A model sees no more than pictureSide
// and pictureArea: Anthropic scales larger pictures down itself, to 1,568 pixels and about 1.15 megapixels
// (docs: "Vision", "Evaluate image size").
const (
	pictureBytes  = 20 << 20
	picturePixels = 50_000_000
	pictureSide   = 1568
	pictureArea   = 1_150_000
	readSide      = 16_000    // of one whose text is read,
	readArea      = 8_000_000 // and its area: that of a page at 300 dpi
	sharpPixels   = 2_500_000 // new columns by old rows, for which the sharp filter takes 80 MB; beyond it the plain one does
)

// decodePicture returns a picture upright, scaled down to the size a model sees, or, if large, to that at which it is read. Its size
// is looked at before anything is unpacked. Of a moving picture it is the first frame.
func decodePicture(k kind, data []byte, large bool) (small *image.RGBA, err error) {
	defer func() {
		if p := recover(); p != nil {
			small, err = nil, fmt.Errorf("%w: %v", ErrDamaged, p)
		}
	}()
	if len(data) > pictureBytes {
		return nil, ErrTooLarge
	}
	turned := orientation(k, data)
	if k == kindWebP {
		data = firstFrame(data)
	}
	size, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil || size.Width < 1 || size.Height < 1 {
		return nil, fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	if size.Width > picturePixels/size.Height {
		return nil, ErrTooLarge
	}
	whole, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	if large {
		return turn(shrinkTo(whole, readSide, readArea), turned), nil
	}
	return turn(shrink(whole), turned), nil
}

func shrink(src image.Image) *image.RGBA { return shrinkTo(src, pictureSide, pictureArea) }

// shrinkTo is a picture with sides and an area of at most so many pixels. It is halved as long as it is more than twice too
// large: at exactly half the size the plain filter is the mean of four pixels, and needs no memory beside.
func shrinkTo(src image.Image, side, area float64) *image.RGBA {
	w, h := float64(src.Bounds().Dx()), float64(src.Bounds().Dy())
	scale := min(1, side/max(w, h), math.Sqrt(area/(w*h)))
	wide, high := max(1, int(w*scale)), max(1, int(h*scale))
	for {
		b := src.Bounds()
		half := image.Pt(b.Dx(), b.Dy())
		if half.X >= 2*wide {
			half.X /= 2
		}
		if half.Y >= 2*high {
			half.Y /= 2
		}
		if half == b.Size() {
			break
		}
		dst := image.NewRGBA(image.Rectangle{Max: half})
		draw.ApproxBiLinear.Scale(dst, dst.Rect, src, b, draw.Src, nil)
		src = dst
	}
	dst := image.NewRGBA(image.Rect(0, 0, wide, high))
	switch {
	case src.Bounds().Size() == dst.Rect.Size():
		draw.Draw(dst, dst.Rect, src, src.Bounds().Min, draw.Src)
	case wide*src.Bounds().Dy() > sharpPixels:
		draw.ApproxBiLinear.Scale(dst, dst.Rect, src, src.Bounds(), draw.Src, nil)
	default:
		draw.CatmullRom.Scale(dst, dst.Rect, src, src.Bounds(), draw.Src, nil)
	}
	return dst
}
