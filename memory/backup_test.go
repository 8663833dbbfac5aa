package memory

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// textsIn are those of the messages of a database file.
func textsIn(t *testing.T, path string) (all []string) {
	t.Helper()
	s, err := OpenReadOnly(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.reader.NewRaw("SELECT text FROM messages ORDER BY id").Scan(t.Context(), &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// copied is a copy of the database's own file, as cp makes it: without its log.
func copied(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	alone := filepath.Join(t.TempDir(), "alone.db")
	if err := os.WriteFile(alone, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return alone
}

// The file that people copy holds what was said, although the program runs.
func TestTheFileAloneHoldsEverythingAfterACheckpoint(t *testing.T) {
	s := openTest(t)
	for i := range 55 {
		said(t, s, "", fmt.Sprint(i), fmt.Sprintf("item %d is on shelf %d", i, i), false)
	}
	must(t, os.Chtimes(s.path+lockSuffix, time.Time{}, time.Unix(1, 0)))
	if err := s.Checkpoint(t.Context()); err != nil {
		t.Fatal(err)
	}
	if at, err := LastSign(s.path); err != nil || time.Since(at) > time.Minute {
		t.Errorf("the last sign of life is of %v, %v", at, err)
	}
	alone := copied(t, s.path)
	if found := textsIn(t, alone); len(found) != 55 || found[54] != "item 54 is on shelf 54" {
		t.Errorf("the copy holds %q", found)
	}
	if _, err := s.checkCopy(t.Context(), alone); err != nil {
		t.Error(err)
	}
}

func TestBackupBesideAWriter(t *testing.T) {
	s := openTest(t)
	said(t, s, "", "1", "the gate is green", false)
	beside, err := OpenReadOnly(t.Context(), s.path)
	if err != nil {
		t.Fatal(err)
	}
	defer beside.Close()
	path := filepath.Join(t.TempDir(), "backup.db")
	c, err := beside.Backup(t.Context(), path, false)
	if err != nil || c != (Counted{Messages: 1}) {
		t.Fatal(c, err)
	}
	said(t, s, "", "2", "the gate is blue", false)
	if found := textsIn(t, path); len(found) != 1 || found[0] != "the gate is green" {
		t.Errorf("the backup holds %q", found)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
	if left, _ := filepath.Glob(path + ".*"); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}

	if _, err := beside.Backup(t.Context(), path, false); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a backup was overwritten: %v", err)
	}
	if found := textsIn(t, path); len(found) != 1 {
		t.Errorf("the backup holds %q", found)
	}
	if c, err := beside.Backup(t.Context(), path, true); err != nil || c.Messages != 2 {
		t.Error(c, err)
	}
	if _, err := beside.Backup(t.Context(), s.path, true); err == nil {
		t.Error("the database was replaced by its backup")
	}
}

// Nobody else can read the copy while it is being written.
func TestABackupIsPrivateFromItsFirstByte(t *testing.T) {
	s := openTest(t)
	said(t, s, "", "1", "the gate is green", false)
	folder := t.TempDir()
	seen := 0
	s.dialect = watched{s.dialect, func(path string) {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != 0o600 || info.Size() != 0 {
			t.Error(info.Mode(), info.Size(), err)
		}
		seen++
	}, func(path string) {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != 0o600 || info.Size() == 0 {
			t.Error(info.Mode(), info.Size(), err)
		}
		seen++
	}}
	if _, err := s.Backup(t.Context(), filepath.Join(folder, "b.db"), false); err != nil || seen != 2 {
		t.Error(err, seen)
	}
}

// watched looks at the file of a copy before and after it is written.
type watched struct {
	dialect
	before, after func(path string)
}

func (w watched) copyTo(ctx context.Context, from, to string) error {
	w.before(to)
	err := w.dialect.copyTo(ctx, from, to)
	w.after(to)
	return err
}

// A copy that cannot be written whole leaves nothing behind.
func TestAFailedBackupLeavesNothing(t *testing.T) {
	s := openTest(t)
	folder := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	s.dialect = watched{s.dialect, func(string) { cancel() }, func(string) {}}
	if _, err := s.Backup(ctx, filepath.Join(folder, "b.db"), false); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if left, _ := os.ReadDir(folder); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
