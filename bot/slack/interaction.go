package slack

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/bot/say"
)

type interaction struct {
	Type        string `json:"type"`
	CallbackID  string `json:"callback_id"`
	TriggerID   string `json:"trigger_id"`
	ResponseURL string `json:"response_url"`
	User        struct {
		ID string `json:"id"`
	} `json:"user"`
	Channel struct {
		ID string `json:"id"`
	} `json:"channel"`
	Container struct {
		ChannelID string `json:"channel_id"`
		MessageTS string `json:"message_ts"`
		ThreadTS  string `json:"thread_ts"`
		Ephemeral bool   `json:"is_ephemeral"`
	} `json:"container"`
	Message message      `json:"message"`
	View    view         `json:"view"`
	Actions list[action] `json:"actions"`
}

type action struct {
	ID    string          `json:"action_id"`
	Value json.RawMessage `json:"value"` // a string
	TS    string          `json:"action_ts"`
}

func (r reader) interaction(payload []byte) outcome {
	var x interaction
	if err := kit.Decode(payload, &x); err != nil {
		return ignored("no interaction: %v", err)
	}
	switch x.Type {
	case "block_actions":
		return r.click(x)
	case "message_action":
		return r.shortcut(payload, x)
	case "view_submission":
		return r.submission(payload, x)
	}
	return ignored("interaction of type %q", x.Type)
}

func (r reader) click(x interaction) outcome {
	for _, act := range x.Actions {
		var value string
		if !ourAction(act.ID) || kit.Decode(act.Value, &value) != nil || value == "" {
			continue
		}
		ev := r.done(x, platform.EventClick, cmp.Or(x.Message.ThreadTS, x.Container.ThreadTS), cmp.Or(x.Container.MessageTS, x.Message.TS))
		if ev.Key.Channel == "" {
			return ignored("click outside a channel")
		}
		ev.ID = fmt.Sprintf("click:%s:%s:%s:%s", ev.Key.Channel, x.User.ID, cmp.Or(act.TS, x.TriggerID), value)
		ev.Action, ev.At = value, millis(act.TS)
		if x.Container.Ephemeral {
			ev.Reply.EphemeralTo = x.User.ID
		}
		return outcome{event: ev}
	}
	return ignored("none of our buttons")
}

// done is the event of a person acting on a message, in a thread or at the top.
func (r reader) done(x interaction, kind platform.EventKind, thread, ts string) *platform.Event {
	ev := &platform.Event{Kind: kind, Key: r.key(cmp.Or(x.Container.ChannelID, x.Channel.ID)), Author: platform.Author{ID: x.User.ID}}
	ev.Channel.Kind = kindOf("", ev.Key.Channel)
	ev.Reply.Interaction = x.ResponseURL
	r.in(ev, thread, ts)
	return ev
}

// fingerprint identifies what a person did: Slack has no id for it, and delivers the same
// bytes again.
func fingerprint(payload []byte) string {
	sum := sha256.Sum256(payload)
	return hex.EncodeToString(sum[:12])
}

// ourAction reports whether an action's id is one that our messages have.
func ourAction(id string) bool {
	kind, _, _ := strings.Cut(id, "-")
	switch kind {
	case "button", "option", "other", "page", "feedback":
		return true
	}
	return false
}

// Callback ids of the shortcuts in a message's menu; askMessage is also that of the form it opens. threadMemory stands in
// for /memory where Slack has no slash commands: in threads.
const (
	threadMemory = "thread_memory"
	checkMessage = "check_message"
	askMessage   = "ask_message"
)

func (r reader) shortcut(payload []byte, x interaction) outcome {
	if x.Channel.ID == "" || x.Message.TS == "" {
		return ignored("shortcut without a message")
	}
	switch x.CallbackID {
	case askMessage:
		return outcome{notice: &aboutMessage{x.TriggerID, x.User.ID, about{x.Channel.ID, x.Message.TS, x.Message.ThreadTS}}}
	case threadMemory:
		ev := r.onMessage(payload, x, platform.EventCommand)
		ev.Command = "memory status"
		return outcome{event: ev}
	case checkMessage:
		ev := r.onMessage(payload, x, platform.EventMessage)
		return outcome{event: ev, about: &about{x.Channel.ID, x.Message.TS, x.Message.ThreadTS}, said: body(x.Message), aloud: say.AsksIn["en"].CheckThis}
	}
	return ignored("shortcut %q", x.CallbackID)
}

// onMessage is the event of a person doing something with a message. A request to us is shown and answered in the thread of
// the message, to everybody there.
func (r reader) onMessage(payload []byte, x interaction, kind platform.EventKind) *platform.Event {
	ev := r.done(x, kind, x.Message.ThreadTS, x.Message.TS)
	if x.Message.ThreadTS != "" { // there is a thread, also on the message that began it
		ev.Key.Thread, ev.Opens = x.Message.ThreadTS, ""
	} else {
		ev.Reply.ReplyTo = x.Message.TS
	}
	ev.ID = "shortcut:" + ev.Key.Channel + ":" + fingerprint(payload)
	if kind == platform.EventMessage {
		ev.Mention, ev.Joined = true, true
		ev.Key.Thread, ev.Opens = cmp.Or(ev.Key.Thread, ev.Opens), ""
	}
	return ev
}
