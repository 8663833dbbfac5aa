package slack

import (
	"cmp"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
)

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
		ev.Text = say.AskedAbout(body(x.Message), say.AsksIn["en"].CheckThis)
		return outcome{event: ev, aloud: say.AsksIn["en"].CheckThis}
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
