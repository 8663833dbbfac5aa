package bot

import (
	"context"
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

	row     *memory.Inbox
	patient bool // it can be tried again a moment later
}

// Commands are the registry, in the order help shows them.
func (b *Bot) Commands() []Command {
	document := []Option{{Name: "document", Summary: "number or name", Required: true, Suggest: true}}
	return []Command{
		{Name: "help", Summary: "What I can do, and the commands", Run: help},
		{Name: "memory status", Summary: "What I keep of this conversation, and what of it is in the prompt", Run: memoryStatus, within: true},
		{Name: "memory show", Summary: "The summary, then every message: verbatim or in which segment", Run: memoryShow, within: true},
		{Name: "memory search", Summary: "Find what was said, here or where you can read it too",
			Options: []Option{{Name: "words", Summary: "what to look for", Required: true}}, Run: memorySearch},
		{Name: "memory forget", Summary: "Erase your own messages in this conversation", Run: memoryForget, within: true},
		{Name: "memory export", Summary: "This conversation as a JSONL file", Run: memoryExport, within: true},
		{Name: "docs list", Summary: "The documents I can read here", Run: docsList},
		{Name: "docs use", Summary: "Answer from these documents only; all for every one",
			Options: []Option{{Name: "document", Summary: "numbers or a name, or all", Required: true, Suggest: true}}, Run: docsUse, within: true},
		{Name: "docs remove", Summary: "Remove a document", Options: document, Run: docsRemove},
		{Name: "docs share", Summary: "Let the whole channel use a document", Options: document, Run: docsShare},
		{Name: "settings show", Summary: "How I behave in this channel", Run: settingsShow},
		{Name: "settings follow", Summary: "Which messages of this channel I answer without a mention (administrators)",
			Options: []Option{{Name: "policy", Summary: strings.Join(follows, ", "), Required: true, Suggest: true, Values: follows}}, Run: settingsFollow},
		{Name: "settings reply", Summary: "Where I answer in this channel (administrators)",
			Options: []Option{{Name: "place", Summary: strings.Join(replies, ", "), Required: true, Suggest: true, Values: replies}}, Run: settingsReply},
		{Name: "why", Summary: "How I read your last message", Run: why, within: true},
		{Name: "page", Summary: "A picture of the page behind a citation of my last answer",
			Options: []Option{{Name: "number", Summary: "of the citation", Required: true}}, Run: page, within: true},
		{Name: "retry", Summary: "Ask again what failed or was answered in part", Run: retry, within: true},
		{Name: "stop", Summary: "Stop what I am working on here", Run: stop, within: true},
	}
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
			c.Event.Args = args
			cmd, ok = b.find(name)
		}
	}
	if !ok {
		return Outgoing{Kind: KindCommand, Text: b.unknown(name)}, nil
	}
	c.Args = split(cmd, c.Event.Args)
	for i, o := range cmd.Options {
		if o.Required && c.Args[i] == "" {
			return Outgoing{Kind: KindCommand, Text: "Please say which: `" + c.usage(cmd) + "`."}, nil
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
	if p := c.Bot.byName(c.Event.Key.Platform); p != nil {
		return p.Limits().Slash
	}
	return nil
}

// usage is how a command is typed.
func (c *Call) usage(cmd Command) string {
	text := cmd.Name
	family, _, _ := strings.Cut(cmd.Name, " ")
	if slash := c.slash(); slash == nil || slices.Contains(slash, family) {
		text = "/" + text
	}
	for _, o := range cmd.Options {
		if o.Required {
			text += " " + strings.ToUpper(o.Name)
		} else {
			text += " [" + strings.ToUpper(o.Name) + "]"
		}
	}
	return text
}

// language of the conversation as far as the person's last message shows it.
func (c *Call) language() string {
	m, _, err := c.Bot.Store.LastUnderstood(context.Background(), c.Session.ID)
	if err != nil {
		return "en"
	}
	return languageOf(m.Text)
}

func said(text string) (Outgoing, error) { return Outgoing{Kind: KindCommand, Text: text}, nil }
