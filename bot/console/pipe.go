package console

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

// Pipe is the console for pipes. Every line of In is a message, or a command
// if it begins with "/"; its answer goes to Out before the next line is read.
type Pipe struct {
	Seat
	Drain  func(context.Context) error // waits until nothing is left to do
	In     io.Reader
	Out    io.Writer
	Err    io.Writer // notices; nothing that a program would read
	ID     string    // of the run: line n is event ID:n
	Attach []string  // files that go with the first message
	JSON   bool      // one Object per line instead of the text

	Question string // asked instead of the lines of In, as line 1; "" if those are read
	Once     bool   // the answer is printed once it is complete, since its beginning may change until then
	Waiting  bool   // Err is a terminal: what is waited for is shown there until the answer begins
	Terminal bool   // Out is a terminal: answers that are not JSON are rendered for it
	Color    bool   // there may be colours

	screen  *screen    // nil if Out gets the text as it is
	mu      sync.Mutex // guards changes to the spool, and what follows
	grown   string     // what of the answer to Question was printed while it grew
	held    string     // line ends that came after grown
	shows   bool       // the last line of Err is a status
	waited  []string   // events of other runs that were answered in this one
	outcome error
	lost    error // why the answer to Question could not be printed
}

// The values of Outcome.
var (
	ErrUnanswered = errors.New("the question was not answered")
	ErrPartly     = errors.New("answered in part")
)

// Outcome returns what went wrong in Run: ErrPartly if an attachment or a line could not be read or
// a Question was answered in part, ErrUnanswered if a Question was not answered, else nil.
func (s *Pipe) Outcome() error { return s.outcome }

// isCommand tells a command from a message.
func isCommand(text string) bool { return strings.HasPrefix(text, "/") }

// errQuit ends a pipe before its input does.
var errQuit = errors.New("quit")

// Limits returns a pipe's limits.
func (s *Pipe) Limits() platform.Limits {
	return platform.Limits{Streams: s.streams(), Once: s.Question != ""}
}

// streams reports whether an answer is printed while it grows.
func (s *Pipe) streams() bool { return s.Question != "" && !s.JSON && !s.Once }

// Run sends every line and prints every answer. A line that was printed by an
// earlier run with the same ID is not sent again.
func (s *Pipe) Run(ctx context.Context, h platform.Handler, commands []platform.Command) error {
	files, err := attachments(s.Attach, s.ID+":attach")
	if err != nil {
		return fmt.Errorf("console: attach: %w", err)
	}
	if out, ok := s.Out.(*os.File); ok && s.Terminal && !s.JSON {
		s.screen = newScreen(out, s.Color)
	}
	if s.Question != "" {
		return s.answer(ctx, h, 1, s.message(s.ID+":1", s.Question, files))
	}
	if err := s.answerWaiting(ctx); err != nil {
		return err
	}
	in := newLineReader(s.In)
	for ctx.Err() == nil {
		l, err := Within(ctx, in.next)
		if errors.Is(err, io.EOF) {
			break
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("console: read the line after %d: %w", in.n, err)
		}
		if strings.TrimSpace(l.Text) == "" && !l.TooLong {
			continue
		}
		if err := s.line(ctx, h, commands, l, files); errors.Is(err, errQuit) {
			return nil
		} else if err != nil {
			return err
		}
		if code, _ := l.refused(); code == "" && !isCommand(l.Text) {
			files = nil
		}
	}
	if len(files) > 0 && ctx.Err() == nil {
		return s.answer(ctx, h, 0, s.message(s.ID+":attach", "", files))
	}
	return ctx.Err()
}

// answerWaiting prints the answers to what waited in the thread since another run was ended.
func (s *Pipe) answerWaiting(ctx context.Context) error {
	if err := s.Drain(ctx); err != nil {
		return fmt.Errorf("console: answer what waited: %w", err)
	}
	s.mu.Lock()
	waited := s.waited
	s.mu.Unlock()
	for _, id := range waited {
		got, err := s.spool().get(ctx, id)
		if err == nil && got.Answer != nil {
			err = s.reply(ctx, id, 0, *got.Answer)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// line takes one line all the way to its printed answer.
func (s *Pipe) line(ctx context.Context, h platform.Handler, commands []platform.Command, l inputLine, files []memory.File) error {
	id := s.ID + ":" + strconv.Itoa(l.Number)
	if code, why := l.refused(); code != "" {
		return s.reply(ctx, id, l.Number, platform.Outgoing{Kind: platform.KindError, Error: code, Text: why})
	}
	if !isCommand(l.Text) {
		return s.answer(ctx, h, l.Number, s.message(id, l.Text, files))
	}
	text := strings.TrimSpace(l.Text[1:])
	if e, out, err := s.own(ctx, id, text); err != nil || out != nil {
		if out != nil {
			return errors.Join(s.reply(ctx, id, l.Number, *out), err)
		}
		return err
	} else if e != nil {
		return s.answer(ctx, h, l.Number, *e)
	}
	c, args, ok := findCommand(commands, text)
	if !ok {
		return s.reply(ctx, id, l.Number, unknownCommand(commands, text))
	}
	return s.answer(ctx, h, l.Number, s.command(id, c.Name, args))
}

// own handles those of the commands that only a console has which need no terminal. It
// returns an event to send, or an answer at once, or neither when the command is
// another one.
func (s *Pipe) own(ctx context.Context, id, text string) (*platform.Event, *platform.Outgoing, error) {
	switch name, args := ownCommand(text); name {
	case "attach", "check":
		e, err := s.reading(name, id, args)
		if err != nil {
			return nil, &platform.Outgoing{Kind: platform.KindError, Error: name, Text: err.Error()}, nil
		}
		return &e, nil, nil
	case "new", "clear", "thread new":
		return s.enter(ctx, threadName(args, id))
	case "thread switch":
		return s.enter(ctx, threadName(args, mainThread))
	case "quit", "exit":
		return nil, nil, errQuit
	}
	return nil, nil, nil
}

// enter goes to another thread, and says so.
func (s *Pipe) enter(ctx context.Context, name string) (*platform.Event, *platform.Outgoing, error) {
	err := s.Sit(name)
	if errors.Is(err, memory.ErrLocked) {
		return nil, &platform.Outgoing{Kind: platform.KindError, Error: "thread", Text: sentence(err)}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	st, err := s.status(ctx)
	if err != nil {
		return nil, nil, err
	}
	return nil, &platform.Outgoing{Kind: platform.KindCommand, Text: threadLine(name, st)}, nil
}

// answer sends an event, waits until all it leads to is done, and prints the answer.
func (s *Pipe) answer(ctx context.Context, h platform.Handler, line int, e platform.Event) error {
	spool := s.spool()
	if seen, err := spool.get(ctx, e.ID); err != nil || seen.Printed {
		return err
	}
	if err := h.Receive(ctx, e); err != nil {
		return fmt.Errorf("console: send line %d: %w", line, err)
	}
	if err := s.Drain(ctx); err != nil {
		s.breakOff()
		return fmt.Errorf("console: answer line %d: %w", line, err)
	}
	s.mu.Lock()
	lost := s.lost
	s.mu.Unlock()
	got, err := spool.get(ctx, e.ID)
	if err = cmp.Or(lost, err); err != nil {
		return err
	}
	m := platform.Outgoing{Kind: platform.KindError, Error: "no_answer", Text: "This line was read, but there is no answer to it."}
	if got.Answer != nil {
		m = *got.Answer
	}
	return s.reply(ctx, e.ID, line, m)
}

// breakOff ends the line of an answer that is not completed, or of a status.
func (s *Pipe) breakOff() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clearStatus()
	switch {
	case s.screen != nil:
		_ = s.screen.end() // what is wrong is said anyway
	case s.grown != "":
		_, _ = io.WriteString(s.Out, "\n")
	}
}

// reply prints an answer once.
func (s *Pipe) reply(ctx context.Context, id string, line int, m platform.Outgoing) error {
	spool := s.spool()
	if seen, err := spool.get(ctx, id); err != nil || seen.Printed {
		return err
	}
	if err := s.print(ctx, id, line, m); err != nil {
		return fmt.Errorf("console: print the answer to line %d: %w", line, err)
	}
	s.mu.Lock()
	switch {
	case s.Question != "" && m.Kind == platform.KindError:
		s.outcome = ErrUnanswered
	case slices.Contains([]string{platform.ErrorUnreadable, tooLong, notText}, m.Error) || s.Question != "" && m.Error != "":
		s.outcome = ErrPartly
	}
	s.mu.Unlock()
	return spool.printed(ctx, id, m.Nonce)
}

func (s *Pipe) print(ctx context.Context, id string, line int, m platform.Outgoing) error {
	if m.Confirm != "" { // nobody is there to ask
		m.Text += "\n" + fmt.Sprintf(say.In(m.Language).Unasked, m.Confirm)
	}
	if !s.JSON {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.screen != nil {
			return errors.Join(s.screen.finish(s.grown, m.Text), s.screen.below(m))
		}
		s.clearStatus()
		text := asText(m)
		if rest, goesOn := strings.CutPrefix(text, s.grown); goesOn {
			text = rest
		} else if s.grown != "" { // the answer is another one than it was to be
			text = "\n\n" + text
		}
		_, err := io.WriteString(s.Out, text)
		return err
	}
	st, err := s.status(ctx)
	if err != nil {
		return err
	}
	b, err := object(id, line, m, st, s.Store.Policy.Threshold).encode()
	if err != nil {
		return err
	}
	_, err = s.Out.Write(b) // in one piece, so that a reader never sees half of a line
	return err
}

// asText is an answer for somebody who reads it; it ends with its sources.
func asText(m platform.Outgoing) string {
	var b strings.Builder
	b.WriteString(strings.TrimRight(plain(m.Text), "\n"))
	if m.Question != nil {
		if m.Text != m.Question.Text && !strings.Contains(m.Text, m.Question.Text) {
			b.WriteString("\n" + plain(m.Question.Text))
		}
		for i, o := range m.Question.Options {
			fmt.Fprintf(&b, "\n%d. %s", i+1, plain(o.Label))
		}
	}
	for i, c := range byNumber(m.Citations) {
		if i == 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "\n%s\"%s\"", sourceOf(c, m.Language), quoteOf(c))
	}
	return strings.TrimLeft(b.String(), "\n") + "\n"
}

// Post stores an answer to be printed. One that is printed while it grows is printed at once: nobody need wait until it is recorded. A
// notice goes to Err at once. An answer that cannot be printed is not posted again: Run returns why.
func (s *Pipe) Post(ctx context.Context, to platform.Address, m platform.Outgoing) (platform.Ref, error) {
	if s.streams() && to.Event == s.ID+":1" && m.Kind != platform.KindNotice {
		err := s.reply(ctx, to.Event, 1, m)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.lost = cmp.Or(s.lost, err)
		return ref(to.Event, m.Nonce), nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if m.Kind == platform.KindNotice || to.Event == "" {
		if s.screen != nil {
			return ref(to.Event, m.Nonce), s.screen.line(s.screen.faint(plain(m.Text)))
		}
		s.clearStatus()
		fmt.Fprintln(s.Err, plain(m.Text))
		return ref(to.Event, m.Nonce), nil
	}
	if !strings.HasPrefix(to.Event, s.ID+":") && !slices.Contains(s.waited, to.Event) {
		s.waited = append(s.waited, to.Event)
	}
	return ref(to.Event, m.Nonce), s.spool().deliver(ctx, to.Event, m)
}

// Edit replaces an answer that is not printed yet.
func (s *Pipe) Edit(ctx context.Context, r platform.Ref, m platform.Outgoing) (platform.Ref, error) {
	event := eventOf(r)
	if e, err := s.spool().get(ctx, event); err != nil || event != "" && e.Nonce == "" {
		return r, err // of a run that is over
	}
	_, err := s.Post(ctx, platform.Address{Event: event}, m)
	return r, err
}

// Status shows what we are waiting for, if somebody is watching.
func (s *Pipe) Status(_ context.Context, _ platform.Address, status string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.grown != "" {
		return nil
	}
	switch {
	case s.screen != nil:
		s.screen.status(status)
	case s.Waiting:
		s.clearStatus()
		fmt.Fprint(s.Err, cutWidth(strings.ReplaceAll(plain(status), "\n", " "), 79)) // a line that wraps could not be taken away
		s.shows = true
	}
	return nil
}

// clearStatus takes the status away. The caller holds mu.
func (s *Pipe) clearStatus() {
	if s.shows {
		fmt.Fprint(s.Err, "\r\x1b[K")
	}
	s.shows = false
}

// Upload saves a file; the answer to its event names it.
func (s *Pipe) Upload(ctx context.Context, to platform.Address, u platform.Upload) (platform.Ref, error) {
	path, err := s.save(u)
	if err != nil {
		return "", err
	}
	return s.Post(ctx, to, platform.Outgoing{Nonce: u.Nonce, Kind: platform.KindCommand, Text: strings.TrimPrefix(u.Text+"\n"+fmt.Sprintf(say.In(u.Language).Saved, path), "\n")})
}

// Stream returns a reply that is posted when it is closed, and printed before if it is the answer to
// Question.
func (s *Pipe) Stream(_ context.Context, to platform.Address, _ string) (platform.Stream, error) {
	return &closing{s, to}, nil
}

type closing struct {
	s  *Pipe
	to platform.Address
}

func (c *closing) Ref() platform.Ref { return "" }

func (c *closing) Append(_ context.Context, text string) error {
	s := c.s
	if !s.streams() || c.to.Event != s.ID+":1" {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.screen != nil {
		s.grown += text
		return s.screen.grow(text)
	}
	s.clearStatus()
	text = plain(text)
	if s.grown == "" {
		text = strings.TrimLeft(text, "\n")
	}
	// Line ends wait for what follows: an answer does not end with them.
	whole := s.held + text
	text = strings.TrimRight(whole, "\n")
	s.held = whole[len(text):]
	s.grown += text
	_, err := io.WriteString(s.Out, text)
	s.lost = cmp.Or(s.lost, err)
	return nil
}

func (c *closing) Close(ctx context.Context, final platform.Outgoing) (platform.Ref, error) {
	return c.s.Post(ctx, c.to, final)
}

// threadName is a name for a thread in one line, or otherwise when it is empty.
func threadName(name, otherwise string) string {
	if name = strings.Join(strings.Fields(plain(name)), " "); name == "" {
		return otherwise
	}
	return name
}

func unknownCommand(commands []platform.Command, text string) platform.Outgoing {
	name, _, _ := strings.Cut(text, " ")
	m := platform.Outgoing{Kind: platform.KindError, Error: "unknown_command"}
	switch near, _ := nearest(commands, text); {
	case begins(ownCommands, name):
		m.Text = fmt.Sprintf("/%s works at a terminal only.", plain(text))
	case len(near) > 0:
		m.Text = fmt.Sprintf("There is no command /%s. %s", plain(text), didYouMean(near))
	default:
		m.Text = fmt.Sprintf("There is no command /%s. /help lists them; to begin a message with /, put a space before it.", plain(name))
	}
	return m
}

// runPrefix begins the names of runs that nobody will continue.
const runPrefix = "chat-"

// NewRunID returns a name for a run that nobody will continue.
func NewRunID() string { return runPrefix + strconv.FormatInt(time.Now().UnixNano(), 36) }

// ofOneRun is true for a thread that is called like a run nobody will continue: its own.
func ofOneRun(thread string) bool {
	id, is := strings.CutPrefix(thread, runPrefix)
	at, err := strconv.ParseInt(id, 36, 64)
	return is && err == nil && at > int64(24*time.Hour)*365*30 // nanoseconds since 1970, and no word of a person
}
