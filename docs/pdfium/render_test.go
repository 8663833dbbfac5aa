package pdfium

import (
	"errors"
	"image"
	"math"
	"slices"
	"testing"
)

// yellow is the smallest rectangle around the highlighted pixels.
func yellow(img *image.RGBA) image.Rectangle {
	var r image.Rectangle
	for y := img.Rect.Min.Y; y < img.Rect.Max.Y; y++ {
		for x := img.Rect.Min.X; x < img.Rect.Max.X; x++ {
			if c := img.RGBAAt(x, y); c.R > 240 && c.G > 240 && c.B < 120 {
				r = r.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return r
}

func TestHighlight(t *testing.T) {
	e := shared
	// where: the expected rectangle in points from the upper left corner of the page as it is shown.
	tests := []struct {
		name, file string
		page       int
		quote      string
		where      image.Rectangle
	}{
		{"on a plain page", "cropped.pdf", 1, "upper half speaks of oysters", image.Rect(89, 130, 269, 146)},
		{"on the other visible part", "cropped.pdf", 2, "The lower half", image.Rect(62, 109, 149, 125)},
		{"case, space and quotation marks", "sample.pdf", 6, "DECISIONS  OF THE\nMEMBERS' MEETING", image.Rect(62, 70, 433, 98)},
		{"over divided words", "hyphens.pdf", 1, "maintenance of the lamp, and each of the twenty-five captains", image.Rect(61, 131, 314, 180)},
		{"as Text has the divided word", "hyphens.pdf", 1, "main-\ntenance", image.Rect(61, 131, 314, 163)},
		{"page turned by 90°", "rotated.pdf", 1, "Last ferry to Aldwick", image.Rect(68, 177, 168, 192)},
		{"page turned by 270°", "rotated.pdf", 2, "Last ferry to Aldwick", image.Rect(68, 177, 168, 192)},
		{"the quote's beginning at a page's end", "pagebreak.pdf", 1, "after that they are to be handed to the oldest member", image.Rect(61, 742, 527, 776)},
		{"the quote's end at a page's start", "pagebreak.pdf", 2, "after that they are to be handed to the oldest member", image.Rect(61, 72, 220, 84)},
		{"accents and long dashes", "sample.pdf", 5, "Prices — none; Sitio Boa Vista, Minas Gérais", image.Rect(69, 225, 201, 236)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			img, found, err := e.Picture(t.Context(), read(t, tt.file), tt.page, tt.quote, 72)
			if err != nil || !found {
				t.Fatalf("found %t, %v", found, err)
			}
			got := yellow(img)
			for _, d := range []int{got.Min.X - tt.where.Min.X, got.Min.Y - tt.where.Min.Y, got.Max.X - tt.where.Max.X, got.Max.Y - tt.where.Max.Y} {
				if max(d, -d) > 6 {
					t.Fatalf("highlighted %v, want about %v", got, tt.where)
				}
			}
		})
	}
}

func TestNothingToHighlight(t *testing.T) {
	e := shared
	for _, quote := range []string{"", " \n", "no such words are here", "The upper half of a sentence that goes elsewhere"[:10] + "zzz"} {
		img, found, err := e.Picture(t.Context(), read(t, "cropped.pdf"), 1, quote, 72)
		if err != nil || found || !yellow(img).Empty() {
			t.Errorf("%q: found %t, %v", quote, found, err)
		}
	}
	// Text outside the visible part is not found, though it is in the content.
	if _, found, err := e.Picture(t.Context(), read(t, "cropped.pdf"), 1, "The lower half speaks of mussels.", 72); err != nil || found {
		t.Errorf("found %t, %v", found, err)
	}
}

func TestPictureSizes(t *testing.T) {
	e := shared
	for _, tt := range []struct {
		file string
		dpi  int
	}{{"sample.pdf", 0}, {"sample.pdf", 100_000}, {"bomb-box.pdf", 150}, {"scanned.pdf", 600}} {
		img, _, err := e.Picture(t.Context(), read(t, tt.file), 1, "", tt.dpi)
		if err != nil {
			t.Fatalf("%s at %d dpi: %v", tt.file, tt.dpi, err)
		}
		if area := img.Rect.Dx() * img.Rect.Dy(); area > maxPictureArea || area < 1_000_000 {
			t.Errorf("%s at %d dpi has %d pixels", tt.file, tt.dpi, area)
		}
		if !img.Opaque() {
			t.Errorf("%s at %d dpi is transparent", tt.file, tt.dpi)
		}
	}
}

func TestPictureSizeIsBounded(t *testing.T) {
	for _, page := range [][2]float64{{595, 842}, {1e6, 1e6}, {1, 1e7}, {1e9, 0.001}, {1e-9, 1e-9}} {
		w, h, err := pictureSize(page[0], page[1], 150, maxPictureArea)
		if err != nil || w < 1 || h < 1 || max(w, h) > maxPictureSide || w*h > maxPictureArea {
			t.Errorf("a page of %v is drawn on %d × %d pixels, %v", page, w, h, err)
		}
	}
	for _, page := range [][2]float64{{0, 100}, {100, -1}, {math.NaN(), 100}, {math.Inf(1), 100}} {
		if _, _, err := pictureSize(page[0], page[1], 150, maxPictureArea); err == nil {
			t.Errorf("a page of %v can be drawn", page)
		}
	}
}

func TestPictureErrors(t *testing.T) {
	e, _ := newEngine(t, Options{MemoryMB: 64})
	for _, tt := range []struct {
		file string
		page int
		want error
	}{
		{"sample.pdf", 0, ErrNoPage}, {"sample.pdf", -1, ErrNoPage}, {"sample.pdf", 9, ErrNoPage},
		{"bad-page.pdf", 2, ErrDamaged}, {"encrypted.pdf", 1, ErrEncrypted}, {"empty.pdf", 1, ErrDamaged}, {"bomb-forms.pdf", 1, ErrMemory},
	} {
		if img, _, err := e.Picture(t.Context(), read(t, tt.file), tt.page, "", 72); !errors.Is(err, tt.want) || img != nil {
			t.Errorf("%s page %d: %v, want %v", tt.file, tt.page, err, tt.want)
		}
	}
}

func TestFold(t *testing.T) {
	same := [][2]string{
		{"The ﬁnal oﬃce", "the final office"},
		{"“quoted” – it’s", `"Quoted" - it's`},
		{"main-\ntenance", "maintenance"},
		{"co\u00adoperate", "cooperate"},
		{"main\x02tenance", "main- tenance"},
		{"Café", "cafe\u0301"},
		{"１２ ³", "12 3"},
		{"a\u00a0b\u2009c", "a b c"},
	}
	for _, s := range same {
		if a, b := fold(s[0]), fold(s[1]); a != b || a == "" {
			t.Errorf("%q folds to %q, %q to %q", s[0], a, s[1], b)
		}
	}
	if fold("12 %") == fold("12") || fold("1.5") == fold("15") {
		t.Error("signs that carry meaning are lost")
	}
}

func TestParts(t *testing.T) {
	page := fold("the end of the paragraph, and then: the rent is due on the first of May")
	tests := []struct {
		name, quote string
		want        []string
	}{
		{"whole", "rent is due", []string{"rentisdue"}},
		{"beginning", "the first of May, or on the Monday after", []string{"thefirstofmay"}},
		{"end", "At the bottom stands the end of the paragraph", []string{"theendoftheparagraph"}},
		{"longer part first", "the end of the paragraph xxxxx the first of May", []string{"theendoftheparagraph", "thefirstofmay"}},
		{"too short to mean anything", "the first of June", nil},
		{"nothing", "xxxxxxxxxxxxxxxxxxxxxxx", nil},
	}
	for _, tt := range tests {
		if got := parts(page, fold(tt.quote)); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
