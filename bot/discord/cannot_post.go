package discord

import (
	"github.com/bwmarrin/discordgo"

	"threadkeeper/bot/platform"
)

var noPermission = []int{discordgo.ErrCodeMissingPermissions, discordgo.ErrCodeMissingAccess}

// cannotPost is the error of a post that Discord lets us write neither in a thread nor in the channel.
func (a *Adapter) cannotPost(to platform.Address, err error) error {
	m := &platform.CannotPostError{Err: err}
	if to.Key.Workspace == directly {
		return m
	}
	in := to.Key.Channel
	if c, _ := a.places.channel(in); to.Key.Thread != "" && (to.Key.Thread != to.ReplyTo || c.posts()) {
		in = to.Key.Thread
	}
	m.Asked = jump(to.Key.Workspace, in, to.ReplyTo)
	a.Log.Warn("no permission to post in this channel", "channel", a.places.name(to.Key.Channel))
	return m
}
