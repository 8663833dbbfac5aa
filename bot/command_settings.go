package bot

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

func settingsShow(ctx context.Context, c *Call) (platform.Outgoing, error) {
	if c.Audience.Channel.Kind == memory.DM {
		return said(c.say.NoSettings)
	}
	follow, err := c.Bot.setting(ctx, c.Session.Key, FollowSetting, string(c.Bot.Follow))
	if err != nil {
		return platform.Outgoing{}, err
	}
	reply, err := c.Bot.setting(ctx, c.Session.Key, ReplySetting, string(c.Bot.Reply))
	if err != nil {
		return platform.Outgoing{}, err
	}
	return said(fmt.Sprintf("- follow: `%s` – %s\n- reply: `%s` – %s", follow, c.say.Policies["follow "+follow], reply, c.say.Policies["reply "+reply]))
}

func settingsFollow(ctx context.Context, c *Call) (platform.Outgoing, error) {
	return c.set(ctx, FollowSetting)
}

func settingsReply(ctx context.Context, c *Call) (platform.Outgoing, error) {
	return c.set(ctx, ReplySetting)
}

// set changes a setting of the channel the command was given in.
func (c *Call) set(ctx context.Context, name string) (platform.Outgoing, error) {
	cmd, _ := registered("settings " + name)
	values := cmd.Options[0].Values
	value := strings.ToLower(strings.TrimSpace(c.Args[0]))
	switch {
	case c.Audience.Channel.Kind == memory.DM:
		return said(c.say.NoSettings)
	case c.Person == nil || !c.Person.Admin:
		return said(c.say.AdminsOnly)
	case !slices.Contains(values, value):
		return said(fmt.Sprintf(c.say.OneOf, "`"+strings.Join(values, "`, `")+"`"))
	}
	if err := c.Bot.Store.SetSetting(ctx, ChannelScope(c.Session.Key), name, value); err != nil {
		return platform.Outgoing{}, wrap("store setting", err)
	}
	return settingsShow(ctx, c)
}
