package memory

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/uptrace/bun"
)

const maxGroup = 64

// group commits waiting writes together in one transaction. The disk's sync is the expensive
// part of a commit and costs the same for one write as for many.
type group struct {
	mu      sync.Mutex
	waiting []*write
	leader  chan struct{} // room for one token: the goroutine that puts it in commits for all that wait
}

// write is one call of Store.Write.
type write struct {
	ctx    context.Context
	fn     func(ctx context.Context, tx bun.Tx) error
	redone bool          // if the machine crashes before the next commit, what fn did is done again, or is not missed
	done   chan struct{} // closed once err is final
	err    error
}

func newGroup() *group { return &group{leader: make(chan struct{}, 1)} }

// Write runs fn in one transaction and commits it if fn returns nil. Everything
// inside must go through tx: the writer has one connection. Never hold it over a network
// call. Once fn has begun it is not cancelled. Waiting writes are
// committed together; a failed one is undone by itself. Each returns after the commit.
func (c *core) Write(ctx context.Context, fn func(ctx context.Context, tx bun.Tx) error) error {
	return c.enqueue(&write{ctx: ctx, fn: fn, done: make(chan struct{})})
}

// WriteRedone is Write for what is done again if the machine crashes before the next Write, or what nobody misses then: it does not wait
// for the disk. The next Write makes it last.
func (c *core) WriteRedone(ctx context.Context, fn func(ctx context.Context, tx bun.Tx) error) error {
	return c.enqueue(&write{ctx: ctx, fn: fn, redone: true, done: make(chan struct{})})
}

func (c *core) exec(ctx context.Context, statement string, args ...any) error {
	return c.Write(ctx, func(ctx context.Context, tx bun.Tx) error { return execAll(ctx, tx, []string{statement}, args...) })
}

// exec runs a statement.
func exec(ctx context.Context, tx bun.IDB, statement string, args ...any) error {
	_, err := tx.NewRaw(statement, args...).Exec(ctx)
	return err
}

// execAll runs statements, each with the same arguments.
func execAll(ctx context.Context, tx bun.IDB, statements []string, args ...any) error {
	for _, statement := range statements {
		if err := exec(ctx, tx, statement, args...); err != nil {
			return err
		}
	}
	return nil
}

// enqueue has a write committed, with others that wait.
func (c *core) enqueue(w *write) error {
	g := c.group
	g.mu.Lock()
	g.waiting = append(g.waiting, w)
	g.mu.Unlock()
	select {
	case <-w.done:
	case g.leader <- struct{}{}:
		for !w.ended() {
			c.commit(g.take())
		}
		<-g.leader
	case <-w.ctx.Done():
		if g.leave(w) {
			return w.ctx.Err()
		}
		<-w.done // another goroutine is committing it now
	}
	var crash *writePanic
	if errors.As(w.err, &crash) {
		panic(crash)
	}
	return w.err
}

// take removes the oldest waiting writes, the next batch to commit.
func (g *group) take() []*write {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := min(len(g.waiting), maxGroup)
	batch := slices.Clone(g.waiting[:n])
	g.waiting = slices.Delete(g.waiting, 0, n)
	return batch
}

// leave removes a waiting write; it returns false if the write no longer waits.
func (g *group) leave(w *write) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	i := slices.Index(g.waiting, w)
	if i >= 0 {
		g.waiting = slices.Delete(g.waiting, i, i+1)
	}
	return i >= 0
}

func (w *write) ended() bool {
	select {
	case <-w.done:
		return true
	default:
		return false
	}
}

// commit runs a batch in one transaction and finishes each of its writes.
func (c *core) commit(batch []*write) {
	err := c.runBatch(batch)
	for _, w := range batch {
		if w.err == nil {
			w.err = err
		}
		if w.err = Explain(w.err); errors.Is(w.err, ErrDisk) {
			c.refused.Store(&w.err)
		}
		close(w.done)
	}
}

// Refused is the ErrDisk of the last write that ended in one, nil if none has: each write has another pointer.
func (s *Store) Refused() *error { return s.refused.Load() }

// runBatch runs a batch. Its error is that of the transaction; the error of one write
// is stored in the write.
func (c *core) runBatch(batch []*write) (err error) {
	if err := c.there(); err != nil {
		return err
	}
	if !c.brief && !slices.ContainsFunc(batch, func(w *write) bool { return !w.redone }) {
		if err := c.dialect.syncCommits(c.writer, false); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, c.dialect.syncCommits(c.writer, true)) }() // after the transaction
	}
	tx, err := c.writer.BeginTx(context.Background(), nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // nothing to do after a commit
	if len(batch) == 1 {
		if batch[0].run(tx); batch[0].err != nil {
			return nil
		}
		return tx.Commit()
	}
	for _, w := range batch {
		if err := w.runSaved(tx); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// runSaved runs a write in a savepoint, so that its failure undoes nothing else. The error is that
// of the whole transaction.
func (w *write) runSaved(tx bun.Tx) error {
	if _, err := tx.Exec("SAVEPOINT one"); err != nil {
		return err
	}
	if w.run(tx); w.err != nil {
		if _, err := tx.Exec("ROLLBACK TO one"); err != nil {
			return errors.Join(w.err, err) // SQLite has undone everything
		}
	}
	_, err := tx.Exec("RELEASE one")
	return err
}

func (w *write) run(tx bun.Tx) {
	defer func() {
		if v := recover(); v != nil {
			w.err = &writePanic{v, debug.Stack()}
		}
	}()
	if w.err = w.ctx.Err(); w.err == nil {
		w.err = w.fn(context.WithoutCancel(w.ctx), tx)
	}
}

// ErrDisk reports that nothing can be written, or read, until the machine's owner has
// repaired the disk or the file. The error's text says what to do.
var ErrDisk = errors.New("nothing can be stored")

// Explain turns an error that only the machine's owner can fix into an ErrDisk,
// and leaves others as they are. Errors of Write are explained already.
func Explain(err error) error {
	if errors.Is(err, ErrDisk) {
		return err
	}
	if remedy := Remedy(err); remedy != "" {
		return fmt.Errorf("%w: %s (%w)", ErrDisk, remedy, err)
	}
	return err
}

// there returns an ErrDisk if the database file is not the one that was opened: SQLite
// would keep writing to a deleted file, whose content is lost when the program ends.
func (c *core) there() error {
	now, err := os.Stat(c.path)
	if err == nil && os.SameFile(now, c.file) {
		return nil
	}
	return fmt.Errorf("%w: %s was deleted or replaced while in use; end the program, put it back and start again", ErrDisk, c.path)
}

// writePanic is a panic of a write, re-raised in the goroutine that called Write.
type writePanic struct {
	value any
	stack []byte
}

func (p *writePanic) Error() string { return fmt.Sprintf("%v\n\n%s", p.value, p.stack) }
