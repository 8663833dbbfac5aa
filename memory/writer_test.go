package memory

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/uptrace/bun"
)

// TestWritesThatWaitAreCommittedTogether holds the writer until many writes wait.
// One fails, one panics, one is cancelled: the others are stored, in one commit.
func TestWritesThatWaitAreCommittedTogether(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	s.group.leader <- struct{}{}
	set := func(name string, err error) func(context.Context, bun.Tx) error {
		return func(ctx context.Context, tx bun.Tx) error {
			if _, e := tx.ExecContext(ctx, "INSERT INTO settings (scope, name, value) VALUES ('t', ?, '1')", name); e != nil {
				return e
			}
			if err != nil && err.Error() == "panic" {
				panic(err)
			}
			return err
		}
	}
	failed, panics := errors.New("failed"), errors.New("panic")
	errs := make([]error, 23)
	gone, leave := context.WithCancel(ctx)
	leave()
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() {
			defer func() {
				if v := recover(); v != nil {
					errs[i] = panics
				}
			}()
			switch i {
			case 20:
				errs[i] = s.Write(ctx, set("bad", failed))
			case 21:
				errs[i] = s.Write(ctx, set("worse", panics))
			case 22:
				errs[i] = s.Write(gone, set("gone", nil))
			default:
				errs[i] = s.Write(ctx, set(fmt.Sprint(i), nil))
			}
		})
	}
	for waiting := 0; waiting < 22; {
		s.group.mu.Lock()
		waiting = len(s.group.waiting)
		s.group.mu.Unlock()
	}
	before := commits(t, s)
	<-s.group.leader
	all.Wait()
	if n := commits(t, s) - before; n != 1 {
		t.Errorf("%d commits, want 1", n)
	}
	for i, err := range errs {
		want := map[int]error{20: failed, 21: panics, 22: context.Canceled}[i]
		if !errors.Is(err, want) {
			t.Errorf("write %d: %v, want %v", i, err, want)
		}
	}
	var names []string
	if err := s.reader.NewRaw("SELECT name FROM settings WHERE scope = 't'").Scan(ctx, &names); err != nil || len(names) != 20 {
		t.Errorf("stored %v %v", names, err)
	}
}

// TestFullDisk lets the file grow no further: the error says what to do, nothing
// of the failed write is stored, and writing goes on once there is room.
func TestFullDisk(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	if _, err := s.writer.Exec("PRAGMA max_page_count = 1"); err != nil { // the pages it has
		t.Fatal(err)
	}
	_, err := s.Queue.Receive(ctx, incoming("e1", "m1", strings.Repeat("much text ", 100_000), true))
	if !errors.Is(err, ErrDisk) || !strings.Contains(err.Error(), "free some space") {
		t.Fatalf("got %v", err)
	}
	if _, err := s.writer.Exec("PRAGMA max_page_count = 4294967294"); err != nil {
		t.Fatal(err)
	}
	if n := pending(t, s); n != 0 {
		t.Errorf("%d waiting", n)
	}
	if r, err := s.Queue.Receive(ctx, incoming("e1", "m1", "Hello", true)); err != nil || !r.New {
		t.Errorf("once there is room: %+v %v", r, err)
	}
}

// TestADeletedDatabaseRefusesWrites deletes the file, and puts another one in its place: what
// is written then would be gone with the process, so it is refused. The file put back, it
// goes on.
func TestADeletedDatabaseRefusesWrites(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	path := s.path
	refused := func(event string) {
		t.Helper()
		if _, err := s.Queue.Receive(ctx, incoming(event, event, "Hello", true)); !errors.Is(err, ErrDisk) {
			t.Errorf("%s: %v, want %v", event, err, ErrDisk)
		}
	}
	if err := os.Rename(path, path+".away"); err != nil {
		t.Fatal(err)
	}
	refused("deleted")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	refused("replaced")
	if err := os.Rename(path+".away", path); err != nil {
		t.Fatal(err)
	}
	if r, err := s.Queue.Receive(ctx, incoming("back", "back", "Hello", true)); err != nil || !r.New {
		t.Errorf("put back: %+v %v", r, err)
	}
}

// TestADamagedFileIsNotOpened says what to do, and leaves the file alone.
func TestADamagedFileIsNotOpened(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	text := []byte(strings.Repeat("no database ", 1000))
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(context.Background(), path); !errors.Is(err, ErrDisk) || !strings.Contains(err.Error(), "restore a backup") {
		t.Errorf("got %v", err)
	}
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, text) {
		t.Errorf("the file was changed: %v", err)
	}
}
