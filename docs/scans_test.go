package docs

import (
	"bytes"
	"context"
	"image"
	"image/draw"
	"slices"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	"threadkeeper/docs/testdata"
	"threadkeeper/memory"
)

// scanOf is the upper part of a page of the sample report as a scanner makes it: to read a whole page takes long.
func scanOf(t *testing.T, page int) *image.Gray {
	t.Helper()
	return scanAt(t, page, 150)
}

func scanAt(t *testing.T, page, dpi int) *image.Gray {
	t.Helper()
	if !(&Index{Engine: engine}).ReadsScans() {
		t.Skip("this build reads no scans: run `make engine`")
	}
	img, _, err := engine.Picture(t.Context(), testdata.Sample, page, "", dpi)
	if err != nil {
		t.Fatal(err)
	}
	return testdata.Grey(img.SubImage(image.Rect(0, 0, img.Rect.Dx(), img.Rect.Dy()*3/10)))
}

func TestAScannedPageIsReadAndCited(t *testing.T) {
	d := newDesk(t)
	data := testdata.Scan(150, nil, scanOf(t, 6))
	doc := d.add("half.pdf", data)
	if !strings.Contains(doc.Reason, "the text of page 2 was read from its picture") {
		t.Errorf("reason %q", doc.Reason)
	}
	found, err := d.Search(t.Context(), Scope{Audience: d.audience(d.session, d.person)}, "Who supplies the roaster?", 3)
	if err != nil || len(found) == 0 || found[0].Page != 2 {
		t.Fatalf("found %+v, %v", found, err)
	}
	c, err := d.Verify(t.Context(), Citation{DocumentID: doc.ID, Page: 2, Quote: "38,700"})
	if err != nil || c.Page != 2 {
		t.Fatalf("citation %+v, %v", c, err)
	}
	marked, err := d.Picture(t.Context(), c, 72)
	if err != nil {
		t.Fatal(err)
	}
	if n := yellow(marked); n == 0 {
		t.Error("the quote is not marked on the page")
	}
	if plain, err := d.Picture(t.Context(), Citation{DocumentID: doc.ID, Page: 2}, 72); err != nil || yellow(plain) != 0 {
		t.Errorf("the page without a quote: %v", err)
	}
	if e, err := d.Extent(t.Context(), doc.ID); err != nil || !slices.Equal(e.Scans, []int{2}) || len(e.Unread)+len(e.Blank) != 0 {
		t.Errorf("%+v, %v", e, err)
	}
	if err := d.Remove(t.Context(), d.audience(d.session, d.person), doc.ID); err != nil {
		t.Fatal(err)
	}
	if n := d.count("pages", "TRUE") + d.count("passages", "TRUE"); n != 0 {
		t.Errorf("%d rows are left of a removed scan", n)
	}
}

// TestANoteOnAScanStays: it is read with the page, and what is marked is still where it stands.
func TestANoteOnAScanStays(t *testing.T) {
	d := newDesk(t)
	data := bytes.Replace(testdata.Scan(150, scanOf(t, 6)), []byte("/Type /Page /Parent"),
		[]byte("/Annots [<< /Type /Annot /Subtype /FreeText /F 4 /Contents (Approved in Aldwick by Bob) /Rect [50 50 300 80] >>] /Type /Page /Parent"), 1)
	doc := d.add("scan.pdf", data)
	for query, quote := range map[string]string{"Who approved it in Aldwick?": "Approved in Aldwick by Bob", "Who supplies the roaster?": "38,700"} {
		found, err := d.Search(t.Context(), Scope{Audience: d.audience(d.session, d.person)}, query, 3)
		if err != nil || len(found) == 0 || !strings.Contains(found[0].Text, quote) {
			t.Errorf("%s: %+v, %v", query, found, err)
		}
		c, err := d.Verify(t.Context(), Citation{DocumentID: doc.ID, Page: 1, Quote: quote})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Picture(t.Context(), c, 72); err != nil {
			t.Error(err)
		}
	}
	marked, err := d.Picture(t.Context(), Citation{DocumentID: doc.ID, Page: 1, Quote: "38,700"}, 72)
	if err != nil || yellow(marked) == 0 {
		t.Errorf("not marked: %v", err)
	}
}

// yellow counts the pixels of a marker pen.
func yellow(img image.Image) int {
	n := 0
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			if r, g, b, _ := img.At(x, y).RGBA(); r > 0xf000 && g > 0xf000 && b < 0x8000 {
				n++
			}
		}
	}
	return n
}

func TestAPoorScanIsKnown(t *testing.T) {
	d := newDesk(t)
	poor := d.add("fax.pdf", testdata.Scan(45, scanAt(t, 6, 45)))
	good := d.add("scan.pdf", testdata.Scan(150, scanOf(t, 6)))
	is := func(document int64, want ...int) {
		t.Helper()
		if pages, err := d.PoorScans(t.Context(), document); err != nil || !slices.Equal(pages, want) {
			t.Errorf("poor scans of document %d: %v, %v; want %v", document, pages, err, want)
		}
	}
	is(good.ID)
	is(poor.ID, 1)
	if err := d.Remove(t.Context(), d.audience(d.session, d.person), poor.ID); err != nil {
		t.Fatal(err)
	}
	is(poor.ID)
}

func TestPagesThatAddLeftAreReadLater(t *testing.T) {
	d := newDesk(t)
	doc := d.add("half.pdf", testdata.Scan(150, nil, scanOf(t, 6)))
	d.unreadAgain()
	if e, err := d.Extent(t.Context(), doc.ID); err != nil || len(e.Scans) != 0 || !slices.Equal(e.Unread, []int{2}) {
		t.Fatalf("%+v, %v", e, err)
	}
	c, err := d.unreadContent(t.Context())
	if err != nil || c == nil {
		t.Fatalf("nothing is left to read: %v", err)
	}
	if err := d.readScans(t.Context(), c, 1, nil); err != nil {
		t.Fatal(err)
	}
	if c, err := d.unreadContent(t.Context()); c != nil || err != nil {
		t.Errorf("content %+v is left, %v", c, err)
	}
	d.unreadAgain()
	var told []Progress
	if err := d.ReadOn(t.Context(), doc, func(p Progress) { told = append(told, p) }); err != nil {
		t.Fatal(err)
	}
	if len(told) != 1 || told[0] != (Progress{Document: "half.pdf", Page: 2, Pages: 2}) {
		t.Errorf("told %+v", told)
	}
	if _, err := d.Verify(t.Context(), Citation{DocumentID: doc.ID, Page: 2, Quote: "38,700"}); err != nil {
		t.Error(err)
	}
}

// TestAScanMeantToTakeForeverIsGivenUp: after two pages that took too long the others are not tried, and shorter files come first.
func TestAScanMeantToTakeForeverIsGivenUp(t *testing.T) {
	d := newDesk(t)
	if !d.ReadsScans() {
		t.Skip("this build reads no scans: run `make engine`")
	}
	empty := image.NewGray(image.Rect(0, 0, 300, 300))
	draw.Draw(empty, empty.Rect, image.White, image.Point{}, draw.Src)
	slow := d.add("slow.pdf", testdata.Scan(150, nil, empty, empty, empty, empty, empty))
	short := d.add("short.pdf", testdata.Scan(150, nil, empty))
	d.unreadAgain()
	next := func() *content {
		t.Helper()
		c, err := d.unreadContent(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	if c := next(); c == nil || c.ID != short.ContentID {
		t.Errorf("first comes %+v", c)
	}
	err := d.Store.Write(t.Context(), func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE pages SET failed = ? WHERE content_id = ? AND number IN (2, 3)`, ErrTimeout.Error(), slow.ContentID)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for c := next(); c != nil; c = next() {
		if err := d.readScans(t.Context(), c, 1, nil); err != nil {
			t.Fatal(err)
		}
	}
	if e, err := d.Extent(t.Context(), slow.ID); err != nil || len(e.Scans)+len(e.Unread) != 0 || len(e.Failed) < 2 {
		t.Errorf("%+v, %v", e, err)
	}
	told := map[int64]string{}
	all, err := d.List(t.Context(), d.audience(d.session, d.person))
	for _, doc := range all {
		told[doc.ID] = doc.Reason
	}
	if err != nil || !strings.Contains(told[slow.ID], "pages 2–6 could not be read") || strings.Contains(told[short.ID], "could not be read") {
		t.Errorf("told %v, %v", told, err)
	}
}

// unreadAgain makes all scans those of a program that ended before it read them.
func (d *desk) unreadAgain() {
	d.t.Helper()
	if err := d.Store.Write(d.t.Context(), func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE pages SET text = '', boxes = NULL WHERE scanned`)
		if err == nil {
			_, err = tx.ExecContext(ctx, `DELETE FROM passages WHERE page = 2`)
		}
		return err
	}); err != nil {
		d.t.Fatal(err)
	}
}

func TestAPictureWithoutAVisionModelIsReadByOCR(t *testing.T) {
	d := newDesk(t)
	wall := image.NewGray(image.Rect(0, 0, 4000, 4000)) // at the size that a model sees, the letters on it are two pixels high
	draw.Draw(wall, wall.Rect, image.White, image.Point{}, draw.Src)
	page := scanOf(t, 6)
	draw.Draw(wall, page.Rect.Add(image.Pt(500, 500)), page, image.Point{}, draw.Src)
	data := pngOf(t, wall)
	in := d.upload("photo.png", data)
	in.Unseen = true
	doc, err := d.Add(t.Context(), in, nil)
	if err != nil || doc.Picture || doc.State != memory.DocumentReady {
		t.Fatalf("document %+v, %v", doc, err)
	}
	if _, err := d.Verify(t.Context(), Citation{DocumentID: doc.ID, Page: 1, Quote: "38,700"}); err != nil {
		t.Error(err)
	}
}

func TestTheMarkOfUncertainNumbersIsNotQuoted(t *testing.T) {
	page := newPlain("The roaster costs 38,700(?) euros in 2027.")
	if _, ok := page.find(newQuote("costs 38,700 euros")); !ok {
		t.Error("a quote without the mark is not found")
	}
	if at, ok := page.find(newQuote("costs 38,700")); !ok || page.source[at.start:at.end] != "costs 38,700(?)" {
		t.Errorf("the mark behind a quote: %v, %v", at, ok)
	}
	at, ok := page.find(newQuote("costs 38,700(?) euros"))
	if !ok || page.source[at.start:at.end] != "costs 38,700(?) euros" {
		t.Errorf("a quote with the mark is found at %v, %v", at, ok)
	}
}

func TestBoxesOfAQuoteAreThoseOfItsLines(t *testing.T) {
	p := &pageRow{Text: "Total due\n4,310.50 EUR (net)"}
	for _, b := range [][4]uint16{{100, 100, 200, 150}, {210, 101, 300, 149}, {100, 200, 250, 250}, {260, 200, 300, 250}, {310, 200, 400, 250}} {
		for _, v := range b {
			p.Boxes = append(p.Boxes, byte(v), byte(v>>8))
		}
	}
	got := p.marked("due 4,310.50 EUR")
	if len(got) != 2 || got[0].Left != 210 || got[1].Left != 100 || got[1].Right != 300 {
		t.Errorf("got %v", got)
	}
	if got := p.marked("net"); len(got) != 1 || got[0].Left != 310 {
		t.Errorf("got %v", got)
	}
	if got := p.marked("elsewhere"); got != nil {
		t.Errorf("got %v", got)
	}
}
