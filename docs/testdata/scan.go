package testdata

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image"
)

// ScanText is what stands on a page of Scan that is no picture.
const ScanText = "This page of the file has text, so nobody has to read it from a picture."

// Scan is a PDF of pictures of pages, of that many pixels an inch; for nil it has a page with ScanText.
func Scan(dpi int, pages ...*image.Gray) []byte {
	objects := []string{"<< /Type /Catalog /Pages 2 0 R >>", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"}
	kids := ""
	for _, p := range pages {
		wide, high, content, resources := 612.0, 792.0, "BT /F 12 Tf 72 720 Td ("+ScanText+") Tj ET", "/Font << /F 3 0 R >>"
		if p != nil {
			wide, high = float64(p.Rect.Dx()*72)/float64(dpi), float64(p.Rect.Dy()*72)/float64(dpi)
			content = fmt.Sprintf("%.2f 0 0 %.2f 0 0 cm /I Do", wide, high)
			var packed bytes.Buffer
			z := zlib.NewWriter(&packed)
			_, _ = z.Write(p.Pix) // into memory
			_ = z.Close()
			objects = append(objects, fmt.Sprintf("<< /Type /XObject /Subtype /Image /Width %d /Height %d /BitsPerComponent 8 /ColorSpace /DeviceGray /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream",
				p.Rect.Dx(), p.Rect.Dy(), packed.Len(), packed.String()))
			resources = fmt.Sprintf("/XObject << /I %d 0 R >>", len(objects))
		}
		objects = append(objects, fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(content), content))
		objects = append(objects, fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %.2f %.2f] /Contents %d 0 R /Resources << %s >> >>", wide, high, len(objects), resources))
		kids += fmt.Sprintf("%d 0 R ", len(objects))
	}
	objects[1] = fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", kids, len(pages))
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n")
	at := make([]int, len(objects))
	for i, o := range objects {
		at[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	table := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, offset := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, table)
	return b.Bytes()
}

// Grey is a picture without its colours.
func Grey(img image.Image) *image.Gray {
	grey := image.NewGray(image.Rect(0, 0, img.Bounds().Dx(), img.Bounds().Dy()))
	for y := range grey.Rect.Dy() {
		for x := range grey.Rect.Dx() {
			grey.Set(x, y, img.At(img.Bounds().Min.X+x, img.Bounds().Min.Y+y))
		}
	}
	return grey
}
