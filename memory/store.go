package memory

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/gofrs/flock"
	"github.com/uptrace/bun"
)

// ErrLocked reports that another process has the database open for writing.
var ErrLocked = errors.New("the database is in use by another process")

// Store is the memory: what was said and what was made from it. Its zero value is of no use;
// see Open.
type Store struct {
	*core

	// Policy says when sessions are compacted.
	Policy Policy

	// Phrases are the terms of our own sentences, as PhraseTerms gives them. That an answer holds
	// one says nothing of whom it repeats.
	Phrases map[string]bool

	Queue *Queue
	Views *Views
}

// core is what Store, Queue and Views share: the database.
type core struct {
	// Now is the clock, in milliseconds UTC. Tests replace it.
	Now func() int64

	dialect dialect
	version string // of the program, "" if it was not said
	copies  bool   // one is made before an upgrade
	erased  atomic.Int64

	writer *bun.DB // one connection: every transaction is immediate
	reader *bun.DB // query_only
	group  *group
	lock   *flock.Flock
	path   string
	file   os.FileInfo // what path was when it was opened
}

func newStore(c *core) *Store {
	s := &Store{core: c, Policy: DefaultPolicy(0)}
	s.Queue, s.Views = &Queue{core: c, memory: s}, &Views{c, s}
	return s
}

// OpenOption changes how a database is opened.
type OpenOption func(*core)

// ByVersion says which version of the program opens the database. It is noted with
// every migration, so that an older program can name it.
func ByVersion(version string) OpenOption { return func(c *core) { c.version = version } }

// Open opens the SQLite file at path for reading and writing, creating it and
// its folder where they are missing, and brings its tables up to date. One
// process at a time may do so; for another one the error is ErrLocked and says
// which process holds the file. It is a NewerError, and nothing was changed, if a newer
// program has brought the tables further.
func Open(ctx context.Context, path string, options ...OpenOption) (*Store, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("memory: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("memory: %w", err)
	}
	lock, err := takeLock(path + lockSuffix)
	if err != nil {
		return nil, err
	}
	return openFile(ctx, path, lock, options)
}

// openFile is Open, once the file is ours: by a lock, or because nobody else knows it.
func openFile(ctx context.Context, path string, lock *flock.Flock, options []OpenOption) (*Store, error) {
	file, err := ownFile(path)
	if err != nil {
		if lock != nil {
			err = errors.Join(err, lock.Unlock())
		}
		return nil, fmt.Errorf("memory: open %s: %w", path, err)
	}
	s := newStore(&core{Now: clock, dialect: sqlite{}, lock: lock, group: newGroup(), path: path, file: file, copies: true})
	for _, set := range options {
		set(s.core)
	}
	s.writer, err = s.dialect.openWriter(path)
	if err == nil {
		err = s.migrate(ctx)
	}
	if err == nil {
		err = s.secureErase(ctx)
	}
	_ = s.RemoveUpgradeCopies() // what stays goes with the next erasure, or an hour later
	if err == nil {
		s.reader, err = s.dialect.openReader(path)
	}
	if err != nil {
		s.Close()
		return nil, openError(path, err)
	}
	return s, nil
}

// OpenReadOnly opens an existing SQLite file that another process may be
// writing. Every method that writes fails. The error is a NewerError as Open's.
func OpenReadOnly(ctx context.Context, path string, options ...OpenOption) (*Store, error) {
	file, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("memory: %w", err)
	}
	s := newStore(&core{Now: clock, dialect: sqlite{}, group: newGroup(), path: path, file: file})
	for _, set := range options {
		set(s.core)
	}
	s.reader, err = s.dialect.openReader(path)
	s.writer = s.reader
	if err == nil {
		err = s.refuseNewer(ctx)
	}
	if err != nil {
		s.Close()
		return nil, openError(path, err)
	}
	return s, nil
}

// openError is what Open returns for err. A NewerError names the file itself.
func openError(path string, err error) error {
	var newer *NewerError
	if errors.As(err, &newer) {
		return newer
	}
	return fmt.Errorf("memory: open %s: %w", path, Explain(err))
}

// Close closes the database and lets the next process in.
func (s *Store) Close() error {
	var errs []error
	if s.reader != nil && s.reader != s.writer {
		errs = append(errs, s.reader.Close())
	}
	if s.writer != nil {
		errs = append(errs, s.writer.Close())
	}
	if s.lock != nil {
		errs = append(errs, s.lock.Unlock())
	}
	return errors.Join(errs...)
}

// Read is the database for queries outside a transaction. Package docs uses it.
func (s *Store) Read() bun.IDB { return s.reader }

func clock() int64 { return time.Now().UnixMilli() }

// ownFile creates a missing database file so that only its owner can read it.
// SQLite gives its log the same permissions.
func ownFile(path string) (os.FileInfo, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	return info, errors.Join(err, f.Close())
}

// lockSuffix ends the name of the lock file.
const lockSuffix = ".lock"

// takeLock takes the lock file that lets one process at a time write. The file
// holds the process id of its owner.
func takeLock(path string) (*flock.Flock, error) {
	lock := flock.New(path)
	ok, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("memory: lock %s: %w", path, err)
	}
	if !ok {
		holder, _ := os.ReadFile(path)
		return nil, fmt.Errorf("memory: %w (process %s holds %s)", ErrLocked, holder, path)
	}
	if err := os.WriteFile(path, fmt.Appendf(nil, "%d", os.Getpid()), 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("memory: lock %s: %w", path, err), lock.Unlock())
	}
	return lock, nil
}
