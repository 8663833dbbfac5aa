package slack

import (
	"cmp"
	"slices"
	"strings"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/bot/say"
)

// slashed is a slash command, as JSON (Socket Mode) or out of a form (HTTP).
type slashed struct {
	Command     string `json:"command"`
	Text        string `json:"text"`
	User        string `json:"user_id"`
	Channel     string `json:"channel_id"`
	ResponseURL string `json:"response_url"`
	Team        string `json:"team_id"`
	Enterprise  string `json:"enterprise_id"` // of a workspace that is part of one
}

func (r reader) slash(payload []byte, commands []platform.Command) outcome {
	var s slashed
	if err := kit.Decode(payload, &s); err != nil {
		return ignored("no slash command: %v", err)
	}
	if s.Command == "" || s.Channel == "" || s.User == "" {
		return ignored("incomplete slash command")
	}
	if s.Team != "" && s.Team != r.us.Team && s.Enterprise == "" {
		return ignored("of another workspace")
	}
	ev := &platform.Event{Kind: platform.EventCommand, Key: r.key(s.Channel), Author: platform.Author{ID: s.User}}
	ev.ID = "slash:" + s.Channel + ":" + fingerprint(payload)
	ev.Channel.Kind = kindOf("", s.Channel)
	ev.Reply.Interaction = s.ResponseURL
	if name := strings.TrimPrefix(s.Command, "/"); name == say.CheckName || name == say.AskName && strings.TrimSpace(s.Text) != "" {
		ev.Kind, ev.Mention, ev.Text = platform.EventMessage, true, say.Asked("", name, s.Text)
		return outcome{event: ev, aloud: ev.Text}
	}
	ev.Command, ev.Args = registered(strings.TrimPrefix(s.Command, "/"), s.Text, commands)
	return outcome{event: ev}
}

// registered finds the registry's command in what was typed: "/memory status" and
// "/memory help" and, in a family, any other command too. Of what is in no registry it
// makes a command the bot will not find, so that it says which was meant.
func registered(family, text string, commands []platform.Command) (name, args string) {
	family = strings.ToLower(family)
	words := strings.Fields(text)
	if len(words) == 0 {
		return cmp.Or(platform.First(commands, family), family), ""
	}
	one, two := strings.ToLower(words[0]), ""
	if len(words) > 1 {
		two = one + " " + strings.ToLower(words[1])
	}
	for _, typed := range []struct {
		name  string
		words int // of the text
	}{{family + " " + one, 1}, {two, 2}, {one, 1}, {family, 0}} {
		if slices.ContainsFunc(commands, func(c platform.Command) bool { return c.Name == typed.name }) {
			return typed.name, skip(text, typed.words)
		}
	}
	return family + " " + one, skip(text, 1)
}

// skip is what follows the first words of a line, as it was typed.
func skip(line string, words int) string {
	line = strings.TrimSpace(line)
	for range words {
		i := strings.IndexFunc(line, func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' })
		if i < 0 {
			return ""
		}
		line = strings.TrimSpace(line[i:])
	}
	return line
}
