// Package photo makes pictures for tests that say where they were taken.
package photo

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
)

// Secret stands in the metadata of every photo, and Place is where it was taken.
const (
	Secret = "Canon EOS serial 0123456789"
	Place  = "48.8584,2.2945"
)

// PNG is a photo of wide × high pixels, red on the left and blue on the right, that says where it was taken: in
// EXIF data with a GPS directory and in a text chunk. Two of another seed have other pixels.
func PNG(wide, high int, seed uint8) []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, scenery(wide, high, seed)); err != nil {
		panic(err)
	}
	data := b.Bytes()
	const head = 8 + 12 + 13 // signature and IHDR
	out := append([]byte{}, data[:head]...)
	out = append(out, chunk("eXIf", EXIF(1))...)
	out = append(out, chunk("tEXt", []byte("Comment\x00"+Place))...)
	return append(out, data[head:]...)
}

// JPEG is such a photo with this EXIF orientation.
func JPEG(wide, high, orientation int) []byte {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, scenery(wide, high, 0), nil); err != nil {
		panic(err)
	}
	exif := append([]byte("Exif\x00\x00"), EXIF(orientation)...)
	out := []byte{0xFF, 0xD8, 0xFF, 0xE1}
	out = binary.BigEndian.AppendUint16(out, uint16(len(exif)+2))
	out = append(out, exif...)
	return append(out, b.Bytes()[2:]...)
}

// EXIF is metadata with an orientation, a camera (Secret) and a GPS directory with a map datum (Place).
func EXIF(orientation int) []byte {
	le := binary.LittleEndian
	field := func(b []byte, tag, kind uint16, count, value uint32) []byte {
		b = le.AppendUint16(b, tag)
		b = le.AppendUint16(b, kind)
		b = le.AppendUint32(b, count)
		return le.AppendUint32(b, value)
	}
	const fields, text = 3, 8 + 2 + 3*12 + 4
	gps := uint32(text + len(Secret) + 1)
	b := append([]byte("II*\x00"), 8, 0, 0, 0)
	b = le.AppendUint16(b, fields)
	b = field(b, 0x010F, 2, uint32(len(Secret)+1), text)
	b = field(b, 0x0112, 3, 1, uint32(orientation))
	b = field(b, 0x8825, 4, 1, gps)
	b = append(b, 0, 0, 0, 0)
	b = append(b, Secret+"\x00"...)
	b = le.AppendUint16(b, 1)
	b = field(b, 0x0012, 2, uint32(len(Place)+1), gps+2+12+4)
	b = append(b, 0, 0, 0, 0)
	return append(b, Place+"\x00"...)
}

func scenery(wide, high int, seed uint8) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, wide, high))
	for y := range high {
		for x := range wide {
			c := color.RGBA{R: 200, G: seed, A: 255}
			if x >= wide/2 {
				c = color.RGBA{B: 200, G: seed, A: 255}
			}
			img.SetRGBA(x, y, c)
		}
	}
	return img
}

func chunk(name string, data []byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	b = append(b, name...)
	b = append(b, data...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
}
