package memory

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uptrace/bun"
)

// newer makes path a database that version has brought one schema further than this program.
func newer(t *testing.T, path, version string) {
	t.Helper()
	s, err := Open(t.Context(), path, ByVersion(version))
	if err != nil {
		t.Fatal(err)
	}
	err = s.Write(t.Context(), func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewRaw("INSERT INTO bun_migrations (name, group_id) VALUES ('99990101000000', 9)").Exec(ctx)
		return err
	})
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestANewerDatabaseIsRefused(t *testing.T) {
	files, err := filepath.Glob("migrations/sqlite/*.up.sql")
	if err != nil {
		t.Fatal(err)
	}
	known := len(files)
	path := filepath.Join(t.TempDir(), "new.db")
	newer(t, path, "0.3.0")
	for name, open := range map[string]func(context.Context, string, ...OpenOption) (*Store, error){"Open": Open, "OpenReadOnly": OpenReadOnly} {
		s, err := open(t.Context(), path, ByVersion("0.2.0"))
		if err == nil {
			s.Close()
		}
		var newer *NewerError
		if !errors.As(err, &newer) || *newer != (NewerError{path, known + 1, "0.3.0", known, "0.2.0"}) {
			t.Errorf("%s: %+v, %v", name, newer, err)
		}
	}
}

// A program that ran before part of the migrations is not named as the one that ran the rest.
func TestTheLastMigrationNamesItsProgram(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new.db")
	newer(t, path, "")
	_, err := Open(t.Context(), path, ByVersion("0.2.0"))
	if err == nil || !strings.Contains(err.Error(), "was written by a newer version (schema ") {
		t.Error(err)
	}
}

func TestNewerErrorNamesBothVersions(t *testing.T) {
	for _, c := range []struct {
		e    NewerError
		want string
	}{
		{NewerError{"/a.db", 14, "0.3.0", 13, "0.2.0"}, "/a.db was written by version 0.3.0 (schema 14); this is version 0.2.0 (schema 13)\n"},
		{NewerError{"/a.db", 14, "", 13, ""}, "/a.db was written by a newer version (schema 14); this version knows schema 13\n"},
	} {
		got := c.e.Error()
		if first, rest, _ := strings.Cut(got, "\n"); first+"\n" != c.want || !strings.Contains(rest, "newer program") || !strings.Contains(rest, "copy from before") {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestOpenLeavesAForeignDatabaseAlone, to the byte.
func TestOpenLeavesAForeignDatabaseAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bookmarks.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), "CREATE TABLE bookmarks (url TEXT)"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), path); !errors.Is(err, ErrForeign) {
		t.Errorf("to be written: %v", err)
	}
	if _, err := OpenReadOnly(t.Context(), path); !errors.Is(err, ErrForeign) {
		t.Errorf("to be read: %v", err)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("it was changed: %v", err)
	}
}
