package pdfium

import (
	"errors"
	"os"
	"reflect"
	"testing"
)

// lame is what a worker sends that is to read two pages of which it reads one.
func lame(t *testing.T, end ...any) []byte {
	return frames(t, append([]any{kindPage, Page{Number: 2, Text: "two"}}, end...)...)
}

func TestWorkersShareALongDocument(t *testing.T) {
	one, _ := newEngine(t, Options{})
	three, s := newEngine(t, Options{Workers: 3})
	manual, some := read(t, "manual.pdf"), Limits{Pages: 3*helperPages + 5}
	want, _, err := pages(t, one, manual, some)
	if err != nil || len(want) != some.Pages {
		t.Fatalf("%d pages, %v", len(want), err)
	}
	for range 2 { // by workers that stay
		if got, _, err := pages(t, three, manual, some); err != nil || !reflect.DeepEqual(got, want) || s.count() != 3 {
			t.Errorf("%d workers read something else than one, %v", s.count(), err)
		}
		if len(mustPages(t, three, "sample.pdf")) != 8 {
			t.Error("the next file suffers")
		}
	}
}

func TestShortDocumentTakesOneWorker(t *testing.T) {
	e, s := newEngine(t, Options{Workers: 3})
	mustPages(t, e, "sample.pdf")
	got, total, err := pages(t, e, read(t, "manual.pdf"), Limits{Pages: 10})
	if err != nil || len(got) != 10 || total != 120 || s.count() > 2 {
		t.Errorf("%d pages of %d by %d workers, %v", len(got), total, s.count(), err)
	}
}

func TestSharedLimits(t *testing.T) {
	one, _ := newEngine(t, Options{})
	two, _ := newEngine(t, Options{Workers: 2})
	manual := read(t, "manual.pdf")
	for _, l := range []Limits{{Pages: 41}, {Chars: 10_000}, {Chars: 10_001, CharsPerPage: 700}, {Pages: 30, CharsPerPage: 10}} {
		want, _, err := pages(t, one, manual, l)
		if err != nil {
			t.Fatal(err)
		}
		if got, total, err := pages(t, two, manual, l); err != nil || total != 120 || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v: %d of %d pages from two workers, %d from one, %v", l, len(got), total, len(want), err)
		}
	}
}

func TestOneKilledWorkerLosesItsPagesOnly(t *testing.T) {
	e, s := newEngine(t, Options{Workers: 2})
	manual, some := read(t, "manual.pdf"), Limits{Pages: 60}
	want, _, err := pages(t, e, manual, some)
	if err != nil {
		t.Fatal(err)
	}
	var lost []int
	last := 0
	_, err = e.Pages(t.Context(), manual, some, func(_ int, p Page) error {
		if last = p.Number; p.Number == 1 {
			worker, err := os.FindProcess(s.last())
			if err != nil {
				return err
			}
			return worker.Kill()
		}
		if p.Failed != "" {
			lost = append(lost, p.Number)
		} else if !reflect.DeepEqual(p, want[p.Number-1]) {
			t.Errorf("page %d is another", p.Number)
		}
		return nil
	})
	if err != nil || last != 60 || len(lost) > 30 {
		t.Errorf("the last page is %d, lost are %v, %v", last, lost, err)
	}
	for _, n := range lost {
		if n%2 != lost[0]%2 {
			t.Errorf("pages %v are lost, want those of one worker", lost)
		}
	}
	if len(mustPages(t, e, "sample.pdf")) != 8 {
		t.Error("the next file suffers")
	}
}

func TestBrokenShare(t *testing.T) {
	good := frames(t, kindPage, Page{Number: 1, Text: "one"}, kindPage, Page{Number: 3, Text: "three"}, kindDone, []byte{})
	none := frames(t, kindPage, Page{Number: 1, Failed: "bad"}, kindPage, Page{Number: 3, Failed: "bad"}, kindFailed, newFailure(ErrDamaged))
	for _, tt := range []struct {
		name          string
		first, second []byte
		failed        int // pages
		want          error
	}{
		{"a share that fails", good, lame(t, kindFailed, newFailure(ErrMemory)), 1, nil},
		{"a worker that stops", good, lame(t), 1, nil},
		{"a worker without a page", none, lame(t, kindPage, Page{Number: 4}, kindDone, []byte{}), 2, nil},
		{"nothing readable", none, frames(t, kindFailed, newFailure(ErrMemory)), 2, ErrDamaged},
		{"an answer out of turn", good, lame(t, kindPage, Page{Number: 3}), 0, errFrame},
		{"too early an end", good, lame(t, kindDone, []byte{}), 0, errFrame},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var numbers []int
			failed := 0
			err := deliver([]*job{scripted(tt.first), scripted(tt.second)}, Limits{}, 4, func(p Page) error {
				numbers = append(numbers, p.Number)
				if p.Failed != "" {
					failed++
				}
				return nil
			})
			if tt.want != nil {
				if !errors.Is(err, tt.want) {
					t.Errorf("got %v, want %v", err, tt.want)
				}
				return
			}
			if err != nil || !reflect.DeepEqual(numbers, []int{1, 2, 3, 4}) || failed != tt.failed {
				t.Errorf("pages %v, %d failed, %v", numbers, failed, err)
			}
		})
	}
}
