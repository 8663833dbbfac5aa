package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"threadkeeper/bot/access"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

const (
	commandTime = 2 * time.Minute // for one attempt at a command
	earlyTries  = 120             // attempts at a click on a post that is not recorded yet: with poll between them, half a minute
)

// runCommands runs commands and clicks until ctx is done, those of one session
// one after the other, and returns when the last has ended.
func (b *Bot) runCommands(ctx, work context.Context) {
	var all sync.WaitGroup
	defer all.Wait()
	lanes := newCommandLanes()
	for {
		rows, err := b.Store.Queue.InboxCommands(ctx, 200, b.names()...)
		if err != nil && ctx.Err() == nil {
			b.Log.Error("could not read the command queue", "error", err)
		}
		waits := make(map[int64]bool) // sessions: a lane that becomes free meanwhile is for the row that found it taken
		for _, q := range inOrder(rows) {
			if !q.urgent() && waits[q.row.SessionID] {
				continue
			}
			if !lanes.enter(q.row, q.urgent()) {
				waits[q.row.SessionID] = waits[q.row.SessionID] || !lanes.yielded(q.row)
			} else {
				all.Go(func() {
					defer b.commands.ring()
					defer b.finished.ring()
					defer lanes.leave(q.row)
					b.tryCommand(ctx, work, lanes, q)
				})
			}
		}
		if !b.commands.wait(ctx, poll) {
			return
		}
	}
}

// tryCommand runs a command or click; after a failure it returns once the pause before the next attempt is over.
func (b *Bot) tryCommand(ctx, work context.Context, lanes *commandLanes, q queuedCommand) {
	effort := lanes.effortOf(q.row)
	apply := func() error { return b.runCommand(work, q.row, effort.waits < earlyTries) }
	err := guard(apply)
	for errors.Is(err, errContinue) && ctx.Err() == nil {
		lanes.yield(q.row)
		b.commands.ring()
		err = guard(apply)
	}
	switch {
	case err == nil || work.Err() != nil || errors.Is(err, errContinue): // the next start continues
		lanes.done(q.row)
	case errors.Is(err, errNotRecordedYet):
		effort.waits++
		lanes.yield(q.row)
		b.commands.ring()
		sleep(ctx, poll)
	default:
		effort.failures++
		b.Log.Error("command failed", "event", q.row.EventID, "attempt", effort.failures, "error", err)
		if effort.failures >= maxAttempts && q.request.Kind != platform.EventFile {
			a := say.ExplainCommand(say.For(q.request.Author.Locale, q.request.Args), say.ErrGivenUp)
			if err := b.answer(work, q.row, q.request, platform.Outgoing{Kind: platform.KindError, Text: a.Text, Error: a.Code}, memory.Shown{}); err == nil {
				lanes.done(q.row)
				return
			}
		}
		if q.request.Kind == platform.EventFile { // however long it takes, commands continue
			lanes.yield(q.row)
			b.commands.ring()
		}
		sleep(ctx, backoff(effort.failures))
	}
}

type queuedCommand struct {
	row     *memory.Inbox
	request request
	at      int64 // when it was given, by the platform's clock if it has one
}

func (q queuedCommand) urgent() bool {
	return q.request.Command == "stop" || q.request.Action == platform.StopAction
}

// inOrder orders rows by when they were given: over two connections they may arrive
// in another order. A row that cannot be read counts as empty.
func inOrder(rows []*memory.Inbox) []queuedCommand {
	all := make([]queuedCommand, len(rows))
	for i, row := range rows {
		r, _ := decodeRequest(row) // runCommand reports the error
		all[i] = queuedCommand{row, r, cmp.Or(r.At, row.CreatedAt)}
	}
	slices.SortStableFunc(all, func(x, y queuedCommand) int { return cmp.Compare(x.at, y.at) })
	return all
}

// runCommand runs one command or click. Its answer is stored with the
// end of its row, so that it is posted once however often it was begun.
func (b *Bot) runCommand(ctx context.Context, row *memory.Inbox, retryable bool) error {
	// It may have run, or been edited, since it was looked up.
	now, err := b.Store.Queue.InboxCommandOpen(ctx, row.ID)
	if err != nil {
		if gone(err) {
			return nil
		}
		return wrap("look at a command", err)
	}
	if now.Payload != "" { // an erasure takes it
		row.Payload = now.Payload
	}
	r, err := decodeRequest(row)
	if err != nil {
		_, end := b.Store.Queue.InboxCloseCommand(ctx, row.ID, nil)
		return errors.Join(err, end)
	}
	limit, cancel := context.WithTimeout(ctx, min(commandTime, b.TurnTimeout))
	defer cancel()
	c, err := b.newCall(limit, row, r)
	if err != nil {
		return err
	}
	c.retryable = retryable
	out, err := b.carryOut(limit, c)
	out.Language = cmp.Or(out.Language, c.say.Code)
	var crash *panicError
	switch {
	case errors.Is(err, errQueued):
		b.turns.ring()
		b.posts.ring()
		return nil
	case errors.Is(err, errAlreadyAnswered):
		return nil
	case errors.Is(err, errNotRecordedYet), errors.Is(err, errContinue), err != nil && r.Kind == platform.EventFile: // nobody waits for an answer
		return err
	case errors.As(err, &crash):
		b.Log.Error("command panicked", "command", r.Command, "error", crash, "stack", string(crash.stack))
		fallthrough
	case err != nil && !errors.Is(err, context.Canceled):
		b.Log.Warn("command failed", "command", r.Command, "error", err)
		a := say.ExplainCommand(c.say, err)
		out, c.shows = platform.Outgoing{Kind: platform.KindError, Text: a.Text, Error: a.Code, Language: c.say.Code}, memory.Shown{}
	case err != nil:
		return err
	}
	if now, err := b.Store.Queue.InboxCommandOpen(ctx, row.ID); err == nil && now.Payload != "" && now.Payload != row.Payload {
		return errContinue // it was edited meanwhile
	}
	if r.Kind == platform.EventCommand && strings.TrimSpace(out.Text) == "" && out.File == nil {
		out.Text = c.say.Done
	}
	return b.answer(ctx, row, r, out, c.shows)
}

// answer ends a command or click with its text, if any, and records what the text shows.
func (b *Bot) answer(ctx context.Context, row *memory.Inbox, r request, out platform.Outgoing, shows memory.Shown) error {
	var post *memory.Outbox
	if strings.TrimSpace(out.Text) != "" || out.File != nil {
		var err error
		if post, err = b.private(row, r, nonceOf(row), out); err != nil {
			return err
		}
		post.Shows = shows
	}
	return b.closeCommand(ctx, row, post)
}

// private returns a post for the person who gave a command, where the platform can show it to
// them only.
func (b *Bot) private(row *memory.Inbox, r request, nonce string, out platform.Outgoing) (*memory.Outbox, error) {
	if out.Kind == "" {
		out.Kind = platform.KindCommand
	}
	to := r.Reply
	if b.byName(r.Key.Platform).Limits().Ephemeral {
		to.EphemeralTo = r.Author.ID
	}
	payload, err := outboxPayload{To: to, Out: out}.encode()
	o := &memory.Outbox{SessionID: row.SessionID, Nonce: nonce, Payload: payload}
	if out.File != nil {
		o.DocumentID = out.File.Document
	}
	return o, err
}

// closeCommand ends a command or click with a post, nil for none. It runs again
// if the post may contain something that not everybody may see any more.
func (b *Bot) closeCommand(ctx context.Context, row *memory.Inbox, post *memory.Outbox) error {
	_, err := b.Store.Queue.InboxCloseCommand(ctx, row.ID, post)
	if errors.Is(err, memory.ErrInterrupted) {
		return errContinue
	}
	if err != nil {
		return err
	}
	b.posts.ring()
	return nil
}

func (b *Bot) newCall(ctx context.Context, row *memory.Inbox, r request) (*call, error) {
	if r.Kind != platform.EventFile {
		b.awaitAudience(ctx, r.Key) // the audience decides what may be said there
	}
	c := &call{Bot: b, Event: r.Event, row: row, picked: r.Picked}
	var err error
	if c.Session, err = b.Store.Session(ctx, row.SessionID); err != nil {
		return nil, fmt.Errorf("bot: load session: %w", err)
	}
	if _, c.Person, err = b.Store.Locate(ctx, c.Session.Key, memory.Channel{}, person(r.Author)); err != nil {
		return nil, err
	}
	var who int64
	if c.Person != nil {
		who = c.Person.ID
	}
	c.say = b.wordsIn(ctx, c.Session.ID, who, r.Author.Locale, r.Args)
	c.Audience, err = b.audience(ctx, c.Session.ID, who)
	return c, err
}

func (b *Bot) carryOut(ctx context.Context, c *call) (out platform.Outgoing, err error) {
	err = guard(func() (err error) {
		switch c.Event.Kind {
		case platform.EventClick:
			out, err = b.click(ctx, c)
		case platform.EventFile:
			err = b.fileGone(ctx, c)
		default:
			out, err = b.command(ctx, c)
		}
		return err
	})
	return out, err
}

// errQueued reports that a command became a request for a turn, which answers it.
var errQueued = errors.New("queued")

// errContinue reports that a command has done part of its work and continues when it is
// run again: at once, but others need not wait for it.
var errContinue = errors.New("there is more to do")

// errAlreadyAnswered reports that a click or command has ended: a post for everybody answers it.
var errAlreadyAnswered = errors.New("shown")

func (b *Bot) fileGone(ctx context.Context, c *call) error {
	everywhere := c.Event.Key
	everywhere.Channel = ""
	files, err := b.Store.FilesByPlatformID(ctx, everywhere, c.Event.Message, c.Event.Kept...)
	if err != nil {
		return wrap("look for files", err)
	}
	defer b.erasures.ring()
	for _, f := range files {
		if f.State == memory.FileWaiting {
			err = errors.Join(err, b.Store.SetFileResult(ctx, f.ID, 0, memory.FileFailed, "deleted"))
		}
		if f.DocumentID != 0 {
			err = errors.Join(err, b.Store.RemoveDocument(ctx, 0, f.DocumentID))
		} else {
			err = errors.Join(err, b.Store.RemoveFile(ctx, f))
		}
	}
	b.narrowed()
	b.turns.ring()
	return wrap("remove a deleted file", err)
}

// commandsAtOnce is how many commands of different sessions run at the same time;
// stop never waits.
const commandsAtOnce = 4

// commandLanes are the commands this process is running. A click that waits for its post to be
// recorded holds up no other.
type commandLanes struct {
	mu       sync.Mutex
	sessions map[int64]int64 // session → the row that holds it
	rows     map[int64]bool  // true for one that does not wait
	efforts  map[int64]*effort
}

// effort counts how often an unfinished row had to wait, or failed.
type effort struct{ waits, failures int }

func newCommandLanes() *commandLanes {
	return &commandLanes{sessions: make(map[int64]int64), rows: make(map[int64]bool), efforts: make(map[int64]*effort)}
}

func (l *commandLanes) enter(row *memory.Inbox, urgent bool) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.rows[row.ID]; ok {
		return false
	}
	if !urgent && (l.sessions[row.SessionID] != 0 || l.busy() >= commandsAtOnce) {
		return false
	}
	l.rows[row.ID] = true
	if !urgent {
		l.sessions[row.SessionID] = row.ID
	}
	return true
}

func (l *commandLanes) busy() (n int) {
	for _, working := range l.rows {
		if working {
			n++
		}
	}
	return n
}

// effortOf may be called only by the holder of the row.
func (l *commandLanes) effortOf(row *memory.Inbox) *effort {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.efforts[row.ID] == nil {
		l.efforts[row.ID] = new(effort)
	}
	return l.efforts[row.ID]
}

// yield lets other rows of the session run before this one.
func (l *commandLanes) yield(row *memory.Inbox) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rows[row.ID] = false
	l.free(row)
}

// yielded reports whether a row has let others run before it, and not begun again.
func (l *commandLanes) yielded(row *memory.Inbox) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	working, known := l.rows[row.ID]
	return known && !working
}

func (l *commandLanes) free(row *memory.Inbox) {
	if l.sessions[row.SessionID] == row.ID {
		delete(l.sessions, row.SessionID)
	}
}

func (l *commandLanes) leave(row *memory.Inbox) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.rows, row.ID)
	l.free(row)
}

func (l *commandLanes) done(row *memory.Inbox) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.efforts, row.ID)
}

// typedIn returns the command that a message was, nil if it was none.
func (b *Bot) typedIn(ctx context.Context, ev platform.Event) (*memory.Inbox, error) {
	session, err := b.Store.SessionByKey(ctx, ev.Key)
	if err == nil {
		var row *memory.Inbox
		if row, err = b.Store.Queue.InboxCommandIn(ctx, session.ID, ev.Message); err == nil {
			return row, nil
		}
	}
	if gone(err) {
		return nil, nil
	}
	return nil, wrap("look for a command", err)
}

// editCommand gives a command that waits to be run the words that it has now. If they are no command it is not run.
func (b *Bot) editCommand(ctx context.Context, ev platform.Event, row *memory.Inbox, may access.Access) (edited bool, err error) {
	name, args, command := b.parseCommand(ev.Text)
	if !command || len(ev.Files) > 0 || may != access.Open {
		_, err = b.Store.Queue.InboxCloseCommand(ctx, row.ID, nil)
		return may != access.Open, wrap("withdraw a command", err)
	}
	r, err := decodeRequest(row)
	if err != nil {
		return false, err
	}
	r.Command, r.Args, r.Picked = name, args, nil
	edited, err = b.Store.Queue.InboxSetPayload(ctx, row.ID, r.encode()) // else it has just been run
	return edited, wrap("change a command", err)
}
