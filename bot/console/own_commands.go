package console

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

// nearest are the commands that a mistyped line may mean, and whether one of them is of the terminal alone.
func nearest(commands []platform.Command, text string) (near []string, own bool) {
	words := strings.Fields(strings.ToLower(text))
	for n := min(2, len(words)); n > 0 && len(near) == 0; n-- {
		near = platform.Nearest(slices.Concat(commands, ownCommands), strings.Join(words[:n], " "))
	}
	return near, slices.ContainsFunc(ownCommands, func(c platform.Command) bool { return slices.Contains(near, c.Name) })
}

// didYouMean asks about the nearest commands.
func didYouMean(near []string) string { return "Did you mean /" + strings.Join(near, ", /") + "?" }

// saidYes are the beginnings of a yes in every language.
var saidYes = []string{"y", "yes", "j", "ja", "o", "oui", "s", "si", "sí"}

// confirm asks whether to do what the answer just shown asks about, if it does; all but a yes is no.
func (c *Chat) confirm(ctx context.Context) error {
	asked := c.lastShown()
	if asked.Confirm == "" || len(asked.Buttons) < 2 {
		return nil
	}
	if err := c.screen.line(say.In(asked.Language).YesOrNo); err != nil {
		return err
	}
	text, err := c.next(ctx, false)
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

// ownCommand is the command of a line that only a console has, and its arguments; "" for none.
func ownCommand(text string) (name, args string) {
	c, args, _ := findCommand(append([]platform.Command{{Name: "clear"}, {Name: "exit"}}, ownCommands...), text)
	return c.Name, args
}

// reading is the event of "attach" or "check".
func (s *Seat) reading(name, id, args string) (platform.Event, error) {
	if name == "check" {
		return s.checking(id, args)
	}
	words, err := splitArgs(args)
	if err == nil && len(words) == 0 {
		err = errors.New("say which files: /attach report.pdf")
	}
	if err != nil {
		return platform.Event{}, err
	}
	files, err := attachments(words, id+":attach")
	return s.message(id, "", files), err
}

// own handles the commands that only the terminal has.
func (c *Chat) own(ctx context.Context, text string) (handled bool, err error) {
	switch name, args := ownCommand(text); name {
	case "attach", "check":
		e, err := c.reading(name, c.id(), args)
		if err != nil {
			return true, c.screen.line(plain(sentence(err)))
		}
		return true, c.send(ctx, e)
	case "new", "clear", "thread new":
		return true, c.enter(ctx, threadName(args, NewThread()))
	case "thread switch":
		return true, c.enter(ctx, threadName(args, mainThread))
	case "thread list":
		list, err := c.threads(ctx)
		return true, errors.Join(err, c.screen.markdown(list))
	case "tour":
		return true, c.tour(ctx)
	case "model":
		return true, c.model(ctx, args)
	case "cost":
		return true, c.cost()
	}
	return false, nil
}

// model says which model answers, or ends Run so that another one does.
func (c *Chat) model(ctx context.Context, name string) error {
	if name == "" {
		return c.screen.line(cmp.Or(plain(c.Model(ctx)), "No model is set: answers are quotes. /model NAME sets one until you quit."))
	}
	if err := c.SetModel(name); err != nil {
		return c.screen.line(plain(sentence(err)))
	}
	c.again = true
	return errors.Join(c.screen.line(c.screen.faint(plain(name)+" answers now.")), errQuit)
}

// cost says what answers took.
func (c *Chat) cost() error {
	c.mu.Lock()
	last, total := c.last, c.total
	c.mu.Unlock()
	line := func(what string, l memory.Ledger) string {
		return fmt.Sprintf("  %s: %s, %s tokens in (%s cached), %s out, %.1f s\n", what, say.Counted(l.ModelCalls, "model call"),
			say.Thousands(l.PromptTokens), say.Thousands(l.CachedTokens), say.Thousands(l.CompletionTokens), float64(l.Millis)/1000)
	}
	return c.screen.line(line("Last answer", last) + line("Since the start", total))
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
		return c.screen.line(plain(sentence(err)))
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
	return fmt.Sprintf("Thread “%s”, %s.", name, say.Counted(st.Verbatim+st.Compacted, "message"))
}

// sentence is an error as a sentence.
func sentence(err error) string {
	text := err.Error()
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// NewThread returns a name for a new thread.
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
		} else if ofOneRun(session.Thread) || strings.HasPrefix(session.Thread, tourPrefix) {
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
			name := strings.ToUpper(o.Name)
			if !o.Required {
				name = "[" + name + "]"
			}
			usage += " " + name
		}
		fmt.Fprintf(&b, "- `/%s` – %s\n", usage, command.Summary)
	}
	return c.screen.markdown("In this terminal also:\n\n" + b.String())
}

func (c *Chat) complete(line string) []string {
	if rest, ok := strings.CutPrefix(line, "/attach "); ok {
		return completeFile(rest)
	}
	command, args, ok := findCommand(c.commands, strings.TrimPrefix(line, "/"))
	if ok && isCommand(line) && len(command.Options) > 0 && command.Options[0].Suggest {
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
