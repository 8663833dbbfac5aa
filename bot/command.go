package bot

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"threadkeeper/memory"
)

// Command is one entry of the registry every platform offers. Name is one or two
// words ("help", "memory status"), English, lower case.
type Command struct {
	Name    string
	Summary string
	Options []Option
	Run     func(ctx context.Context, c *Call) (Outgoing, error)

	within bool // speaks of one conversation: where there is none, its threads are listed instead
}

// Option is one argument of a command. An option with Suggest completes through
// Handler.Suggest. The last option takes the rest of the line. Values, if there are
// any, are all it can be.
type Option struct {
	Name     string
	Summary  string
	Required bool
	Suggest  bool
	Values   []string
}

// Call is one use of a command.
type Call struct {
	Bot      *Bot
	Event    Event
	Session  *memory.Session
	Person   *memory.Person
	Audience memory.Audience
	Args     []string // one per option of the command; "" for one that was left out

	say     *wording // in the language of the one who gave it
	row     *memory.Inbox
	picked  *picked // the document that an earlier try picked, nil if it did not come that far
	patient bool    // it can be tried again a moment later
}

// Commands are the registry, in the order help shows them, in English.
func (b *Bot) Commands() []Command { return CommandsIn("en") }

// CommandsIn are the registry in a language or locale: its summaries, names are the same.
func CommandsIn(language string) []Command {
	document := []Option{{Name: "document", Required: true, Suggest: true}}
	all := []Command{
		{Name: "help", Run: help},
		{Name: "memory status", Run: memoryStatus, within: true},
		{Name: "memory show", Run: memoryShow, within: true},
		{Name: "memory search", Run: memorySearch, Options: []Option{{Name: "words", Required: true}}},
		{Name: "memory forget", Run: memoryForget, Options: []Option{{Name: "all", Values: []string{"all"}}}},
		{Name: "memory export", Run: memoryExport, within: true},
		{Name: "docs list", Run: docsList},
		{Name: "docs use", Run: docsUse, Options: slices.Clone(document), within: true},
		{Name: "docs remove", Run: docsRemove, Options: slices.Clone(document)},
		{Name: "docs share", Run: docsShare, Options: slices.Clone(document)},
		{Name: "settings show", Run: settingsShow},
		{Name: "settings follow", Run: settingsFollow, Options: []Option{{Name: "policy", Required: true, Suggest: true, Values: follows}}},
		{Name: "settings reply", Run: settingsReply, Options: []Option{{Name: "place", Required: true, Suggest: true, Values: replies}}},
		{Name: "why", Run: why, within: true},
		{Name: "page", Run: page, Options: []Option{{Name: "number", Required: true, Suggest: true}}, within: true},
		{Name: "retry", Run: retry, within: true},
		{Name: "stop", Run: stop, within: true},
	}
	say := words(language)
	for i, c := range all {
		all[i].Summary = say.summaries[c.Name]
		for j, o := range c.Options {
			c.Options[j].Summary = say.summaries[c.Name+" "+strings.ToUpper(o.Name)]
		}
	}
	return all
}

// find is the command with this name.
func (b *Bot) find(name string) (Command, bool) {
	for _, c := range b.Commands() {
		if c.Name == name {
			return c, true
		}
	}
	return Command{}, false
}

// command runs the command of an event, or says which one was meant.
func (b *Bot) command(ctx context.Context, c *Call) (Outgoing, error) {
	name := strings.Join(strings.Fields(strings.ToLower(c.Event.Command)), " ")
	cmd, ok := b.find(name)
	if !ok {
		// Platforms with one word per command send "memory" with "status" as its text.
		var args string
		if name, args, ok = b.ParseCommand("/" + name + " " + c.Event.Args); ok {
			c.Event.Command, c.Event.Args = name, args
			cmd, ok = b.find(name)
		}
	}
	if !ok {
		return said(c.unknown(name))
	}
	c.Args = split(cmd, c.Event.Args)
	for i, o := range cmd.Options {
		if o.Required && c.Args[i] == "" {
			return said(fmt.Sprintf(c.say.incomplete, c.usage(cmd)))
		}
	}
	if cmd.within {
		if overview, err := c.overview(ctx); err != nil || overview {
			if err != nil {
				return Outgoing{}, err
			}
			return threads(ctx, c, cmd.Name)
		}
	}
	return cmd.Run(ctx, c)
}

// split gives each option of a command a word, and the last one the rest.
func split(cmd Command, line string) []string {
	args := make([]string, len(cmd.Options))
	rest := strings.TrimSpace(line)
	for i := range args {
		if i == len(args)-1 {
			args[i] = rest
			break
		}
		word, after, _ := strings.Cut(rest, " ")
		args[i], rest = word, strings.TrimSpace(after)
	}
	return args
}

// slash are the first words of the commands that are given by slash here, nil if all
// are.
func (c *Call) slash() []string {
	p := c.Bot.byName(c.Event.Key.Platform)
	switch {
	case p == nil || p.Limits().Slash == nil:
		return nil
	case c.Session.Thread != "":
		return []string{}
	}
	return p.Limits().Slash
}

// typed is how a command is given here: with a slash or without.
func (c *Call) typed(command string) string {
	family, _, _ := strings.Cut(command, " ")
	if slash := c.slash(); slash == nil || slices.Contains(slash, family) {
		return "/" + command
	}
	return command
}

// usage is how a command is typed, with its options.
func (c *Call) usage(cmd Command) string {
	text := c.typed(cmd.Name)
	for _, o := range cmd.Options {
		if o.Required {
			text += " " + strings.ToUpper(o.Name)
		} else {
			text += " [" + strings.ToUpper(o.Name) + "]"
		}
	}
	return text
}

func said(text string) (Outgoing, error) { return Outgoing{Kind: KindCommand, Text: text}, nil }
