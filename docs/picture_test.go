package docs

import (
	"bytes"
	"encoding/base64"
	enc "encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"testing"
	"time"

	"threadkeeper/docs/pdfium"
	"threadkeeper/docs/testdata/photo"
)

// Still pictures of one pixel, lossy and lossless.
const (
	tinyWebP     = "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA"
	tinyLossless = "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=="
)

func base(t *testing.T, text string) []byte {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// flat is a picture of one colour.
func flat(wide, high int, c color.Color) *image.Paletted {
	return image.NewPaletted(image.Rect(0, 0, wide, high), color.Palette{c, color.White})
}

func pngOf(t *testing.T, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestALargePictureIsReadInLittleMemory, less than a third of what its worker may use; this size takes most.
func TestALargePictureIsReadInLittleMemory(t *testing.T) {
	own := pdfium.New(pdfium.Options{PlainMemoryMB: 160, FileTimeout: 10 * time.Minute})
	defer own.Close()
	data := pngOf(t, image.NewGray(image.Rect(0, 0, 5600, 5600)))
	p, fault, err := own.Plain(t.Context(), data, "wall.png", "", pdfium.Limits{Large: true})
	if err != nil || fault != "" || p.Picture == nil || p.Picture.Rect.Dx() != 2828 {
		t.Errorf("%q, %v", fault, err)
	}
}

// moving is a GIF whose first frame is red and whose second is blue.
func moving(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	red, blue := flat(40, 30, color.RGBA{R: 255, A: 255}), flat(40, 30, color.RGBA{B: 255, A: 255})
	if err := gif.EncodeAll(&b, &gif.GIF{Image: []*image.Paletted{red, blue}, Delay: []int{10, 10}}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func riff(chunks ...[]byte) []byte {
	body := append([]byte("WEBP"), bytes.Join(chunks, nil)...)
	return append(enc.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body...)
}

func riffChunk(name string, data []byte) []byte {
	b := append(enc.LittleEndian.AppendUint32([]byte(name), uint32(len(data))), data...)
	if len(data)%2 == 1 {
		b = append(b, 0)
	}
	return b
}

// movingWebP has two frames of one pixel.
func movingWebP(t *testing.T) []byte {
	t.Helper()
	frame := riffChunk("ANMF", append(make([]byte, 16), base(t, tinyWebP)[12:]...))
	return riff(riffChunk("VP8X", []byte{1 << 1, 0, 0, 0, 0, 0, 0, 0, 0, 0}), riffChunk("ANIM", make([]byte, 6)), frame, frame)
}

func TestAPictureIsStoredAsItIsSentToAModel(t *testing.T) {
	var seeThrough bytes.Buffer
	if err := png.Encode(&seeThrough, image.NewNRGBA(image.Rect(0, 0, 50, 40))); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name       string
		data       []byte
		wide, high int
		media      string
	}{
		{"photo.png", photo.PNG(300, 200, 0), 300, 200, "image/png"},
		{"photo.jpg", photo.JPEG(2600, 1950, 1), 1238, 928, ""},
		{"upright.jpg", photo.JPEG(400, 300, 6), 300, 400, ""},
		{"long.png", photo.PNG(4000, 40, 0), 1568, 15, ""},
		{"logo.png", seeThrough.Bytes(), 50, 40, "image/png"},
		{"moving.gif", moving(t), 40, 30, "image/png"},
		{"still.webp", base(t, tinyWebP), 1, 1, ""},
		{"lossless.webp", base(t, tinyLossless), 1, 1, ""},
		{"moving.webp", movingWebP(t), 1, 1, ""},
		{"named.txt", photo.PNG(30, 20, 0), 30, 20, "image/png"},
		{"huge.png", pngOf(t, flat(4400, 4400, color.Black)), 1072, 1072, "image/png"},
	}
	d := newDesk(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc := d.add(tt.name, tt.data)
			if !doc.Picture {
				t.Error("it is no picture")
			}
			p, err := d.PostedPicture(t.Context(), doc.ID)
			if err != nil || p.Width != tt.wide || p.Height != tt.high {
				t.Fatalf("%d × %d, %v, want %d × %d", p.Width, p.Height, err, tt.wide, tt.high)
			}
			if tt.media != "" && p.Media != tt.media {
				t.Errorf("media %s, want %s", p.Media, tt.media)
			}
			img, _, err := image.Decode(bytes.NewReader(p.Data))
			if err != nil || img.Bounds().Dx() != tt.wide {
				t.Errorf("what is sent cannot be looked at: %v", err)
			}
		})
	}
	if pages := d.count("pages", "TRUE") + d.count("passages", "TRUE"); pages != 0 {
		t.Errorf("%d pages and passages", pages)
	}
}

func TestOnlyThePixelsOfAPictureAreKept(t *testing.T) {
	for _, data := range [][]byte{photo.PNG(300, 200, 0), photo.JPEG(300, 200, 8)} {
		if !bytes.Contains(data, []byte(photo.Secret)) || !bytes.Contains(data, []byte(photo.Place)) {
			t.Fatal("the fixture says nothing of itself")
		}
		d := newDesk(t)
		p, err := d.PostedPicture(t.Context(), d.add("photo", data).ID)
		if err != nil {
			t.Fatal(err)
		}
		var kept []byte
		if err := d.Store.Read().NewSelect().Table("blobs").Column("data").Scan(t.Context(), &kept); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(kept, p.Data) {
			t.Error("what is kept is not what is sent")
		}
		for _, word := range []string{photo.Secret, photo.Place, "Exif", "eXIf", "tEXt"} {
			if bytes.Contains(kept, []byte(word)) {
				t.Errorf("%q is kept", word)
			}
		}
	}
}

func TestAPictureIsTurnedAsItIsToBeLookedAt(t *testing.T) {
	// Red is on the left of the pixels: where it is to be seen, by orientation.
	red := map[int]image.Point{1: {5, 20}, 2: {35, 20}, 3: {35, 20}, 4: {5, 20}, 5: {20, 5}, 6: {20, 5}, 7: {20, 35}, 8: {20, 35}}
	for o, at := range red {
		small, err := decodePicture(kindJPEG, photo.JPEG(40, 40, o), false)
		if err != nil {
			t.Fatal(err)
		}
		if c := small.RGBAAt(at.X, at.Y); c.R < 150 || c.B > 50 {
			t.Errorf("orientation %d: %v at %v", o, c, at)
		}
	}
	exif := photo.EXIF(6)
	for i := range exif {
		orientationOf(exif[:i]) // does not panic
	}
	for _, still := range [][]byte{
		append(enc.BigEndian.AppendUint32([]byte("\x89PNG\r\n\x1a\n"), uint32(len(exif))), append([]byte("eXIf"), exif...)...),
	} {
		if o := orientation(kindPNG, still); o != 6 {
			t.Errorf("a PNG is turned by %d", o)
		}
	}
	if o := orientation(kindWebP, riff(riffChunk("ICCP", []byte{1}), riffChunk("EXIF", exif))); o != 6 {
		t.Errorf("a WebP is turned by %d", o)
	}
}

func TestABrokenOrEnormousPictureIsRefused(t *testing.T) {
	bomb := pngOf(t, flat(16, 16, color.Black))
	enc.BigEndian.PutUint32(bomb[16:], 100_000)
	enc.BigEndian.PutUint32(bomb[20:], 100_000)
	enc.BigEndian.PutUint32(bomb[29:], crc32.ChecksumIEEE(bomb[12:29]))
	whole := photo.JPEG(400, 300, 1)
	frameBomb := movingWebP(t)
	at := bytes.Index(frameBomb, []byte("ANMF")) + 8 + 6
	copy(frameBomb[at:], []byte{0xFF, 0x3F, 0, 0xFF, 0x3F, 0})
	tests := []struct {
		name string
		data []byte
		want error
	}{
		{"cut.jpg", whole[:len(whole)/2], ErrDamaged},
		{"cut.png", photo.PNG(300, 200, 0)[:400], ErrDamaged},
		{"head.png", []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"), ErrDamaged},
		{"bomb.png", bomb, ErrTooLarge},
		{"bomb.webp", frameBomb, ErrTooLarge},
		{"heavy.png", append(photo.PNG(30, 20, 0), make([]byte, pictureBytes)...), ErrTooLarge},
		{"photo.heic", []byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic"), ErrPicture},
		{"scan.tiff", []byte("II*\x00\x08\x00\x00\x00\x00\x00"), ErrPicture},
		{"old.bmp", append([]byte("BM"), make([]byte, 60)...), ErrPicture},
	}
	d := newDesk(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc, err := d.Add(t.Context(), d.upload(tt.name, tt.data), nil)
			is(t, err, tt.want)
			if doc.Reason != tt.want.Error() {
				t.Errorf("reason %q", doc.Reason)
			}
		})
	}
	if n := d.count("blobs", "TRUE"); n != 0 {
		t.Errorf("%d kept", n)
	}
}

func TestAPictureIsNotSearchedAndGoesWithItsDocument(t *testing.T) {
	d := newDesk(t)
	doc := d.add("pump.png", photo.PNG(300, 200, 0))
	text := d.add("pump.txt", []byte("The pump was repaired."))
	a := d.audience(d.session, d.person)
	found, err := d.Search(t.Context(), Scope{Audience: a}, "pump.png repaired", 5)
	if err != nil || len(found) != 1 || found[0].DocumentID != text.ID {
		t.Errorf("%v, %v", found, err)
	}
	if n, err := d.Pages(t.Context(), doc.ID); n != 0 || err != nil {
		t.Errorf("%d pages, %v", n, err)
	}
	again := d.add("same.png", photo.PNG(300, 200, 0))
	if !again.Picture || again.ContentID != doc.ContentID {
		t.Errorf("posted again: %+v", again)
	}
	if err := d.Remove(t.Context(), a, again.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := d.PostedPicture(t.Context(), doc.ID); err == nil {
		t.Error("a removed picture is there")
	}
	if n := d.count("blobs", "sha256 NOT IN (SELECT sha256 FROM contents)"); n != 0 || d.count("blobs", "TRUE") != 1 {
		t.Errorf("%d bytes left behind", n)
	}
	if _, err := d.PostedPicture(t.Context(), text.ID); err == nil {
		t.Error("a text is a picture")
	}
}

func TestAPageIsAPictureForAModel(t *testing.T) {
	d := newDesk(t)
	doc := d.add("sample.pdf", sampleFile(t, "sample.pdf"))
	p, err := d.PagePicture(t.Context(), doc.ID, 2)
	if err != nil || p.Width*p.Height > pictureArea || max(p.Width, p.Height) > pictureSide || min(p.Width, p.Height) < 500 {
		t.Errorf("%d × %d, %v", p.Width, p.Height, err)
	}
	if _, err := d.PagePicture(t.Context(), doc.ID, 99); err == nil {
		t.Error("page 99 was drawn")
	}
}

func TestSeemsPicture(t *testing.T) {
	for _, tt := range []struct {
		name, media string
		want        bool
	}{{"a.PNG", "", true}, {"scan.jpeg", "", true}, {"x", "image/webp", true}, {"a.heic", "image/heic", true}, {"a.svg", "image/svg+xml", false}, {"png.pdf", "application/pdf", false}} {
		if got := SeemsPicture(tt.name, tt.media); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}
