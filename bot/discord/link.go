package discord

import (
	"cmp"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// Link returns the link to the first message of a post. A post for one person only has none.
func (a *Adapter) Link(s platform.Ref) string {
	r, err := parseRef(s)
	if err != nil || r.Interaction != "" || r.Workspace != "@me" && !isID(r.Workspace) {
		return ""
	}
	return jump(r.Workspace, r.Channel, r.Messages[0])
}

// Permalink returns the link to the message with an id.
func (a *Adapter) Permalink(key memory.Key, message string) string {
	if !isID(message) || key.Workspace != directly && !isID(key.Workspace) {
		return ""
	}
	return jump(key.Workspace, cmp.Or(key.Thread, key.Channel), message)
}

func jump(workspace, channel, id string) string {
	return "https://discord.com/channels/" + workspace + "/" + channel + "/" + id
}
