package docs

import (
	"bytes"
	encoding "encoding/binary"
	"image"
)

// orientation says how to turn a picture upright, by its EXIF data: 1 to 8 as the
// standard counts, 1 for not at all or unknown.
func orientation(k kind, data []byte) int {
	exif := []byte(nil)
	switch k {
	case kindJPEG:
		exif = exifOfJPEG(data)
	case kindPNG:
		if len(data) > 8 {
			exif = chunkOf(data[8:], "eXIf", encoding.BigEndian, 4)
		}
	case kindWebP:
		if len(data) > 12 {
			exif = chunkOf(data[12:], "EXIF", encoding.LittleEndian, 0)
		}
	}
	return orientationOf(bytes.TrimPrefix(exif, []byte("Exif\x00\x00")))
}

// exifOfJPEG is the first EXIF segment before the pixels, nil if there is none.
func exifOfJPEG(data []byte) []byte {
	for at := 2; at+4 <= len(data) && data[at] == 0xFF; {
		marker, size := data[at+1], int(encoding.BigEndian.Uint16(data[at+2:]))
		end := at + 2 + size
		if marker == 0xDA || size < 2 || end > len(data) {
			return nil
		}
		if body := data[at+4 : end]; marker == 0xE1 && bytes.HasPrefix(body, []byte("Exif\x00\x00")) {
			return body
		}
		at = end
	}
	return nil
}

// chunkOf is the content of the first chunk with this name, nil if there is none. In a PNG the size comes
// before the name and a checksum of tail bytes follows; in a RIFF file it comes after the name, and an odd
// one is padded.
func chunkOf(data []byte, name string, order encoding.ByteOrder, tail int) []byte {
	for len(data) >= 8 {
		label, size := data[:4], int64(order.Uint32(data[4:]))
		if tail > 0 {
			label, size = data[4:8], int64(order.Uint32(data))
		} else if size%2 == 1 && 8+size < int64(len(data)) {
			size++
		}
		if 8+size > int64(len(data)) {
			return nil
		}
		if string(label) == name {
			return data[8 : 8+size]
		}
		data = data[min(8+size+int64(tail), int64(len(data))):]
	}
	return nil
}

func orientationOf(exif []byte) int {
	const tagOrientation, typeShort = 0x0112, 3
	var order encoding.ByteOrder = encoding.BigEndian
	switch {
	case bytes.HasPrefix(exif, []byte("II*\x00")):
		order = encoding.LittleEndian
	case !bytes.HasPrefix(exif, []byte("MM\x00*")):
		return 1
	}
	if len(exif) < 8 {
		return 1
	}
	at := int64(order.Uint32(exif[4:]))
	if at+2 > int64(len(exif)) {
		return 1
	}
	fields := exif[at:]
	n := int(order.Uint16(fields))
	for fields = fields[2:]; n > 0 && len(fields) >= 12; n-- {
		if order.Uint16(fields) == tagOrientation && order.Uint16(fields[2:]) == typeShort {
			if v := int(order.Uint16(fields[8:])); v >= 1 && v <= 8 {
				return v
			}
			return 1
		}
		fields = fields[12:]
	}
	return 1
}

func turn(src *image.RGBA, orientation int) *image.RGBA {
	if orientation == 1 {
		return src
	}
	w, h := src.Rect.Dx(), src.Rect.Dy()
	place := map[int]func(x, y int) (int, int){
		2: func(x, y int) (int, int) { return w - 1 - x, y },
		3: func(x, y int) (int, int) { return w - 1 - x, h - 1 - y },
		4: func(x, y int) (int, int) { return x, h - 1 - y },
		5: func(x, y int) (int, int) { return y, x },
		6: func(x, y int) (int, int) { return h - 1 - y, x },
		7: func(x, y int) (int, int) { return h - 1 - y, w - 1 - x },
		8: func(x, y int) (int, int) { return y, w - 1 - x },
	}[orientation]
	size := image.Pt(w, h)
	if orientation >= 5 {
		size = image.Pt(h, w)
	}
	dst := image.NewRGBA(image.Rectangle{Max: size})
	for y := range h {
		for x := range w {
			tx, ty := place(x, y)
			copy(dst.Pix[dst.PixOffset(tx, ty):][:4], src.Pix[src.PixOffset(x, y):][:4])
		}
	}
	return dst
}

// firstFrame is a moving WebP as the still one of its first frame, which is all that the decoder reads;
// any other file as it is.
func firstFrame(data []byte) []byte {
	const frameHead, alpha = 16, 1 << 4
	if len(data) < 12 {
		return data
	}
	frame := chunkOf(data[12:], "ANMF", encoding.LittleEndian, 0)
	if len(frame) < frameHead {
		return data
	}
	chunks := frame[frameHead:]
	head := make([]byte, 10) // flags, three reserved bytes, width and height less one
	if bytes.HasPrefix(chunks, []byte("ALPH")) {
		head[0] = alpha
	}
	copy(head[4:], frame[6:12])
	var b bytes.Buffer
	b.WriteString("RIFF")
	b.Write(encoding.LittleEndian.AppendUint32(nil, uint32(4+8+len(head)+len(chunks))))
	b.WriteString("WEBPVP8X")
	b.Write(encoding.LittleEndian.AppendUint32(nil, uint32(len(head))))
	b.Write(head)
	b.Write(chunks)
	return b.Bytes()
}
