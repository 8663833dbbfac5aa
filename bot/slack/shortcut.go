package slack

import "threadkeeper/bot/platform"

// threadMemory is the callback id of the message shortcut "Memory of this thread",
// which stands in for /memory where Slack has no slash commands: in threads.
const threadMemory = "thread_memory"

// shortcut reads a shortcut of a message's menu.
func (r reader) shortcut(payload []byte, x interaction) outcome {
	if x.CallbackID != threadMemory {
		return ignored("shortcut %q", x.CallbackID)
	}
	if x.Channel.ID == "" || x.Message.TS == "" {
		return ignored("shortcut without a message")
	}
	ev := r.done(x, platform.EventCommand, x.Message.ThreadTS, x.Message.TS)
	if x.Message.ThreadTS != "" { // there is a thread, also on the message that began it
		ev.Key.Thread, ev.Opens = x.Message.ThreadTS, ""
	} else {
		ev.Reply.ReplyTo = x.Message.TS
	}
	ev.ID = "shortcut:" + ev.Key.Channel + ":" + fingerprint(payload)
	ev.Command = "memory status"
	return outcome{event: ev}
}
