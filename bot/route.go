package bot

import (
	"context"
	"fmt"
	"strings"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// Reply is where a message at the top of a channel is answered.
type Reply string

const (
	ReplyThread  Reply = "thread"  // in a thread on it, which is the session; the default
	ReplyChannel Reply = "channel" // beside it: the channel is the session
)

// Names of the settings that hold a channel's Follow and Reply, in the scope
// ChannelScope; scope "" holds the default of all channels.
const (
	FollowSetting = "follow"
	ReplySetting  = "reply"
)

// ChannelScope is the scope of a channel's settings.
func ChannelScope(k memory.Key) string {
	return "channel:" + strings.Join([]string{k.Platform, k.Workspace, k.Channel}, "/")
}

// setting is a channel's setting, that of all channels, or otherwise.
func (b *Bot) setting(ctx context.Context, key memory.Key, name, otherwise string) (string, error) {
	for _, scope := range []string{ChannelScope(key), ""} {
		value, err := b.Store.Setting(ctx, scope, name)
		if err != nil {
			return "", fmt.Errorf("bot: read setting: %w", err)
		}
		if value != "" {
			return value, nil
		}
	}
	return otherwise, nil
}

// route puts a message at the top of a channel into the thread that an answer to
// it opens, unless the channel itself is the session.
func (b *Bot) route(ctx context.Context, ev *platform.Event) error {
	if ev.Opens == "" || ev.Key.Thread != "" || ev.Channel.Kind == memory.DM {
		return nil
	}
	reply, err := b.setting(ctx, ev.Key, ReplySetting, string(b.Reply))
	if err != nil || Reply(reply) == ReplyChannel {
		return err
	}
	ev.Key.Thread = ev.Opens
	address(ev)
	return nil
}

// audience is that of a session with person asking, under the program's policy
// for documents.
func (b *Bot) audience(ctx context.Context, session, person int64) (memory.Audience, error) {
	a, err := b.Store.Audience(ctx, session, person)
	if err != nil {
		return a, fmt.Errorf("bot: load audience: %w", err)
	}
	a.NoDocuments = a.NoDocuments && !b.ExternalDocuments
	return a, nil
}
