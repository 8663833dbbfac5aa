package bot

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

const maxListed = 20

// maxDescribed is of how many threads a list of them says what they are about, and has a button.
const maxDescribed = 5

// offered are the commands about one conversation that a list of them has buttons for.
var offered = []string{"memory show", "memory forget", "memory export"}

// overview reports whether a command was given at the top of a channel that is no
// conversation itself, or opens a thread by itself: it speaks of the threads there.
func (c *call) overview(ctx context.Context) (bool, error) {
	if c.Session.Thread != "" && c.Session.Thread != c.Event.Message {
		return false, nil
	}
	st, err := c.Bot.Store.Views.Status(ctx, c.Session.ID)
	if err != nil {
		return false, wrap("load status", err)
	}
	return st.Interactions == 0, nil
}

// flat reports whether the place is a direct message without threads, and so one conversation until it is started over.
func (c *call) flat() bool { return c.Session.Thread == "" && c.Audience.Channel.Kind == memory.DM }

func startOver(ctx context.Context, c *call) (platform.Outgoing, error) {
	if !c.flat() {
		return commandText(c.say.NewElsewhere)
	}
	done, err := c.Bot.Store.StartOver(ctx, c.Session.ID)
	if err != nil {
		return platform.Outgoing{}, wrap("start over", err)
	}
	if !done {
		return commandText(fmt.Sprintf(c.say.NewBusy, c.typed("stop")))
	}
	if c.Bot.byName(c.Session.Platform).Limits().Ephemeral { // the answer goes away, the place stays marked
		to := c.Event.Reply
		to.Interaction = ""
		out := platform.Outgoing{Nonce: nonce("new/%d", c.row.ID), Text: c.say.NewLine, Language: c.say.Code}
		if err := c.Bot.postNotice(ctx, c.Session, to, out); err != nil {
			return platform.Outgoing{}, err
		}
	}
	return commandText(fmt.Sprintf(c.say.NewBegun, c.typed("memory search")))
}

func threads(ctx context.Context, c *call, command string) (platform.Outgoing, error) {
	all, err := c.Bot.Store.Views.Threads(ctx, c.Audience, maxListed)
	if err != nil {
		return platform.Outgoing{}, wrap("list threads", err)
	}
	if len(all) == 0 {
		return commandText(c.say.NoThreads)
	}
	lines := []string{c.say.Threads, ""}
	switch past := c.flat() && all[0].Thread == ""; {
	case past && command == "memory export":
		return memoryExport(ctx, c)
	case past:
		lines = slices.Insert(lines, 0, fmt.Sprintf(c.say.NothingSince, c.typed("memory search")), "")
	case command != "memory status":
		lines = slices.Insert(lines, 0, c.elsewhereSaid(command), "")
	}
	out, _ := commandText("")
	for i, t := range all {
		c.shows.Sessions = append(c.shows.Sessions, t.ID)
		line, err := c.threadLine(ctx, t)
		if err != nil {
			return platform.Outgoing{}, err
		}
		if lines = append(lines, line); i >= maxDescribed {
			continue
		}
		gist, err := c.Bot.gist(ctx, t.ID)
		if err != nil {
			return platform.Outgoing{}, err
		}
		for _, l := range gist {
			lines = append(lines, "  - "+l.Text)
		}
		if slices.Contains(offered, command) {
			out.Buttons = append(out.Buttons, platform.Button{Label: titleOf(t), Action: platform.WithinAction(t.ID, command)})
		}
	}
	out.Text = strings.Join(lines, "\n")
	return out, nil
}

func (c *call) withinClicked(ctx context.Context) (platform.Outgoing, error) {
	number, name, _ := strings.Cut(strings.TrimPrefix(c.Event.Action, platform.WithinPrefix), ":")
	all, err := c.Bot.Store.Views.Threads(ctx, c.Audience, maxListed)
	if err != nil {
		return platform.Outgoing{}, wrap("list threads", err)
	}
	i := slices.IndexFunc(all, func(t memory.Thread) bool { return strconv.FormatInt(t.ID, 10) == number })
	if i < 0 || !slices.Contains(offered, name) {
		return c.aside(c.say.NotThere), nil
	}
	if c.Session, err = c.Bot.Store.Session(ctx, all[i].ID); err != nil {
		return platform.Outgoing{}, wrap("find session", err)
	}
	if c.Audience, err = c.Bot.audience(ctx, c.Session.ID, c.Audience.Person); err != nil {
		return platform.Outgoing{}, err
	}
	cmd, _ := find(name)
	c.Args = split(cmd.Command, "")
	return cmd.run(ctx, c)
}

// elsewhereSaid is how a command is given that speaks of one conversation.
func (c *call) elsewhereSaid(command string) string {
	how := fmt.Sprintf(c.say.OneThread, command)
	switch {
	case c.slash() == nil: // it is given by slash there, too
		how = fmt.Sprintf(c.say.OneThreadSlash, "/"+command)
	case c.Audience.Channel.Kind == memory.DM:
		how = fmt.Sprintf(c.say.OneThreadDM, command)
	}
	if slices.Contains(offered, command) {
		how += " " + c.say.OrChoose
	}
	if command == "memory forget" {
		how += " " + fmt.Sprintf(c.say.ForgetAll, c.typed("memory forget all"))
	}
	return how
}

// threadLine is a thread in one line: what it began with, how full it is, and
// where it is.
func (c *call) threadLine(ctx context.Context, t memory.Thread) (string, error) {
	st, err := c.Bot.Store.Views.Status(ctx, t.ID)
	if err != nil {
		return "", wrap("load status", err)
	}
	title := titleOf(t)
	if link := c.Bot.link(t.Platform, t.Ref); link != "" {
		title = fmt.Sprintf("[%s](%s)", title, link)
	}
	return fmt.Sprintf("- %s – %s", title, c.say.Gauge(st.Context, st.Threshold)), nil
}

// link is where people see a post of ours, "" if nowhere.
func (b *Bot) link(name, ref string) string {
	if ref == "" {
		return ""
	}
	return b.byName(name).Link(platform.Ref(ref))
}

func titleOf(t memory.Thread) string {
	return cmp.Or(say.Plain(t.Headline()), "…")
}

// memoryFork opens a thread that continues from a line of the list, or from here: what was said up to there is its past. On a
// platform it is a thread on a post in the channel; the terminal names its threads.
func memoryFork(ctx context.Context, c *call) (platform.Outgoing, error) {
	var upto listed
	if c.Args[0] != "" {
		var err error
		if upto, err = c.line(ctx, c.Args[0]); err != nil {
			return platform.Outgoing{}, err
		}
		m, err := c.Bot.Store.Message(ctx, upto.message)
		if gone(err) || err == nil && m.SessionID != c.Session.ID {
			return c.noLine(ctx, upto)
		}
		if err != nil {
			return platform.Outgoing{}, wrap("load a message", err)
		}
	}
	p, key := c.Bot.byName(c.Session.Platform), c.Session.Key
	if _, posts := p.(platform.Poster); !posts {
		key.Thread = fmt.Sprintf("fork-%d", c.row.ID)
		if err := c.Bot.Store.Fork(ctx, c.Session.ID, upto.message, key); gone(err) {
			return commandText(c.say.NoThreads)
		} else if err != nil {
			return platform.Outgoing{}, wrap("fork", err)
		}
		return commandText(fmt.Sprintf(c.say.Forked, c.typed("thread switch "+key.Thread)))
	}
	if key.Thread == key.Channel || c.Audience.Channel.Kind == memory.DM { // a private thread, or no place for others
		return commandText(c.say.NoFork)
	}
	ref, err := c.Bot.Store.Views.LastPostRef(ctx, c.Session.ID)
	if err != nil {
		return platform.Outgoing{}, wrap("look for a post", err)
	}
	key.Thread = ""
	text := fmt.Sprintf(c.say.ForkPost, c.Bot.link(c.Session.Platform, ref))
	if ref == "" { // nothing to link to
		text = strings.NewReplacer("[", "", "]()", "").Replace(text)
	}
	post := outboxPayload{To: platform.Address{Key: key, Asker: c.Event.Author.ID}, Fork: &forkPoint{upto.message},
		Out: platform.Outgoing{Kind: platform.KindNotice, Nonce: nonce("fork/%d", c.row.ID), Language: c.say.Code, Text: text}}
	if err := c.Bot.postPayload(ctx, post, memory.Outbox{SessionID: c.Session.ID}); err != nil {
		return platform.Outgoing{}, err
	}
	return commandText(c.say.ForkOpened)
}

// openFork makes the thread on a post a fork, and says so in it. Done twice it changes nothing.
func (b *Bot) openFork(ctx context.Context, p platform.Platform, o *memory.Outbox, c *outboxPayload, ref platform.Ref) error {
	messages := p.(platform.Poster).Messages(ref)
	if len(messages) == 0 {
		return nil
	}
	key := c.To.Key
	key.Thread = messages[0]
	if err := b.Store.Fork(ctx, o.SessionID, c.Fork.Upto, key); gone(err) { // erased meanwhile
		return nil
	} else if err != nil {
		return wrap("fork", err)
	}
	session, err := b.Store.SessionByKey(ctx, key)
	if err != nil {
		return wrap("find a fork", err)
	}
	return b.postNotice(ctx, session, platform.Address{Key: key, Asker: c.To.Asker},
		platform.Outgoing{Nonce: nonce("forked/%d", o.ID), Text: say.In(c.Out.Language).ForkHere, Language: c.Out.Language})
}
