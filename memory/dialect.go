package memory

import (
	"context"
	"io/fs"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"
)

// dialect is what only one database engine understands. Each engine has files of its
// own for it (*_sqlite.go); all other SQL of this package is portable.
type dialect interface {
	// openWriter opens the one connection that writes; its transactions are immediate.
	// openReader opens those that only read.
	openWriter(path string) (*bun.DB, error)
	openReader(path string) (*bun.DB, error)

	// syncCommits has the commits of a writer wait for the disk, or not. Those that wait also make those before them last.
	syncCommits(writer *bun.DB, wait bool) error

	// logged reports whether the file is written by way of a log already, as openWriter has it.
	logged(ctx context.Context, db bun.IDB) (bool, error)

	// tables are the names of all tables.
	tables(ctx context.Context, db bun.IDB) ([]string, error)

	// migrations are the files that make the tables, step by step.
	migrations() fs.FS

	// schema makes the tables of a new database at once, as all migrations leave them. "" if
	// they are to run one by one.
	schema() string

	// lastRow is the highest id in the full-text index of a table, 0 if it is empty.
	lastRow(ctx context.Context, db bun.IDB, table string) (int64, error)

	// lookUp returns for each match the ids of at most limit rows of a table, in order
	// or backwards, by its full-text index.
	lookUp(ctx context.Context, db bun.IDB, table string, matches []match, limit int, backwards bool) ([][]int64, error)

	// holdsPhrase is true of messages AS m with ids above after whose terms contain one of
	// the phrases.
	holdsPhrase(phrases []string, after int64) schema.QueryWithArgs

	// contains is true for rows whose column contains text, letter by letter.
	contains(column, text string) schema.QueryWithArgs

	// messagesByID begins a query of messages AS m with these ids. It reads them by id,
	// whatever other condition has an index.
	messagesByID(db bun.IDB, ids []int64) *bun.SelectQuery

	// hasGuests reports whether a guest has spoken in a channel, or is known to be in it.
	hasGuests(ctx context.Context, db bun.IDB, channel int64) (bool, error)

	// forgetDeleted erases deleted text from the database's files. It returns false
	// if somebody still reads an older state.
	forgetDeleted(ctx context.Context, c *core) (done bool, err error)

	// copyTo writes the whole database of a file, as it is at one moment, into an empty file. check
	// fails if a database is damaged. checkpoint brings its file up to date with its log; foldLog makes
	// one file of a database that nobody uses.
	copyTo(ctx context.Context, from, to string) error
	check(ctx context.Context, db bun.IDB) error
	checkpoint(ctx context.Context, db bun.IDB) error
	foldLog(ctx context.Context, path string) error
}
