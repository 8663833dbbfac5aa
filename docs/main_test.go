package docs

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"threadkeeper/bot/platformtest/leaktest"
	"threadkeeper/docs/pdfium"
	"threadkeeper/memory"
)

// engine is shared: its worker starts once.
var engine *pdfium.Engine

// product are the limits as the program has them.
var product = [...]int64{int64(maxMembers), maxXML, int64(maxTag), int64(maxHTML), maxUnpacked}

// TestTheProductsLimits, which these tests lower: they are meant for files of more than a thousand pages.
func TestTheProductsLimits(t *testing.T) {
	if want := [...]int64{10_000, 32 << 20, 1 << 20, 16 << 20, 256 << 20}; product != want {
		t.Errorf("%d, want %d", product, want)
	}
}

func TestMain(m *testing.M) {
	// In the workers too: what is over a limit ends the same way, and takes long under the race detector.
	maxMembers, maxXML, maxTag, maxHTML, maxUnpacked = 1000, 1<<20, 64<<10, 1<<20, 4<<20
	pdfium.ServeIfWorker()
	engine = pdfium.New(pdfium.Options{Workers: 2, FileTimeout: 10 * time.Minute})
	code := m.Run()
	if err := engine.Close(); err != nil {
		code = 1
	}
	leaktest.Exit(code)
}

// desk is an index over an empty store, with one person in one channel.
type desk struct {
	*Index
	t       testing.TB
	path    string // of the database
	session *memory.Session
	person  *memory.Person
}

func newDesk(t testing.TB) *desk {
	t.Helper()
	path := filepath.Join(t.TempDir(), "db")
	store, err := memory.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	d := &desk{t: t, path: path, Index: &Index{Store: store, Engine: engine, Log: slog.New(slog.DiscardHandler),
		Limits: Limits{Bytes: 50 << 20, Pages: 1500, Chars: 10_000_000}}}
	d.session, d.person = d.enter("general", "", "ada", memory.Public)
	return d
}

// enter locates a thread of a channel with somebody in it.
func (d *desk) enter(channel, thread, person string, kind memory.ChannelKind) (*memory.Session, *memory.Person) {
	d.t.Helper()
	s, p, err := d.Store.Locate(d.t.Context(), memory.Key{Platform: "test", Workspace: "w", Channel: channel, Thread: thread},
		memory.Channel{Kind: kind}, memory.Person{PlatformID: person, Admin: person == "root"})
	if err != nil {
		d.t.Fatal(err)
	}
	return s, p
}

func (d *desk) upload(name string, data []byte) Upload {
	return Upload{Session: d.session, PersonID: d.person.ID, Name: name, Data: bytes.NewReader(data)}
}

// add reads a file that must be readable.
func (d *desk) add(name string, data []byte) *memory.Document {
	d.t.Helper()
	doc, err := d.Add(d.t.Context(), d.upload(name, data), nil)
	if err != nil {
		d.t.Fatal(err)
	}
	if doc.State != memory.DocumentReady {
		d.t.Fatalf("%s is %s (%s)", name, doc.State, doc.Reason)
	}
	return doc
}

func (d *desk) audience(s *memory.Session, p *memory.Person) memory.Audience {
	d.t.Helper()
	a, err := d.Store.Audience(d.t.Context(), s.ID, p.ID)
	if err != nil {
		d.t.Fatal(err)
	}
	return a
}

// count is how many rows of a table meet a condition.
func (d *desk) count(table, where string, args ...any) int {
	d.t.Helper()
	n, err := d.Store.Read().NewSelect().Table(table).Where(where, args...).Count(context.Background())
	if err != nil {
		d.t.Fatal(err)
	}
	return int(n)
}

func sampleFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func is(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("error %v, want %v", err, want)
	}
}

// benchFile is the file that the environment variable PDF names, else the manual of the samples.
func benchFile(t testing.TB) []byte {
	t.Helper()
	path := os.Getenv("PDF")
	if path == "" {
		return sampleFile(t, "manual.pdf")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
