package memory

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/uptrace/bun"
)

// secureErasePending is the setting that says that erased text may still stand in
// parts of the file that hold nothing any more. Its value counts what was erased since
// the file was last clean.
const secureErasePending = "scrub pending"

// oweSecureErase notes, with the transaction that erases text, that the file is to forget it.
func (s *Store) oweSecureErase(ctx context.Context, tx bun.IDB) error {
	_, err := tx.NewRaw(`INSERT INTO settings (scope, name, value) VALUES ('', ?, '1')
		ON CONFLICT (scope, name) DO UPDATE SET value = value + 1`, secureErasePending).Exec(ctx)
	return err
}

// SecureErase makes the file forget what was erased, if anything was: the full-text indexes
// are rewritten without deleted entries, which takes longer the more is kept, and the log
// is written back and emptied. Freed pages are zeroed as they are freed. Others write
// meanwhile. What a crash left undone, or a reader of the log, is done by the next SecureErase
// or Open.
func (s *Store) SecureErase(ctx context.Context) error {
	if err := s.secureErase(ctx); err != nil {
		return fmt.Errorf("memory: secure erase: %w", Explain(err))
	}
	return nil
}

func (s *Store) secureErase(ctx context.Context) error {
	owed, err := s.owedSecureErase(ctx)
	if err != nil || owed == "" {
		return err
	}
	for _, index := range []string{"messages_fts", "passages_fts"} {
		if err := s.rewrite(ctx, index); err != nil {
			return err
		}
	}
	if empty, err := s.emptyLog(ctx); err != nil || !empty {
		return err // the debt stays
	}
	return s.settleOwed(ctx, owed)
}

// emptyLog writes the log back and empties it, unless somebody, an export perhaps, reads
// what it held before (https://sqlite.org/pragma.html#pragma_wal_checkpoint).
func (s *Store) emptyLog(ctx context.Context) (bool, error) {
	var busy, frames, written int
	err := s.writer.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &written)
	return busy == 0, err
}

// owedSecureErase is the value of secureErasePending, "" if the file is clean.
func (s *Store) owedSecureErase(ctx context.Context) (owed string, err error) {
	err = s.writer.NewRaw("SELECT value FROM settings WHERE scope = '' AND name = ?", secureErasePending).Scan(ctx, &owed)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return owed, err
}

// settleOwed notes that the file is clean, unless more was erased since owed was read.
func (s *Store) settleOwed(ctx context.Context, owed string) error {
	return s.write(ctx, func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewRaw("DELETE FROM settings WHERE scope = '' AND name = ? AND value = ?", secureErasePending, owed).Exec(ctx)
		return err
	})
}

// mergePages is how much of an index one transaction rewrites, in pages of about 4 KB: with a
// million messages some tens of milliseconds.
const mergePages = 100

// rewrite rewrites an index without what was deleted from it before, a part in each transaction.
func (s *Store) rewrite(ctx context.Context, index string) error {
	more, err := s.merge(ctx, index, -mergePages) // a negative number begins with everything there is
	for more && err == nil {
		more, err = s.merge(ctx, index, mergePages)
	}
	return err
}

// merge rewrites some pages of an index, and tells whether there are more to rewrite
// (https://sqlite.org/fts5.html#the_merge_command).
func (s *Store) merge(ctx context.Context, index string, pages int) (more bool, err error) {
	err = s.write(ctx, func(ctx context.Context, tx bun.Tx) error {
		before, err := changed(ctx, tx)
		if err != nil {
			return err
		}
		if _, err := tx.NewRaw("INSERT INTO ? (?, rank) VALUES ('merge', ?)", bun.Ident(index), bun.Ident(index), pages).Exec(ctx); err != nil {
			return err
		}
		after, err := changed(ctx, tx)
		more = after-before >= 2
		return err
	})
	return more, err
}

// changed is how many rows the writer has changed since it was opened.
func changed(ctx context.Context, tx bun.IDB) (n int64, err error) {
	err = tx.NewRaw("SELECT total_changes()").Scan(ctx, &n)
	return n, err
}
