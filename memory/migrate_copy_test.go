package memory

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// upgraded opens a database of schema 14, which holds a message, and returns the copy that this made.
func upgraded(t *testing.T) (s *Store, copy string) {
	t.Helper()
	s = openOlder(t, "20261122110002",
		`INSERT INTO channels (id, platform, workspace, channel, name, kind, updated_at) VALUES (1, 'test', 'w', 'c', '', 'public', 1)`,
		`INSERT INTO sessions (id, channel_id, platform, workspace, channel, thread, created_at, updated_at) VALUES (1, 1, 'test', 'w', 'c', 't', 1, 1)`,
		`INSERT INTO people (id, platform, workspace, platform_id, name, kind, created_at) VALUES (1, 'test', 'w', 'u', 'Ada', 'human', 1)`,
		`INSERT INTO interactions (id, session_id, person_id, state, created_at) VALUES (1, 1, 1, 'closed', 1)`,
		`INSERT INTO messages (id, session_id, channel_id, interaction_id, person_id, role, text, terms, tokens, platform_id, at)
			VALUES (1, 1, 1, 1, 1, 'user', 'the code is QZX-88731', '', 3, 'm', 1)`,
		`INSERT INTO settings (scope, name, value) VALUES ('', 'migrated by', '0.1.0')`)
	return s, s.path + ".before-upgrade-of-0.1.0-schema-14"
}

func TestACopyIsMadeBeforeAnUpgrade(t *testing.T) {
	s, copy := upgraded(t)
	info, err := os.Stat(copy)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatal(info, err)
	}
	if found := textsIn(t, copy); len(found) != 1 {
		t.Errorf("it holds %q", found)
	}
	var schema int
	db, err := sqlite{}.openReader(copy)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.NewRaw("SELECT COUNT(*) FROM bun_migrations").Scan(t.Context(), &schema); err != nil || schema != 14 {
		t.Errorf("its schema is %d, %v", schema, err)
	}
	if all, _ := filepath.Glob(s.path + ".*"); len(all) != 2 { // and the lock
		t.Errorf("beside the database: %q", all)
	}

	made := time.Now().Add(time.Minute)
	for _, c := range []struct {
		after time.Duration
		there bool
	}{{keepUpgradeCopy - time.Hour, true}, {keepUpgradeCopy + time.Hour, false}} {
		s.Now = func() int64 { return made.Add(c.after).UnixMilli() }
		if err := s.RemoveUpgradeCopies(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(copy); (err == nil) != c.there {
			t.Errorf("after %s: %v", c.after, err)
		}
	}
}

// What people erase is not kept in a copy.
func TestAnErasureRemovesTheCopyBeforeAnUpgrade(t *testing.T) {
	s, copy := upgraded(t)
	if _, err := s.Queue.ReceiveErase(t.Context(), about("delete"), "m"); err != nil {
		t.Fatal(err)
	}
	if err := s.SecureErase(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(copy); !os.IsNotExist(err) {
		t.Errorf("the copy is there: %v", err)
	}
}

// A new database has nothing to be copied, one of this schema needs none.
func TestNoCopyWithoutAnUpgrade(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	for range 2 {
		s, err := Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
	}
	if all, _ := filepath.Glob(path + upgradeCopy + "*"); len(all) > 0 {
		t.Errorf("copies: %q", all)
	}
}

// A start that was killed between two migrations leaves tables without rows: the next one goes on.
func TestNoCopyOfADatabaseThatWasNeverUsed(t *testing.T) {
	for _, last := range []string{"20261121000001", "20261121000002", "20261122110002"} {
		s := openOlder(t, last)
		if all, _ := filepath.Glob(s.path + upgradeCopy + "*"); len(all) > 0 {
			t.Errorf("after %s: copies: %q", last, all)
		}
	}
}
