package discord

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/bwmarrin/discordgo"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// Gone asks about a single thing. Discord distinguishes deleted things ("Unknown …") from those we may not see
// ("Missing Access").
func (a *Adapter) Gone(ctx context.Context, l platform.Look) (bool, error) {
	switch {
	case l.Key.Channel == "":
		return a.guildGone(ctx, l)
	case l.Message != "":
		return a.messageGone(ctx, l.Key, l.Message)
	}
	return a.conversationGone(ctx, l)
}

// guildGone looks at our membership. A guild we are not in is unknown; it was one we may not see
// (https://github.com/discord/discord-api-docs/issues/5840). To another application it is unknown too, whose token proves
// nothing.
func (a *Adapter) guildGone(ctx context.Context, l platform.Look) (bool, error) {
	if l.Key.Workspace == directly {
		return false, nil
	}
	err := a.call(ctx, "GET", "/guilds/"+l.Key.Workspace, nil, nil)
	if !hasCode(err, discordgo.ErrCodeUnknownGuild, discordgo.ErrCodeMissingAccess) {
		return false, err
	}
	me, err := a.identify(ctx)
	if err == nil && !l.Told && l.As != me.Application {
		err = errors.New("discord: the token is for another application than the one that was in the server")
	}
	return err == nil, err
}

// messageGone looks for a message in its thread, and in the channel: there stands what a thread began on, and a
// conversation whose thread could not be opened.
func (a *Adapter) messageGone(ctx context.Context, key memory.Key, id string) (bool, error) {
	for _, channel := range slices.Compact([]string{key.Thread, key.Channel}) { // a private thread is both
		if channel == "" {
			continue
		}
		if gone, err := a.notIn(ctx, channel, id); !gone || err != nil {
			return false, err
		}
	}
	return true, nil
}

// notIn reports whether a message is not in a channel, or the channel does not exist or has no messages.
func (a *Adapter) notIn(ctx context.Context, channel, id string) (bool, error) {
	err := a.call(ctx, "GET", "/channels/"+channel+"/messages/"+id, nil, nil)
	if hasCode(err, discordgo.ErrCodeUnknownMessage, discordgo.ErrCodeUnknownChannel, discordgo.ErrCodeCannotExecuteActionOnThisChannelType) {
		return true, nil
	}
	return false, err
}

// conversationGone looks at a thread or channel. A thread that is unknown may never have been opened: the conversation
// stands in its channel then.
func (a *Adapter) conversationGone(ctx context.Context, l platform.Look) (bool, error) {
	at := cmp.Or(l.Key.Thread, l.Key.Channel)
	err := a.call(ctx, "GET", "/channels/"+at, nil, nil)
	if !hasCode(err, discordgo.ErrCodeUnknownChannel) {
		return false, err
	}
	if at == l.Key.Channel {
		return true, nil
	}
	held := slices.DeleteFunc(slices.Clone(l.Held), func(id string) bool { return !isID(id) }) // what came by a click has no message
	if len(held) == 0 {
		held = []string{l.Key.Thread} // the message it began on
	}
	for _, id := range held {
		if gone, err := a.notIn(ctx, l.Key.Channel, id); !gone || err != nil {
			return false, err
		}
	}
	return true, nil
}
