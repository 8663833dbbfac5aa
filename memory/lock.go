package memory

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"
)

// ErrLocked reports that another process holds the database, or a part of it that only one process may
// hold. The error's text names the process if it is known.
var ErrLocked = errors.New("in use by another process")

// Shared opens a database together with other processes that do the same. Each works on what it has
// claimed; see Sit and Hold.
func Shared() OpenOption { return func(c *core) { c.shared = true } }

const (
	lockSuffix = ".lock"
	holdSuffix = ".hold-"

	shareWait = 15 * time.Second // that a process which starts waits for another one's start or upgrade
	tellWait  = time.Second / 2  // of that, until it says so
	lockPoll  = 20 * time.Millisecond
)

// For says what the process that opens a database is for: whoever waits for it is told.
func For(purpose string) OpenOption { return func(c *core) { c.purpose = purpose } }

// TellWait is called once if Open waits for another process: with who holds the database and how long Open waits at most.
func TellWait(tell func(holder string, most time.Duration)) OpenOption {
	return func(c *core) { c.tellWait = tell }
}

// takeLock takes the lock of the database, and reports whether no other process has it. One that
// shares the lock begins alone if it can: downgrade ends that.
func (c *core) takeLock(ctx context.Context) (alone bool, err error) {
	c.lock = flock.New(c.path + lockSuffix)
	err = c.awaitLock(ctx, func() (taken bool, err error) {
		if alone, err = c.lock.TryLock(); alone || err != nil || !c.shared {
			return alone, err
		}
		return c.lock.TryRLock()
	})
	if err != nil {
		return false, err
	}
	if c.brief && !alone { // who stays longer is named to those who wait
		return alone, nil
	}
	return alone, c.sign(c.purpose)
}

// awaitLock tries to take the lock, again and again if it is to be shared.
func (c *core) awaitLock(ctx context.Context, try func() (taken bool, err error)) error {
	path := c.lock.Path()
	for began, told := time.Now(), c.tellWait == nil; ; {
		taken, err := try()
		switch waited := time.Since(began); {
		case err != nil:
			return fmt.Errorf("memory: lock %s: %w", path, err)
		case taken:
			return nil
		case !c.shared || waited > shareWait:
			return fmt.Errorf("memory: the database is %w: %s holds %s", ErrLocked, holder(path), path)
		case !told && waited > tellWait:
			told = true
			c.tellWait(holder(path), shareWait)
		}
		select {
		case <-time.After(lockPoll):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// downgrade shares a lock that this process had alone. Another process may have the lock in
// between, and put a backup in place: there notices.
func (c *core) downgrade(ctx context.Context) error {
	if err := c.lock.Unlock(); err != nil {
		return err
	}
	if err := c.awaitLock(ctx, c.lock.TryRLock); err != nil {
		return err
	}
	return c.there()
}

// sign gives a sign of life: it writes the process with the lock and what it is for, and the time. See LastSign.
func (c *core) sign(purpose string) error {
	if c.lock == nil {
		return nil
	}
	path := c.lock.Path()
	return errors.Join(os.WriteFile(holderFile(path), []byte(strings.TrimSpace(fmt.Sprint(os.Getpid(), " ", purpose))), 0o600),
		os.Chtimes(path, time.Time{}, time.Now()))
}

// holderFile returns the file with the process id of a lock's holder. Windows lets nobody read or write
// a locked file.
func holderFile(lock string) string {
	if runtime.GOOS == "windows" {
		return lock + ".pid"
	}
	return lock
}

func holder(lock string) string {
	signed, _ := os.ReadFile(holderFile(lock))
	id, purpose, does := strings.Cut(string(signed), " ")
	switch {
	case id == "":
		return "another process"
	case does:
		return "process " + id + " (" + purpose + ")"
	}
	return "process " + id
}

// Hold makes this process the only holder of a name, until release is called. The error is
// ErrLocked if another process holds it. A process that has the database alone holds every name.
func (s *Store) Hold(name string) (release func(), err error) {
	if !s.shared {
		return func() {}, nil
	}
	sum := sha256.Sum256([]byte(name))
	path := s.path + holdSuffix + hex.EncodeToString(sum[:8])
	for {
		lock := flock.New(path)
		ok, err := lock.TryLock()
		if err != nil {
			return nil, fmt.Errorf("memory: hold %s: %w", name, err)
		}
		if !ok {
			return nil, fmt.Errorf("memory: %s is %w (%s)", name, ErrLocked, holder(path))
		}
		mine, err := lock.Stat()
		if there, gone := os.Stat(path); err != nil || gone != nil || !os.SameFile(mine, there) {
			_ = lock.Unlock() // the previous holder removed the file between our opening and locking it
			continue
		}
		_ = os.WriteFile(holderFile(path), fmt.Appendf(nil, "%d", os.Getpid()), 0o600) // for messages only
		return sync.OnceFunc(func() {
			_ = os.Remove(path) // Windows removes no open file: the next process that is alone does
			_ = lock.Unlock()   // which closes it in any case
		}), nil
	}
}

// HoldWhenFree is Hold, but waits for another process to release the name.
func (s *Store) HoldWhenFree(ctx context.Context, name string) (release func(), err error) {
	for {
		release, err := s.Hold(name)
		if !errors.Is(err, ErrLocked) {
			return release, err
		}
		select {
		case <-time.After(lockPoll):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// removeHolds removes what processes that were killed have left. Only who has the database alone
// may do so.
func (c *core) removeHolds() {
	folder, base := filepath.Split(c.path)
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), base+holdSuffix) {
			_ = os.Remove(filepath.Join(folder, e.Name())) // it does no harm
		}
	}
}

// seat is the one conversation a process works on.
type seat struct {
	key     Key
	release func()
}

// Sit makes this process the only one that works on a conversation, and limits it to that
// conversation, until the next Sit or Close. The error is ErrLocked, and nothing changes, if another process works on it.
func (s *Store) Sit(key Key) error {
	old := s.sits.Load()
	if old != nil && old.key == key {
		return nil
	}
	release, err := s.Hold(strings.Join([]string{key.Platform, key.Workspace, key.Channel, key.Thread}, "/"))
	if err != nil {
		return err
	}
	if s.sits.Store(&seat{key, release}); old != nil {
		old.release()
	}
	return nil
}

// mine is an SQL condition on a column with the id of a session: this process works on it.
func (c *core) mine(column string) schema.QueryWithArgs {
	s := c.sits.Load()
	if s == nil {
		return bun.SafeQuery("TRUE")
	}
	return bun.SafeQuery("? = (SELECT id FROM sessions WHERE platform = ? AND workspace = ? AND channel = ? AND thread = ?)",
		bun.Ident(column), s.key.Platform, s.key.Workspace, s.key.Channel, s.key.Thread)
}
