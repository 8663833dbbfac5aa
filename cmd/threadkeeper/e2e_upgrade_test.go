package main

import (
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestUpgradedConversation starts the program on a database of every released schema,
// as a crash has left it: what was to be posted is posted, what was asked is answered.
func TestUpgradedConversation(t *testing.T) {
	files, err := filepath.Glob("../../memory/testdata/schema/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "old.db"))
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if _, err := db.ExecContext(t.Context(), string(text)); err != nil {
				t.Fatal(err)
			}
			var out, said strings.Builder
			code := run(t.Context(), []string{"chat", "--thread", "main", "--db", "old.db"}, system{In: strings.NewReader("When does the gate open?\n"), Out: &out, Err: &said, Dir: dir,
				Environ: []string{"CACHE_DIR=" + cacheDir()}})
			if code != exitOK || !strings.Contains(out.String(), "nine in the morning") {
				t.Errorf("exit %d: %s%s", code, &out, &said)
			}
			// What waits in another thread is answered when that one is opened.
			if code := run(t.Context(), []string{"chat", "--thread", "side", "--db", "old.db"}, system{In: strings.NewReader("hello\n"), Out: &out, Err: &said, Dir: dir,
				Environ: []string{"CACHE_DIR=" + cacheDir()}}); code != exitOK {
				t.Errorf("exit %d: %s", code, &said)
			}
			if left := pending(t, db); len(left) > 0 {
				t.Errorf("left: %q", left)
			}
			if failed := rows[string](t, db, `SELECT nonce || ': ' || error FROM outbox WHERE error <> '' UNION ALL
				SELECT event_id || ' is ' || state || ': ' || error FROM inbox WHERE state <> 'done'`); len(failed) > 0 {
				t.Errorf("failed: %q", failed)
			}
			// The answer that was about to be posted is the one that is kept.
			answers := rows[string](t, db, `SELECT a.text FROM messages AS a JOIN messages AS m ON m.id = a.reply_to WHERE m.platform_id IN ('asked', 'waiting') ORDER BY a.id`)
			if len(answers) != 2 || !slices.Contains(answers, "It opens at nine [1].") {
				t.Errorf("answers: %q", answers)
			}
		})
	}
}
