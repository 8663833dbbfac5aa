package memory

import (
	"context"
	"errors"
	"fmt"

	"github.com/uptrace/bun"
)

// copyTo makes a copy without free pages, over a connection of its own: those that only query may
// not (https://sqlite.org/lang_vacuum.html#vacuuminto).
func (sqlite) copyTo(ctx context.Context, from, to string) error {
	db, err := connect(from, 1, secureDelete)
	if err != nil {
		return err
	}
	_, err = db.NewRaw("VACUUM INTO ?", to).Exec(ctx)
	return errors.Join(err, db.Close())
}

func (sqlite) check(ctx context.Context, db bun.IDB) error {
	var found string
	if err := db.NewRaw("PRAGMA quick_check(1)").Scan(ctx, &found); err != nil {
		return err
	}
	if found != "ok" {
		return fmt.Errorf("%w: the database is damaged: %s", ErrDisk, found)
	}
	return nil
}

// checkpoint writes the log back as far as no reader needs it, and waits for no writer
// (https://sqlite.org/pragma.html#pragma_wal_checkpoint). Connections that only query may do so.
func (sqlite) checkpoint(ctx context.Context, db bun.IDB) error {
	var busy, frames, written int
	return db.QueryRowContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)").Scan(&busy, &frames, &written)
}

// foldLog writes the log of a database that nobody uses back into its file, and removes it.
func (sqlite) foldLog(ctx context.Context, path string) error {
	db, err := connect(path, 1, "")
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	return errors.Join(err, db.Close())
}
