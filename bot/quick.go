package bot

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"threadkeeper/memory"
)

const (
	commandTime    = 2 * time.Minute // for one command
	commandsAtOnce = 4               // of different sessions; stop is never kept waiting
)

// apply carries out commands and clicks until ctx is done, those of one session
// one after the other, and returns when the last has ended.
func (b *Bot) apply(ctx, work context.Context) {
	var all sync.WaitGroup
	defer all.Wait()
	lanes := &lanes{sessions: make(map[int64]bool), rows: make(map[int64]bool)}
	for {
		rows, err := b.Store.Quick(ctx, 200)
		if err != nil && ctx.Err() == nil {
			b.Log.Error("look for commands", "error", err)
		}
		for _, row := range rows {
			r, err := decodeRequest(row)
			if !lanes.enter(row, err == nil && r.Command == "stop") {
				continue
			}
			all.Go(func() {
				err := guard(func() error { return b.applyOne(work, row) })
				if err != nil && work.Err() == nil {
					b.Log.Error("command failed", "event", row.EventID, "error", err)
					sleep(ctx, poll) // before it is tried again
				}
				lanes.leave(row)
				b.commands.ring()
			})
		}
		if !b.commands.wait(ctx, poll) {
			return
		}
	}
}

// lanes are the commands this process is at.
type lanes struct {
	mu       sync.Mutex
	sessions map[int64]bool
	rows     map[int64]bool
}

func (l *lanes) enter(row *memory.Inbox, urgent bool) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.rows[row.ID] || !urgent && (l.sessions[row.SessionID] || len(l.rows) >= commandsAtOnce) {
		return false
	}
	l.rows[row.ID] = true
	if !urgent {
		l.sessions[row.SessionID] = true
	}
	return true
}

func (l *lanes) leave(row *memory.Inbox) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.rows, row.ID)
	delete(l.sessions, row.SessionID)
}

// applyOne carries out one command or click. What it answers is stored with the
// end of its row, so that it is posted once however often it was begun.
func (b *Bot) applyOne(ctx context.Context, row *memory.Inbox) error {
	ctx, cancel := context.WithTimeout(ctx, commandTime)
	defer cancel()
	r, err := decodeRequest(row)
	if err != nil {
		_, end := b.Store.Applied(ctx, row.ID, nil)
		return errors.Join(err, end)
	}
	c, err := b.call(ctx, row, r)
	if err != nil {
		return err
	}
	out, err := b.carryOut(ctx, c)
	var crash *panicError
	switch {
	case errors.Is(err, errQueued):
		b.turns.ring()
		return nil
	case errors.As(err, &crash):
		b.Log.Error("command panicked", "command", r.Command, "error", crash, "stack", string(crash.stack))
		fallthrough
	case err != nil && !errors.Is(err, context.Canceled):
		b.Log.Warn("command failed", "command", r.Command, "error", err)
		a := apology(c.language(), err)
		out = Outgoing{Kind: KindError, Text: a.Text, Error: a.Code}
	case err != nil:
		return err
	}
	return b.answer(ctx, row, r, out)
}

// answer ends a command with what it says, "" for nothing.
func (b *Bot) answer(ctx context.Context, row *memory.Inbox, r request, out Outgoing) error {
	var post *memory.Outbox
	if strings.TrimSpace(out.Text) != "" || out.File != nil {
		if out.Kind == "" {
			out.Kind = KindCommand
		}
		to := r.Reply
		if p := b.byName(r.Key.Platform); p != nil && p.Limits().Ephemeral {
			to.EphemeralTo = r.Author.ID
		}
		payload, err := parcel{To: to, Out: out}.encode()
		if err != nil {
			return err
		}
		post = &memory.Outbox{SessionID: row.SessionID, Nonce: nonceOf(row), Payload: payload}
	}
	if _, err := b.Store.Applied(ctx, row.ID, post); err != nil {
		return err
	}
	b.posts.ring()
	return nil
}

// call is the use of a command that a row holds.
func (b *Bot) call(ctx context.Context, row *memory.Inbox, r request) (*Call, error) {
	c := &Call{Bot: b, Event: r.Event, row: row}
	var err error
	if c.Session, err = b.Store.Session(ctx, row.SessionID); err != nil {
		return nil, fmt.Errorf("bot: load session: %w", err)
	}
	if _, c.Person, err = b.Store.Locate(ctx, c.Session.Key, r.Channel, person(r.Author)); err != nil {
		return nil, err
	}
	var who int64
	if c.Person != nil {
		who = c.Person.ID
	}
	if c.Audience, err = b.Store.Audience(ctx, c.Session.ID, who); err != nil {
		return nil, fmt.Errorf("bot: load audience: %w", err)
	}
	return c, nil
}

// carryOut runs what the row asks for.
func (b *Bot) carryOut(ctx context.Context, c *Call) (out Outgoing, err error) {
	err = guard(func() (err error) {
		switch c.Event.Kind {
		case EventClick:
			out, err = b.click(ctx, c)
		case EventFile:
			err = b.fileGone(ctx, c)
		default:
			out, err = b.command(ctx, c)
		}
		return err
	})
	return out, err
}

// errQueued says that a command became a request for a turn, which answers it.
var errQueued = errors.New("queued")

// fileGone removes the documents that a file, now deleted on its platform, was
// read into.
func (b *Bot) fileGone(ctx context.Context, c *Call) error {
	files, err := b.Store.FilesNamed(ctx, c.Session.ChannelID, c.Event.Message)
	if err != nil {
		return wrap("look for files", err)
	}
	for _, f := range files {
		if f.State == memory.FileWaiting {
			err = errors.Join(err, b.Store.FileRead(ctx, f.ID, 0, memory.FileFailed, "deleted"))
		}
		if f.DocumentID == 0 || b.Index == nil {
			continue
		}
		m, merr := b.Store.Message(ctx, f.MessageID)
		if merr != nil {
			err = errors.Join(err, merr)
			continue
		}
		a, aerr := b.Store.Audience(ctx, f.SessionID, m.PersonID)
		if aerr == nil {
			aerr = b.Index.Remove(ctx, a, f.DocumentID)
		}
		if !gone(aerr) {
			err = errors.Join(err, aerr)
		}
	}
	return wrap("remove a deleted file", err)
}
