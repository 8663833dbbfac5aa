package bot

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

// maxListed is how many threads, and how many documents, an overview lists.
const maxListed = 20

// overview reports whether a command was given at the top of a channel that is no
// conversation itself, or opens a thread by itself: it speaks of the threads there.
func (c *Call) overview(ctx context.Context) (bool, error) {
	if c.Session.Thread != "" && c.Session.Thread != c.Event.Message {
		return false, nil
	}
	st, err := c.Bot.Store.Views.Status(ctx, c.Session.ID)
	if err != nil {
		return false, wrap("load status", err)
	}
	return st.Interactions == 0, nil
}

// threads lists the conversations of the channel, for a command that speaks of one.
func threads(ctx context.Context, c *Call, command string) (platform.Outgoing, error) {
	all, err := c.Bot.Store.Views.Threads(ctx, c.Audience, maxListed)
	if err != nil {
		return platform.Outgoing{}, wrap("list threads", err)
	}
	if len(all) == 0 {
		return said(c.say.NoThreads)
	}
	lines := []string{c.say.Threads, ""}
	if command != "memory status" {
		lines = slices.Insert(lines, 0, c.elsewhereSaid(command), "")
	}
	for _, t := range all {
		line, err := c.threadLine(ctx, t)
		if err != nil {
			return platform.Outgoing{}, err
		}
		lines = append(lines, line)
	}
	return said(strings.Join(lines, "\n"))
}

// elsewhereSaid is how a command is given that speaks of one conversation.
func (c *Call) elsewhereSaid(command string) string {
	how := fmt.Sprintf(c.say.OneThread, command)
	switch {
	case c.slash() == nil: // it is given by slash there, too
		how = fmt.Sprintf(c.say.OneThreadSlash, "/"+command)
	case c.Audience.Channel.Kind == memory.DM:
		how = fmt.Sprintf(c.say.OneThreadDM, command)
	}
	if command == "memory forget" {
		how += " " + fmt.Sprintf(c.say.ForgetAll, c.typed("memory forget all"))
	}
	return how
}

// threadLine is a thread in one line: what it began with, how full it is, and
// where it is.
func (c *Call) threadLine(ctx context.Context, t memory.Thread) (string, error) {
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
	if p := b.byName(name); p != nil && ref != "" {
		return p.Link(platform.Ref(ref))
	}
	return ""
}

// titleOf is what a thread began with, in one short line.
func titleOf(t memory.Thread) string {
	title := t.Title
	if title == "" {
		title = strings.Join(strings.Fields(t.Began), " ")
	}
	if title = say.Plain(title); title == "" {
		return "…"
	}
	return title
}

// home is what a person finds on the platform's page about us.
func (b *Bot) home(ctx context.Context, key memory.Key, a platform.Author) (platform.Home, error) {
	w := say.In(a.Locale)
	h := platform.Home{Language: w.Code}
	who, err := b.Store.PersonByPlatformID(ctx, key, a.ID)
	if gone(err) {
		return h, nil
	}
	if err != nil {
		return h, wrap("find person", err)
	}
	threads, err := b.Store.Views.ThreadsOf(ctx, who.ID, maxListed)
	if err != nil {
		return h, wrap("list threads", err)
	}
	if len(threads) > 0 {
		w = say.For(a.Locale, titleOf(threads[0]))
		h.Language = w.Code
	}
	open := b.doors(ctx, who)
	for _, t := range threads {
		if !open(t.Key, t.Kind, t.External) {
			continue
		}
		st, err := b.Store.Views.Status(ctx, t.ID)
		if err != nil {
			return h, wrap("load status", err)
		}
		channel := memory.Channel{Platform: t.Platform, Workspace: t.Workspace, Channel: t.Channel, Name: t.Name, Kind: t.Kind}
		h.Threads = append(h.Threads, platform.HomeThread{Key: t.Key, Channel: channel, Title: titleOf(t),
			Gauge: w.Gauge(st.Context, st.Threshold), Post: platform.Ref(t.Ref), At: t.At})
	}
	documents, err := b.Store.Views.ShelfOf(ctx, who, b.ExternalDocuments, maxListed)
	if err != nil {
		return h, wrap("list documents", err)
	}
	for _, d := range documents {
		if !open(d.Key, d.Kind, d.External) {
			continue
		}
		h.Documents = append(h.Documents, platform.HomeDocument{Name: d.Name, Pages: d.Pages, Link: d.Link, At: d.CreatedAt})
	}
	return h, nil
}

// memberTime bounds the look-ups for one overview.
const memberTime = 10 * time.Second

// doors tells which channels are open to a person now, each looked up once: somebody
// may have left since they spoke there. Public channels are open to all but guests and
// other workspaces. What cannot be told is closed.
func (b *Bot) doors(ctx context.Context, who *memory.Person) func(memory.Key, memory.ChannelKind, bool) bool {
	members, asks := b.byName(who.Platform).(platform.Membership)
	known := make(map[string]bool)
	deadline := time.Now().Add(memberTime)
	return func(key memory.Key, kind memory.ChannelKind, external bool) bool {
		if kind == memory.DM || kind == memory.Public && who.Kind != memory.Guest && !external {
			return true
		}
		in, ok := known[key.Channel]
		if ok || !asks {
			return in
		}
		ctx, cancel := context.WithDeadline(ctx, deadline)
		defer cancel()
		in, err := members.Member(ctx, key, who.PlatformID)
		if err != nil {
			b.Log.Warn("look up who is in a channel", "platform", who.Platform, "error", err)
			in = false
		}
		known[key.Channel] = in
		return in
	}
}
