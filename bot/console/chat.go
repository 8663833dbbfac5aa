package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// Chat is the console for people: a prompt, streamed replies, a progress bar.
type Chat struct {
	Seat
	Drain       func(context.Context) error // waits until nothing is left to do
	Attach      []string                    // files that are read first
	Notes       []string                    // shown below the greeting: what will not work
	HistoryFile string                      // file that keeps what was typed, "" for none
	Color       bool
	Samples     func() (report, meeting string, err error) // puts the tour's documents somewhere

	// Model says which model answers and what fits into it; "" for none.
	Model func(ctx context.Context) string
	// SetModel has another model answer once Run has returned, or says why not.
	SetModel func(name string) error

	screen   *screen
	read     func(ahead bool) (string, error)
	restore  func()   // the terminal; nil for nothing to do
	typed    *history // nil for none
	erasures int64    // that typed has followed, -1 if it has missed some
	handler  platform.Handler
	commands []platform.Command
	run      string // id of this conversation's events
	n        int
	folded   int // compactions shown so far
	greeted  bool
	again    bool // Run is to be called again

	interrupts chan os.Signal // Ctrl-C while a turn runs

	mu       sync.Mutex
	waiting  string            // the event whose answer is waited for
	shown    platform.Outgoing // as that answer
	done     chan struct{}     // closed when it has come
	grown    string            // what is on the screen of that answer
	last     memory.Ledger     // of the last answer
	total    memory.Ledger     // of all answers
	stopping string            // the event of the last Ctrl-C
	stopped  bool              // what was sent last, by Ctrl-C
}

// Begin takes over the terminal. It is called once, before the bot runs.
func (c *Chat) Begin() {
	c.run = NewRunID()
	c.interrupts = make(chan os.Signal, 2)
	c.screen = newScreen(os.Stdout, c.Color)
	if c.HistoryFile != "" {
		typed, err := openHistory(c.HistoryFile)
		if err != nil {
			c.Notes = append(c.Notes, "What you type is not kept for the arrow keys: "+err.Error())
		} else {
			c.typed = typed
		}
	}
	ahead := &typedAhead{colour: func(report string) {
		c.screen.setBackground(backgroundOf(report))
	}}
	if restore, err := quiet(os.Stdin); err == nil {
		c.restore = restore
		c.findBackground(ahead)
	}
	c.read = newEditor(c.typed, ahead, c.prompt, c.complete).read
}

// End gives the terminal back.
func (c *Chat) End() {
	if c.restore != nil {
		c.restore()
	}
}

// backgroundTime is how long a terminal may take to say how light it is; what it says later counts from then on.
const backgroundTime = 100 * time.Millisecond

// findBackground asks the terminal for its background, unless GLAMOUR_STYLE says what it is.
func (c *Chat) findBackground(ahead *typedAhead) {
	if c.Color && c.screen.ground == anyBackground {
		fmt.Fprint(os.Stdout, ansi.RequestBackgroundColor)
		ahead.collect(backgroundTime)
	}
}

// prompt names the thread.
func (c *Chat) prompt() string {
	return c.screen.faint(cutWidth(Key(c.Thread).Thread, c.screen.width()/3)) + " " + c.screen.strong("›") + " "
}

// Again reports whether Run must be called again, because another model answers now.
func (c *Chat) Again() bool { return c.again }

// Limits returns a terminal's limits.
func (c *Chat) Limits() platform.Limits {
	return platform.Limits{Streams: true}
}

// Run talks until /quit, Ctrl-D, or Ctrl-C twice.
func (c *Chat) Run(ctx context.Context, h platform.Handler, commands []platform.Command) error {
	c.handler, c.commands, c.again = h, commands, false
	if !c.greeted {
		if err := c.greet(ctx); err != nil {
			return err
		}
		if len(c.Attach) > 0 {
			if err := c.attach(ctx, c.Attach); err != nil {
				return err
			}
		}
		c.greeted = true
	}
	interrupted := false
	if err := c.lookForErasures(ctx); err != nil {
		return err
	}
	for {
		if err := c.forgetTyped(ctx); err != nil {
			return err
		}
		text, err := c.next(ctx, true)
		switch {
		case errors.Is(err, io.EOF), ctx.Err() != nil:
			return nil
		case errors.Is(err, errInterrupt) && interrupted:
			return nil
		case errors.Is(err, errInterrupt):
			interrupted = true
			if err := c.screen.line(c.screen.faint("Ctrl-C again to end, or Ctrl-D.")); err != nil {
				return err
			}
			continue
		case err != nil:
			return fmt.Errorf("console: read: %w", err)
		}
		interrupted = false
		if err := c.say(ctx, text); errors.Is(err, errQuit) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// lookForErasures notes whether something was erased since the history was last written, as when the
// program was killed in between.
func (c *Chat) lookForErasures(ctx context.Context) error {
	c.erasures = c.Store.Erasures()
	if c.typed == nil || c.typed.Len() == 0 {
		return nil
	}
	last, err := c.Store.LastErased(ctx, Key(""))
	if err == nil && last >= c.typed.written {
		c.erasures = -1
	}
	return err
}

// forgetTyped forgets what was typed and is no message any more, once something was erased. Commands name what they are about, so they go too.
func (c *Chat) forgetTyped(ctx context.Context) error {
	n := c.Store.Erasures()
	if c.typed == nil || n == c.erasures {
		return nil
	}
	texts := make([]string, c.typed.Len())
	for i, l := range c.typed.lines {
		texts[i] = l.said()
	}
	last, err := c.Store.LastErased(ctx, Key(""))
	if err == nil {
		var kept map[string]bool
		if kept, err = c.Store.KeptTexts(ctx, Key(""), texts); err == nil {
			err = c.typed.keep(kept, last)
		}
	}
	if err != nil {
		return c.screen.line(plain("What you typed could not be removed from " + c.HistoryFile + ": " + err.Error()))
	}
	c.erasures = n
	return nil
}

// catchUpTime is how long the first prompt waits for answers that are still to come.
const catchUpTime = 30 * time.Second

// catchUp shows the answers that an earlier process left open when it ended.
func (c *Chat) catchUp(ctx context.Context) error {
	n, err := c.busy(ctx)
	if err != nil || n == 0 {
		return err
	}
	return errors.Join(c.screen.line(c.screen.faint("Answering your earlier questions first.\n")),
		waitUntilDone(ctx, catchUpTime, c.busy))
}

// busy is how much of this terminal's is not done with.
func (c *Chat) busy(ctx context.Context) (int, error) { return c.Store.Queue.CountOpen(ctx, Platform) }

// next is the next line typed, maybe before the prompt.
func (c *Chat) next(ctx context.Context, ahead bool) (string, error) {
	return Within(ctx, func() (string, error) { return c.read(ahead) })
}

// quits reports whether a line ends the conversation, or the tour.
func quits(line string) bool {
	return slices.Contains([]string{"exit", "quit", "/exit", "/quit"}, strings.ToLower(strings.TrimSpace(line)))
}

// say takes one line typed all the way to its answer.
func (c *Chat) say(ctx context.Context, text string) error {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	if len(text) > maxText {
		return c.screen.line("That is more than 4 MB. Put it into a file and /attach it.")
	}
	if quits(text) {
		return errQuit
	}
	if strings.TrimSpace(text) == "?" {
		text = "/help"
	}
	if !isCommand(text) {
		return errors.Join(c.send(ctx, c.message(c.id(), text, nil)), c.confirm(ctx))
	}
	text = strings.TrimSpace(text[1:])
	if handled, err := c.own(ctx, text); handled || err != nil {
		return err
	}
	command, args, ok := findCommand(c.commands, text)
	if !ok { // the bot says which one was meant, of those that it knows
		words := strings.Fields(text)
		if near, own := nearest(c.commands, text); own {
			return c.screen.line("There is no such command. " + didYouMean(near))
		}
		command.Name = strings.Join(words[:min(2, len(words))], " ")
	}
	if err := c.send(ctx, c.command(c.id(), command.Name, args)); err != nil {
		return err
	}
	if command.Name == "help" {
		return c.help()
	}
	return c.confirm(ctx)
}

func (c *Chat) id() string {
	c.n++
	return c.run + ":" + strconv.Itoa(c.n)
}

// send delivers an event and waits for its answer. Ctrl-C stops the turn, and a
// second one ends the program.
func (c *Chat) send(ctx context.Context, e platform.Event) error {
	done := make(chan struct{})
	c.mu.Lock()
	c.waiting, c.done, c.grown, c.shown = e.ID, done, "", platform.Outgoing{}
	c.mu.Unlock()

	signal.Notify(c.interrupts, os.Interrupt)
	defer signal.Stop(c.interrupts)

	c.screen.status("…")
	if err := c.handler.Receive(ctx, e); err != nil {
		return fmt.Errorf("console: send: %w", err)
	}
	// An event that nobody answers is over when nothing is left to do.
	idle := make(chan struct{})
	var refused error
	ctxDrain, cancel := context.WithCancel(ctx)
	go func() {
		defer close(idle)
		refused = c.Drain(ctxDrain)
	}()
	defer func() { cancel(); <-idle }()

	c.stopped = false
	for {
		select {
		case <-done:
			return c.afterTurn(ctx, e)
		case <-idle:
			if errors.Is(refused, memory.ErrDisk) { // it is tried again once there is room
				return errors.Join(c.screen.end(), c.screen.line(sentence(refused)))
			}
			return errors.Join(c.screen.end(), c.afterTurn(ctx, e))
		case <-ctx.Done():
			return nil
		case <-c.interrupts:
			if c.stopped {
				return errQuit
			}
			c.stopped = true
			stop := c.command(c.id(), "stop", "")
			c.mu.Lock()
			c.stopping = stop.ID
			c.mu.Unlock()
			if err := c.handler.Receive(ctx, stop); err != nil {
				return fmt.Errorf("console: stop: %w", err)
			}
		}
	}
}

// afterTurn shows the memory line.
func (c *Chat) afterTurn(ctx context.Context, e platform.Event) error {
	if e.Kind != platform.EventMessage {
		return nil
	}
	// The answer is shown before it is recorded, and a summary without a model is a matter of
	// milliseconds.
	if err := errors.Join(waitUntilDone(ctx, recordTime, c.busy), waitUntilDone(ctx, foldTime, c.Store.CountCompactions)); err != nil {
		return err
	}
	st, err := c.status(ctx)
	if err != nil || st == nil {
		return err
	}
	text := gauge(st, c.Color)
	for _, done := range st.Compactions[min(c.folded, len(st.Compactions)):] {
		text += "  " + c.screen.faint(compacted(done))
	}
	c.folded = len(st.Compactions)
	return c.screen.line(text + "\n")
}

// How long the memory line waits for what it shows.
const (
	recordTime = time.Second
	foldTime   = 200 * time.Millisecond
)

// waitUntilDone waits until nothing is left of what left counts, or for limit.
func waitUntilDone(ctx context.Context, limit time.Duration, left func(context.Context) (int, error)) error {
	pause := 5 * time.Millisecond
	for end := time.Now().Add(limit); ; time.Sleep(pause) {
		pause = min(pause*11/10, 100*time.Millisecond)
		if n, err := left(ctx); err != nil || n == 0 || time.Now().After(end) {
			return err
		}
	}
}
