package docs

import (
	"bytes"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"math"

	"golang.org/x/image/draw"
	"golang.org/x/image/webp"
)

// Limits on decoding a picture, and its size afterwards. A model sees no more than pictureSide
// and pictureArea: Anthropic scales larger pictures down itself, to 1,568 pixels and about 1.15 megapixels
// (docs: "Vision", "Evaluate image size").
const (
	pictureBytes  = 20 << 20
	picturePixels = 50_000_000
	pictureSide   = 1568
	pictureArea   = 1_150_000
)

// pictureFormat is how a kind of picture is decoded. Of a moving one that is the first frame.
type pictureFormat struct {
	size   func(data []byte) (image.Config, error)
	decode func(data []byte) (image.Image, error)
}

var pictureFormats = map[kind]pictureFormat{
	kindPNG:  {from(png.DecodeConfig), from(png.Decode)},
	kindJPEG: {from(jpeg.DecodeConfig), from(jpeg.Decode)},
	kindGIF:  {from(gif.DecodeConfig), from(gif.Decode)},
	kindWebP: {from(webp.DecodeConfig), from(webp.Decode)},
}

func from[T any](read func(io.Reader) (T, error)) func(data []byte) (T, error) {
	return func(data []byte) (T, error) { return read(bytes.NewReader(data)) }
}

// decodePicture returns a picture upright, scaled down to the size a model sees. Its size is
// looked at before anything is unpacked.
func decodePicture(k kind, data []byte) (small *image.RGBA, err error) {
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
	format := pictureFormats[k]
	size, err := format.size(data)
	if err != nil || size.Width < 1 || size.Height < 1 {
		return nil, fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	if size.Width > picturePixels/size.Height {
		return nil, ErrTooLarge
	}
	whole, err := format.decode(data)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	return turn(shrink(whole), turned), nil
}

// shrink is a picture at the size that a model is sent. It is halved as long as it is more than twice too
// large: at exactly half the size the plain filter is the mean of four pixels, and needs no memory beside.
func shrink(src image.Image) *image.RGBA {
	wide, high := fit(src.Bounds().Dx(), src.Bounds().Dy())
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
	if src.Bounds().Size() == dst.Rect.Size() {
		draw.Draw(dst, dst.Rect, src, src.Bounds().Min, draw.Src)
	} else {
		draw.CatmullRom.Scale(dst, dst.Rect, src, src.Bounds(), draw.Src, nil)
	}
	return dst
}

// fit is the size at which a picture of wide × high pixels is sent.
func fit(wide, high int) (int, int) {
	w, h := float64(wide), float64(high)
	scale := min(1, pictureSide/max(w, h), math.Sqrt(pictureArea/(w*h)))
	return max(1, int(w*scale)), max(1, int(h*scale))
}
