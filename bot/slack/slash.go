package slack

import (
	"strings"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/bot/say"
)

type slashed struct {
	Command     string `json:"command"`
	Text        string `json:"text"`
	User        string `json:"user_id"`
	Channel     string `json:"channel_id"`
	ResponseURL string `json:"response_url"`
	Team        string `json:"team_id"`
	Enterprise  string `json:"enterprise_id"` // of a workspace that is part of one
}

func (r reader) slash(payload []byte) outcome {
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
	ev.Command, ev.Args = strings.TrimPrefix(s.Command, "/"), s.Text
	return outcome{event: ev}
}
