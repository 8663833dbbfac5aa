package docs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"strings"

	"threadkeeper/memory"
)

// Picture is a picture in the form sent to a model: at most 1,568 pixels long and about 1.15 megapixels large,
// and redrawn from its pixels, so that no location, camera or comment is left in it.
type Picture struct {
	Media         string // "image/png" or "image/jpeg"
	Data          []byte
	Width, Height int // in pixels
}

// SeemsPicture guesses from name and media type whether a file is a picture, of any kind except those
// written as text. Its bytes decide once they are here.
func SeemsPicture(name, media string) bool {
	return strings.HasPrefix(media, "image/") && !strings.HasPrefix(media, "image/svg") || pictureEndings[ending(name)]
}

// PostedPicture returns a document that is a picture. The error is ErrUnsupported if it is not one,
// memory.ErrNotFound if it does not exist. Like Page it trusts the id: call List for what an audience may see.
func (x *Index) PostedPicture(ctx context.Context, document int64) (Picture, error) {
	k, name, err := x.contentOf(ctx, document)
	if err == nil && !k.Media.picture() {
		err = ErrUnsupported
	}
	var data []byte
	if err == nil {
		data, err = x.bytes(ctx, k)
	}
	if err != nil {
		return Picture{}, fmt.Errorf("docs: picture %d %s: %w", document, name, err)
	}
	return prepared(data)
}

// pageDPI gives a page of A4 or Letter about the pixels that a model sees.
const pageDPI = 108

// PagePicture draws a page of a PDF in the form sent to a model. The errors are those of Picture.
func (x *Index) PagePicture(ctx context.Context, document int64, page int) (Picture, error) {
	drawn, err := x.Picture(ctx, Citation{DocumentID: document, Page: page}, pageDPI)
	if err != nil {
		return Picture{}, err
	}
	data, err := encodePicture(shrink(drawn))
	if err != nil {
		return Picture{}, fmt.Errorf("docs: draw page %d of document %d: %w", page, document, err)
	}
	return prepared(data)
}

func prepared(data []byte) (Picture, error) {
	size, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return Picture{}, fmt.Errorf("docs: a stored picture: %w", err)
	}
	return Picture{Media: "image/" + format, Data: data, Width: size.Width, Height: size.Height}, nil
}

// encodePicture writes pixels as JPEG, or as PNG where that is smaller or the picture can be seen through.
func encodePicture(img *image.RGBA) ([]byte, error) {
	const quality = 85
	var small, exact bytes.Buffer
	if err := png.Encode(&exact, img); err != nil {
		return nil, err
	}
	if !img.Opaque() {
		return exact.Bytes(), nil
	}
	if err := jpeg.Encode(&small, img, &jpeg.Options{Quality: quality}); err != nil {
		return nil, err
	}
	if exact.Len() <= small.Len() {
		return exact.Bytes(), nil
	}
	return small.Bytes(), nil
}

func (x *Index) bytes(ctx context.Context, k *content) ([]byte, error) {
	var data []byte
	err := x.Store.Read().NewSelect().Table("blobs").Column("data").Where("sha256 = ?", k.SHA256).Scan(ctx, &data)
	return data, missing(err)
}

// keepPicture gives d the content of a picture: what a model is sent of it, and nothing else of the file;
// or, if it is unseen and has text, that.
func (x *Index) keepPicture(ctx context.Context, d *memory.Document, f *file, unseen bool) (err error) {
	if f.data, err = encodePicture(shrink(f.Picture)); err != nil {
		return errors.Join(ErrDamaged, err)
	}
	if unseen {
		if read, err := x.readPicture(ctx, d, f); read || err != nil {
			return err
		}
	}
	d.Picture = true
	c, err := x.open(ctx, d, f)
	if err != nil || c.State == contentReady {
		return err
	}
	if err := x.settle(ctx, c, contentReady, ""); err != nil {
		return err
	}
	d.State = memory.DocumentReady
	return nil
}
