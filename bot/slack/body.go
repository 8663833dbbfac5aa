package slack

import (
	"fmt"
	"slices"
	"strings"

	"threadkeeper/bot/platform/kit"
)

// typed is what a message says itself, in Slack's mrkdwn: its text, or what its blocks say if it has none.
func (m message) typed() string {
	if strings.TrimSpace(m.Text) == "" {
		return written(m.Blocks)
	}
	return m.Text
}

// body is the text of a message in Slack's mrkdwn: what it says, what a program shows besides, and what it passes on of
// other messages, as quotes.
func body(m message) string {
	text := m.typed()
	for _, a := range m.Attachments {
		if !a.IsShare && !a.IsMessage {
			if m.BotID != "" && a.From == "" { // Slack's link previews are not its own words
				text = strings.TrimSpace(text + "\n" + a.card())
			}
			continue
		}
		quote := a.Text
		if quote == "" {
			quote = a.Fallback
		}
		if a.Author != "" {
			quote = entities.Replace(a.Author) + ": " + quote
		}
		if strings.TrimSpace(quote) != "" {
			text = strings.TrimSpace(text + "\n\n" + quoted(quote))
		}
	}
	return text
}

func (a attachment) card() string {
	lines := []string{a.Pretext, a.Title, a.Text}
	for _, f := range a.Fields {
		lines = append(lines, strings.TrimSpace(f.Title+": "+f.Value))
	}
	lines = append(lines, written(a.Blocks), a.Footer)
	lines = slices.DeleteFunc(lines, func(l string) bool { return strings.TrimSpace(l) == "" })
	if len(lines) == 0 {
		return a.Fallback
	}
	return strings.Join(lines, "\n")
}

var entities = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

func quoted(text string) string {
	return "> " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n> ")
}

func written(blocks []block) string {
	var parts []string
	for _, b := range blocks {
		if text := strings.TrimRight(b.write(), "\n "); strings.TrimSpace(text) != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "\n")
}

func (b block) write() string {
	switch b.Type {
	case "text":
		return entities.Replace(b.words())
	case "user":
		return "<@" + b.User + ">"
	case "channel":
		return "<#" + b.Channel + ">"
	case "usergroup":
		return "<!subteam^" + b.Group + ">"
	case "broadcast":
		return "<!" + b.Range + ">"
	case "emoji":
		return ":" + b.Name + ":"
	case "date":
		return entities.Replace(b.Fallback)
	case "link":
		if words := b.words(); words != "" {
			return "<" + b.URL + "|" + entities.Replace(words) + ">"
		}
		return "<" + b.URL + ">"
	case "rich_text_preformatted":
		return "```\n" + b.inner() + "\n```"
	case "rich_text_quote":
		return quoted(b.inner())
	case "rich_text_section":
		return b.inner()
	case "rich_text_list":
		return b.list()
	case "rich_text":
		return written(b.Elements)
	case "table":
		return b.table()
	case "section", "context":
		return strings.TrimSpace(b.words() + "\n" + written(b.Fields) + "\n" + written(b.Elements))
	case "header", "markdown", "mrkdwn", "plain_text":
		return b.words()
	}
	return ""
}

func (b block) words() string {
	var text string
	if kit.Decode(b.Text, &text) == nil && text != "" {
		return text
	}
	var object struct {
		Text string `json:"text"`
	}
	_ = kit.Decode(b.Text, &object)
	return object.Text
}

func (b block) inner() string {
	var text strings.Builder
	for _, e := range b.Elements {
		text.WriteString(e.write())
	}
	return text.String()
}

func (b block) list() string {
	var style string
	_ = kit.Decode(b.Style, &style)
	var lines []string
	for i, e := range b.Elements {
		mark := "- "
		if style == "ordered" {
			mark = fmt.Sprintf("%d. ", i+1)
		}
		lines = append(lines, strings.Repeat("  ", min(max(b.Indent, 0), 8))+mark+e.write())
	}
	return strings.Join(lines, "\n")
}

func (b block) table() string {
	var lines []string
	for _, row := range b.Rows {
		var cells []string
		for _, c := range row {
			if c.Type == "raw_text" {
				cells = append(cells, entities.Replace(c.words()))
			} else {
				cells = append(cells, strings.ReplaceAll(c.write(), "\n", " "))
			}
		}
		lines = append(lines, strings.Join(cells, " | "))
	}
	return strings.Join(lines, "\n")
}
