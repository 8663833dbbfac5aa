package main

import (
	"bytes"
	"fmt"
	"strings"
)

// bombForms draws a form that draws ten forms that each draw ten more, nine levels deep.
func bombForms() []byte {
	f := newFile()
	inner := f.stream("/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << "+fontResources+" >>",
		"BT /R 10 Tf 50 700 Td (ha) Tj ET")
	for range 9 {
		inner = f.stream(fmt.Sprintf("/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /XObject << /X %d 0 R >> >>", inner),
			strings.Repeat("/X Do ", 10))
	}
	p := f.page()
	p.resources = fmt.Sprintf("/XObject << /X %d 0 R >>", inner)
	p.content.WriteString("/X Do\n")
	f.page().text(left, 700, "R", 14, ink, "An innocent page after the bomb.")
	return f.bytes()
}

func bombBox() []byte {
	f := newFile()
	p := f.page()
	p.box = "/MediaBox [0 0 1000000 1000000]"
	p.text(400000, 500000, "B", 40000, ink, "A page as wide as a county.")
	return f.bytes()
}

// scanned draws lines of bars that look like print, as an image and as an image inside a form.
func scanned() []byte {
	f := newFile()
	image := f.stream(fmt.Sprintf("/Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceGray /BitsPerComponent 1",
		scanWidth, scanHeight), scan())
	form := f.stream(fmt.Sprintf("/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /XObject << /X %d 0 R >> >>", image),
		"q 555 0 0 802 20 20 cm /X Do Q")
	p := f.page()
	p.resources = fmt.Sprintf("/XObject << /X %d 0 R >>", image)
	p.content.WriteString("q 555 0 0 802 20 20 cm /X Do Q\n")
	p = f.page()
	p.resources = fmt.Sprintf("/XObject << /X %d 0 R >>", form)
	p.content.WriteString("/X Do\n")
	p.text(540, 12, "R", 8, grey, "2") // a stamped page number does not make it a text page
	return f.bytes()
}

// stamped is two pages that are images: one has a court's stamp in its margin, the other a title.
func stamped() []byte {
	f := newFile()
	image := f.stream(fmt.Sprintf("/Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceGray /BitsPerComponent 1", scanWidth, scanHeight), scan())
	for _, y := range []float64{820, 400} {
		p := f.page()
		p.resources = fmt.Sprintf("/XObject << /X %d 0 R >>", image)
		p.content.WriteString("q 555 0 0 802 20 20 cm /X Do Q\n")
		p.text(150, y, "R", 10, ink, "Case 2:18-cv-00417 Document 1 filed 09/13/18 Page 3 of 16")
	}
	return f.bytes()
}

const scanWidth, scanHeight = 160, 224 // pixels; the width is a multiple of 8

func scan() string {
	rows := bytes.Repeat([]byte{0xff}, scanWidth/8*scanHeight)
	random := uint32(2014)
	for line := 16; line < scanHeight-16; line += 8 {
		for x := 16; x < scanWidth-16; {
			random = random*1664525 + 1013904223
			word := 3 + int(random>>28)
			for i := x; i < min(x+word, scanWidth-16); i++ {
				for y := line; y < line+4; y++ {
					rows[y*scanWidth/8+i/8] &^= 0x80 >> (i % 8)
				}
			}
			x += word + 3
		}
	}
	return string(rows)
}
