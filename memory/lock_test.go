package memory

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uptrace/bun"
)

func openShared(t *testing.T, path string) *Store {
	t.Helper()
	s, err := Open(t.Context(), path, Shared())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestRunnersShareTheDatabaseAndImportHasItAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	one, err := Open(t.Context(), path, Shared())
	must(t, err)
	two, err := Open(t.Context(), path, Shared())
	must(t, err)
	if _, err := Open(t.Context(), path); !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), "process") {
		t.Errorf("alone beside runners: %v", err)
	}
	must(t, errors.Join(one.Close(), two.Close()))
	alone, err := Open(t.Context(), path, For("import"))
	must(t, err)
	holds := fmt.Sprintf("process %d (import)", os.Getpid())
	if _, err := Open(t.Context(), path); !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), holds) {
		t.Errorf("two alone: %v", err)
	}
	waits, told := make(chan error, 1), make(chan string, 1)
	go func() {
		s, err := Open(t.Context(), path, Shared(), TellWait(func(holder string, _ time.Duration) { told <- holder }))
		if err == nil {
			err = s.Close()
		}
		waits <- err
	}()
	if who := <-told; who != holds {
		t.Errorf("it waits for %q, want %q", who, holds)
	}
	must(t, alone.Close())
	if err := <-waits; err != nil {
		t.Errorf("a runner that starts meanwhile: %v", err)
	}
}

// TestTheFirstRunnerTakesOver what a killed process was at; one that starts beside others does not.
func TestTheFirstRunnerTakesOver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	killed, err := Open(t.Context(), path, Shared())
	must(t, err)
	said(t, killed, "t", "1", "hello", true)
	if turn, err := claim(killed, "killed", time.Hour); err != nil || turn == nil {
		t.Fatal(turn, err)
	}
	beside := openShared(t, path)
	if turn, err := claim(beside, "beside", time.Hour); err != nil || turn != nil {
		t.Errorf("the turn of a live process was taken: %v, %v", turn, err)
	}
	must(t, errors.Join(killed.Close(), beside.Close()))
	next := openShared(t, path)
	if turn, err := claim(next, "next", time.Hour); err != nil || turn == nil {
		t.Errorf("the turn of a dead process was not taken: %v", err)
	}
}

func TestOneProcessSitsInAConversationAndWorksOnNothingElse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	one, two := openShared(t, path), openShared(t, path)
	key := func(thread string) Key { return Key{Platform: "test", Workspace: "w", Channel: "c", Thread: thread} }
	must(t, errors.Join(one.Sit(key("a")), one.Sit(key("a")), two.Sit(key("b"))))
	if err := two.Sit(key("a")); !errors.Is(err, ErrLocked) {
		t.Errorf("two in one conversation: %v", err)
	}
	said(t, one, "a", "1", "hello", true)
	for s, want := range map[*Store]int{one: 1, two: 0} {
		n, err := s.Queue.CountOpen(t.Context(), "test")
		_, waits, err2 := s.Queue.NextTurnAt(t.Context())
		if n != want || waits != (want > 0) || err != nil || err2 != nil {
			t.Errorf("%d open, waits %v, want %d: %v %v", n, waits, want, err, err2)
		}
	}
	if turn, err := claim(two, "two", time.Minute); turn != nil || err != nil {
		t.Errorf("a turn of another conversation was taken: %v", err)
	}
	must(t, errors.Join(one.Sit(key("c")), two.Sit(key("a"))))
	if turn, err := claim(two, "two", time.Minute); turn == nil || err != nil {
		t.Errorf("no turn: %v", err)
	}
}

func TestAHeldNameIsFreeAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	one, two := openShared(t, path), openShared(t, path)
	release, err := one.Hold("Slack")
	must(t, err)
	if _, err := two.Hold("Slack"); !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), "Slack is in use") {
		t.Errorf("held twice: %v", err)
	}
	waits := make(chan error, 1)
	go func() {
		release, err := two.HoldWhenFree(context.Background(), "Slack")
		if err == nil {
			release()
		}
		waits <- err
	}()
	release()
	if err := <-waits; err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(path + holdSuffix + "*"); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// TestTwoRunnersLoseAndDoubleNothing: what both take in is answered once by one of them, while both also make the
// file forget.
func TestTwoRunnersLoseAndDoubleNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	const each = 20
	runners := map[string]*Store{"one": openShared(t, path), "two": openShared(t, path)}
	var receivers, workers sync.WaitGroup
	received := make(chan struct{})
	for name, s := range runners {
		receivers.Go(func() {
			for i := range each {
				in := incoming(fmt.Sprint(name, i), fmt.Sprint(name, i), "the gate is green", true)
				in.Key.Thread = fmt.Sprint(i % 8)
				if _, err := s.Queue.Receive(context.Background(), in); err != nil {
					t.Error(err)
				}
			}
		})
		workers.Go(func() {
			for over := false; !over; {
				select {
				case <-received:
					over = true
				default:
				}
				if err := errors.Join(answerAll(s, name), owe(s), s.SecureErase(context.Background())); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	receivers.Wait()
	close(received)
	workers.Wait()
	s := runners["one"]
	for want, query := range map[string]string{
		"messages":               "SELECT COUNT(*) = 40 FROM messages WHERE role = 'user'",
		"requests done":          "SELECT COUNT(*) = 40 FROM inbox WHERE kind = 'message' AND state = 'done'",
		"no two answers to one":  "SELECT COUNT(*) = COUNT(DISTINCT reply_to) FROM messages WHERE role = 'assistant'",
		"as many posts as turns": "SELECT (SELECT COUNT(*) FROM outbox) = COUNT(*) FROM messages WHERE role = 'assistant'",
	} {
		var ok bool
		if err := s.reader.NewRaw(query).Scan(t.Context(), &ok); err != nil || !ok {
			t.Errorf("not so: %s, %v", want, err)
		}
	}
}

// answerAll takes every turn that there is.
func answerAll(s *Store, owner string) error {
	for {
		turn, err := claim(s, owner, time.Hour)
		if turn == nil || err != nil {
			return err
		}
		var rows []int64
		for _, row := range turn.Rows {
			rows = append(rows, row.ID)
		}
		if _, err := s.Queue.FinishTurn(context.Background(), &turn.Lease, Answer{Outbox: turn.Post.ID, Ref: "r", Inbox: rows,
			Message: Message{SessionID: turn.SessionID, ChannelID: 1, Text: "noted", ReplyTo: turn.Rows[len(rows)-1].MessageID}}); err != nil {
			return err
		}
	}
}

// owe has the file forget something.
func owe(s *Store) error {
	return s.Write(context.Background(), func(ctx context.Context, tx bun.Tx) error { return s.oweSecureErase(ctx, tx) })
}
