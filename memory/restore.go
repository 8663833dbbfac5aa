package memory

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/uptrace/bun"
)

// Restored describes the restored database.
type Restored struct {
	Counted
	Until   int64  // when the backup was changed last, in milliseconds UTC, as far as conversations tell; 0 without any
	Aside   string // where the database is that was replaced, "" if there was none
	Pending int    // events and posts of the backup that were pending, and were closed
	Erased  int    // messages and documents that were erased since the backup was made, and are now
	// Unknown says why we do not know what was erased since; nil if we do.
	Unknown error
}

// RestoreOptions are the inputs of Restore.
type RestoreOptions struct {
	Local string       // a platform on which nothing can change while the program does not run
	Open  []OpenOption // as for Open
}

// Restore replaces the database at path, which nobody may have open meanwhile
// (else the error is ErrLocked), with a backup, and keeps the replaced one beside it. The backup stays as it is. The
// error is a NewerError if a newer program wrote the backup, and ErrNotBackup if it is none; an older backup is upgraded.
//
// Time has passed since the backup was made. Work pending in it is closed, because it may have
// been done. Text erased since, as far as the replaced database knows, is erased again. Channels count
// as stale until their platform has been asked; see Stale.
func Restore(ctx context.Context, path, backup string, o RestoreOptions) (r Restored, err error) {
	if path, err = filepath.Abs(path); err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o700)
	}
	if err != nil {
		return r, fmt.Errorf("memory: %w", err)
	}
	place := newFileStore(path, o.Open)
	if _, err := place.takeLock(ctx); err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, place.lock.Unlock()) }()
	copied, fresh := path+".copied", path+".restoring" // under the lock they are ours
	defer removeDatabase(copied)
	defer removeDatabase(fresh)
	if err := fetchBackup(path, backup, copied); err != nil {
		return r, fmt.Errorf("memory: restore: %w", Explain(err))
	}
	if err := inspect(ctx, backup, copied, o.Open); err != nil {
		return r, err
	}
	// Pages of a backup may hold text twice, and one place would keep what is erased from the other.
	removeDatabase(fresh) // what a crash has left
	err = os.WriteFile(fresh, nil, 0o600)
	if err == nil {
		err = place.dialect.copyTo(ctx, copied, fresh)
	}
	if err != nil {
		return r, fmt.Errorf("memory: restore: %w", Explain(err))
	}
	s := newFileStore(fresh, append(slices.Clip(o.Open), func(c *core) { c.copies = false }))
	if err := s.open(ctx, true); err != nil {
		return r, err
	}
	err = errors.Join(s.age(ctx, path, o.Local, &r), s.Close())
	if err == nil {
		err = s.dialect.foldLog(ctx, fresh) // closing it may have left a log; only the one file takes the place
	}
	if err == nil {
		err = syncFile(fresh)
	}
	if err == nil {
		r.Aside, err = s.replaceDatabase(ctx, path)
	}
	if err != nil {
		return r, fmt.Errorf("memory: restore: %w", Explain(err))
	}
	return r, nil
}

// databaseFiles end the names of the files of one database: itself, its log, the log's index.
var databaseFiles = []string{"", "-wal", "-shm"}

func removeDatabase(path string) {
	for _, file := range databaseFiles {
		_ = os.Remove(path + file) // it need not be there
	}
}

// fetchBackup copies a backup, and the log that a database copied file by file has beside it.
func fetchBackup(path, backup, fresh string) error {
	from, err := os.Stat(backup)
	if err != nil {
		return err
	}
	if there, err := os.Stat(path); err == nil && os.SameFile(from, there) {
		return fmt.Errorf("%s is the database itself", backup)
	}
	removeDatabase(fresh) // what a crash has left
	for _, file := range databaseFiles[:2] {
		if err := copyFile(backup+file, fresh+file); err != nil && (file == "" || !errors.Is(err, fs.ErrNotExist)) {
			return err
		}
	}
	return nil
}

// copyFile copies a file into a new one that only its owner can read.
func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close() // it was only read
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// age makes of the database that a backup holds one that may take the place of the one at path: time
// has gone by since.
func (s *Store) age(ctx context.Context, path, local string, r *Restored) (err error) {
	if r.Counted, err = s.count(ctx); err != nil {
		return err
	}
	if r.Until, err = s.LastActivity(ctx); err != nil {
		return err
	}
	if r.Pending, err = s.closePending(ctx, local); err != nil {
		return err
	}
	if r.Erased, r.Unknown, err = s.eraseAgain(ctx, path); err != nil {
		return err
	}
	return s.secureErase(ctx)
}

// ErrNotBackup reports that a file is not a whole database of this program.
var ErrNotBackup = errors.New("not a complete Threadkeeper backup")

// inspect fails unless the copy of a backup is a whole database of ours.
func inspect(ctx context.Context, backup, fresh string, options []OpenOption) (err error) {
	s, err := OpenReadOnly(ctx, fresh, options...)
	if newer := (*NewerError)(nil); errors.As(err, &newer) {
		newer.File = backup
		return newer
	}
	if err == nil {
		defer func() { err = errors.Join(err, s.Close()) }()
		err = s.dialect.check(ctx, s.reader)
	}
	if err != nil {
		return fmt.Errorf("memory: %s: %w: %w", backup, ErrNotBackup, err)
	}
	return nil
}

// restoredAt is the setting that says when a backup was put in place, in milliseconds UTC.
const restoredAt = "restored at"

// RestoredAt returns when the database was restored from a backup (milliseconds UTC), 0 if it never
// was: requests from before may have been answered.
func (s *Store) RestoredAt(ctx context.Context) (int64, error) {
	value, err := s.Setting(ctx, "", restoredAt)
	if err != nil || value == "" {
		return 0, err
	}
	return strconv.ParseInt(value, 10, 64)
}

// closePending closes what waits to be answered, applied or posted, and questions: all that may have
// been done since. Posts that are to be changed are changed again, which does no harm. Channels of
// all platforms but the local one become stale. It returns how many rows were pending.
func (s *Store) closePending(ctx context.Context, local string) (pending int, err error) {
	err = s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		now := s.Now()
		for _, statement := range []struct {
			text   string
			args   []any
			counts bool
		}{
			{`UPDATE inbox SET state = ?, error = ?, payload = '', done_at = ? WHERE state IN (?, ?)`,
				[]any{InboxCancelled, restoredReason, now, InboxNew, InboxCommand}, true},
			{`UPDATE outbox SET state = ?, error = ?, payload = '', done_at = ? WHERE state <> ? AND kind = ?`,
				[]any{OutboxDone, restoredReason, now, OutboxDone, PostNew}, true},
			{`UPDATE sessions SET pending = 0, lease_owner = '', ready_at = 0 WHERE pending > 0 OR lease_owner <> ''`, nil, false},
			{`UPDATE interactions SET state = ?, closed_at = ? WHERE state = ?`, []any{InteractionCancelled, now, InteractionOpen}, false},
			{`UPDATE questions SET state = ?, answered_at = ? WHERE state = ?`, []any{QuestionCancelled, now, QuestionOpen}, false},
			{`UPDATE channels SET stale = TRUE WHERE platform <> ? AND id IN (SELECT channel_id FROM messages WHERE erased_at = 0)`, []any{local}, false},
			{`INSERT INTO settings (scope, name, value) SELECT 'session:' || s.id, ?, CAST((SELECT MAX(id) FROM messages) AS TEXT) FROM sessions AS s
				WHERE s.platform <> ? AND s.thread NOT LIKE ? AND s.id IN (SELECT session_id FROM messages WHERE role = ? AND erased_at = 0)
				ON CONFLICT DO NOTHING`, []any{restoredAfter, local, pastThread + "%", User}, false},
		} {
			res, err := tx.NewRaw(statement.text, statement.args...).Exec(ctx)
			if err != nil {
				return err
			}
			if n, _ := res.RowsAffected(); statement.counts {
				pending += int(n)
			}
		}
		return setSetting(ctx, tx, "", restoredAt, strconv.FormatInt(now, 10))
	})
	return pending, err
}

// restoredReason is the error of a row that was pending in a backup.
const restoredReason = "a backup was restored"

func taken(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// replaceDatabase puts a database in the place of the one at path, if there is one, and returns where that one
// is now.
func (s *Store) replaceDatabase(ctx context.Context, path string) (aside string, err error) {
	_, err = os.Stat(path)
	there := err == nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	at := path + ".replaced-" + time.UnixMilli(s.Now()).UTC().Format("20060102-150405")
	aside = at
	for n := 2; taken(aside) || taken(aside+"-wal"); n++ { // by a restore within the same second
		aside = fmt.Sprintf("%s-%d", at, n)
	}
	if there {
		_ = s.dialect.foldLog(ctx, path) // a damaged one keeps its log
	}
	// A log left beside another database would be taken for its own.
	if err := os.Rename(path+"-wal", aside+"-wal"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	_ = os.Remove(path + "-shm") // made anew from the log
	if there {
		if err := os.Link(path, aside); err != nil { // a disk without links: for a moment there is no database
			if err := os.Rename(path, aside); err != nil {
				return "", err
			}
		}
	}
	if err := os.Rename(s.path, path); err != nil {
		return "", err
	}
	if !there {
		aside = ""
	}
	return aside, syncFolder(path)
}
