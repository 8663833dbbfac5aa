package fakediscord

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
)

// Posts are ours in a place as somebody reads them. What was sent to them directly
// because it could not be shown to them alone in the place stands where they had asked.
func (h *Harness) Posts(at platformtest.Place, who string) []platformtest.Post {
	user := h.person(who)
	c := h.channel(at, who)
	if at.DM {
		return h.read(c, user)
	}
	if at.Thread != "" {
		c = at.Thread
	}
	all := h.read(c, user)
	for _, p := range h.read(h.DM(user), user) {
		if h.askedBefore(p.ID, user) == at {
			p.OnlyTo = user
			all = append(all, p)
		}
	}
	return all
}

// askedBefore is where a person had asked for something when a post came.
func (h *Harness) askedBefore(post, user string) (at platformtest.Place) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, a := range h.asks {
		if a.user == user && older(a.id, post) {
			at = a.at
		}
	}
	return at
}

func (h *Harness) read(channel, user string) []platformtest.Post {
	var all []platformtest.Post
	more := false // the one before goes on in the next
	for _, m := range h.Messages(channel, user) {
		if m.Author.ID != h.Bot().ID {
			more = false
			continue
		}
		if m.Flags&FlagLoading != 0 || m.Type != DefaultMessage && m.Type != ReplyMessage && m.Type != CommandMessage {
			continue
		}
		p := Read(m)
		if last := len(all) - 1; more && m.MessageReference == nil && all[last].OnlyTo == p.OnlyTo {
			p = joined(all[last], p)
			all = all[:last]
		}
		all = append(all, p)
		h.remember(p.ID, m)
		more = len(m.Components) == 0 && len(m.Attachments) == 0 && utf8.RuneCountInString(m.Content) > maxContent/2
	}
	return all
}

// joined is a post that takes two messages.
func joined(a, b platformtest.Post) platformtest.Post {
	b.ID, b.Text, b.Mentions = a.ID, a.Text+"\n"+b.Text, a.Mentions+b.Mentions
	b.Links = append(a.Links, b.Links...)
	return b
}

// remember keeps the buttons of a message, so that they can be pressed when they are gone.
func (h *Harness) remember(post string, m Shown) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if p := h.parts[post]; len(p) == 0 || p[len(p)-1] != m.ID {
		h.parts[post] = append(p, m.ID)
	}
	for _, row := range m.Components {
		for _, c := range row.Components {
			for _, o := range c.Options {
				h.buttons[post+"/"+o.Label] = button{message: m.Message, id: c.CustomID, values: []string{o.Value}}
			}
			b := button{message: m.Message, id: c.CustomID}
			h.buttons[post+"/"+c.Label] = b
			if name := meaning(c.CustomID); name != "" {
				h.buttons[post+"/"+name] = b
			}
		}
	}
}

// Actions of buttons begin their custom ids.
var (
	pageAction = regexp.MustCompile(`^` + strings.TrimSuffix(platform.PageAction("", 0), ":0") + `:?[^:]*:(\d+)`)
	feedAction = regexp.MustCompile(`^` + strings.TrimSuffix(platform.FeedbackAction("", ""), "::") + `:.*:(` + string(platform.Helpful) + `|` + string(platform.Unhelpful) + `)\b`)
)

// meaning is the suite's name for a button that people know by its picture.
func meaning(customID string) string {
	if f := feedAction.FindStringSubmatch(customID); f != nil {
		return f[1]
	}
	if f := pageAction.FindStringSubmatch(customID); f != nil {
		return "page " + f[1]
	}
	return ""
}

var (
	escaped = regexp.MustCompile("(?s)```.*?```|`[^`]*`|\\\\[!-/:-@[-`{-~]")
	source  = regexp.MustCompile(`^-# \[[A-Z]?\d+\] `)
	linked  = regexp.MustCompile(`\]\((https?://[^)\s]+)\)`)
)

// Read is a message as a person reads it: without the signs that escape or make text
// small, its sources as links, its buttons by their labels.
func Read(m Shown) platformtest.Post {
	p := platformtest.Post{ID: m.ID, Data: m.Data, OnlyTo: m.OnlyTo, Mentions: m.Notifies}
	if m.Type == ReplyMessage {
		p.AnswerTo = m.MessageReference.MessageID
	}
	var lines []string
	for _, l := range strings.Split(m.Content, "\n") {
		if strings.HasPrefix(l, "-# [") && source.MatchString(l) {
			if f := linked.FindStringSubmatch(l); f != nil {
				p.Links = append(p.Links, f[1])
			}
			continue
		}
		lines = append(lines, strings.TrimPrefix(l, "-# "))
	}
	if p.Text = strings.TrimSpace(strings.Join(lines, "\n")); strings.Contains(p.Text, `\`) {
		p.Text = escaped.ReplaceAllStringFunc(p.Text, func(s string) string { return strings.TrimPrefix(s, `\`) })
	}
	for _, a := range m.Attachments {
		p.File = a.Filename
	}
	for _, row := range m.Components {
		for _, c := range row.Components {
			label(&p, c)
		}
	}
	return p
}

func label(p *platformtest.Post, c Component) {
	for _, o := range c.Options {
		p.Options = append(p.Options, o.Label)
	}
	switch {
	case len(c.Options) > 0 || meaning(c.CustomID) != "":
	case strings.HasPrefix(c.CustomID, "q:"):
		p.Options = append(p.Options, c.Label)
	default:
		p.Buttons = append(p.Buttons, c.Label)
	}
}
