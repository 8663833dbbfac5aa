package memory

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/gofrs/flock"
	"github.com/uptrace/bun"
)

// Store is the memory: messages and everything derived from them. Its zero value is unusable;
// see Open.
type Store struct {
	*core

	// Policy says when sessions are compacted.
	Policy Policy

	// Phrases are the terms of our own sentences, as PhraseTerms gives them. That an answer holds
	// one does not show whom it repeats. Nil stands for none.
	Phrases func() map[string]bool

	Queue *Queue
	Views *Views
}

// core is what Store, Queue and Views share: the database.
type core struct {
	// Now is the clock, in milliseconds UTC. Tests replace it.
	Now func() int64

	dialect dialect
	version string // of the program, "" if it was not given
	copies  bool   // one is made before an upgrade
	shared  bool   // other processes may have the database too
	brief   bool   // for one question
	purpose string // see For

	tellWait func(holder string, most time.Duration) // nil for nobody

	sits   atomic.Pointer[seat]
	erased atomic.Int64

	writer *bun.DB // one connection: every transaction is immediate
	reader *bun.DB // query_only
	group  *group
	lock   *flock.Flock
	path   string
	file   os.FileInfo // what path was when it was opened

	refused atomic.Pointer[error]
}

func newStore(c *core) *Store {
	s := &Store{core: c, Policy: DefaultPolicy(0)}
	s.Queue, s.Views = &Queue{core: c, memory: s}, &Views{c, s}
	return s
}

// OpenOption changes how a database is opened.
type OpenOption func(*core)

// ByVersion names the version of the program that opens the database. It is recorded with
// every migration, so that an older program can name it.
func ByVersion(version string) OpenOption { return func(c *core) { c.version = version } }

// Brief opens a database for one question: fewer connections are made, each of which reads all definitions of tables, and what is
// written lasts from Close on if the machine crashes, or from the next checkpoint if others read just then.
func Brief() OpenOption { return func(c *core) { c.brief = true } }

// Open opens the SQLite file at path for reading and writing, creating it and
// its folder if they are missing, and upgrades its tables. One
// process at a time may do so, or several that all open it Shared; another one gets
// ErrLocked. The first of them takes over the work of a process that was killed. If a newer program
// has upgraded the tables further, the error is a NewerError and nothing is changed; likewise ErrForeign for a
// database of another program.
func Open(ctx context.Context, path string, options ...OpenOption) (*Store, error) {
	path, err := filepath.Abs(path)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o700)
	}
	if err != nil {
		return nil, fmt.Errorf("memory: %w", err)
	}
	s := newFileStore(path, options)
	alone, err := s.takeLock(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.open(ctx, alone); err != nil {
		return nil, err
	}
	return s, nil
}

func newFileStore(path string, options []OpenOption) *Store {
	s := newStore(&core{Now: clock, dialect: sqlite{}, group: newGroup(), path: path, copies: true})
	for _, set := range options {
		set(s.core)
	}
	return s
}

// open opens the file, which nobody else has if alone is set. After an error the store is closed.
func (s *Store) open(ctx context.Context, alone bool) (err error) {
	defer func() {
		if err != nil {
			_ = s.Close() // err is the error that matters
			err = openError(s.path, err)
		}
	}()
	if s.file, err = ownFile(s.path); err != nil {
		return err
	}
	if s.reader, err = s.dialect.openReader(s.path); err != nil {
		return err
	}
	ours, err := s.refuseForeign(ctx, true)
	if err != nil {
		return err
	}
	lacks := 1
	if ours {
		if lacks, err = s.refuseNewer(ctx); err != nil {
			return err
		}
	}
	logged, err := s.dialect.logged(ctx, s.reader)
	if err != nil {
		return err
	}
	if !logged {
		// The writer changes how the file is journaled. A connection that has read before would not know that, and write
		// nothing back at a checkpoint.
		if err := s.reader.Close(); err != nil {
			return err
		}
		if s.reader, err = s.dialect.openReader(s.path); err != nil {
			return err
		}
	}
	if s.writer, err = s.dialect.openWriter(s.path); err != nil {
		return err
	}
	if s.brief {
		s.reader.SetMaxOpenConns(1)
		if err := s.dialect.syncCommits(s.writer, false); err != nil {
			return err
		}
	}
	switch {
	case lacks > 0 && !alone:
		return fmt.Errorf("its tables are of an older version, and it is %w: %s", ErrLocked, holder(s.path+lockSuffix))
	case lacks > 0:
		if err := errors.Join(s.sign("upgrading its tables"), s.migrate(ctx), s.sign(s.purpose)); err != nil {
			return err
		}
	case !alone:
		return nil
	}
	if err := s.secureErase(ctx); err != nil {
		return err
	}
	_ = s.RemoveUpgradeCopies() // any left are removed at the next erasure, or an hour later
	if !s.shared {
		return nil
	}
	s.removeHolds()
	if err := errors.Join(s.Queue.ResetLeases(ctx), s.Queue.ResetDelays(ctx)); err != nil {
		return err
	}
	return s.downgrade(ctx)
}

// IsShared reports whether other processes may have the database open too.
func (s *Store) IsShared() bool { return s.shared }

// OpenReadOnly opens an existing SQLite file that another process may be
// writing. Every method that writes fails. The error is a NewerError or ErrForeign as for Open.
func OpenReadOnly(ctx context.Context, path string, options ...OpenOption) (*Store, error) {
	file, err := statReadable(path)
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
		_, err = s.refuseForeign(ctx, false)
	}
	if err == nil {
		_, err = s.refuseNewer(ctx)
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
	if sits := s.sits.Swap(nil); sits != nil {
		defer sits.release()
	}
	if s.reader != nil && s.reader != s.writer {
		errs = append(errs, s.reader.Close())
	}
	if s.writer != nil {
		if s.brief {
			_ = s.dialect.checkpoint(context.Background(), s.writer) // what it leaves in the log is written by the next process
		}
		errs = append(errs, s.writer.Close())
	}
	if s.lock != nil {
		errs = append(errs, s.lock.Unlock())
	}
	return errors.Join(errs...)
}

// Read returns the database for queries outside a transaction. Package docs uses it.
func (s *Store) Read() bun.IDB { return s.reader }

// statReadable describes a file that can be read: SQLite does not say why one cannot.
func statReadable(path string) (os.FileInfo, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // it was only looked at
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = &os.PathError{Op: "open", Path: path, Err: syscall.EISDIR}
	}
	return info, err
}

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
