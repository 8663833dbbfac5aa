package ocr

import (
	"context"
	"errors"
	"image"
	"strings"
	"sync"
	"testing"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"threadkeeper/docs/sandbox"
)

// needEngine skips a test in a build without the engine.
func needEngine(t *testing.T) {
	t.Helper()
	if err := (Languages{}).Check(); err != nil {
		t.Skipf("scans are not read: %v", err)
	}
}

// newReader compiles once for all tests of this program: it takes seconds where no cache has it.
var newReader = sync.OnceValues(func() (*Reader, error) {
	return New(context.Background(), Languages{}, 128, sandbox.CacheDir())
})

// printed draws lines of text as a page of 300 dots an inch has them.
func printed(t *testing.T, lines ...string) Picture {
	t.Helper()
	parsed, err := opentype.Parse(goregular.TTF)
	if err != nil {
		t.Fatal(err)
	}
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: 11, DPI: 300})
	if err != nil {
		t.Fatal(err)
	}
	img := image.NewGray(image.Rect(0, 0, 1500, 100+70*len(lines)))
	for i := range img.Pix {
		img.Pix[i] = 255
	}
	for i, line := range lines {
		d := font.Drawer{Dst: img, Src: image.Black, Face: face, Dot: fixed.P(100, 110+70*i)}
		d.DrawString(line)
	}
	return Picture{Width: img.Rect.Dx(), Height: img.Rect.Dy(), DPI: 300, Pixels: img.Pix}
}

func TestReaderReadsPrintAndSaysWhereItStands(t *testing.T) {
	needEngine(t)
	r, err := newReader()
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{"The roaster is delivered on 14 March 2027.", "Total due: 4,310.50 EUR"}
	text, err := r.Read(t.Context(), printed(t, lines...))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(strings.Fields(text.Text), " "); got != strings.Join(lines, " ") {
		t.Errorf("read %q", got)
	}
	if len(text.Boxes) != len(strings.Fields(text.Text)) {
		t.Fatalf("%d boxes for %q", len(text.Boxes), text.Text)
	}
	where := text.Boxes[len(text.Boxes)-2].On(1500, 240) // of "4,310.50"
	if where.Min.Y < 120 || where.Max.Y > 200 || where.Min.X < 250 || where.Max.X > 750 {
		t.Errorf("the amount stands at %v", where)
	}
}

func TestReaderRefusesNonPictures(t *testing.T) {
	needEngine(t)
	r, err := newReader()
	if err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]Picture{
		"nothing":        {},
		"too few pixels": {Width: 10, Height: 10, Pixels: make([]byte, 99)},
		"too large":      {Width: 5001, Height: 5000, Pixels: make([]byte, 5001*5000)},
	} {
		if _, err := r.Read(t.Context(), p); !errors.Is(err, ErrPicture) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAnInstanceReadsEightPictures: its memory fills over many, so the ninth has a new one.
func TestAnInstanceReadsEightPictures(t *testing.T) {
	needEngine(t)
	r, err := newReader()
	if err != nil {
		t.Fatal(err)
	}
	if r.in != nil {
		r.drop()
	}
	page := printed(t, "Total due: 4,310.50 EUR")
	for n := 1; n <= 9; n++ {
		if text, err := r.Read(t.Context(), page); err != nil || !strings.Contains(text.Text, "4,310.50") {
			t.Fatalf("picture %d: %q, %v", n, text.Text, err)
		}
		if ended := r.in == nil; ended != (n == 8) {
			t.Errorf("after picture %d: ended %v", n, ended)
		}
	}
}

// TestAPictureThatTakesTooMuchMemoryIsRefused, and the next one is read.
func TestAPictureThatTakesTooMuchMemoryIsRefused(t *testing.T) {
	needEngine(t)
	r, err := New(t.Context(), Languages{}, 40, sandbox.CacheDir())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	large := Picture{Width: 5000, Height: 5000, Pixels: make([]byte, 5000*5000)}
	if _, err := r.Read(t.Context(), large); !errors.Is(err, sandbox.ErrMemory) {
		t.Errorf("got %v", err)
	}
	if text, err := r.Read(t.Context(), printed(t, "Total due: 4,310.50 EUR")); err != nil || !strings.Contains(text.Text, "4,310.50") {
		t.Errorf("the next one: %q, %v", text.Text, err)
	}
}
