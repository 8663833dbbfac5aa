package pdfium

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"threadkeeper/bot/platformtest/leaktest"
)

func TestMain(m *testing.M) {
	ServeIfWorker()
	blockIfParent()
	code := m.Run()
	if err := shared.Close(); err != nil {
		code = 1
	}
	leaktest.Exit(code)
}

// shared is the engine of tests that want nothing of their own: its worker starts once.
var shared = New(Options{FileTimeout: 10 * time.Minute})

// read returns a file of docs/testdata.
func read(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// started collects the process ids of the workers that an engine starts.
type started struct {
	slog.Handler
	mu   sync.Mutex
	pids []int
}

func (s *started) Enabled(context.Context, slog.Level) bool { return true }

func (s *started) Handle(_ context.Context, r slog.Record) error {
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "pid" {
			s.mu.Lock()
			s.pids = append(s.pids, int(a.Value.Int64()))
			s.mu.Unlock()
		}
		return true
	})
	return nil
}

func (s *started) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.pids)
}

func (s *started) last() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pids[len(s.pids)-1]
}

func newEngine(t testing.TB, o Options) (*Engine, *started) {
	t.Helper()
	s := &started{Handler: slog.DiscardHandler}
	o.Log = slog.New(s)
	if o.FileTimeout == 0 {
		o.FileTimeout = 10 * time.Minute // the machine may be busy
	}
	e := New(o)
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e, s
}

// pages returns all that Pages delivers.
func pages(t testing.TB, e *Engine, data []byte, l Limits) ([]Page, int, error) {
	t.Helper()
	var all []Page
	total, err := e.Pages(t.Context(), data, l, func(n int, p Page) error {
		all = append(all, p)
		return nil
	})
	return all, total, err
}

func mustPages(t testing.TB, e *Engine, name string) []Page {
	t.Helper()
	all, total, err := pages(t, e, read(t, name), Limits{})
	if err != nil || total != len(all) {
		t.Fatalf("%s: %d of %d pages, %v", name, len(all), total, err)
	}
	return all
}

func TestEngineFile(t *testing.T) {
	b, err := engineFiles.ReadFile(engineFile)
	if err != nil {
		t.Fatal("docs/pdfium/wasm/pdfium.wasm is missing: run `make engine`")
	}
	if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) != engineSum {
		t.Fatalf("docs/pdfium/wasm/pdfium.wasm is not the file that was checked (SHA-256 %x): run `make engine`", sum)
	}
	makefile, err := os.ReadFile(filepath.Join("..", "..", "Makefile"))
	if err != nil || !bytes.Contains(makefile, []byte(engineSum)) {
		t.Errorf("the Makefile does not check the same SHA-256 (%v)", err)
	}
}
