package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	"threadkeeper/config"
	"threadkeeper/memory"
)

// newerDatabase is the folder of a database that version 9.9.9 has brought one schema
// further than this program.
func newerDatabase(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	store, err := memory.Open(t.Context(), filepath.Join(dir, "new.db"), memory.ByVersion("9.9.9"))
	if err != nil {
		t.Fatal(err)
	}
	err = store.Write(t.Context(), func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO bun_migrations (name, group_id) VALUES ('99990101000000', 9)")
		return err
	})
	if err := errors.Join(err, store.Close()); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestEveryCommandRefusesANewerDatabase wants both versions named by each command that
// opens the database, and nothing changed in it.
func TestEveryCommandRefusesANewerDatabase(t *testing.T) {
	dir := newerDatabase(t)
	before, err := os.ReadFile(filepath.Join(dir, "new.db"))
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"chat", "ask why?", "serve", "import -", "export", "erase --workspace T1 --yes", "rebuild", "backup copy.db", "doctor"} {
		var out, said strings.Builder
		code := run(t.Context(), append(strings.Fields(args), "--db", "new.db"), system{In: strings.NewReader(""), Out: &out, Err: &said, Dir: dir,
			Environ: []string{"CACHE_DIR=" + cacheDir(), "SLACK_BOT_TOKEN=xoxb-1-test", "SLACK_APP_TOKEN=xapp-1-test", "SLACK_API_URL=http://127.0.0.1:1/"}})
		if code != exitFailed {
			t.Errorf("%s: exit %d", args, code)
		}
		text := said.String()
		if args == "doctor" {
			text = out.String()
		}
		for _, want := range []string{filepath.Join(dir, "new.db") + " was written by version 9.9.9 (schema ", "this is version " + version + " (schema ",
			"Use the newer program, or put back a copy from before the upgrade"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in %q", args, want, text)
			}
		}
		if strings.Contains(text, "--db") {
			t.Errorf("%s gives another remedy: %q", args, text)
		}
	}
	after, err := os.ReadFile(filepath.Join(dir, "new.db"))
	if err != nil {
		t.Fatal(err)
	}
	if string(before) != string(after) {
		t.Error("the file was changed")
	}
}

// TestDoctorNamesANewerProgramThatRuns looks at a database that a newer program holds.
func TestDoctorNamesANewerProgramThatRuns(t *testing.T) {
	dir := newerDatabase(t)
	lock := filepath.Join(dir, "new.db.lock")
	held, err := memory.Open(t.Context(), filepath.Join(dir, "held.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	if err := os.Remove(lock); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(filepath.Join(dir, "held.db.lock"), lock); err != nil {
		t.Skip(err)
	}
	if _, err := checkDatabase(t.Context(), system{Dir: dir}, &config.Config{DatabaseURL: "new.db"}); err == nil || !strings.Contains(err.Error(), "9.9.9") {
		t.Error(err)
	}
}
