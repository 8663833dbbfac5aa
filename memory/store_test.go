package memory

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uptrace/bun"
)

// The driver ignores options it does not know, so each is asked for.
func TestConnectionsHaveTheirPragmas(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	for pragma, want := range map[string]int{"foreign_keys": 1, "synchronous": 2, "busy_timeout": busyTimeout, "query_only": 0} {
		var got int
		if err := s.writer.NewRaw("PRAGMA "+pragma).Scan(ctx, &got); err != nil || got != want {
			t.Errorf("writer %s = %d, want %d (%v)", pragma, got, want, err)
		}
	}
	var mode string
	if err := s.writer.NewRaw("PRAGMA journal_mode").Scan(ctx, &mode); err != nil || mode != "wal" {
		t.Errorf("journal_mode = %q (%v)", mode, err)
	}
	if _, err := s.reader.NewRaw("DELETE FROM messages").Exec(ctx); err == nil {
		t.Error("a reader can write")
	}
}

// TestWhatIsRedoneWaitsForNoDisk, alone; what waits with it for the disk does, and so does the next write.
func TestWhatIsRedoneWaitsForNoDisk(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	level := func(write func(context.Context, func(context.Context, bun.Tx) error) error) (got int) {
		failed := errors.New("undone")
		for _, end := range []error{failed, nil} {
			err := write(ctx, func(ctx context.Context, tx bun.Tx) error {
				return errors.Join(tx.NewRaw("PRAGMA synchronous").Scan(ctx, &got), end)
			})
			if !errors.Is(err, end) {
				t.Error(err)
			}
		}
		return got
	}
	const normal, full = 1, 2
	for _, want := range []int{normal, normal, full} {
		write := s.WriteRedone
		if want == full {
			write = s.Write
		}
		if got := level(write); got != want {
			t.Errorf("synchronous = %d, want %d", got, want)
		}
	}
	mixed := []*write{{ctx: ctx, redone: true, done: make(chan struct{})}, {ctx: ctx, done: make(chan struct{})}}
	for _, w := range mixed {
		w.fn = func(ctx context.Context, tx bun.Tx) error {
			var got int
			if err := tx.NewRaw("PRAGMA synchronous").Scan(ctx, &got); err != nil || got != full {
				t.Errorf("together: synchronous = %d, %v", got, err)
			}
			return nil
		}
	}
	s.commit(mixed)
}

func TestOneProcessWrites(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "a folder", "100% #1.db")
	s, err := Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(ctx, path); !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), "process") {
		t.Fatalf("second writer: %v", err)
	}
	ro, err := OpenReadOnly(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	if err := ro.SetSetting(ctx, "", "a", "b"); err == nil {
		t.Error("a read-only store can write")
	}
	if err := errors.Join(ro.Close(), s.Close()); err != nil {
		t.Fatal(err)
	}
	if s, err = Open(ctx, path); err != nil {
		t.Fatalf("after Close: %v", err)
	}
	s.Close()
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file can be read by others: %v %v", info.Mode(), err)
	}
	if _, err := OpenReadOnly(ctx, path+".missing"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
}

// commits counts the transactions in the write-ahead log since it was last reset:
// a frame that ends one carries the size of the database in bytes 4 to 8 of its
// header (sqlite.org/fileformat2.html, "WAL File Format").
func commits(t *testing.T, s *Store) int {
	t.Helper()
	var path string
	if err := s.reader.NewRaw("SELECT file FROM pragma_database_list WHERE name = 'main'").Scan(t.Context(), &path); err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	if len(log) < 32 {
		return 0
	}
	page, n := int(binary.BigEndian.Uint32(log[8:])), 0
	salt := string(log[16:24])
	for frame := log[32:]; len(frame) >= 24+page && string(frame[8:16]) == salt; frame = frame[24+page:] {
		if binary.BigEndian.Uint32(frame[4:]) > 0 {
			n++
		}
	}
	return n
}
