package discord

import (
	"fmt"
	"net/url"
	"strings"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

const (
	nameShown  = 80  // runes shown of a document's name
	quoteShown = 160 // runes shown of a quote
)

// render is a post as the messages it takes, in order; the last has the buttons.
func render(m platform.Outgoing, k mark) []message {
	text := markup(m.Text)
	switch m.Kind {
	case platform.KindError:
		text = "⚠️ " + text
	case platform.KindNotice, platform.KindErased: // the last paragraph is small print
		at := strings.LastIndex(text, "\n\n") + 1
		text = text[:at] + small(text[at:])
	}
	if m.Question != nil {
		text = asking(text, m.Question)
	}
	if m.Kind != platform.KindErased {
		text += sources(m.Citations, m.Language)
	}
	all := messages(text, m.Nonce)
	all[len(all)-1].Components = components(m, k)
	if m.Kind == platform.KindErased {
		all[0].Attachments = &[]attachment{}
	}
	return all
}

// settled is what of a growing text can be shown: not a row of a table that is not complete, with which the columns
// would jump, and no table that has no row yet: in a wide one the head is shown in each row, and not where a cell is empty.
func settled(text string) string {
	if at := strings.LastIndexByte(text, '\n') + 1; at > 0 && strings.HasPrefix(strings.TrimSpace(text[at:]), "|") {
		text = text[:at]
	}
	begin, rows := len(text), 0
	for strings.HasSuffix(text[:begin], "\n") {
		at := strings.LastIndexByte(text[:begin-1], '\n') + 1
		if !strings.HasPrefix(strings.TrimSpace(text[at:begin]), "|") {
			break
		}
		begin, rows = at, rows+1
	}
	if rows < 3 {
		return text[:begin]
	}
	return text
}

// renderGrowing is what a reply looks like before its end.
func renderGrowing(text string, k mark, language string) []message {
	all := messages(markup(settled(text)), k.nonce)
	last := &all[len(all)-1]
	last.Components = growing(k, language)
	// A line that begins near a message's end is shown once it is whole: it may have to move to the next message.
	if at := strings.LastIndexByte(last.Content, '\n'); at > maxContent*3/4 && !strings.Contains(last.Content, "```") {
		last.Content = strings.TrimRight(last.Content[:at], "\n")
	}
	return all
}

// maxContent is how long a message of ours is at most, in UTF-16 units. Discord
// allows 2,000 characters.
const maxContent = 1900

// messages are a rendered text cut to Discord's size. Each has a nonce of its own,
// of at most 25 characters.
func messages(text, nonce string) []message {
	var all []message
	for i, piece := range split(text, maxContent) {
		if strings.TrimSpace(piece) == "" {
			piece = "…"
		}
		m := newMessage(piece)
		if nonce != "" {
			m.Nonce, m.EnforceNonce = nonce, true
			if i > 0 {
				m.Nonce = fmt.Sprintf("%s-%d", nonce, i)
			}
		}
		all = append(all, m)
	}
	return all
}

func split(rendered string, limit int) []string {
	return kit.Split(strings.Trim(rendered, "\n"), limit, kit.Fence{Ticks: true})
}

// small is text in Discord's small print.
func small(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if strings.TrimSpace(l) != "" {
			lines[i] = "-# " + l
		}
	}
	return strings.Join(lines, "\n")
}

// asking adds the question, where the text does not end with it, and the options
// that are too long for their buttons.
func asking(text string, q *platform.Question) string {
	question := markup(q.Text)
	if !strings.Contains(text, question) {
		text = strings.TrimSpace(text + "\n\n" + question)
	}
	limit := maxLabel
	if len(q.Options) > maxPerRow {
		limit = maxMenuLabel
	}
	for _, o := range q.Options {
		if kit.Length(o.Label) <= limit {
			continue
		}
		for i, o := range q.Options[:max(0, len(q.Options)-2)] {
			text += fmt.Sprintf("\n%d. %s", i+1, literal(o.Label, 400))
		}
		break
	}
	return text
}

// maxSources is how long the lines of citations are at most, as two messages; of more there is a line for each document.
const maxSources = 2 * maxContent

// sources are the citations in small print, one line each.
func sources(citations []memory.Citation, language string) string {
	var b strings.Builder
	for i, c := range citations {
		if i == 0 {
			b.WriteString("\n")
		}
		b.WriteString("\n-# [" + c.Label() + "] " + linked(literal(c.Document, nameShown)+", "+literal(say.Place(language, c), nameShown), c.Link))
		if c.Quote != "" {
			b.WriteString(" · “" + literal(c.Quote, quoteShown) + "”")
		}
	}
	if kit.Length(b.String()) <= maxSources {
		return b.String()
	}
	b.Reset()
	b.WriteString("\n")
	for _, of := range say.ByDocument(citations) {
		var places []string
		for _, c := range of {
			places = append(places, "["+c.Label()+"] "+literal(say.Place(language, c), nameShown))
		}
		b.WriteString("\n-# " + linked(literal(of[0].Document, nameShown), of[0].Link) + ": " + strings.Join(places, " · "))
	}
	return b.String()
}

func linked(text, address string) string {
	if link := webLink(address); link != "" {
		return "[" + text + "](" + link + ")"
	}
	return text
}

// webLink returns an address that may be used in a link, "" if it may not.
func webLink(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || len(s) > 500 {
		return ""
	}
	s = strings.NewReplacer("(", "%28", ")", "%29", "<", "%3C", ">", "%3E", " ", "%20").Replace(u.String())
	return call.ReplaceAllString(s, "%40$1") // the "@me" of direct messages stays, or Discord would not open it
}

var call = reading.Lazy(`(?i)@(everyone|here)`)
