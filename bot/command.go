package bot

import (
	"context"
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
}

// Option is one argument of a command. An option with Suggest completes through
// Handler.Suggest. The last option takes the rest of the line.
type Option struct {
	Name     string
	Summary  string
	Required bool
	Suggest  bool
}

// Call is one use of a command.
type Call struct {
	Bot      *Bot
	Event    Event
	Session  *memory.Session
	Person   *memory.Person
	Audience memory.Audience
	Args     []string // one per option of the command; "" for one that was left out

	row *memory.Inbox
}

// Commands are the registry, in the order help shows them.
func (b *Bot) Commands() []Command {
	document := []Option{{"document", "number or name", true, true}}
	return []Command{
		{"help", "What I can do, and the commands", nil, help},
		{"memory status", "What I keep of this conversation, and what of it is in the prompt", nil, memoryStatus},
		{"memory show", "The summary, then every message: verbatim or in which segment", nil, memoryShow},
		{"memory search", "Find what was said, here or where you can read it too", []Option{{"words", "what to look for", true, false}}, memorySearch},
		{"memory forget", "Erase your own messages in this conversation", nil, memoryForget},
		{"memory export", "This conversation as a JSONL file", nil, memoryExport},
		{"docs list", "The documents I can read here", nil, docsList},
		{"docs use", "Answer from these documents only; all for every one", []Option{{"document", "numbers or a name, or all", true, true}}, docsUse},
		{"docs remove", "Remove a document", document, docsRemove},
		{"docs share", "Let the whole channel use a document", document, docsShare},
		{"why", "How I read your last message", nil, why},
		{"page", "A picture of the page behind a citation of my last answer", []Option{{"number", "of the citation", true, false}}, page},
		{"retry", "Ask again what failed or was answered in part", nil, retry},
		{"stop", "Stop what I am working on here", nil, stop},
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
			return Outgoing{Kind: KindCommand, Text: "Please say which: `" + usage(cmd) + "`."}, nil
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

// usage is how a command is typed.
func usage(c Command) string {
	text := "/" + c.Name
	for _, o := range c.Options {
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
