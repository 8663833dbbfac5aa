package bot

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

type runs func(ctx context.Context, c *call) (platform.Outgoing, error)

type command struct {
	platform.Command
	run    runs
	within bool // is about one conversation: outside of one, its threads are listed instead
}

type call struct {
	Bot      *Bot
	Event    platform.Event
	Session  *memory.Session
	Person   *memory.Person
	Audience memory.Audience
	Args     []string // one per option of the command; "" for one that was left out

	say       *say.Words // in the language of the person who gave it
	row       *memory.Inbox
	shows     memory.Shown // what the answer shows: its post is erased with any of it
	picked    *picked      // the document that an earlier try picked, nil if it did not come that far
	retryable bool         // it can be tried again a moment later
}

// commandRuns maps commands to their functions, by name.
var commandRuns = map[string]command{
	"help":                  {run: help},
	"new":                   {run: startOver},
	"memory status":         {run: memoryStatus, within: true},
	"memory show":           {run: memoryShow, within: true},
	"memory why":            {run: memoryWhy, within: true},
	"memory correct":        {run: memoryCorrect, within: true},
	"memory pin":            {run: memoryPin, within: true},
	"memory remember":       {run: memoryRemember, within: true},
	"memory compact":        {run: memoryCompact, within: true},
	"memory undo":           {run: memoryUndo, within: true},
	"memory fork":           {run: memoryFork, within: true},
	"memory threshold":      {run: memoryThreshold, within: true},
	"memory profile":        {run: memoryProfile},
	"memory search":         {run: memorySearch},
	"memory forget":         {run: memoryForget},
	"memory export":         {run: memoryExport, within: true},
	"docs list":             {run: docsList},
	"docs use":              {run: docsUse, within: true},
	"docs remove":           {run: docsRemove},
	"docs share":            {run: docsShare},
	"settings show":         {run: settingsShow},
	"settings follow":       {run: set(FollowSetting)},
	"settings reply":        {run: set(ReplySetting)},
	"settings carryover":    {run: set(memory.CarryoverSetting)},
	"settings threshold":    {run: settingsThreshold},
	"settings model":        {run: settingsModel},
	"settings instructions": {run: settingsInstructions},
	"settings bots":         {run: settingsBots},
	"settings allow": {run: func(ctx context.Context, c *call) (platform.Outgoing, error) {
		return c.setList(ctx, memory.AllowSetting, "everyone")
	}},
	"settings deny": {run: func(ctx context.Context, c *call) (platform.Outgoing, error) {
		return c.setList(ctx, memory.DenySetting, "nobody")
	}},
	"listen": {run: listen, within: true},
	"usage":  {run: usage},
	"why":    {run: why, within: true},
	"page":   {run: page, within: true},
	"retry":  {run: retry, within: true},
	"stop":   {run: stop, within: true},
}

func registered(name string) (platform.Command, bool) {
	for _, c := range say.Commands("en") {
		if c.Name == name {
			return c, true
		}
	}
	return platform.Command{}, false
}

func find(name string) (command, bool) {
	c, ok := registered(name)
	cmd := commandRuns[name]
	cmd.Command = c
	return cmd, ok
}

// command runs the command of an event, or says which one was meant.
func (b *Bot) command(ctx context.Context, c *call) (platform.Outgoing, error) {
	cmd, ok := find(c.Event.Command)
	if !ok {
		return commandText(c.unknown(c.Event.Command))
	}
	c.Args = split(cmd.Command, c.Event.Args)
	if incomplete(cmd.Command, c.Args) {
		return commandText(fmt.Sprintf(c.say.Incomplete, c.usage(cmd.Command)))
	}
	if cmd.within {
		if overview, err := c.overview(ctx); err != nil || overview {
			if err != nil {
				return platform.Outgoing{}, err
			}
			return threads(ctx, c, cmd.Name)
		}
	}
	return cmd.run(ctx, c)
}

func incomplete(cmd platform.Command, args []string) bool {
	for i, o := range cmd.Options {
		if o.Required && args[i] == "" {
			return true
		}
	}
	return false
}

func split(cmd platform.Command, line string) []string {
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

// slash returns the first words of the commands available as slash commands here, nil if all
// are.
func (c *call) slash() []string {
	slash := c.Bot.byName(c.Event.Key.Platform).Limits().Slash
	if slash != nil && c.Session.Thread != "" {
		return []string{}
	}
	return slash
}

func (c *call) typed(command string) string {
	family, _, _ := strings.Cut(command, " ")
	if slash := c.slash(); slash == nil || slices.Contains(slash, family) {
		return "/" + command
	}
	return command
}

func (c *call) usage(cmd platform.Command) string {
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

func commandText(text string) (platform.Outgoing, error) {
	return platform.Outgoing{Kind: platform.KindCommand, Text: text}, nil
}

func help(_ context.Context, c *call) (platform.Outgoing, error) {
	var b strings.Builder
	b.WriteString(c.say.Help)
	dm := c.Audience.Channel.Kind == memory.DM
	if !dm {
		b.WriteString(" " + c.say.HelpMention)
	}
	b.WriteString("\n")
	all := say.Commands(c.say.Code)
	if c.Bot.byName(c.Event.Key.Platform).Limits().Asks {
		all = append(all, say.Asking(c.say.Code)...)
	}
	for _, cmd := range all {
		if (cmd.Name == say.AskName || cmd.Direct) && !strings.HasPrefix(c.typed(cmd.Name), "/") {
			continue // without a slash it is a message like any other
		}
		if cmd.Direct && !c.flat() {
			continue
		}
		if dm && (strings.HasPrefix(cmd.Name, "settings ") || cmd.Name == "listen") {
			continue // it has no settings, and everything in it is answered
		}
		if strings.HasPrefix(cmd.Name, "settings ") && cmd.Name != "settings show" && !c.Person.Admin {
			continue // they are not theirs to change
		}
		fmt.Fprintf(&b, "\n- `%s` – %s", c.usage(cmd), cmd.Summary)
	}
	switch slash := c.slash(); {
	case slash == nil:
	case len(slash) == 0:
		fmt.Fprintf(&b, "\n\n"+c.say.HelpTyped, "memory status")
	default:
		fmt.Fprintf(&b, "\n\n"+c.say.HelpSlash, "memory status")
	}
	return commandText(b.String())
}
