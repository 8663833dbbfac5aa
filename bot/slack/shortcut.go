package slack

import "threadkeeper/bot/platform"

// Callback ids of the shortcuts in a message's menu. threadMemory stands in for /memory where Slack has no slash
// commands: in threads.
const (
	threadMemory = "thread_memory"
	checkMessage = "check_message"
)

// checkRequest is what choosing checkMessage says, as somebody would in a reply.
const checkRequest = "Check this"

// shortcut reads a shortcut of a message's menu.
func (r reader) shortcut(payload []byte, x interaction) outcome {
	kind := map[string]platform.EventKind{threadMemory: platform.EventCommand, checkMessage: platform.EventMessage}[x.CallbackID]
	if kind == "" {
		return ignored("shortcut %q", x.CallbackID)
	}
	if x.Channel.ID == "" || x.Message.TS == "" {
		return ignored("shortcut without a message")
	}
	ev := r.done(x, kind, x.Message.ThreadTS, x.Message.TS)
	if x.Message.ThreadTS != "" { // there is a thread, also on the message that began it
		ev.Key.Thread, ev.Opens = x.Message.ThreadTS, ""
	} else {
		ev.Reply.ReplyTo = x.Message.TS
	}
	ev.ID = "shortcut:" + ev.Key.Channel + ":" + fingerprint(payload)
	if kind == platform.EventCommand {
		ev.Command = "memory status"
		return outcome{event: ev}
	}
	// It is answered where the message is, to everybody there.
	ev.Mention, ev.Joined, ev.Reply.Interaction = true, true, ""
	ev.At = millis(x.ActionTS)
	ev.Text = quoted(body(x.Message)) + "\n\n" + checkRequest
	return outcome{event: ev}
}
