package memory

import (
	"context"
	"database/sql"
	"embed"
	"encoding/json"
	"errors"
	"io/fs"
	"net/url"
	"strconv"
	"strings"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/sqlitedialect"
	"github.com/uptrace/bun/schema"
	driver "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"
)

type sqlite struct{}

// readers is how many connections may read at the same time.
const readers = 4

func (sqlite) openWriter(path string) (*bun.DB, error) {
	return connect(path, 1, "_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&"+secureDelete+"&_pragma=wal_autocheckpoint(8000)&_txlock=immediate")
}

// syncCommits uses that a log is synced whole (https://sqlite.org/pragma.html#pragma_synchronous).
func (sqlite) syncCommits(writer *bun.DB, wait bool) error {
	level := "NORMAL"
	if wait {
		level = "FULL"
	}
	_, err := writer.Exec("PRAGMA synchronous(" + level + ")")
	return err
}

func (sqlite) openReader(path string) (*bun.DB, error) {
	return connect(path, readers, "_pragma=query_only(1)")
}

func (sqlite) logged(ctx context.Context, db bun.IDB) (bool, error) {
	var mode string
	err := db.NewRaw("PRAGMA journal_mode").Scan(ctx, &mode)
	return mode == "wal", err
}

func (sqlite) tables(ctx context.Context, db bun.IDB) (names []string, err error) {
	err = db.NewRaw("SELECT name FROM sqlite_master WHERE type = 'table'").Scan(ctx, &names)
	return names, err
}

//go:embed migrations/sqlite/*.sql
var sqliteMigrations embed.FS

func (sqlite) migrations() fs.FS {
	dir, _ := fs.Sub(sqliteMigrations, "migrations/sqlite") // it is embedded
	return dir
}

//go:embed migrations/sqlite_schema.sql
var sqliteSchema string

func (sqlite) schema() string { return sqliteSchema }

// busyTimeout is how long a connection waits for those of other processes, in milliseconds: they
// write in turns of some milliseconds, and whoever waits gets no fixed place.
const busyTimeout = 60_000

// secureDelete has what a page loses, also to another page, overwritten with zeros.
const secureDelete = "_pragma=secure_delete(1)"

func connect(path string, conns int, options string) (*bun.DB, error) {
	dsn := "file:" + (&url.URL{Path: path}).EscapedPath() + "?_pragma=busy_timeout(" + strconv.Itoa(busyTimeout) + ")&_pragma=foreign_keys(1)&" + options
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	return bun.NewDB(db, language), nil
}

// language is shared by all connections: it remembers how each Go type is stored, and to learn that takes longer than a query.
var language = sqlitedialect.New()

// remedies are what to do, by primary result code.
var remedies = map[int]string{
	codes.SQLITE_FULL:     "the disk is full; free some space, what was stored is not lost",
	codes.SQLITE_READONLY: "the database cannot be written; check the permissions of its file and folder",
	codes.SQLITE_IOERR:    "writing to the disk failed; check the disk, what was stored is not lost",
	codes.SQLITE_CORRUPT:  "the database is damaged; end the program and restore a backup",
	codes.SQLITE_NOTADB:   "it is damaged, or not a Threadkeeper database; restore a backup if it was one",
}

// Remedy returns what is wrong and what the machine's owner can do about an error of the database, "" if nothing.
func Remedy(err error) string {
	var failed *driver.Error
	if !errors.As(err, &failed) {
		return ""
	}
	return remedies[failed.Code()&0xff]
}

// indexSuffix ends the name of a table's full-text index.
const indexSuffix = "_fts"

func (sqlite) lastRow(ctx context.Context, db bun.IDB, table string) (last int64, err error) {
	err = db.NewSelect().Table(table+indexSuffix).Column("rowid").OrderExpr("rowid DESC").Limit(1).Scan(ctx, &last)
	return last, orNone(err)
}

// lookUp reads the rows of all matches in one statement.
func (sqlite) lookUp(ctx context.Context, db bun.IDB, table string, matches []match, limit int, backwards bool) ([][]int64, error) {
	index, order := bun.Ident(table+indexSuffix), "ASC"
	if backwards {
		order = "DESC"
	}
	found := make([][]int64, len(matches))
	var parts []string
	var args []any
	for i, m := range matches {
		if m.any() {
			parts = append(parts, `SELECT ?, (SELECT group_concat(id, ' ') FROM
				(SELECT rowid AS id FROM ? WHERE ? MATCH ? ORDER BY rowid ? LIMIT ?))`)
			args = append(args, i, index, index, expression(m), bun.Safe(order), limit)
		}
	}
	if len(parts) == 0 {
		return found, nil
	}
	rows, err := db.QueryContext(ctx, strings.Join(parts, " UNION ALL "), args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var i int
		var ids *string
		if err := rows.Scan(&i, &ids); err != nil {
			return nil, err
		}
		if ids != nil {
			found[i] = numbers(*ids)
		}
	}
	return found, rows.Err()
}

// expression is a match in FTS5's words.
func expression(m match) string {
	var all []string
	for _, term := range []string{m.term, m.also} {
		if term != "" {
			all = append(all, `terms : ("`+term+`")`)
		}
	}
	if len(m.scope) > 0 {
		all = append(all, `scope : ("`+strings.Join(m.scope, `" OR "`)+`")`)
	}
	return strings.Join(all, " AND ")
}

// numbers reads ids that the database wrote, with a space between each two.
func numbers(ids string) []int64 {
	list := make([]int64, 0, strings.Count(ids, " ")+1)
	for id := range strings.FieldsSeq(ids) {
		n, _ := strconv.ParseInt(id, 10, 64)
		list = append(list, n)
	}
	return list
}

func (sqlite) holdsPhrase(phrases []string, after int64) schema.QueryWithArgs {
	return bun.SafeQuery("m.id IN (SELECT rowid FROM messages_fts WHERE messages_fts MATCH ? AND rowid > ?)",
		`terms : "`+strings.Join(phrases, `" OR terms : "`)+`"`, after)
}

func (sqlite) contains(column, text string) schema.QueryWithArgs {
	return bun.SafeQuery("instr(?, ?) > 0", bun.Ident(column), text)
}

func (sqlite) messagesByID(db bun.IDB, ids []int64) *bun.SelectQuery {
	// The order of a CROSS JOIN is kept: the ids lead, not the index of a large channel.
	return db.NewSelect().TableExpr("json_each(?) AS j CROSS JOIN messages AS m", idList(ids)).Where("m.id = j.value")
}

func idList(ids []int64) string {
	b, _ := json.Marshal(ids) // numbers always encode
	return string(b)
}

func (sqlite) hasGuests(ctx context.Context, db bun.IDB, channel int64) (has bool, err error) {
	// CROSS JOIN makes SQLite begin with the guests, who are few: without it it reads
	// every message of the channel.
	err = db.NewRaw(`SELECT EXISTS (SELECT 1 FROM people AS p CROSS JOIN messages AS m
		WHERE p.kind = 'guest' AND m.person_id = p.id AND m.channel_id = ?0)
		OR EXISTS (SELECT 1 FROM channels AS c JOIN guests AS g ON g.platform = c.platform AND g.workspace = c.workspace AND g.channel = c.channel
			WHERE c.id = ?0)`, channel).Scan(ctx, &has)
	return has, err
}
