package pdfium

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// frames is what a worker sent.
func frames(t *testing.T, all ...any) []byte {
	t.Helper()
	var b bytes.Buffer
	for i := 0; i < len(all); i += 2 {
		var err error
		if raw, ok := all[i+1].([]byte); ok {
			err = writeFrame(&b, all[i].(kind), raw)
		} else {
			err = writeJSON(&b, all[i].(kind), all[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

// scripted is a job on a worker that sends this and listens to nothing.
func scripted(sent []byte) *job {
	return &job{worker: &worker{in: deaf{io.Discard}, out: bufio.NewReader(bytes.NewReader(sent)), left: time.Minute}}
}

type deaf struct{ io.Writer }

func (deaf) Close() error { return nil }

func TestHostileWorkerIsNotBelieved(t *testing.T) {
	huge := binary.LittleEndian.AppendUint32([]byte{byte(kindPage)}, 1<<31)
	tests := []struct {
		name string
		sent []byte
	}{
		{"a frame larger than any page", huge},
		{"an unknown kind", frames(t, kind('?'), []byte("x"))},
		{"a message for workers", frames(t, kindSetup, setup{})},
		{"a message of another conversation", frames(t, kindPicture, picture{Width: 1, Height: 1})},
		{"not JSON", frames(t, kindPage, []byte("{"))},
		{"a page twice", frames(t, kindPage, Page{Number: 1}, kindPage, Page{Number: 1})},
		{"a page left out", frames(t, kindPage, Page{Number: 2})},
		{"a page over the limit", frames(t, kindPage, Page{Number: 1}, kindPage, Page{Number: 2}, kindPage, Page{Number: 3})},
		{"a broken failure", frames(t, kindFailed, []byte("["))},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := deliver([]*job{scripted(tt.sent)}, Limits{Pages: 2}, 5, func(Page) error { return nil })
			if !errors.Is(err, errFrame) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestHostilePlainWorkerIsNotBelieved(t *testing.T) {
	for name, sent := range map[string][]byte{
		"pages beyond the limit": frames(t, kindPlain, plain{Total: 9, Pages: 3}),
		"more pages than all":    frames(t, kindPlain, plain{Total: 1, Pages: 2}),
		"fewer than none":        frames(t, kindPlain, plain{Total: 1, Pages: -1}),
		"a page twice":           frames(t, kindPlain, plain{Total: 2, Pages: 2}, kindPage, Page{Number: 1}, kindPage, Page{Number: 1}),
		"no end":                 frames(t, kindPlain, plain{Total: 1, Pages: 1}, kindPage, Page{Number: 1}, kindPage, Page{Number: 2}),
		"too few pixels":         frames(t, kindPlain, plain{Picture: true}, kindPicture, picture{Width: 9, Height: 9}, kindPixels, make([]byte, 9)),
		"no pixels":              frames(t, kindPlain, plain{Picture: true}, kindPicture, picture{}, kindPixels, []byte{}),
		"a picture with pages":   frames(t, kindPlain, plain{Picture: true, Total: 1, Pages: 1}, kindPage, Page{Number: 1}),
		"a page of a PDF":        frames(t, kindOpened, opened{Total: 1}),
	} {
		if _, _, err := scripted(sent).worker.readPlain(Limits{Pages: 2}); !errors.Is(err, errFrame) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestParentEnforcesLimits(t *testing.T) {
	sent := frames(t, kindPage, Page{Number: 1, Text: strings.Repeat("é\r\x00", 50), Failed: strings.Repeat("x\x1b", 1000)}, kindDone, []byte{})
	err := deliver([]*job{scripted(sent)}, Limits{CharsPerPage: 10}, 1, func(p Page) error {
		if p.Text != strings.Repeat("é", 10) || !p.Truncated || utf8.RuneCountInString(p.Failed) > maxReason || strings.Contains(p.Failed, "\x1b") {
			t.Errorf("got %+v", p)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestWorkerRefusesNonsense(t *testing.T) {
	for name, sent := range map[string][]byte{
		"not a frame":            []byte("GET / HTTP/1.1\r\n\r\n"),
		"a file before anything": frames(t, kindFile, []byte("%PDF")),
		"settings of any size":   binary.LittleEndian.AppendUint32([]byte{byte(kindSetup)}, 1<<31),
		"a request first":        frames(t, kindRequest, request{}),
		"settings in no JSON":    frames(t, kindSetup, []byte("{")),
	} {
		if err := serve(context.Background(), bytes.NewReader(sent), io.Discard); !errors.Is(err, errFrame) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestErrorsCrossTheProcessBoundary(t *testing.T) {
	for _, want := range []error{ErrNoEngine, ErrEncrypted, ErrDamaged, ErrTimeout, ErrMemory, ErrNoPage} {
		w := scripted(frames(t, kindFailed, newFailure(want))).worker
		if _, _, err := w.receive(); !errors.Is(err, want) || err.Error() != want.Error() {
			t.Errorf("%v arrives as %v", want, err)
		}
	}
}

func TestWorkerStartsNoWorker(t *testing.T) {
	t.Setenv(workerEnv, "1")
	e, s := newEngine(t, Options{})
	_, _, err := pages(t, e, read(t, "sample.pdf"), Limits{})
	if err == nil || !strings.Contains(err.Error(), "ServeIfWorker") || s.count() != 0 {
		t.Errorf("got %v and %d workers", err, s.count())
	}
}

func TestDeadWorkerIsReplaced(t *testing.T) {
	e, s := newEngine(t, Options{})
	mustPages(t, e, "sample.pdf")
	p, err := os.FindProcess(s.last())
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Kill(); err != nil {
		t.Fatal(err)
	}
	if len(mustPages(t, e, "sample.pdf")) != 8 || s.count() != 2 {
		t.Errorf("%d workers were started, want 2", s.count())
	}
}

func TestWorkerKilledInTheMiddle(t *testing.T) {
	e, s := newEngine(t, Options{})
	_, err := e.Pages(t.Context(), read(t, "manual.pdf"), Limits{}, func(_ int, p Page) error {
		if p.Number == 1 {
			worker, err := os.FindProcess(s.last())
			if err != nil {
				return err
			}
			return worker.Kill()
		}
		return nil
	})
	if !errors.Is(err, ErrDamaged) {
		t.Errorf("got %v", err)
	}
	if len(mustPages(t, e, "sample.pdf")) != 8 {
		t.Error("the next file suffers")
	}
}

func TestAnUnusableCacheIsNotAnError(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	e, _ := newEngine(t, Options{CacheDir: filepath.Join(file, "cache")})
	if len(mustPages(t, e, "sample.pdf")) != 8 {
		t.Error("not read")
	}
}
