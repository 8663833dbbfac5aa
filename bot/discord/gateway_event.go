package discord

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"threadkeeper/bot/platform"
)

// take acts on one event of the gateway. It may be called again after an error.
func (in *inlet) take(ctx context.Context, p packet) error {
	places := in.a.places
	switch p.Type {
	case "READY":
		return on(in, p, func(r struct {
			User        struct{ ID string } `json:"user"`
			Application struct{ ID string } `json:"application"`
			Guilds      []wireGuild         `json:"guilds"`
		}) error {
			in.a.introduced(identity{User: r.User.ID, Application: r.Application.ID})
			return in.ready(ctx, r.Guilds)
		})
	case "GUILD_CREATE":
		return on(in, p, func(g wireGuild) error { return in.guild(ctx, g) })
	case "GUILD_UPDATE":
		return on(in, p, func(g wireGuild) error { places.putGuild(g); return nil })
	case "GUILD_DELETE":
		return on(in, p, func(g wireGuild) error {
			if !g.Unavailable {
				in.missed.leave(g.ID)
			}
			return nil
		})
	case "GUILD_ROLE_CREATE", "GUILD_ROLE_UPDATE", "GUILD_ROLE_DELETE":
		return on(in, p, func(r struct {
			Guild string   `json:"guild_id"`
			ID    string   `json:"role_id"`
			Role  wireRole `json:"role"`
		}) error {
			places.putRole(r.Guild, or(r.ID, r.Role.ID), r.Role)
			return nil
		})
	case "GUILD_MEMBER_UPDATE": // without the intent for members we are told of ourselves
		return on(in, p, func(m struct {
			Guild string `json:"guild_id"`
			wireMember
		}) error {
			in.a.people.seen(m.Guild, m.wireMember)
			return nil
		})
	case "CHANNEL_CREATE", "CHANNEL_UPDATE", "THREAD_UPDATE":
		return on(in, p, func(c wireChannel) error { places.putChannel(c); return nil })
	case "THREAD_CREATE":
		return on(in, p, func(c wireChannel) error { in.entered(ctx, c); return nil })
	case "THREAD_LIST_SYNC":
		return on(in, p, func(l struct {
			Guild   string `json:"guild_id"`
			Threads []wireChannel
		}) error {
			for _, c := range l.Threads {
				c.GuildID = l.Guild
				places.putChannel(c)
			}
			return nil
		})
	case "CHANNEL_DELETE", "THREAD_DELETE":
		return on(in, p, func(c wireChannel) error { return in.closed(ctx, c) })
	case "MESSAGE_CREATE":
		return on(in, p, func(m wireMessage) error {
			if m.GuildID == "" && m.Flags&flagEphemeral == 0 { // the gateway names the guild of all others
				places.putDirect(m.ChannelID)
			}
			return in.said(ctx, m)
		})
	case "MESSAGE_UPDATE":
		return on(in, p, func(m wireMessage) error { return in.changed(ctx, m) })
	case "MESSAGE_DELETE":
		return on(in, p, func(m wireMessage) error { return in.gone(ctx, m.ChannelID, m.ID) })
	case "MESSAGE_DELETE_BULK":
		return on(in, p, func(m struct {
			Channel string   `json:"channel_id"`
			IDs     []string `json:"ids"`
		}) error {
			return in.gone(ctx, m.Channel, m.IDs...)
		})
	}
	return nil
}

// on decodes an event's data. What cannot be decoded is dropped: it would not
// be better the next time.
func on[T any](in *inlet, p packet, act func(T) error) error {
	var data T
	if err := decode(p.Data, &data); err != nil {
		in.a.Log.Warn("event not understood", "type", p.Type, "error", err)
		return nil
	}
	return act(data)
}

// said hands on what somebody said.
func (in *inlet) said(ctx context.Context, m wireMessage) error {
	if !isID(m.ID) || m.Author == nil {
		return nil
	}
	if m.Flags&flagEphemeral != 0 { // ours: nobody tells of others'
		in.a.whispers.hear(m)
		return nil
	}
	if why := m.noise(); why != "" { // no place need be looked up for it
		in.a.Log.Debug("message ignored", "reason", why)
		in.a.seen.note(m)
		return nil
	}
	s, err := in.a.sceneOf(ctx, m.ChannelID)
	if err != nil {
		return err
	}
	in.a.recall(s.at.GuildID, &m)
	s.last = in.a.seen.after(m.ChannelID)
	if m.Referenced != nil {
		in.a.recall(s.at.GuildID, m.Referenced)
	}
	ev, why := readMessage(m, s)
	if in.a.mentionsOnly.Load() && !s.at.direct() && !ev.Mention && ev.Text == "" && len(ev.Files) == 0 {
		ev.Hidden, ev.ToOther = true, ev.ToOther || len(m.Mentions) > 0
	}
	if ev.Mention && ev.Opens != "" {
		in.a.titles.set(m.ID, s.title(m))
	}
	if why != "" {
		in.a.Log.Debug("message ignored", "reason", why)
	} else if err := in.receive(ctx, ev); err != nil {
		return err
	}
	in.a.seen.note(m)
	return nil
}

// changed hands on an edit, and the files that it took out of the message. A
// partial update is completed first.
func (in *inlet) changed(ctx context.Context, m wireMessage) error {
	if !isID(m.ID) || !isID(m.ChannelID) || m.Author != nil && m.EditedTimestamp.IsZero() || m.Flags&flagEphemeral != 0 {
		return nil
	}
	if m.Author == nil && m.Content == nil && m.Attachments == nil && m.EditedTimestamp.IsZero() {
		return nil // Discord resolved a link
	}
	if m.Author == nil || m.Content == nil || m.Attachments == nil {
		var whole wireMessage
		err := in.a.call(ctx, "GET", "/channels/"+m.ChannelID+"/messages/"+m.ID, nil, &whole)
		if errors.Is(err, platform.ErrUndeliverable) {
			return nil
		}
		if err != nil {
			return err
		}
		whole.ChannelID = m.ChannelID
		m = whole
	}
	if m.noise() != "" {
		return nil
	}
	s, err := in.a.sceneOf(ctx, m.ChannelID)
	if err != nil {
		return err
	}
	in.a.recall(s.at.GuildID, &m)
	ev, why := readEdit(m, s)
	if why != "" {
		return nil
	}
	if err := in.receive(ctx, ev); err != nil {
		return err
	}
	for _, file := range in.a.seen.withdrawn(m) {
		if err := in.receive(ctx, withdrawn(file, m, s)); err != nil {
			return err
		}
	}
	in.a.seen.note(m)
	return nil
}

// gone hands on that messages were deleted, and their files: a question about a message
// brings its files along.
func (in *inlet) gone(ctx context.Context, channel string, ids ...string) error {
	s, err := in.a.sceneOf(ctx, channel)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if !isID(id) {
			continue
		}
		if err := in.receive(ctx, deleted(id, s)); err != nil {
			return err
		}
		for _, file := range in.a.seen.withdrawn(wireMessage{ID: id}) {
			if err := in.receive(ctx, withdrawn(file, wireMessage{ID: id}, s)); err != nil {
				return err
			}
		}
	}
	return nil
}

// joinedLately is how long ago we were added to a guild that is new to us; an
// older one is told of because it was not available before.
const joinedLately = 10 * time.Minute

// guild takes a guild with its channels. One we were just added to is welcomed
// in the channel Discord uses for such notices; a guild without one is not.
func (in *inlet) guild(ctx context.Context, g wireGuild) error {
	if !isID(g.ID) || g.Unavailable {
		return nil
	}
	fresh := in.missed.fresh(g.ID) && time.Since(g.JoinedAt.Time) < joinedLately
	in.a.places.putGuild(g)
	for _, m := range g.Members {
		in.a.people.seen(g.ID, m)
	}
	if fresh && g.SystemChannel != "" {
		s, err := in.a.sceneOf(ctx, g.SystemChannel)
		if err != nil && !errors.Is(err, platform.ErrUndeliverable) {
			return err
		}
		if err == nil {
			ev := platform.Event{ID: fmt.Sprintf("join:%s:%d", g.ID, g.JoinedAt.UnixMilli()), Kind: platform.EventJoin,
				Key: s.key(), Channel: s.channel(), At: g.JoinedAt.UnixMilli()}
			if err := in.receive(ctx, ev); err != nil {
				return err
			}
		}
	}
	in.catchUp(ctx, g.ID, slices.Concat(g.Channels, g.Threads))
	return nil
}

// inviteTime is how long before we came into a private thread we may have been mentioned.
const inviteTime = time.Minute

// entered takes a thread. Into a private one we come by being mentioned, and nothing
// promises that we are told of the message that does so: it is looked for.
func (in *inlet) entered(ctx context.Context, c wireChannel) {
	in.a.places.putChannel(c)
	if c.Type != threadPrivate || c.Member == nil || c.NewlyCreated || !isID(c.ID) {
		return
	}
	in.lanes.put(c.GuildID, c.ID, in.a.places.home(c.ID), func() {
		in.insist(ctx, "an invitation", func() error { return in.invited(ctx, c.ID, snowflake(c.Member.Joined.Add(-inviteTime))) })
	})
}

// invited hands on what mentions us in a private thread after a message.
func (in *inlet) invited(ctx context.Context, thread, after string) error {
	s, err := in.a.sceneOf(ctx, thread)
	if err != nil {
		return err
	}
	said, _, err := in.a.readBack(ctx, thread, after, pageSize)
	if err != nil {
		return err
	}
	for _, m := range said {
		if newer(m.ID, after) && newer(m.ID, in.a.seen.after(thread)) && s.meant(m) {
			if err := in.said(ctx, m); err != nil {
				return err
			}
		}
	}
	return nil
}

// closed hands on that a channel or thread was deleted, with all that was said in
// it, and in its private threads, which are channels of their own.
func (in *inlet) closed(ctx context.Context, c wireChannel) error {
	if !isID(c.ID) {
		return nil
	}
	for _, c := range append(in.a.places.dropChannel(c.ID), c) {
		ev := platform.Event{ID: "delete:channel:" + c.ID, Kind: platform.EventDelete, Key: scene{at: c}.key()}
		if err := in.receive(ctx, ev); err != nil {
			return err
		}
	}
	return nil
}
