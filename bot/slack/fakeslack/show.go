package fakeslack

import (
	"regexp"
	"slices"
	"strings"
)

// Shown is a message of ours as somebody sees it.
type Shown struct {
	Channel, TS, Thread string
	Text                string   // the words, markup as it was written, escapes undone
	Context             []string // small print, one per context block
	Buttons             []Button
	Feedback            bool   // feedback buttons are under it
	File, Data          string // name and content of the first file
	OnlyTo              string // the person who sees it, if only one does
	Notifies            int    // people and groups
	Edited, Streaming   bool
}

// Button is one under a message.
type Button struct{ Label, Action, Value, Block string }

type element struct{ kind, label, text, action, value, block string }

// Shown are our messages in a thread ("" for the top of the channel), oldest first, as
// a person sees them, with those that only they see.
func (s *Server) Shown(channel, thread, user string) []Shown {
	s.mu.Lock()
	defer s.mu.Unlock()
	in := func(m *Message) bool {
		return m.Channel == channel && m.User == BotUser && (m.Thread == thread || thread == "" && (m.Thread == m.TS || m.Broadcast) || thread == m.TS)
	}
	var all []Shown
	for _, m := range s.messages[channel] {
		if in(m) && m.Subtype != "tombstone" && m.Subtype != "channel_join" && m.Subtype != "assistant_app_thread" {
			all = append(all, s.show(m, ""))
		}
	}
	for _, e := range s.ephemerals {
		if in(&e.Message) && e.OnlyTo == user {
			all = append(all, s.show(&e.Message, user))
		}
	}
	slices.SortStableFunc(all, func(a, b Shown) int { return int(micros(a.TS) - micros(b.TS)) })
	return all
}

func (s *Server) show(m *Message, onlyTo string) Shown {
	v := Shown{Channel: m.Channel, TS: m.TS, Thread: m.Thread, OnlyTo: onlyTo, Notifies: notifies(m), Edited: m.Edited, Streaming: s.streaming(m)}
	v.Text = spoken(m)
	for _, b := range m.Blocks {
		if b["type"] == "context" {
			v.Context = append(v.Context, strings.Join(blockTexts(b), " "))
		}
	}
	for _, e := range elements(m.Blocks) {
		if e.kind == "feedback_buttons" {
			v.Feedback = true
		} else {
			v.Buttons = append(v.Buttons, Button{e.text, e.action, e.value, e.block})
		}
	}
	for _, id := range m.Files {
		if f := s.files[id]; v.File == "" && !f.deleted {
			v.File, v.Data = f.name, string(f.data)
		}
	}
	return v
}

// spoken is the words of a message without its small print and buttons.
func spoken(m *Message) string {
	var parts []string
	if m.Markdown != "" {
		parts = append(parts, unmark(m.Markdown))
	}
	for _, b := range m.Blocks {
		switch b["type"] {
		case "markdown":
			parts = append(parts, unmark(strings.Join(blockTexts(b), "")))
		case "section", "header", "rich_text", "table":
			parts = append(parts, unescape(strings.Join(blockTexts(b), "\n")))
		}
	}
	if len(parts) == 0 && !slices.ContainsFunc(m.Blocks, func(b object) bool { return b["type"] == "context" }) {
		return unescape(m.Text)
	}
	return strings.Join(parts, "\n\n")
}

// escaped are the characters that Markdown escapes with a backslash.
var escaped = regexp.MustCompile("\\\\([!-/:-@\\[-`{-~])")

func unmark(text string) string {
	if !strings.Contains(text, `\`) {
		return unescape(text)
	}
	parts := strings.Split(text, "`")
	for i := 0; i < len(parts); i += 2 {
		parts[i] = unescape(escaped.ReplaceAllString(parts[i], "$1"))
	}
	return strings.Join(parts, "`")
}

// plain is what stands for a message without text in notifications.
func plain(m *Message) string {
	if text := spoken(&Message{Markdown: m.Markdown, Blocks: m.Blocks}); text != "" {
		return escape(text)
	}
	return "This content can't be displayed."
}

func texts(m *Message) []string {
	var all []string
	switch {
	case m.Markdown != "":
		all = []string{m.Markdown}
	case len(m.Blocks) == 0: // else the text stands only for the blocks
		all = []string{m.Text}
	}
	for _, b := range m.Blocks {
		all = append(all, blockTexts(b)...)
	}
	return all
}

// blockTexts are the texts inside a block, in their order, without those of buttons.
func blockTexts(v any) []string {
	var all []string
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			all = append(all, blockTexts(x)...)
		}
	case map[string]any:
		switch v["type"] {
		case "button", "feedback_buttons":
			return nil
		case "user":
			if id, ok := v["user_id"].(string); ok {
				return []string{"<@" + id + ">"}
			}
		case "broadcast":
			if r, ok := v["range"].(string); ok {
				return []string{"<!" + r + ">"}
			}
		}
		for _, name := range []string{"text", "fields", "elements", "rows", "title"} {
			if text, ok := v[name].(string); ok {
				all = append(all, text)
			} else {
				all = append(all, blockTexts(v[name])...)
			}
		}
	}
	return all
}

// elements are the buttons of blocks. Those of feedback_buttons have the labels
// "helpful" and "unhelpful", whatever they say.
func elements(blocks []object) []element {
	var all []element
	for _, b := range blocks {
		id, _ := b["block_id"].(string)
		list, _ := b["elements"].([]any)
		for _, v := range list {
			e, _ := v.(map[string]any)
			kind, _ := e["type"].(string)
			action, _ := e["action_id"].(string)
			switch kind {
			case "button":
				text := labelOf(e)
				value, _ := e["value"].(string)
				all = append(all, element{kind, text, text, action, value, id})
			case "feedback_buttons":
				for name, label := range map[string]string{"positive_button": "helpful", "negative_button": "unhelpful"} {
					f, _ := e[name].(map[string]any)
					value, _ := f["value"].(string)
					all = append(all, element{kind, label, labelOf(f), action, value, id})
				}
			}
		}
	}
	return all
}

func labelOf(b object) string {
	text, _ := b["text"].(map[string]any)
	label, _ := text["text"].(string)
	return label
}

// remember keeps the buttons that are under a message now, for those who click late.
func (m *Message) remember() {
	m.everShown = slices.Clone(m.everShown)
	for _, e := range elements(m.Blocks) {
		if !slices.Contains(m.everShown, e) {
			m.everShown = append(m.everShown, e)
		}
	}
}
