package memory

import (
	"context"
	"errors"
	"fmt"
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
