package slack

import (
	"context"
	"net/url"

	"threadkeeper/memory"
)

// place is what Slack says of a channel.
type place struct {
	kind     memory.ChannelKind
	external bool
	name     string
}

// Channel is who can read a channel, and its name.
func (a *Adapter) Channel(ctx context.Context, key memory.Key) (memory.Channel, error) {
	p, err := a.places.get(ctx, key.Channel, true)
	if err != nil {
		return memory.Channel{}, err
	}
	return p.channel(), nil
}

func (p place) channel() memory.Channel {
	return memory.Channel{Kind: p.kind, External: p.external, Name: p.name}
}

// completeChannel completes what the wire said of a channel, which is newer than what we remember.
// Without an answer of Slack it stays as the wire said, or is private.
func (a *Adapter) completeChannel(ctx context.Context, id string, wire memory.Channel, urgent bool) memory.Channel {
	if wire.Kind == memory.DM {
		return wire
	}
	p, err := a.places.get(ctx, id, urgent)
	if err == nil {
		c := p.channel()
		c.External = c.External || wire.External
		if wire.Kind != "" && wire.Kind != c.Kind {
			a.places.forget(id)
			c.Kind = wire.Kind
		}
		return c
	}
	if wire.Kind == "" {
		wire.Kind = memory.Private
	}
	return wire
}

// channelName is a channel's name if it is known, or can be had.
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

// conversation is a channel as conversations.info describes it.
type conversation struct {
	Name      string `json:"name"`
	IsChannel bool   `json:"is_channel"`
	IsGroup   bool   `json:"is_group"`
	IsIM      bool   `json:"is_im"`
	IsMpIM    bool   `json:"is_mpim"`
	IsPrivate bool   `json:"is_private"`
	ExtShared bool   `json:"is_ext_shared"`
	Pending   bool   `json:"is_pending_ext_shared"`
}

func (c conversation) place() place {
	p := place{kind: memory.Private, external: c.ExtShared || c.Pending, name: plainName(c.Name)}
	switch {
	case c.IsIM:
		p.kind, p.name = memory.DM, ""
	case c.IsMpIM, c.IsPrivate, c.IsGroup:
	case c.IsChannel:
		p.kind = memory.Public
	}
	return p
}
