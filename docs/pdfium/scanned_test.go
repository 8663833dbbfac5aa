package pdfium

import (
	"errors"
	"image"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"threadkeeper/docs/ocr"
	"threadkeeper/docs/testdata"
)

// needOCR skips a test in a build that reads no scans.
func needOCR(t *testing.T) {
	t.Helper()
	if err := (ocr.Languages{}).Check(); err != nil {
		t.Skipf("scans are not read: %v", err)
	}
}

// The memory of an engine grows while it draws a large image.
func TestPictureHasALargeImage(t *testing.T) {
	e := shared
	noise := image.NewGray(image.Rect(0, 0, 1800, 1800))
	random := rand.New(rand.NewPCG(1, 2))
	for i := range noise.Pix {
		noise.Pix[i] = byte(random.IntN(200))
	}
	img, _, err := e.Picture(t.Context(), testdata.Scan(150, noise), 1, "", 150)
	if err != nil {
		t.Fatal(err)
	}
	if r, _, _, _ := img.At(900, 900).RGBA(); r>>8 > 200 {
		t.Error("the page is blank")
	}
}

func TestReadScanReadsAPageThatIsAPicture(t *testing.T) {
	needOCR(t)
	e := shared
	whole, _, err := e.Picture(t.Context(), read(t, "sample.pdf"), 6, "", 150)
	if err != nil {
		t.Fatal(err)
	}
	page := whole.SubImage(image.Rect(0, 0, whole.Rect.Dx(), whole.Rect.Dy()*3/10)) // to read all of it takes long
	scan := testdata.Scan(150, testdata.Grey(page))
	all, _, err := pages(t, e, scan, Limits{})
	if err != nil || len(all) != 1 || !all[0].Scanned {
		t.Fatalf("not a scan: %+v, %v", all, err)
	}
	text, err := e.ReadScan(t.Context(), scan, 1)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.Text, "38,700") || !strings.Contains(text.Text, "Ferrum") || len(text.Boxes) != len(strings.Fields(text.Text)) {
		t.Errorf("read %q with %d boxes", text.Text, len(text.Boxes))
	}
	if _, err := e.ReadScan(t.Context(), scan, 2); !errors.Is(err, ErrNoPage) {
		t.Errorf("page 2: %v", err)
	}
	posted, err := e.ReadPicture(t.Context(), page)
	if err != nil || !strings.Contains(posted.Text, "38,700") {
		t.Errorf("the page as a picture that was posted: %q, %v", posted.Text, err)
	}
}

// TestAScanIsReadAtItsOwnSize: drawn larger than it was scanned, letters blur; one too coarse is read better so.
func TestAScanIsReadAtItsOwnSize(t *testing.T) {
	for dpi, want := range map[int]int{72: scanDPI, 150: 150, 240: 240, 400: scanDPI} {
		page := image.NewGray(image.Rect(0, 0, dpi*2, dpi*3))
		p, err := shared.grey(t.Context(), testdata.Scan(dpi, page), 1)
		if err != nil || p.DPI != want || p.Width != 2*want || p.Height != 3*want {
			t.Errorf("%d dpi: drawn at %d, %d × %d, %v", dpi, p.DPI, p.Width, p.Height, err)
		}
	}
	if p, err := shared.grey(t.Context(), read(t, "sample.pdf"), 1); err != nil || p.DPI != scanDPI {
		t.Errorf("without a picture: drawn at %d, %v", p.DPI, err)
	}
}

// TestAPictureIsMadeGreyInLittleMemory: it is done in the program itself, for as many pictures at once as there are turns.
func TestAPictureIsMadeGreyInLittleMemory(t *testing.T) {
	for size, want := range map[image.Point]int{{3000, 2600}: 3000, {1900, 1900}: 2000} {
		img := image.NewRGBA(image.Rectangle{Max: size})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		p := greyOf(img)
		runtime.ReadMemStats(&after)
		if took := (after.TotalAlloc - before.TotalAlloc) >> 20; p.Width != want || took > 100 {
			t.Errorf("%v: %d pixels wide, %d MiB", size, p.Width, took)
		}
	}
}

func TestReadScanNeedsItsLanguage(t *testing.T) {
	needOCR(t)
	e, _ := newEngine(t, Options{Languages: ocr.Languages{Names: "xyz"}})
	if _, err := e.ReadPicture(t.Context(), image.NewGray(image.Rect(0, 0, 100, 100))); !errors.Is(err, ocr.ErrLanguage) {
		t.Errorf("got %v", err)
	}
}
