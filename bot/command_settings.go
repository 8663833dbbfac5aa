package bot

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"threadkeeper/memory"
)

var (
	follows = []string{string(FollowThread), string(FollowMention), string(FollowAlways)}
	replies = []string{string(ReplyThread), string(ReplyChannel)}
)

func settingsShow(ctx context.Context, c *Call) (Outgoing, error) {
	w := words(c.language())
	if c.Audience.Channel.Kind == memory.DM {
		return said(w.noSettings)
	}
	follow, err := c.Bot.setting(ctx, c.Session.Key, FollowSetting, string(c.Bot.Follow))
	if err != nil {
		return Outgoing{}, err
	}
	reply, err := c.Bot.setting(ctx, c.Session.Key, ReplySetting, string(c.Bot.Reply))
	if err != nil {
		return Outgoing{}, err
	}
	return said(fmt.Sprintf("- follow: `%s` – %s\n- reply: `%s` – %s", follow, w.policy(Follow(follow)), reply, w.place(Reply(reply))))
}

func settingsFollow(ctx context.Context, c *Call) (Outgoing, error) {
	return c.set(ctx, FollowSetting, follows)
}

func settingsReply(ctx context.Context, c *Call) (Outgoing, error) {
	return c.set(ctx, ReplySetting, replies)
}

// set changes a setting of the channel the command was given in.
func (c *Call) set(ctx context.Context, name string, values []string) (Outgoing, error) {
	w := words(c.language())
	value := strings.ToLower(strings.TrimSpace(c.Args[0]))
	switch {
	case c.Audience.Channel.Kind == memory.DM:
		return said(w.noSettings)
	case c.Person == nil || !c.Person.Admin:
		return said(w.adminsOnly)
	case !slices.Contains(values, value):
		return said(fmt.Sprintf(w.oneOf, "`"+strings.Join(values, "`, `")+"`"))
	}
	if err := c.Bot.Store.Set(ctx, ChannelScope(c.Session.Key), name, value); err != nil {
		return Outgoing{}, wrap("store setting", err)
	}
	return settingsShow(ctx, c)
}

// policy says what a policy means.
func (w *wording) policy(f Follow) string {
	switch f {
	case FollowMention:
		return w.followMention
	case FollowAlways:
		return w.followAlways
	}
	return w.followThread
}

// place says where a message is answered.
func (w *wording) place(r Reply) string {
	if r == ReplyChannel {
		return w.replyChannel
	}
	return w.replyThread
}
