package memory

import (
	"context"
	"time"

	"github.com/uptrace/bun"
)

// secureErasePending is the setting that says that erased text may still be in
// unused parts of the file. Its value counts what was erased since
// the file was last clean.
const secureErasePending = "scrub pending"

// oweSecureErase notes, with the transaction that erases text, that the file is to forget it.
func (s *Store) oweSecureErase(ctx context.Context, tx bun.IDB) error {
	s.erased.Add(1)
	return exec(ctx, tx, `INSERT INTO settings (scope, name, value) VALUES ('', ?, '1')
		ON CONFLICT (scope, name) DO UPDATE SET value = CAST(CAST(settings.value AS INTEGER) + 1 AS TEXT)`, secureErasePending)
}

// Erasures changes with every erasure of this process.
func (s *Store) Erasures() int64 { return s.erased.Load() }

// SecureErase removes erased text from the file, if there is any: it rewrites the full-text indexes
// without deleted entries, which takes longer the more is stored, and writes the log
// back and empties it. Freed pages are zeroed as they are freed; copies from before an upgrade
// contain the text too and are deleted. Others can write
// meanwhile. Work left by a crash, or held up by a reader of the log, is done by the next SecureErase
// or Open.
func (s *Store) SecureErase(ctx context.Context) error {
	return wrap("secure erase", Explain(s.secureErase(ctx)))
}

func (s *Store) secureErase(ctx context.Context) error {
	owed, err := s.owedSecureErase(ctx)
	if err != nil || owed == "" {
		return err
	}
	if done, err := s.dialect.forgetDeleted(ctx, s.core); err != nil || !done {
		return err // the debt stays
	}
	if err := s.removeUpgradeCopies(time.UnixMilli(s.Now())); err != nil {
		return err
	}
	return s.settleOwed(ctx, owed)
}

// owedSecureErase is the value of secureErasePending, "" if the file is clean.
func (s *Store) owedSecureErase(ctx context.Context) (owed string, err error) {
	err = s.writer.NewRaw("SELECT value FROM settings WHERE scope = '' AND name = ?", secureErasePending).Scan(ctx, &owed)
	return owed, orNone(err)
}

// settleOwed notes that the file is clean, unless more was erased since owed was read.
func (s *Store) settleOwed(ctx context.Context, owed string) error {
	return s.exec(ctx, "DELETE FROM settings WHERE scope = '' AND name = ? AND value = ?", secureErasePending, owed)
}
