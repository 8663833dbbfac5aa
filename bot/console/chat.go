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

	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
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
	Sample      func() (path string, err error) // puts the tour's PDF somewhere

	// Model says which model answers and what fits into it; "" for none.
	Model func(ctx context.Context) string
	// SetModel has another model answer once Run has returned, or says why not.
	SetModel func(name string) error

	screen   *screen
	read     func() (string, error)
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
	waiting  string             // the event whose answer is waited for
	asked    *platform.Outgoing // whether to do something, as the answer
	done     chan struct{}      // closed when it has come
	grown    string             // what is on the screen of that answer
	last     memory.Ledger      // of the last answer
	total    memory.Ledger      // of all answers
	stopping string             // the event of the last Ctrl-C
}

// Begin takes the terminal. It is called once, before the bot runs.
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
	c.read = newEditor(c.typed, c.prompt, c.complete).read
}

// prompt names the thread.
func (c *Chat) prompt() string {
	return c.screen.faint(cutWidth(Key(c.Thread).Thread, c.screen.width()/3)) + " " + c.screen.strong("›") + " "
}

// Again reports whether Run is to be called again, because another model answers now.
func (c *Chat) Again() bool { return c.again }

// Limits are those of a terminal.
func (c *Chat) Limits() platform.Limits {
	return platform.Limits{Text: textLimit, Buttons: maxButtons, Streams: true}
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
		text, err := c.next(ctx)
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
	return errors.Join(c.screen.line(c.screen.faint("What was asked before is answered first.\n")),
		waitUntilDone(ctx, catchUpTime, c.busy))
}

// busy is how much of this terminal's is not done with.
func (c *Chat) busy(ctx context.Context) (int, error) { return c.Store.Queue.CountOpen(ctx, Platform) }

// next is the next line typed. When ctx ends first, the reader is left behind: a
// blocked read of a terminal cannot be cancelled, and the program is about to end.
func (c *Chat) next(ctx context.Context) (string, error) {
	type typed struct {
		text string
		err  error
	}
	got := make(chan typed, 1)
	go func() {
		text, err := c.read()
		got <- typed{text, err}
	}()
	select {
	case t := <-got:
		return t.text, t.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// say takes one line typed all the way to its answer.
func (c *Chat) say(ctx context.Context, text string) error {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	if len(text) > maxText {
		return c.screen.line("That is more than 4 MB. Put it into a file and /attach it.")
	}
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "exit", "quit":
		return errQuit
	case "?":
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
		if near := nearOwn(c.commands, text); near != "" {
			return c.screen.line("There is no such command. Did you mean /" + near + "?")
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

// nearOwn is the command of the terminal alone that was meant, "" if it was none of them.
func nearOwn(commands []platform.Command, text string) string {
	words := strings.Fields(strings.ToLower(text))
	for n := min(2, len(words)); n > 0; n-- {
		name := strings.Join(words[:n], " ")
		_, other := platform.Nearest(commands, name)
		if near, distance := platform.Nearest(ownCommands, name); distance <= len(name)/3 && (other < 0 || distance < other) {
			return near
		}
	}
	return ""
}

// saidYes are the beginnings of a yes in every language.
var saidYes = []string{"y", "yes", "j", "ja", "o", "oui", "s", "si", "sí"}

// confirm asks whether to do what the answer just shown asks about, if it does; all but a yes is no.
func (c *Chat) confirm(ctx context.Context) error {
	c.mu.Lock()
	asked := c.asked
	c.asked = nil
	c.mu.Unlock()
	if asked == nil || len(asked.Buttons) < 2 {
		return nil
	}
	if err := c.screen.line(say.LabelsIn(asked.Language).YesOrNo); err != nil {
		return err
	}
	text, err := c.next(ctx)
	if err != nil && !errors.Is(err, errInterrupt) && !errors.Is(err, io.EOF) {
		return err
	}
	click := c.event(c.id(), platform.EventClick)
	click.Action = asked.Buttons[1].Action
	if err == nil && slices.Contains(saidYes, strings.ToLower(strings.TrimSpace(text))) {
		click.Action = asked.Buttons[0].Action
	}
	if sent := c.send(ctx, click); sent != nil || !errors.Is(err, io.EOF) {
		return sent
	}
	return errQuit
}

// own handles the commands that only the terminal has.
func (c *Chat) own(ctx context.Context, text string) (handled bool, err error) {
	if rest, ok := cutWords(text, []string{"attach"}); ok {
		words, err := splitArgs(rest)
		if err == nil && len(words) == 0 {
			err = errors.New("say which files: /attach report.pdf")
		}
		if err != nil {
			return true, c.screen.line(plain(err.Error()))
		}
		return true, c.attach(ctx, words)
	}
	if rest, ok := cutWords(text, []string{"check"}); ok {
		e, err := c.checking(c.id(), rest)
		if err != nil {
			return true, c.screen.line(plain(err.Error()))
		}
		return true, c.send(ctx, e)
	}
	if rest, ok := cutWords(text, []string{"thread", "new"}); ok {
		return true, c.enter(ctx, threadName(rest, NewThread()))
	}
	if rest, ok := cutWords(text, []string{"thread", "switch"}); ok {
		return true, c.enter(ctx, threadName(rest, mainThread))
	}
	if _, ok := cutWords(text, []string{"thread", "list"}); ok {
		list, err := c.threads(ctx)
		return true, errors.Join(err, c.screen.markdown(list))
	}
	if _, ok := cutWords(text, []string{"tour"}); ok {
		return true, c.tour(ctx)
	}
	for _, name := range []string{"new", "clear"} {
		if rest, ok := cutWords(text, []string{name}); ok {
			return true, c.enter(ctx, threadName(rest, NewThread()))
		}
	}
	if rest, ok := cutWords(text, []string{"model"}); ok {
		return true, c.model(ctx, rest)
	}
	if _, ok := cutWords(text, []string{"cost"}); ok {
		return true, c.cost()
	}
	for _, name := range []string{"quit", "exit"} {
		if _, ok := cutWords(text, []string{name}); ok {
			return true, errQuit
		}
	}
	return false, nil
}

// model says which model answers, or ends Run so that another one does.
func (c *Chat) model(ctx context.Context, name string) error {
	if name == "" || c.SetModel == nil {
		return c.screen.line(c.modelLine(ctx))
	}
	if err := c.SetModel(name); err != nil {
		return c.screen.line(plain(sentence(err)))
	}
	c.again = true
	return errors.Join(c.screen.line(c.screen.faint(plain(name)+" answers now.")), errQuit)
}

func (c *Chat) modelLine(ctx context.Context) string {
	model := ""
	if c.Model != nil {
		model = c.Model(ctx)
	}
	if model == "" {
		return "No model is set: answers are quotes. /model NAME sets one until the end."
	}
	return plain(model)
}

// cost says what answers took.
func (c *Chat) cost() error {
	c.mu.Lock()
	last, total := c.last, c.total
	c.mu.Unlock()
	line := func(what string, l memory.Ledger) string {
		return fmt.Sprintf("%s: %s model calls, %s tokens in (%s cached), %s out, %.1f s", what, thousands(l.ModelCalls),
			thousands(l.PromptTokens), thousands(l.CachedTokens), thousands(l.CompletionTokens), float64(l.Millis)/1000)
	}
	return c.screen.line(line("Last answer", last) + "\n" + line("Since the start", total))
}

// count adds up what an answer took.
func (c *Chat) count(l *memory.Ledger) {
	if l == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = *l
	c.total.ModelCalls += l.ModelCalls
	c.total.PromptTokens += l.PromptTokens
	c.total.CachedTokens += l.CachedTokens
	c.total.CompletionTokens += l.CompletionTokens
	c.total.Millis += l.Millis
}

// attach sends files to be read.
func (c *Chat) attach(ctx context.Context, args []string) error {
	id := c.id()
	files, err := attachments(args, id+":attach")
	if err != nil {
		return c.screen.line(plain(err.Error()))
	}
	return c.send(ctx, c.message(id, "", files))
}

// enter goes to another thread.
func (c *Chat) enter(ctx context.Context, name string) error {
	if err := c.Sit(name); errors.Is(err, memory.ErrLocked) {
		return c.screen.line(plain(sentence(err)))
	} else if err != nil {
		return err
	}
	st, err := c.status(ctx)
	if err != nil {
		return err
	}
	c.folded = 0
	if st != nil {
		c.folded = len(st.Compactions)
	}
	return errors.Join(c.screen.line(c.screen.faint(threadLine(name, st))), c.catchUp(ctx))
}

// threadLine says which thread this is now; st is nil for a new one.
func threadLine(name string, st *memory.Status) string {
	if st == nil {
		return "Thread “" + name + "”, new."
	}
	return fmt.Sprintf("Thread “%s”, %s messages.", name, thousands(st.Verbatim+st.Compacted))
}

// sentence is an error as a sentence.
func sentence(err error) string {
	text := err.Error()
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// NewThread is a name for a new thread.
func NewThread() string { return time.Now().Format("2006-01-02 15:04:05") }

const noThreads = "There are no threads yet: say something."

// threads lists the terminal's threads.
func (s *Seat) threads(ctx context.Context) (string, error) {
	here, err := s.Store.ChannelByKey(ctx, Key(s.Thread))
	if errors.Is(err, memory.ErrNotFound) {
		return noThreads, nil
	}
	if err != nil {
		return "", err
	}
	all, err := s.Store.Views.Sessions(ctx, memory.Audience{Channel: *here}, 1000)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, session := range all {
		mark := ""
		if session.Key == Key(s.Thread) {
			mark = " (this one)"
		} else if ofOneRun(session.Thread) {
			continue
		}
		fmt.Fprintf(&b, "- %s%s, last used %s\n", session.Thread, mark, time.UnixMilli(session.UpdatedAt).Format("2 Jan 2006 15:04"))
	}
	if b.Len() == 0 {
		return noThreads, nil
	}
	return b.String(), nil
}

func (c *Chat) help() error {
	var b strings.Builder
	for _, command := range ownCommands {
		usage := command.Name
		for _, o := range command.Options {
			usage += " <" + o.Name + ">"
		}
		fmt.Fprintf(&b, "- `/%s` %s\n", usage, command.Summary)
	}
	return c.screen.markdown("In this terminal also:\n\n" + b.String())
}

func (c *Chat) complete(line string) []string {
	if rest, ok := strings.CutPrefix(line, "/attach "); ok {
		return completeFile(rest)
	}
	command, args, ok := findCommand(c.commands, strings.TrimPrefix(line, "/"))
	if ok && isCommand(line) && len(command.Options) > 0 && command.Options[0].Suggest && c.handler.Suggest != nil {
		choices, err := c.handler.Suggest(context.Background(), platform.Suggestion{Key: Key(c.Thread), Author: c.Author,
			Command: command.Name, Option: command.Options[0].Name, Prefix: args})
		if err == nil && len(choices) > 0 {
			var values []string
			for _, choice := range choices {
				values = append(values, choice.Value)
			}
			return values
		}
	}
	return completeCommand(c.commands, line)
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
	c.waiting, c.done, c.grown = e.ID, done, ""
	c.mu.Unlock()

	signal.Notify(c.interrupts, os.Interrupt)
	defer signal.Stop(c.interrupts)

	c.screen.status("…")
	if err := c.handler.Receive(ctx, e); err != nil {
		return fmt.Errorf("console: send: %w", err)
	}
	// An event that nobody answers is over when nothing is left to do.
	idle := make(chan struct{})
	ctxDrain, cancel := context.WithCancel(ctx)
	go func() {
		defer close(idle)
		_ = c.Drain(ctxDrain) // its only error is that of ctxDrain
	}()
	defer func() { cancel(); <-idle }()

	stopped := false
	for {
		select {
		case <-done:
			return c.afterTurn(ctx, e)
		case <-idle:
			return errors.Join(c.screen.end(), c.afterTurn(ctx, e))
		case <-ctx.Done():
			return nil
		case <-c.interrupts:
			if stopped {
				return errQuit
			}
			stopped = true
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

// answered wakes send.
func (c *Chat) answered(event string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.done != nil && event == c.waiting {
		close(c.done)
		c.done = nil
	}
}

// Post shows an answer. One to a run of Pipe that has a name is kept for that run.
func (c *Chat) Post(ctx context.Context, to platform.Address, m platform.Outgoing) (platform.Ref, error) {
	r := ref(to.Event, m.Nonce)
	if to.Event != "" && !strings.HasPrefix(to.Event, runPrefix) {
		return r, spool{c.Store}.deliver(ctx, to.Event, m)
	}
	if m.Kind == platform.KindNotice {
		return r, c.screen.line(c.screen.faint(plain(m.Text)))
	}
	if c.isStopping(to.Event) {
		return r, nil // the answer that ends says so
	}
	c.count(m.Ledger)
	if err := errors.Join(c.finish(to.Event, m.Text), c.below(m)); err != nil {
		return "", fmt.Errorf("console: print: %w", err)
	}
	c.mu.Lock()
	if m.Confirm != "" && to.Event == c.waiting {
		c.asked = &m
	}
	c.mu.Unlock()
	c.answered(to.Event)
	return r, nil
}

func (c *Chat) isStopping(event string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return event != "" && event == c.stopping
}

// finish shows what is not on the screen yet of the answer to an event. When the
// answer is not what was shown so far gone on with, it is shown whole below.
func (c *Chat) finish(event, text string) error {
	c.mu.Lock()
	grown := ""
	if event == c.waiting {
		grown = c.grown
	}
	c.mu.Unlock()
	rest, goesOn := strings.CutPrefix(text, strings.TrimRight(grown, "\n"))
	if grown != "" && goesOn {
		if strings.HasSuffix(grown, "\n") {
			rest = strings.TrimLeft(rest, "\n")
		}
		return errors.Join(c.screen.write(rest), c.screen.end())
	}
	return errors.Join(c.screen.end(), c.screen.markdown(text))
}

// below shows what stands under a reply's text: sources and options.
func (c *Chat) below(m platform.Outgoing) error {
	var out strings.Builder
	for _, q := range byNumber(m.Citations) {
		source, quote := "  "+sourceOf(q, m.Language), quoteOf(q)
		room := max(30, c.screen.width()-len([]rune(source))-3)
		out.WriteString(c.screen.faint(source+"“"+cutWidth(quote, room)+"”") + "\n")
	}
	if m.Question != nil {
		if !strings.Contains(m.Text, m.Question.Text) {
			out.WriteString("  " + plain(m.Question.Text) + "\n")
		}
		for i, o := range m.Question.Options {
			fmt.Fprintf(&out, "  %d. %s\n", i+1, plain(o.Label))
		}
	}
	if out.Len() == 0 {
		return nil
	}
	return c.screen.line(out.String())
}

// Edit shows the new form of an answer below the old one: what a terminal has
// shown it cannot take back, nor erase.
func (c *Chat) Edit(ctx context.Context, r platform.Ref, m platform.Outgoing) (platform.Ref, error) {
	if m.Kind == platform.KindErased && strings.HasPrefix(eventOf(r), c.run+":") {
		return r, nil
	}
	_, err := c.Post(ctx, platform.Address{Event: eventOf(r)}, m)
	return r, err
}

// Find is false: what an earlier process showed is not known any more. An answer
// kept for a run of Pipe is found.
func (c *Chat) Find(ctx context.Context, to platform.Address, nonce string) (platform.Ref, bool, error) {
	e, err := spool{c.Store}.get(ctx, to.Event)
	return ref(to.Event, nonce), err == nil && nonce != "" && e.Nonce == nonce, err
}

// Status shows what is being done for the answer that is waited for.
func (c *Chat) Status(_ context.Context, to platform.Address, status string) error {
	if strings.HasPrefix(to.Event, c.run+":") && status != "" {
		c.screen.status(status)
	}
	return nil
}

// Upload saves a file and says where: it is the answer to its event.
func (c *Chat) Upload(_ context.Context, to platform.Address, u platform.Upload) (platform.Ref, error) {
	path, err := c.save(u)
	if err != nil {
		return "", err
	}
	if err := c.screen.markdown(u.Text + "\n\n" + fmt.Sprintf(say.LabelsIn(u.Language).Saved, "`"+path+"`")); err != nil {
		return "", fmt.Errorf("console: print: %w", err)
	}
	c.answered(to.Event)
	return ref(to.Event, u.Nonce), nil
}

// Stream shows a reply as it grows.
func (c *Chat) Stream(_ context.Context, to platform.Address, nonce string) (platform.Stream, error) {
	return &growing{c: c, to: to, nonce: nonce}, nil
}

// growing is a reply that is shown block by block.
type growing struct {
	c     *Chat
	to    platform.Address
	nonce string
}

// Ref names the post from the start.
func (g *growing) Ref() platform.Ref { return ref(g.to.Event, g.nonce) }

// Append shows the blocks that text completes.
func (g *growing) Append(_ context.Context, text string) error {
	g.c.mu.Lock()
	waited := g.to.Event == g.c.waiting
	if waited {
		g.c.grown += text
	}
	g.c.mu.Unlock()
	if !waited {
		return nil // Close shows or keeps it whole
	}
	return g.c.screen.grow(text)
}

// Close shows the rest.
func (g *growing) Close(ctx context.Context, final platform.Outgoing) (platform.Ref, error) {
	final.Nonce = g.nonce
	return g.c.Post(ctx, g.to, final)
}
