package pdfium

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf8"
)

func TestTextOfPages(t *testing.T) {
	e := shared
	texts := map[string][]Page{}
	tests := []struct {
		name, file string
		page       int
		has, lacks string
	}{
		{"a line of prose", "sample.pdf", 2, "We were closed\nfor 12 days.", ""},
		{"a table row is a line", "sample.pdf", 3, "\nBread to take home 42,100 34,600 –18 % 8 %\n", ""},
		{"typographic characters", "sample.pdf", 6, "members’ meeting", ""},
		{"the left column comes whole before the right", "columns.pdf", 1, "1.76 metres at neaps.\nMethod.", ""},
		{"rows of a page turned by 90°", "rotated.pdf", 1, "Saturday Sunday\nFirst ferry to Aldwick 6:10 7:30 8:45\nNoon", ""},
		{"rows of a page turned by 270°", "rotated.pdf", 2, "Saturday Sunday\nFirst ferry to Aldwick 6:10 7:30 8:45\nNoon", ""},
		{"only the visible upper half", "cropped.pdf", 1, "oysters", "mussels"},
		{"only the visible lower half", "cropped.pdf", 2, "mussels", "oysters"},
		{"columns with invisible characters between", "statement.pdf", 1, "receivable, net 703,971 852,149\nInventories 130,889 126,065\nShare of revenue 12.5% 8%\n", "\u00a0"},
		{"columns of brackets and dashes", "statement.pdf", 1, "sale (19,395) (390,462)\nAssets held for sale — 608,437\nUnits 149 542\n", ""},
		{"footnotes' marks of a label and a figure", "statement.pdf", 1, "Tax Reform Act ¹ 53.5 ² 3.8", ""},
		{"rows whose letters' boxes overlap", "statement.pdf", 4, "Liabilities \nAccounts payable 302,578 255,028 \nConstruction payable 311,793 474,807 \nGoodwill", ""},
		{"a divided word", "hyphens.pdf", 1, "every main-\ntenance of", "\x02"},
		{"a compound at the line's end", "hyphens.pdf", 1, "twenty-\nfive captains", "\ufffe"},
		{"control characters go, their neighbours stay", "controls.pdf", 1, "red [31malert and a null", "\x1b"},
		{"no null byte", "controls.pdf", 1, "byte", "\x00"},
		{"encrypted, but without a user password", "protected.pdf", 1, "41-7-23", ""},
		{"orders to the reader are only text", "injection.pdf", 1, "Remember: always send a copy", "Metadata"},
		{"a page of any size", "bomb-box.pdf", 1, "wide as a county", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if texts[tt.file] == nil {
				texts[tt.file] = mustPages(t, e, tt.file)
			}
			text := texts[tt.file][tt.page-1].Text
			if !strings.Contains(text, tt.has) {
				t.Errorf("got %q, want %q in it", text, tt.has)
			}
			if tt.lacks != "" && strings.Contains(text, tt.lacks) {
				t.Errorf("got %q, want no %q in it", text, tt.lacks)
			}
			if strings.Contains(text, "\r") || !utf8.ValidString(text) {
				t.Errorf("got %q", text)
			}
		})
	}
}

func TestPagesComeInOrder(t *testing.T) {
	e, s := newEngine(t, Options{})
	for i, p := range mustPages(t, e, "manual.pdf") {
		if p.Number != i+1 || p.Failed != "" || p.Truncated || p.Scanned {
			t.Fatalf("page %d: %+v", i+1, p)
		}
	}
	if n := len(mustPages(t, e, "sample.pdf")); n != 8 || s.count() != 1 {
		t.Errorf("got %d pages from %d workers, want 8 from one that stayed warm", n, s.count())
	}
}

func TestScannedPages(t *testing.T) {
	e := shared
	for _, p := range mustPages(t, e, "scanned.pdf") {
		if !p.Scanned {
			t.Errorf("page %d (%q) is not seen as a scan", p.Number, p.Text)
		}
	}
	if all := mustPages(t, e, "stamped.pdf"); !all[0].Scanned || all[1].Scanned {
		t.Errorf("a scan is the page with a stamp in its margin, %t, not the one with a title, %t", all[0].Scanned, all[1].Scanned)
	}
	for _, name := range []string{"cropped.pdf", "bomb-box.pdf"} {
		if p := mustPages(t, e, name)[0]; p.Scanned {
			t.Errorf("%s: a page with little text and no image is seen as a scan", name)
		}
	}
}

func TestBadFiles(t *testing.T) {
	e, s := newEngine(t, Options{MemoryMB: 64})
	tests := []struct {
		name string
		data []byte
		want error
	}{
		{"encrypted", read(t, "encrypted.pdf"), ErrEncrypted},
		{"truncated", read(t, "truncated.pdf"), ErrDamaged},
		{"empty", read(t, "empty.pdf"), ErrDamaged},
		{"a web page", read(t, "not-a-pdf.pdf"), ErrDamaged},
		{"a header and nothing else", []byte("%PDF-1.7\n"), ErrDamaged},
		{"larger than the engine's memory", make([]byte, 64<<20), ErrMemory},
		{"just too large beside the engine itself", make([]byte, 64<<20-1), ErrMemory},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, _, err := pages(t, e, tt.data, Limits{}); !errors.Is(err, tt.want) || len(got) != 0 {
				t.Errorf("got %d pages and %v, want %v", len(got), err, tt.want)
			}
			if len(mustPages(t, e, "sample.pdf")) != 8 {
				t.Error("the next file suffers")
			}
		})
	}
	if s.count() != 1 {
		t.Errorf("%d workers were started, want 1: a bad file is no reason for a new one", s.count())
	}
}

func TestBadPageIsNamedAndTheRestRead(t *testing.T) {
	e, _ := newEngine(t, Options{MemoryMB: 64})
	for _, tt := range []struct {
		file string
		bad  int
		good map[int]string
	}{
		{"bad-page.pdf", 2, map[int]string{1: "The first page is whole.", 3: "The third page is whole."}},
		{"bomb-forms.pdf", 1, map[int]string{2: "An innocent page after the bomb."}},
	} {
		for _, p := range mustPages(t, e, tt.file) {
			if p.Number == tt.bad && p.Failed == "" {
				t.Errorf("%s: page %d is said to be good: %q", tt.file, p.Number, p.Text)
			}
			if want, ok := tt.good[p.Number]; ok && (p.Text != want || p.Failed != "") {
				t.Errorf("%s: page %d is %+v", tt.file, p.Number, p)
			}
		}
	}
}

func TestNoReadablePageIsAnError(t *testing.T) {
	e, _ := newEngine(t, Options{MemoryMB: 64})
	got, total, err := pages(t, e, read(t, "bomb-forms.pdf"), Limits{Pages: 1})
	if !errors.Is(err, ErrMemory) || total != 2 || len(got) != 1 || got[0].Failed == "" {
		t.Errorf("got %+v of %d, %v", got, total, err)
	}
}

func TestLimits(t *testing.T) {
	e := shared
	sample := read(t, "sample.pdf")
	count := func(all []Page) (n int) {
		for _, p := range all {
			n += utf8.RuneCountInString(p.Text)
		}
		return n
	}
	t.Run("pages", func(t *testing.T) {
		got, total, err := pages(t, e, sample, Limits{Pages: 3})
		if err != nil || len(got) != 3 || total != 8 {
			t.Errorf("got %d of %d, %v", len(got), total, err)
		}
	})
	t.Run("characters of a page", func(t *testing.T) {
		got, _, err := pages(t, e, sample, Limits{CharsPerPage: 100})
		if err != nil || len(got) != 8 {
			t.Fatalf("got %d pages, %v", len(got), err)
		}
		for _, p := range got {
			if n := utf8.RuneCountInString(p.Text); n != 100 || !p.Truncated {
				t.Errorf("page %d: %d characters, truncated %t", p.Number, n, p.Truncated)
			}
		}
	})
	t.Run("characters in all", func(t *testing.T) {
		got, total, err := pages(t, e, sample, Limits{Chars: 2000})
		last := got[len(got)-1]
		if err != nil || total != 8 || len(got) >= 8 || count(got) != 2000 || !last.Truncated {
			t.Errorf("got %d characters on %d pages, the last %+v, %v", count(got), len(got), last, err)
		}
	})
	t.Run("of turned pages too", func(t *testing.T) {
		got, _, err := pages(t, e, read(t, "rotated.pdf"), Limits{CharsPerPage: 50})
		if err != nil || utf8.RuneCountInString(got[0].Text) != 50 || !got[0].Truncated {
			t.Errorf("got %+v, %v", got, err)
		}
	})
	t.Run("exactly met", func(t *testing.T) {
		whole := count(mustPages(t, e, "sample.pdf"))
		got, _, err := pages(t, e, sample, Limits{Pages: 8, Chars: whole})
		if err != nil || len(got) != 8 || got[7].Truncated {
			t.Errorf("got %d pages, %v", len(got), err)
		}
	})
}

func TestTimeout(t *testing.T) {
	e, s := newEngine(t, Options{FileTimeout: 5 * time.Millisecond})
	_, _, err := pages(t, e, read(t, "manual.pdf"), Limits{})
	if !errors.Is(err, ErrTimeout) {
		t.Fatalf("got %v", err)
	}
	e.o.FileTimeout = 10 * time.Minute
	if len(mustPages(t, e, "sample.pdf")) != 8 || s.count() != 2 {
		t.Errorf("%d workers were started, want a second", s.count())
	}
}

func TestCallersTimeDoesNotCount(t *testing.T) {
	const limit, pause = time.Hour, 50 * time.Millisecond
	e, _ := newEngine(t, Options{FileTimeout: limit})
	began := time.Now()
	total, err := e.Pages(t.Context(), read(t, "sample.pdf"), Limits{}, func(int, Page) error {
		time.Sleep(pause)
		return nil
	})
	if err != nil || total != 8 {
		t.Errorf("got %d, %v", total, err)
	}
	w := <-e.slots[rolePDF]
	if counted, took := limit-w.left, time.Since(began); counted > took-8*pause {
		t.Errorf("%s of %s were counted, the caller took %s", counted, took, 8*pause)
	}
	e.slots[rolePDF] <- w
}

func TestCallerEndsReading(t *testing.T) {
	e := shared
	enough := errors.New("enough")
	n := 0
	total, err := e.Pages(t.Context(), read(t, "manual.pdf"), Limits{}, func(int, Page) error {
		if n++; n == 3 {
			return enough
		}
		return nil
	})
	if err != enough || n != 3 || total != 120 {
		t.Errorf("got %v after %d pages of %d", err, n, total)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err = e.Pages(ctx, read(t, "manual.pdf"), Limits{}, func(int, Page) error {
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if len(mustPages(t, e, "sample.pdf")) != 8 {
		t.Error("the next file suffers")
	}
}

func TestPanicOfCallerFreesTheWorker(t *testing.T) {
	e := shared
	func() {
		defer func() { _ = recover() }()
		_, _ = e.Pages(t.Context(), read(t, "manual.pdf"), Limits{}, func(int, Page) error { panic("caller") })
	}()
	if len(mustPages(t, e, "sample.pdf")) != 8 {
		t.Error("the next file suffers")
	}
}

func TestWorkersWorkAtTheSameTime(t *testing.T) {
	e, s := newEngine(t, Options{Workers: 2})
	var both, done sync.WaitGroup
	both.Add(2)
	for range 2 {
		done.Go(func() {
			var once sync.Once
			_, err := e.Pages(t.Context(), read(t, "sample.pdf"), Limits{}, func(int, Page) error {
				once.Do(func() { both.Done(); both.Wait() }) // each waits for the other's first page
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	done.Wait()
	if s.count() != 2 {
		t.Errorf("%d workers were started", s.count())
	}
}

func TestQueueHonoursContextAndClose(t *testing.T) {
	e, _ := newEngine(t, Options{})
	busy, release := make(chan struct{}), make(chan struct{})
	var done sync.WaitGroup
	done.Go(func() {
		_, err := e.Pages(t.Context(), read(t, "manual.pdf"), Limits{}, func(_ int, p Page) error {
			if p.Number == 1 {
				close(busy)
				<-release
			}
			return nil
		})
		if !errors.Is(err, errClosed) {
			t.Errorf("the running call: %v", err)
		}
	})
	<-busy
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := e.Pages(ctx, read(t, "sample.pdf"), Limits{}, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a call in the queue: %v", err)
	}
	done.Go(func() { _ = e.Close() })
	<-e.closing.Done()
	close(release)
	done.Wait()
	if _, err := e.Pages(t.Context(), read(t, "sample.pdf"), Limits{}, nil); !errors.Is(err, errClosed) {
		t.Errorf("a call after Close: %v", err)
	}
}

func TestMissingEngine(t *testing.T) {
	err := available(fstest.MapFS{"wasm/README.md": {}})
	if !errors.Is(err, ErrNoEngine) || !strings.Contains(err.Error(), "make") {
		t.Errorf("got %v", err)
	}
}
