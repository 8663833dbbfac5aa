package slack

import (
	"context"
	"fmt"
	"net/url"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// place is what Slack says of a channel. Of one that we are not in Slack does not tell us
// when it changes: foreign.
type place struct {
	kind     memory.ChannelKind
	external bool
	foreign  bool
	name     string
}

var errNotIn = fmt.Errorf("slack: we are not in the channel: %w", platform.ErrUndeliverable)

// Channel returns the name and the audience of a channel that we are in.
func (a *Adapter) Channel(ctx context.Context, key memory.Key) (memory.Channel, error) {
	p, err := a.places.get(ctx, key.Channel, true)
	if err != nil {
		return memory.Channel{}, err
	}
	if p.foreign {
		return memory.Channel{}, errNotIn
	}
	return p.channel(), nil
}

// Channels returns the channels that we are in, except direct messages
// (https://docs.slack.dev/reference/methods/users.conversations).
func (a *Adapter) Channels(ctx context.Context, _ string) ([]memory.Channel, error) {
	var all []memory.Channel
	err := readList(ctx, a, "users.conversations", "channels", url.Values{"types": {"public_channel,private_channel,mpim"}}, func(page []conversation) bool {
		for _, v := range page {
			c := v.place().channel()
			c.Channel = v.ID
			all = append(all, c)
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

func (p place) channel() memory.Channel {
	return memory.Channel{Kind: p.kind, External: p.external, Unchecked: p.foreign, Name: p.name}
}

// completeChannel completes what the wire said of a channel. Where Slack's answer is
// another, or does not come, less counts, and it is not certain.
func (a *Adapter) completeChannel(ctx context.Context, id string, wire memory.Channel, urgent bool) memory.Channel {
	if wire.Kind == memory.DM {
		return wire
	}
	p, err := a.places.get(ctx, id, urgent)
	if err != nil {
		wire.Unchecked = true
		return wire
	}
	c := p.channel()
	c.External = c.External || wire.External
	if wire.Kind != "" && wire.Kind != c.Kind {
		a.places.drop(id)
		c.Kind, c.Unchecked = memory.Private, true
	}
	return c
}

func (a *Adapter) channelName(ctx context.Context, id string) string {
	p, err := a.places.get(ctx, id, false)
	if err != nil || p.kind != memory.Public {
		return "" // the name of a private channel is not for everybody
	}
	return p.name
}

func (a *Adapter) fetchPlace(ctx context.Context, id string) (place, error) {
	var answer struct {
		Channel conversation `json:"channel"`
	}
	if err := a.read(ctx, "conversations.info", url.Values{"channel": {id}}, &answer); err != nil {
		return place{}, err
	}
	return answer.Channel.place(), nil
}

type conversation struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	IsChannel bool   `json:"is_channel"`
	IsGroup   bool   `json:"is_group"`
	IsIM      bool   `json:"is_im"`
	IsMpIM    bool   `json:"is_mpim"`
	IsPrivate bool   `json:"is_private"`
	IsMember  bool   `json:"is_member"`
	ExtShared bool   `json:"is_ext_shared"`
	OrgShared bool   `json:"is_org_shared"` // with other workspaces of an organisation (Enterprise Grid), whose people are not ours
	Pending   bool   `json:"is_pending_ext_shared"`
}

func (c conversation) place() place {
	p := place{kind: memory.Private, external: c.ExtShared || c.OrgShared || c.Pending, name: plainName(c.Name)}
	switch {
	case c.IsIM:
		p.kind, p.name = memory.DM, ""
	case c.IsMpIM, c.IsPrivate, c.IsGroup:
	case c.IsChannel:
		p.kind, p.foreign = memory.Public, !c.IsMember
	}
	return p
}
