package memory

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// Counted says how much a database holds.
type Counted struct {
	Messages  int // erased ones included
	Documents int // removed ones included
}

// Backup writes the whole database, as of one moment, into a new file that only its owner
// can read, and checks that file; others can write meanwhile. With replace it replaces an existing
// file at the end; without, the error is fs.ErrExist.
func (s *Store) Backup(ctx context.Context, path string, replace bool) (c Counted, err error) {
	c, err = s.backup(ctx, path, replace)
	return c, wrap("backup", Explain(err))
}

func (s *Store) backup(ctx context.Context, path string, replace bool) (Counted, error) {
	there, err := os.Stat(path)
	switch {
	case err == nil && os.SameFile(there, s.file):
		return Counted{}, fmt.Errorf("%s is the database itself", path)
	case err == nil && !replace:
		return Counted{}, fmt.Errorf("%s: %w", path, fs.ErrExist)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return Counted{}, err
	}
	return s.writeCopy(ctx, path)
}

// writeCopy writes a copy of the database under a name of its own and gives it the path once it is
// whole and the disk keeps it.
func (s *Store) writeCopy(ctx context.Context, path string) (c Counted, err error) {
	partial, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".partial-*") // its mode is 0600
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		failed.Path = path // the name that somebody gave
	}
	if err != nil {
		return c, err
	}
	defer os.Remove(partial.Name()) // renamed by then, if all went well
	if err := partial.Close(); err != nil {
		return c, err
	}
	if err := s.dialect.copyTo(ctx, s.path, partial.Name()); err != nil {
		return c, err
	}
	if c, err = s.checkCopy(ctx, partial.Name()); err != nil {
		return c, err
	}
	if err := syncFile(partial.Name()); err != nil {
		return c, err
	}
	if err := os.Rename(partial.Name(), path); err != nil {
		return c, err
	}
	return c, syncFolder(path)
}

// checkCopy fails unless the file is a whole database of ours.
func (s *Store) checkCopy(ctx context.Context, path string) (c Counted, err error) {
	copied, err := OpenReadOnly(ctx, path, ByVersion(s.version))
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, copied.Close()) }()
	if err := s.dialect.check(ctx, copied.reader); err != nil {
		return c, err
	}
	return copied.count(ctx)
}

// count counts what is never deleted from the tables.
func (s *Store) count(ctx context.Context) (c Counted, err error) {
	err = s.reader.NewRaw("SELECT (SELECT COUNT(*) FROM messages), (SELECT COUNT(*) FROM documents)").Scan(ctx, &c.Messages, &c.Documents)
	return c, err
}

// LastActivity returns the time of the latest message in any conversation, in milliseconds UTC; 0 if there is none.
func (s *Store) LastActivity(ctx context.Context) (at int64, err error) {
	err = s.reader.NewRaw("SELECT COALESCE(MAX(updated_at), 0) FROM sessions").Scan(ctx, &at)
	return at, err
}

// Checkpoint writes the log back into the database file, so that a copy of that file
// alone is complete up to now. Others can write meanwhile. Pages of the log that somebody
// still reads are left to the next call. It is also a sign of life; see LastSign.
func (s *Store) Checkpoint(ctx context.Context) error {
	err := s.dialect.checkpoint(ctx, s.reader)
	if err == nil {
		err = s.sign(s.purpose)
	}
	return wrap("checkpoint", Explain(err))
}

// LastSign returns when a program that has the database at path open for writing last showed that it works:
// by opening it or calling Checkpoint. It is the zero time if none has it open, as after a crash.
func LastSign(path string) (time.Time, error) {
	lock, err := os.Stat(path + lockSuffix)
	if errors.Is(err, fs.ErrNotExist) {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, fmt.Errorf("memory: %w", err)
	}
	held := flock.New(path + lockSuffix)
	free, err := held.TryLock()
	if free {
		_ = held.Unlock() // its errors are those of closing a file that was only read
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, fmt.Errorf("memory: lock %s: %w", held.Path(), err)
	}
	return lock.ModTime(), nil
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// syncFolder has the disk keep the names in a file's folder, where that can be asked for.
func syncFolder(path string) error {
	f, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	_ = f.Sync() // Windows and some network disks cannot
	return f.Close()
}
