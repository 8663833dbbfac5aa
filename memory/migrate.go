package memory

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/migrate"
)

// NewerError reports that a newer version of the program has changed the tables of a
// database. Its text says what to do. A schema's number is the number of its migrations.
type NewerError struct {
	File    string
	Schema  int    // of the database
	Writer  string // version of the program that made the schema, "" if not known
	Known   int    // the newest schema that this program knows
	Program string // version of this program, "" if not known
}

func (e *NewerError) Error() string {
	writer, program := "a newer version", fmt.Sprintf("this version knows schema %d", e.Known)
	if e.Writer != "" {
		writer = "version " + e.Writer
	}
	if e.Program != "" {
		program = fmt.Sprintf("this is version %s (schema %d)", e.Program, e.Known)
	}
	return fmt.Sprintf("%s was written by %s (schema %d); %s\nUse the newer program, or put back a copy from before the upgrade",
		e.File, writer, e.Schema, program)
}

// ErrForeign reports that a file is a database, but none that this program made.
var ErrForeign = errors.New("not a Threadkeeper database")

// migrationsTable is bun's, and the first table of a database of ours.
const migrationsTable = "bun_migrations"

// refuseForeign returns ErrForeign unless the database is one of ours, or has no tables and may become one.
func (s *Store) refuseForeign(ctx context.Context, mayBecome bool) (ours bool, err error) {
	tables, err := s.dialect.tables(ctx, s.reader)
	ours = slices.Contains(tables, migrationsTable)
	if err == nil && !ours && (!mayBecome || len(tables) > 0) {
		err = ErrForeign
	}
	return ours, err
}

// migratedBy is the setting that names the version of the program that ran the last
// migration.
const migratedBy = "migrated by"

func (c *core) discover() (*migrate.Migrations, error) {
	all := migrate.NewMigrations()
	return all, all.Discover(c.dialect.migrations())
}

// Schema returns the newest schema that this program knows; see NewerError.
func Schema() int {
	all, err := (&core{dialect: sqlite{}}).discover()
	if err != nil {
		return 0 // unreachable: the migrations are embedded
	}
	return len(all.Sorted())
}

// refuseNewer returns how many of the migrations that this program knows the database lacks, or a NewerError if it has seen
// one that this program does not know.
func (s *Store) refuseNewer(ctx context.Context) (lacks int, err error) {
	all, err := s.discover()
	if err != nil {
		return 0, err
	}
	var applied, known []string
	if err := s.reader.NewSelect().Table(migrationsTable).Column("name").Scan(ctx, &applied); err != nil {
		return 0, err
	}
	for _, m := range all.Sorted() {
		known = append(known, m.Name)
	}
	if !slices.ContainsFunc(applied, func(name string) bool { return !slices.Contains(known, name) }) {
		return len(known) - len(applied), nil
	}
	newer := &NewerError{File: s.path, Schema: len(applied), Known: len(known), Program: s.version}
	if newer.Writer, err = s.migratedBy(ctx); err != nil {
		return 0, err
	}
	return 0, newer
}

// migratedBy is the version of the program that ran the last migration, "" if it is not known.
func (s *Store) migratedBy(ctx context.Context) (version string, err error) {
	err = s.reader.NewSelect().Table("settings").Column("value").Where("scope = '' AND name = ?", migratedBy).Scan(ctx, &version)
	return version, orNone(err)
}

// migrate runs the migrations that this file has not seen. The lock file keeps
// other processes out meanwhile. Before the first a copy is made. A migration and the note that it
// was run are one transaction: the program may be killed between any two.
func (s *Store) migrate(ctx context.Context) error {
	all, err := s.discover()
	if err != nil {
		return err
	}
	m := migrate.NewMigrator(s.writer, all)
	if err := m.Init(ctx); err != nil {
		return err
	}
	sorted, err := m.MigrationsWithStatus(ctx)
	if err != nil {
		return err
	}
	done := len(sorted.Applied())
	if schema := s.dialect.schema(); done == 0 && schema != "" {
		return s.runSchema(ctx, schema, sorted)
	}
	if done > 0 && done < len(sorted) && s.copies {
		if err := s.copyBeforeUpgrade(ctx, done); err != nil {
			return err
		}
	}
	for _, next := range sorted {
		if next.IsApplied() {
			continue
		}
		file := next.Name + "_" + next.Comment + ".tx.up.sql"
		if err := s.runMigration(ctx, file, next.Name, sorted.LastGroupID()+1); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}

// runSchema makes all tables of a new database and notes the migrations as run, which take four times as long.
func (s *Store) runSchema(ctx context.Context, schema string, all migrate.MigrationSlice) error {
	return s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		if _, err := tx.ExecContext(ctx, schema); err != nil {
			return err
		}
		for _, m := range all {
			if err := noteMigration(ctx, tx, m.Name, 1); err != nil {
				return err
			}
		}
		return setSetting(ctx, tx, "", migratedBy, s.version)
	})
}

// runMigration runs one file and notes its name in bun's table, and who ran it.
func (s *Store) runMigration(ctx context.Context, file, name string, group int64) error {
	text, err := fs.ReadFile(s.dialect.migrations(), file)
	if err != nil {
		return err
	}
	return s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		for statement := range strings.SplitSeq(string(text), "--bun:split") {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return err
			}
		}
		if err := noteMigration(ctx, tx, name, group); err != nil {
			return err
		}
		return setSetting(ctx, tx, "", migratedBy, s.version)
	})
}

// noteMigration is bun's note that a migration was run, and with which others.
func noteMigration(ctx context.Context, tx bun.Tx, name string, group int64) error {
	return exec(ctx, tx, "INSERT INTO bun_migrations (name, group_id) VALUES (?, ?)", name, group)
}
