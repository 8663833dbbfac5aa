package docs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"threadkeeper/docs/pdfium"
	"threadkeeper/memory"
)

func TestAddReadsEveryKind(t *testing.T) {
	tests := []struct {
		name  string
		data  []byte
		pages int
		want  string // on page 1
	}{
		{"sample.pdf", sampleFile(t, "sample.pdf"), 8, "Harbour"},
		{"no-extension", sampleFile(t, "sample.pdf"), 8, "Harbour"},
		{"minutes.docx", word(t, `<w:p><w:r><w:t>The pump was repaired.</w:t></w:r></w:p>`), 1, "The pump was repaired."},
		{"notes.md", []byte("# Pumps\n\nThe pump was *repaired*."), 1, "The pump was *repaired*."},
		{"latin1.txt", []byte("Stra\xdfe nach K\xf6ln"), 1, "Straße nach Köln"},
		{"utf16.txt", []byte("\xff\xfeP\x00u\x00m\x00p\x00"), 1, "Pump"},
		{"data.json", []byte(`{"pump": [1, 2]}`), 1, `{"pump": [1, 2]}`},
		{"data.csv", []byte("name,price\npump,12\n"), 1, "name,price\npump,12"},
		{"main.go", []byte("package main\n"), 1, "package main"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := newDesk(t)
			doc := d.add(tt.name, tt.data)
			n, err := d.Pages(t.Context(), doc.ID)
			if err != nil || n != tt.pages {
				t.Errorf("%d pages, %v, want %d", n, err, tt.pages)
			}
			text, err := d.Page(t.Context(), doc.ID, 1)
			if err != nil || !strings.Contains(text, tt.want) {
				t.Errorf("page 1 is %q, %v, want %q in it", text, err, tt.want)
			}
		})
	}
}

func TestAddSaysWhyAFileIsNotRead(t *testing.T) {
	tests := []struct {
		name string
		data []byte
		want error
	}{
		{"empty.pdf", nil, ErrEmpty},
		{"blank.txt", []byte(" \n\u200b\n"), ErrEmpty},
		{"encrypted.pdf", sampleFile(t, "encrypted.pdf"), ErrEncrypted},
		{"truncated.pdf", sampleFile(t, "truncated.pdf"), ErrDamaged},
		{"page.pdf", []byte("<!DOCTYPE html><html><p>Log in</p></html>"), ErrNotPDF},
		{"archive.pdf", archive(t, map[string]string{"a.txt": "a"}), ErrNotPDF},
		{"archive.zip", archive(t, map[string]string{"a.txt": "a"}), ErrUnsupported},
		{"scanned.pdf", sampleFile(t, "scanned.pdf"), ErrScanned},
		{"voice.ogg", []byte("OggS\x00\x02\x00\x00\x00\x00"), ErrUnsupported},
		{"picture.png", []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"), ErrDamaged},
		{"old.doc", []byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\x00\x00"), ErrUnsupported},
		{"locked.docx", append([]byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"), spaced("EncryptedPackage")...), ErrEncrypted},
		{"cut.docx", word(t, `<w:p/>`)[:60], ErrDamaged},
		{"large.txt", bytes.Repeat([]byte("a"), 1<<20+1), ErrTooLarge},
	}
	d := newDesk(t)
	d.Limits.Bytes = 1 << 20
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc, err := d.Add(t.Context(), d.upload(tt.name, tt.data), nil)
			is(t, err, tt.want)
			if doc == nil || doc.State != memory.DocumentFailed || doc.Reason != tt.want.Error() {
				t.Fatalf("document %+v", doc)
			}
			again, err := d.Add(t.Context(), d.upload(tt.name, tt.data), nil)
			is(t, err, tt.want)
			if again.ID == doc.ID {
				t.Error("a second upload has no document of its own")
			}
		})
	}
	if n := d.count("documents", "state = 'failed'"); n != 2*len(tests) {
		t.Errorf("%d documents, want %d", n, 2*len(tests))
	}
	const opened = 3 // by the engine: their bytes are known when they come again
	list, err := d.List(t.Context(), d.audience(d.session, d.person))
	if err != nil || len(list) != 2*len(tests)-opened {
		t.Errorf("%d documents listed, %v, want %d", len(list), err, 2*len(tests)-opened)
	}
	if n := d.count("blobs", "TRUE") + d.count("pages", "TRUE"); n != 0 {
		t.Errorf("%d rows kept of files that cannot be read", n)
	}
}

// TestAKnownFileNeedsNoWorker, as long as its text is there.
func TestAKnownFileNeedsNoWorker(t *testing.T) {
	d := newDesk(t)
	notes := []byte("The pump was repaired.\n")
	first := d.add("notes.md", notes)
	stopped := pdfium.New(pdfium.Options{})
	if err := stopped.Close(); err != nil {
		t.Fatal(err)
	}
	d.Engine = stopped
	second := d.add("notes.md", notes)
	if text, err := d.Page(t.Context(), second.ID, 1); err != nil || !strings.Contains(text, "The pump was repaired.") {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := d.Add(t.Context(), d.upload("others.md", []byte("The pump broke.\n")), nil); err == nil {
		t.Error("other bytes are read without a worker")
	}
	// Its last document goes between the look and the reading.
	f := &file{data: notes, sum: "removed", kind: kindText}
	d.Engine = engine
	again := &memory.Document{SessionID: d.session.ID, ChannelID: d.session.ChannelID, PersonID: d.person.ID, Name: "notes.md"}
	if err := d.ingest(t.Context(), again, f, false, func(Progress) {}); err != nil {
		t.Fatal(err)
	}
	if text, err := d.Page(t.Context(), again.ID, 1); err != nil || !strings.Contains(text, "The pump was repaired.") || again.ID == first.ID {
		t.Errorf("%q, %v", text, err)
	}
}

func TestAddWithoutEngineFailsAndLaterSucceeds(t *testing.T) {
	d := newDesk(t)
	d.Engine = nil
	doc, err := d.Add(t.Context(), d.upload("a.pdf", sampleFile(t, "pagebreak.pdf")), nil)
	is(t, err, pdfium.ErrNoEngine)
	if doc.State != memory.DocumentFailed || doc.Reason == "" {
		t.Fatalf("document %+v", doc)
	}
	d.Engine = engine
	d.add("b.pdf", sampleFile(t, "pagebreak.pdf"))
	list, _ := d.List(t.Context(), d.audience(d.session, d.person))
	for _, doc := range list {
		if doc.State != memory.DocumentReady {
			t.Errorf("%s is %s", doc.Name, doc.State)
		}
	}
}

func TestAddKeepsTheGoodPages(t *testing.T) {
	doc := newDesk(t).add("bad-page.pdf", sampleFile(t, "bad-page.pdf"))
	if !strings.HasPrefix(doc.Reason, ErrDamaged.Error()+": page ") {
		t.Errorf("reason %q", doc.Reason)
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errors.New("connection reset") }

func TestAddOfADownloadThatBreaks(t *testing.T) {
	d := newDesk(t)
	in := d.upload("a.txt", nil)
	in.MessageID = 7
	in.Data = io.MultiReader(strings.NewReader("half"), brokenReader{})
	failed, err := d.Add(t.Context(), in, nil)
	is(t, err, ErrGone)
	in.Data = strings.NewReader("all of it")
	doc, err := d.Add(t.Context(), in, nil)
	if err != nil || doc.ID != failed.ID || doc.State != memory.DocumentReady {
		t.Errorf("second try: %+v, %v", doc, err)
	}
}

func TestAddReadsTheSameBytesOnce(t *testing.T) {
	d := newDesk(t)
	data := sampleFile(t, "manual.pdf")
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() {
			doc, err := d.Add(t.Context(), d.upload(fmt.Sprintf("%d.pdf", i), data), nil)
			if err != nil || doc.State != memory.DocumentReady {
				t.Errorf("%+v, %v", doc, err)
			}
		})
	}
	wg.Wait()
	pages := d.count("pages", "TRUE")
	if pages < 100 || d.count("contents", "pages_done = ?", pages) != 1 || d.count("blobs", "TRUE") != 1 || d.count("documents", "TRUE") != 6 {
		t.Errorf("%d pages, %d contents, %d documents", pages, d.count("contents", "TRUE"), d.count("documents", "TRUE"))
	}
}

func TestAddContinuesAfterACrash(t *testing.T) {
	d := newDesk(t)
	data := sampleFile(t, "manual.pdf")
	in := d.upload("manual.pdf", data)
	in.MessageID = 7
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	doc, err := d.Add(ctx, in, func(p Progress) {
		if p.Page != batchPages {
			t.Errorf("progress %+v", p)
		}
		cancel()
	})
	is(t, err, context.Canceled)
	if doc == nil || doc.State != memory.DocumentReading {
		t.Fatalf("document %+v", doc)
	}
	if n := d.count("pages", "TRUE"); n != batchPages {
		t.Fatalf("%d pages after the crash", n)
	}

	in.Data = bytes.NewReader(data)
	var seen []Progress
	again, err := d.Add(t.Context(), in, func(p Progress) { seen = append(seen, p) })
	if err != nil || again.ID != doc.ID || again.State != memory.DocumentReady {
		t.Fatalf("%+v, %v", again, err)
	}
	if seen[0].Page != 2*batchPages || seen[len(seen)-1].Page != seen[0].Pages {
		t.Errorf("progress %+v", seen)
	}
	whole := newDesk(t)
	whole.add("manual.pdf", data)
	for _, table := range []string{"pages", "passages", "passages_fts"} {
		if got, want := d.count(table, "TRUE"), whole.count(table, "TRUE"); got != want {
			t.Errorf("%d rows in %s, %d without the crash", got, table, want)
		}
	}
	var got, want content
	for x, k := range map[*desk]*content{d: &got, whole: &want} {
		if err := x.Store.Read().NewSelect().Model(k).Scan(t.Context()); err != nil {
			t.Fatal(err)
		}
		k.CreatedAt = 0
	}
	if got != want {
		t.Errorf("content %+v\nwithout the crash %+v", got, want)
	}
}

func TestAddReadsAsMuchAsTheLimitsAllow(t *testing.T) {
	d := newDesk(t)
	d.Limits.Pages = 3
	data := sampleFile(t, "sample.pdf")
	doc := d.add("sample.pdf", data)
	if want := "too long: only the first 3 of 8 pages were read"; doc.Reason != want {
		t.Errorf("reason %q, want %q", doc.Reason, want)
	}
	d.Limits.Pages = 0
	if doc := d.add("again.pdf", data); doc.Reason != "" {
		t.Errorf("with larger limits: %q", doc.Reason)
	}
	if n := d.count("pages", "TRUE"); n != 8 {
		t.Errorf("%d pages", n)
	}
	list, _ := d.List(t.Context(), d.audience(d.session, d.person))
	if list[0].Reason != "" {
		t.Errorf("the first document still says %q", list[0].Reason)
	}
	d.Limits.Chars = 5000
	if doc := d.add("long.txt", []byte(strings.Repeat("word ", 2000))); !strings.HasPrefix(doc.Reason, ErrTooLong.Error()) {
		t.Errorf("reason %q", doc.Reason)
	}
}

func TestRemoveWhileReading(t *testing.T) {
	d := newDesk(t)
	_, err := d.Add(t.Context(), d.upload("manual.pdf", sampleFile(t, "manual.pdf")), func(p Progress) {
		if p.Page == batchPages {
			if err := d.Remove(t.Context(), d.audience(d.session, d.person), 1); err != nil {
				t.Error(err)
			}
		}
	})
	is(t, err, memory.ErrNotFound)
	if n := d.count("pages", "TRUE") + d.count("contents", "TRUE") + d.count("blobs", "TRUE"); n != 0 {
		t.Errorf("%d rows left", n)
	}
}

func TestSummary(t *testing.T) {
	tests := []struct {
		name    string
		summary summary
		total   int
		want    string
		fault   error
	}{
		{"all text", summary{read: 3, text: []int{1, 2, 3}}, 3, "", nil},
		{"some scans", summary{read: 5, text: []int{1, 2, 4}, scanned: []int{3, 5}}, 5,
			"scanned: no text on pages 3, 5; text on pages 1–2, 4", nil},
		{"a cover and scans", summary{read: 20, text: []int{1}, scanned: make([]int, 19)}, 20, "", ErrScanned},
		{"a slide with text and pictures", summary{slides: true, read: 10, text: []int{1}, scanned: []int{2, 3, 4, 5, 6, 7, 8, 9, 10}}, 10,
			"scanned: no text on pages 2–10; text on page 1", nil},
		{"slides of pictures", summary{slides: true, read: 2, scanned: []int{1, 2}}, 2, "", ErrScanned},
		{"a blank page and a scan", summary{read: 2, scanned: []int{1}}, 2, "", ErrScanned},
		{"blank", summary{read: 2}, 2, "", ErrEmpty},
		{"bad pages", summary{read: 3, text: []int{1, 3}, failed: []int{2}}, 3, "damaged: page 2 could not be read", nil},
		{"only bad pages", summary{read: 2, failed: []int{1, 2}}, 2, "", ErrDamaged},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.summary.fault(); got != tt.fault {
				t.Errorf("fault %v, want %v", got, tt.fault)
			}
			if got := tt.summary.omissions(tt.total); tt.fault == nil && got != tt.want {
				t.Errorf("omissions %q, want %q", got, tt.want)
			}
		})
	}
}
