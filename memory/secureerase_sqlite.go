package memory

import (
	"context"
	"errors"
	"fmt"

	"github.com/uptrace/bun"
)

// forgetDeleted rewrites the full-text indexes without deleted entries, and empties the log.
func (sqlite) forgetDeleted(ctx context.Context, c *core) (bool, error) {
	for _, index := range []string{"messages_fts", "passages_fts"} {
		if err := rewrite(ctx, c, index); err != nil {
			return false, err
		}
	}
	return emptyLog(ctx, c)
}

// emptyLog writes the log back and empties it, unless somebody, an export perhaps, reads
// what it held before (https://sqlite.org/pragma.html#pragma_wal_checkpoint).
func emptyLog(ctx context.Context, c *core) (done bool, err error) {
	conn, err := c.writer.Conn(ctx)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	// Nobody writes while it waits for readers, so it waits for less long than a writer does.
	if _, err := conn.ExecContext(ctx, "PRAGMA busy_timeout(1000)"); err != nil {
		return false, err
	}
	var busy, frames, written int
	err = conn.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &written)
	_, reset := conn.ExecContext(ctx, fmt.Sprintf("PRAGMA busy_timeout(%d)", busyTimeout))
	return busy == 0, errors.Join(err, reset)
}

// mergePages is how much of an index one transaction rewrites, in pages of about 4 KB: with a
// million messages some tens of milliseconds.
const mergePages = 100

// rewrite rewrites an index without its deleted entries, a part in each transaction.
func rewrite(ctx context.Context, c *core, index string) error {
	more, err := merge(ctx, c, index, -mergePages) // a negative number begins with everything there is
	for more && err == nil {
		more, err = merge(ctx, c, index, mergePages)
	}
	return err
}

// merge rewrites some pages of an index, and reports whether there are more to rewrite
// (https://sqlite.org/fts5.html#the_merge_command).
func merge(ctx context.Context, c *core, index string, pages int) (more bool, err error) {
	err = c.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		before, err := changed(ctx, tx)
		if err != nil {
			return err
		}
		if err := exec(ctx, tx, "INSERT INTO ? (?, rank) VALUES ('merge', ?)", bun.Ident(index), bun.Ident(index), pages); err != nil {
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
