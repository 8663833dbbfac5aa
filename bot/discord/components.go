package discord

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/bwmarrin/discordgo"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/bot/say"
)

// Limits of components (https://discord.com/developers/docs/components/reference).
const (
	maxRows        = 5
	maxPerRow      = 5
	maxLabel       = 80
	maxCustomID    = 100
	maxMenu        = 25 // of a select menu
	maxMenuLabel   = 100
	maxPlaceholder = 150
	tidyRow        = 44 // characters of labels that share a row
)

// mark is what the custom ids of a post carry beside the action: its nonce, by which
// Find knows it, and the thread it stands for where none could be opened.
type mark struct {
	nonce  string
	thread string
}

// customID is "action#nonce" or "action#nonce@thread", "" if it is too long for Discord.
func (m mark) customID(action string) string {
	id := action + "#" + m.nonce
	if m.thread != "" {
		id += "@" + m.thread
	}
	if action == "" || strings.Contains(action, "#") || kit.Length(id) > maxCustomID {
		return ""
	}
	return id
}

// readCustomID reads what customID wrote. The thread is "" for a button that is
// where its conversation is.
func readCustomID(id string) (action string, m mark) {
	action, id, _ = strings.Cut(id, "#")
	m.nonce, m.thread, _ = strings.Cut(id, "@")
	return action, m
}

// rows collects the rows of buttons under a message.
type rows struct {
	mark mark
	all  []discordgo.MessageComponent
	seen map[string]bool
}

func (r *rows) button(action, label, emoji string, style discordgo.ButtonStyle) (discordgo.MessageComponent, bool) {
	id := r.mark.customID(action)
	if r.seen == nil {
		r.seen = make(map[string]bool)
	}
	if id == "" || r.seen[id] {
		return nil, false
	}
	r.seen[id] = true
	b := discordgo.Button{CustomID: id, Label: short(label, maxLabel), Style: style}
	if b.Label == "" && emoji == "" {
		b.Label = "…" // no button is without both
	}
	if emoji != "" {
		b.Emoji = &discordgo.ComponentEmoji{Name: emoji}
	}
	return b, true
}

// add puts components into as few rows as they need; what is beyond Discord's five
// rows is left out.
func (r *rows) add(buttons ...discordgo.MessageComponent) {
	for len(buttons) > 0 && len(r.all) < maxRows {
		n := min(maxPerRow, len(buttons))
		r.all = append(r.all, discordgo.ActionsRow{Components: buttons[:n]})
		buttons = buttons[n:]
	}
}

// components are the rows under the last message of a post.
func components(m platform.Outgoing, k mark) []discordgo.MessageComponent {
	k.nonce = m.Nonce
	r := &rows{mark: k, all: []discordgo.MessageComponent{}}
	if m.Kind == platform.KindErased {
		return r.all
	}
	if m.Question != nil {
		r.question(m.Question)
	}
	var pages, others []discordgo.MessageComponent
	shown := make(map[string]bool)
	for _, c := range m.Citations {
		if c.Place != "" { // no page that can be shown
			continue
		}
		page := fmt.Sprintf("%d %s", c.Page, c.Document)
		if b, ok := r.button(platform.PageAction(m.Nonce, c.N), fmt.Sprintf(say.In(m.Language).ShowPage+" [%s]", c.Page, c.Label()), "📄", discordgo.SecondaryButton); ok && !shown[page] {
			shown[page] = true
			pages = append(pages, b)
		}
	}
	for _, x := range m.Buttons {
		if b, ok := r.button(x.Action, x.Label, "", discordgo.SecondaryButton); ok {
			others = append(others, b)
		}
	}
	if m.Feedback {
		for _, f := range []struct {
			value platform.Feedback
			emoji string
		}{{platform.Helpful, "👍"}, {platform.Unhelpful, "👎"}} {
			if b, ok := r.button(platform.FeedbackAction(m.Nonce, f.value), "", f.emoji, discordgo.SecondaryButton); ok {
				others = append(others, b)
			}
		}
	}
	if len(pages)+len(others) <= maxPerRow {
		pages, others = nil, append(pages, others...)
	}
	free := maxRows - len(r.all) - (len(others)+maxPerRow-1)/maxPerRow
	r.add(pages[:min(len(pages), max(free, 0)*maxPerRow)]...)
	r.add(others...)
	return r.all
}

// question adds the options: a row each, or one for all when they are short; a menu
// for more than five. The two that are no reading of the request come last.
func (r *rows) question(q *platform.Question) {
	readings := max(0, len(q.Options)-2)
	var options, rest []discordgo.MessageComponent
	width := 0
	for i, o := range q.Options {
		style := discordgo.PrimaryButton
		if i >= readings {
			style = discordgo.SecondaryButton
		} else if len(q.Options) > maxPerRow {
			continue
		}
		b, ok := r.button(o.Action, o.Label, "", style)
		switch {
		case !ok:
		case i >= readings:
			rest = append(rest, b)
		default:
			options = append(options, b)
		}
		width += kit.Length(o.Label)
	}
	switch {
	case len(q.Options) > maxPerRow:
		r.menu(q, readings)
		r.add(rest...)
	case width <= tidyRow:
		r.add(append(options, rest...)...)
	default:
		for _, b := range options {
			r.add(b)
		}
		r.add(rest...)
	}
}

// menuAction is the action of a menu. What was chosen is its value.
const menuAction = "menu"

func (r *rows) menu(q *platform.Question, readings int) {
	menu := discordgo.SelectMenu{MenuType: discordgo.StringSelectMenu, CustomID: r.mark.customID(menuAction),
		Placeholder: short(q.Text, maxPlaceholder)}
	for _, o := range q.Options[:min(readings, maxMenu)] {
		if id := r.mark.customID(o.Action); id != "" {
			menu.Options = append(menu.Options, discordgo.SelectMenuOption{Label: cmp.Or(short(o.Label, maxMenuLabel), "…"), Value: id})
		}
	}
	if len(menu.Options) > 0 {
		r.add(menu)
	}
}

// growing is the row under a reply that is not finished.
func growing(k mark, language string) []discordgo.MessageComponent {
	r := &rows{mark: k, all: []discordgo.MessageComponent{}}
	if b, ok := r.button(platform.StopAction, say.In(language).Stop, "⏹️", discordgo.SecondaryButton); ok {
		r.add(b)
	}
	return r.all
}

// short is a label of one line and at most limit characters.
func short(s string, limit int) string {
	s = strings.Join(strings.Fields(plain(s)), " ")
	if kit.Length(s) <= limit {
		return s
	}
	return strings.TrimSpace(kit.Prefix(s, limit-1)) + "…"
}
