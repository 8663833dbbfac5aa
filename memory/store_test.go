package memory

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
