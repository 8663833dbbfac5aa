package memory

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// backedUp is a database with a message, what set adds to it, and a backup of both.
func backedUp(t *testing.T, set func(*Store)) (s *Store, backup string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tk.db")
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	said(t, s, "", "1", "the gate is green", false)
	if set != nil {
		set(s)
	}
	backup = filepath.Join(t.TempDir(), "backup.db")
	if _, err := s.Backup(t.Context(), backup, false); err != nil {
		t.Fatal(err)
	}
	return s, backup
}

// restored closes a database, puts the backup in its place and opens that.
func restored(t *testing.T, s *Store, backup string) (*Store, Restored) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := Restore(t.Context(), s.path, backup, RestoreOptions{Local: "console"})
	if err != nil {
		t.Fatal(err)
	}
	now, err := Open(t.Context(), s.path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { now.Close() })
	return now, r
}

// files are those in a folder.
func files(t *testing.T, folder string) (names []string) {
	t.Helper()
	found, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		names = append(names, f.Name())
	}
	return names
}

func TestRestoreKeepsWhatItReplaces(t *testing.T) {
	s, backup := backedUp(t, nil)
	said(t, s, "", "2", "the gate is blue", false)
	before, err := os.ReadFile(backup)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Restore(t.Context(), s.path, backup, RestoreOptions{}); !errors.Is(err, ErrLocked) {
		t.Errorf("a database in use was replaced: %v", err)
	}
	for _, left := range []string{".copied", ".copied-wal", ".restoring", ".restoring-wal"} { // by a restore that was killed
		must(t, os.WriteFile(s.path+left, []byte("half a database"), 0o600))
	}
	now, r := restored(t, s, backup)
	if r.Messages != 1 || r.Unknown != nil || r.Until == 0 {
		t.Errorf("%+v", r)
	}
	if found := textsIn(t, now.path); !slices.Equal(found, []string{"the gate is green"}) {
		t.Errorf("the database holds %q", found)
	}
	if found := textsIn(t, r.Aside); !slices.Equal(found, []string{"the gate is green", "the gate is blue"}) {
		t.Errorf("the replaced one holds %q", found)
	}
	for _, file := range []string{now.path, r.Aside} {
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Error(info.Mode(), err)
		}
	}
	if after, err := os.ReadFile(backup); err != nil || string(after) != string(before) {
		t.Errorf("the backup was changed: %v", err)
	}
	now.Close()
	for _, name := range files(t, filepath.Dir(s.path)) {
		if path := filepath.Join(filepath.Dir(s.path), name); strings.TrimSuffix(path, ".lock") != s.path && !strings.HasPrefix(path, r.Aside) {
			t.Errorf("left behind: %s", name)
		}
	}
}

// Restores within one second keep each of the databases that they replace.
func TestRestoresInOneSecond(t *testing.T) {
	s, backup := backedUp(t, nil)
	kept := map[string]bool{}
	for i := range 3 {
		said(t, s, "", fmt.Sprint(2+i), fmt.Sprint("the gate is blue ", i), false)
		now, r := restored(t, s, backup)
		if found := textsIn(t, r.Aside); kept[r.Aside] || !slices.Contains(found, fmt.Sprint("the gate is blue ", i)) {
			t.Errorf("%s holds %q", r.Aside, found)
		}
		s, kept[r.Aside] = now, true
	}
}

// What the log of the replaced database holds is kept with it, and never read into the backup.
func TestRestoreKeepsTheLogApart(t *testing.T) {
	s, backup := backedUp(t, nil)
	said(t, s, "", "2", "the gate is blue", false)
	killed := filepath.Join(t.TempDir(), "tk.db") // as kill -9 leaves it
	for _, file := range databaseFiles[:2] {
		must(t, copyFile(s.path+file, killed+file))
	}
	for _, c := range []struct {
		name         string
		damage       func(path string) error
		aside, known bool
	}{
		{"whole", func(string) error { return nil }, true, true},
		{"damaged", func(path string) error {
			return errors.Join(os.WriteFile(path, []byte("no database"), 0o600), os.WriteFile(path+"-wal", []byte("no log"), 0o600))
		}, true, false},
		{"gone but for its log", os.Remove, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "tk.db")
			for _, file := range databaseFiles[:2] {
				must(t, copyFile(killed+file, path+file))
			}
			must(t, c.damage(path))
			r, err := Restore(t.Context(), path, backup, RestoreOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if found := textsIn(t, path); !slices.Equal(found, []string{"the gate is green"}) {
				t.Errorf("the database holds %q", found)
			}
			if (r.Aside != "") != c.aside || (r.Unknown == nil) != c.known {
				t.Errorf("%+v", r)
			}
			if !c.known {
				return
			}
			if found := textsIn(t, r.Aside); len(found) != 2 {
				t.Errorf("the replaced one holds %q", found)
			}
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestRestoreTakesOnlyABackup(t *testing.T) {
	for name, make := range map[string]func(t *testing.T, file string){
		"empty":   func(t *testing.T, file string) { must(t, os.WriteFile(file, nil, 0o600)) },
		"garbage": func(t *testing.T, file string) { must(t, os.WriteFile(file, []byte("no database"), 0o600)) },
		"newer":   func(t *testing.T, file string) { newer(t, file, "9.9.9") },
		"foreign": func(t *testing.T, file string) {
			db, err := connect(file, 1, "")
			must(t, err)
			_, err = db.ExecContext(t.Context(), "CREATE TABLE t (x)")
			must(t, errors.Join(err, db.Close()))
		},
		"cut": func(t *testing.T, file string) {
			_, backup := backedUp(t, nil)
			data, err := os.ReadFile(backup)
			must(t, err)
			must(t, os.WriteFile(file, data[:len(data)/2], 0o600))
		},
		"missing": func(*testing.T, string) {},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := backedUp(t, nil)
			s.Close()
			file := filepath.Join(t.TempDir(), "file.db")
			make(t, file)
			_, err := Restore(t.Context(), s.path, file, RestoreOptions{})
			if err == nil || !strings.Contains(err.Error(), file) {
				t.Errorf("%v", err)
			}
			if found := files(t, filepath.Dir(s.path)); !slices.Equal(found, []string{"tk.db", "tk.db.lock"}) {
				t.Errorf("left behind: %q", found)
			}
			if found := textsIn(t, s.path); len(found) != 1 {
				t.Errorf("the database holds %q", found)
			}
		})
	}
	s, _ := backedUp(t, nil)
	s.Close()
	if _, err := Restore(t.Context(), s.path, s.path, RestoreOptions{}); err == nil {
		t.Error("a database was restored from itself")
	}
}

func TestRestoreUpgradesAnOlderBackup(t *testing.T) {
	_, copy := upgraded(t)
	path := filepath.Join(t.TempDir(), "tk.db")
	r, err := Restore(t.Context(), path, copy, RestoreOptions{})
	if err != nil || r.Aside != "" || r.Unknown == nil {
		t.Fatalf("%+v %v", r, err)
	}
	if found := textsIn(t, path); !slices.Equal(found, []string{"the code is QZX-88731"}) {
		t.Errorf("the database holds %q", found)
	}
	s, err := Open(t.Context(), path)
	must(t, err)
	defer s.Close()
	if all := files(t, filepath.Dir(path)); slices.ContainsFunc(all, func(name string) bool { return strings.Contains(name, upgradeCopy) }) {
		t.Errorf("a copy of the backup was made: %q", all)
	}
}

// What was pending in the backup may have been done since: it is neither posted nor answered nor
// applied.
func TestRestoreClosesWhatWasPending(t *testing.T) {
	s, backup := backedUp(t, func(s *Store) {
		said(t, s, "a", "asked", "what color is the gate?", true)
		if turn, err := claim(s, "w", time.Minute); err != nil || turn == nil {
			t.Fatal(turn, err)
		}
		said(t, s, "b", "waits", "and the door?", true)
		in := incoming("command", "", "", false)
		in.Message, in.Command, in.Payload = nil, true, "{}"
		if _, err := s.Queue.Receive(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		for _, o := range []Outbox{{SessionID: 1, Nonce: "notice", Payload: "welcome"}, {SessionID: 1, Nonce: "erased", Kind: PostErased, Ref: "ref"}} {
			if _, err := s.Queue.OutboxAdd(t.Context(), o); err != nil {
				t.Fatal(err)
			}
		}
	})
	before := s.Now()
	now, r := restored(t, s, backup)
	if r.Pending != 5 { // two requests, a command, the post of the turn, the notice
		t.Errorf("%d were pending", r.Pending)
	}
	if at, err := now.RestoredAt(t.Context()); err != nil || at < before {
		t.Error(at, err)
	}
	must(t, now.SetFresh(t.Context(), StaleChannel{Key: about("").Key}))
	must(t, errors.Join(now.Queue.ResetLeases(t.Context()), now.Queue.ResetDelays(t.Context())))
	if turn, err := claim(now, "w", time.Minute); turn != nil || err != nil {
		t.Errorf("answered again: %+v %v", turn, err)
	}
	if rows, err := now.Queue.InboxCommands(t.Context(), 10); len(rows) > 0 || err != nil {
		t.Errorf("applied again: %+v %v", rows, err)
	}
	due, err := now.Queue.OutboxDue(t.Context(), 10)
	if err != nil || len(due) != 1 || due[0].Kind != PostErased {
		t.Errorf("posted again: %+v %v", due, err)
	}
	if n, err := now.Queue.CountOpen(t.Context()); n != 1 || err != nil {
		t.Error(n, err)
	}
	// The wire tells of it again, and so does the bot.
	if r := said(t, now, "b", "waits", "and the door?", true); r.New {
		t.Errorf("%+v", r)
	}
	if added, err := now.Queue.OutboxAdd(t.Context(), Outbox{SessionID: 1, Nonce: "notice", Payload: "welcome"}); added || err != nil {
		t.Error("a notice that was given may be given again", err)
	}
}

// What people erased since the backup was made is not brought back, also if they did so here, so that
// the platform cannot tell.
func TestRestoreErasesAgainWhatWasErased(t *testing.T) {
	s, backup := backedUp(t, func(s *Store) {
		said(t, s, "", "code", "the code is QZX-88731", false)
		said(t, s, "", "name", "the boat is Wexlow", true)
		answered(t, s, "The boat is Wexlow, I see.", "p1")
	})
	said(t, s, "", "later", "the gate is blue", false)
	for _, id := range []string{"code", "name", "later", "never seen"} {
		if _, err := s.Erase(t.Context(), about("").Key, id, 0); err != nil {
			t.Fatal(err)
		}
	}
	now, r := restored(t, s, backup)
	if r.Erased != 2 || r.Unknown != nil {
		t.Errorf("%+v", r)
	}
	if found := strings.Join(textsIn(t, now.path), "|"); found != "the gate is green|||" {
		t.Errorf("the database holds %q", found)
	}
	holds(t, now.path, "QZX-88731", "qzx-88731", "Wexlow", "wexlow")
	for _, id := range []string{"later", "never seen"} {
		if r := said(t, now, "", id, "it comes again", false); r.Message.Text != "" {
			t.Errorf("%s is kept again: %q", id, r.Message.Text)
		}
	}
	// Names of our own are given again.
	said(t, now, "", "new", "what now?", true)
	must(t, now.SetFresh(t.Context(), StaleChannel{Key: about("").Key}))
	if m, _ := answered(t, now, "Now it is green."); m.Text != "Now it is green." {
		t.Errorf("%+v", m)
	}
}

// TestRestoreErasesAPlaceAgain that was erased since the backup was made; what came from there between an earlier erasure
// and the backup stays.
func TestRestoreErasesAPlaceAgain(t *testing.T) {
	whole := Key{Platform: "test", Workspace: "w"}
	for name, p := range map[string]Key{"workspace": whole, "channel": {Platform: "test", Workspace: "w", Channel: "c"}} {
		for _, since := range []bool{true, false} {
			s, backup := backedUp(t, func(s *Store) {
				if !since {
					_, err := s.ErasePlace(t.Context(), p)
					must(t, err)
					said(t, s, "", "2", "the gate is blue", false)
				}
			})
			if since {
				_, err := s.ErasePlace(t.Context(), p)
				must(t, err)
			}
			now, r := restored(t, s, backup)
			n, err := now.CountPlace(t.Context(), whole)
			if err != nil || r.Unknown != nil || since != (n == PlaceCounts{}) || since != (r.Erased == 1) {
				t.Errorf("%s, since the backup: %v: %+v is there, %+v (%v)", name, since, n, r, err)
			}
			if since {
				holds(t, now.path, "the gate is green")
			}
		}
	}
}

// TestARestoredFileForgets: a backup is a copy in which pages hold text twice, where no row shows it.
func TestARestoredFileForgets(t *testing.T) {
	var ids []string
	s, backup := backedUp(t, func(s *Store) {
		for i := range 150 {
			id := fmt.Sprint("m", i)
			r := said(t, s, "t", id, fmt.Sprintf("%d: the password of door %d is WALRUS%d", i, i, i)+strings.Repeat(" and so on", i%40), false)
			ids = append(ids, id)
			if i%10 == 0 {
				readable(t, s, r.Message, fmt.Sprintf("%d.txt", i), strings.Repeat(fmt.Sprintf("The walrus %d sleeps. ", i), 60))
			}
		}
	})
	now, _ := restored(t, s, backup)
	for _, id := range ids {
		if _, err := now.Erase(t.Context(), Key{Platform: "test", Workspace: "w", Channel: "c", Thread: "t"}, id, 0); err != nil {
			t.Fatal(err)
		}
	}
	if err := now.SecureErase(t.Context()); err != nil {
		t.Fatal(err)
	}
	if left := slices.DeleteFunc(textsIn(t, now.path), func(text string) bool { return text == "" }); len(left) != 1 {
		t.Errorf("left are %q", left)
	}
	holds(t, now.path, "walrus", "WALRUS")
}
