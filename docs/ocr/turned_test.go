package ocr

import (
	"image"
	"strings"
	"testing"
)

// TestAPageThatLiesWrongIsRead: on its side and upside down, with its words where they stand on it.
func TestAPageThatLiesWrongIsRead(t *testing.T) {
	needEngine(t)
	r, err := newReader()
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{"The roaster is delivered on 14 March 2027.", "Total due: 4,310.50 EUR", "The deposit is returned with the keys.", "Payment is due within thirty days."}
	p := printed(t, lines...)
	upright, err := r.Read(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Index(upright.Text, "4,310.50")
	if at < 0 {
		t.Fatal(upright.Text)
	}
	word := len(strings.Fields(upright.Text[:at]))
	for turns := range 4 {
		text := upright
		if turns > 0 {
			if text, err = r.Read(t.Context(), p); err != nil {
				t.Fatal(err)
			}
		}
		if got := strings.Join(strings.Fields(text.Text), " "); got != strings.Join(lines, " ") {
			t.Errorf("turned by %d quarters it is read as %q", turns, got)
		}
		if word < len(text.Boxes) {
			at := text.Boxes[word].On(p.Width, p.Height)
			if dark(p, at) == 0 || turns%2 == 0 != (at.Dx() > at.Dy()) {
				t.Errorf("turned by %d quarters the amount stands at %v", turns, at)
			}
		}
		p = quarter(p)
	}
}

// dark counts the dark pixels of an area.
func dark(p Picture, area image.Rectangle) int {
	n := 0
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			if p.Pixels[y*p.Width+x] < 128 {
				n++
			}
		}
	}
	return n
}

// quarter is the picture turned clockwise by a quarter.
func quarter(p Picture) Picture {
	t := Picture{Width: p.Height, Height: p.Width, DPI: p.DPI, Pixels: make([]byte, len(p.Pixels))}
	for y := range p.Height {
		for x := range p.Width {
			t.Pixels[x*t.Width+p.Height-1-y] = p.Pixels[y*p.Width+x]
		}
	}
	return t
}
