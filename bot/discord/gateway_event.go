package discord

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/bwmarrin/discordgo"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/memory"
)

// handleEvent handles one event of the gateway. It may be called again after an error.
func (in *intake) handleEvent(ctx context.Context, p packet) error {
	places := in.a.places
	switch p.Type {
	case "READY":
		return onData(in, p, func(r struct {
			User        wireUser            `json:"user"`
			Application struct{ ID string } `json:"application"`
			Guilds      []wireGuild         `json:"guilds"`
		}) error {
			in.a.setIdentity(identity{User: r.User.ID, Application: r.Application.ID, Name: called(r.User, nil)})
			return in.handleReady(ctx, r.Guilds)
		})
	case "GUILD_CREATE":
		return onData(in, p, func(g wireGuild) error { return in.handleGuild(ctx, g) })
	case "GUILD_UPDATE":
		return onData(in, p, func(g wireGuild) error {
			return in.change(ctx, g.ID, "", func() { places.putGuild(g) })
		})
	case "GUILD_DELETE":
		return onData(in, p, func(g wireGuild) error {
			if g.Unavailable || !isID(g.ID) { // an outage of Discord's
				return nil
			}
			delete(in.missed.guilds, g.ID)
			return in.missed.driver.Absent(ctx, platform.Absence{Key: memory.Key{Workspace: g.ID}, Told: true})
		})
	case "GUILD_ROLE_CREATE", "GUILD_ROLE_UPDATE", "GUILD_ROLE_DELETE":
		return onData(in, p, func(r struct {
			Guild string   `json:"guild_id"`
			ID    string   `json:"role_id"`
			Role  wireRole `json:"role"`
		}) error {
			return in.change(ctx, r.Guild, "", func() { places.putRole(r.Guild, cmp.Or(r.ID, r.Role.ID), r.Role) })
		})
	case "GUILD_MEMBER_UPDATE": // without the intent for members, this is about us only
		return onData(in, p, func(m struct {
			Guild string `json:"guild_id"`
			wireMember
		}) error {
			in.a.people.learn(m.Guild, m.wireMember)
			return nil
		})
	case "CHANNEL_CREATE", "CHANNEL_UPDATE", "THREAD_UPDATE":
		return onData(in, p, func(c wireChannel) error {
			return in.change(ctx, c.GuildID, c.ID, func() { places.putChannel(c) })
		})
	case "THREAD_CREATE":
		return onData(in, p, func(c wireChannel) error { in.handleThread(ctx, c); return nil })
	case "THREAD_LIST_SYNC":
		return onData(in, p, func(l struct {
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
		return onData(in, p, func(c wireChannel) error { return in.handleChannelDeleted(ctx, c) })
	case "MESSAGE_CREATE":
		return onData(in, p, func(m wireMessage) error {
			if m.GuildID == "" && m.Flags&flagEphemeral == 0 { // the gateway names the guild of all others
				places.addChannel(wireChannel{ID: m.ChannelID, Type: channelDM})
			}
			return in.handleMessage(ctx, m)
		})
	case "MESSAGE_UPDATE":
		return onData(in, p, func(m wireMessage) error { return in.handleEdit(ctx, m, false) })
	case "MESSAGE_DELETE":
		return onData(in, p, func(m wireMessage) error { return in.handleDeletions(ctx, m.ChannelID, m.ID) })
	case "MESSAGE_DELETE_BULK":
		return onData(in, p, func(m struct {
			Channel string   `json:"channel_id"`
			IDs     []string `json:"ids"`
		}) error {
			return in.handleDeletions(ctx, m.Channel, m.IDs...)
		})
	}
	return nil
}

// onData decodes an event's data. What cannot be decoded is dropped: it would not
// be better the next time.
func onData[T any](in *intake, p packet, act func(T) error) error {
	var data T
	if err := kit.Decode(p.Data, &data); err != nil {
		in.a.Log.Warn("could not decode an event", "type", p.Type, "error", err)
		return nil
	}
	return act(data)
}

// change changes what is known of a guild, or of one of its channels, and delivers whose
// audience is another after it. It is delivered at once, and not in the lanes of the
// channels: what those deliver widens nothing.
func (in *intake) change(ctx context.Context, guildID, channel string, apply func()) error {
	before := in.a.places.kinds(guildID, channel)
	apply()
	for id, kind := range in.a.places.kinds(guildID, channel) {
		if kind == before[id] {
			continue
		}
		ev := audienceOf(guildID, id, kind)
		ev.Channel.Unheard = kind == memory.Public // we may not have seen it before
		if err := in.receive(ctx, ev); err != nil {
			return err
		}
	}
	return nil
}

// audienceOf is that the audience of a channel is another, or with "" that of any channel of
// a guild may be.
func audienceOf(guildID, channel string, kind memory.ChannelKind) platform.Event {
	return platform.Event{ID: "audience:" + guildID + ":" + channel, Kind: platform.EventAudience,
		Key: memory.Key{Platform: platformName, Workspace: guildID, Channel: channel}, Channel: memory.Channel{Kind: kind}}
}

func (in *intake) handleMessage(ctx context.Context, m wireMessage) error {
	if !isID(m.ID) || m.Author == nil {
		return nil
	}
	if m.Flags&flagEphemeral != 0 { // ours: those of others are not delivered
		in.a.ephemerals.add(m)
		return nil
	}
	if m.Flags&flagLoading != 0 { // what it will say comes as an update that need not be an edit
		in.a.thinking.Set(m.ID, true)
		return nil
	}
	if m.Type == typeRenamed && m.Author.ID != in.a.us() {
		return in.handleRenamed(ctx, m)
	}
	why := m.noise()
	if m.Author.ID == in.a.us() && why == "" {
		why = byUs
	}
	if why != "" { // no place need be looked up for it
		in.a.Log.Debug("message ignored", "reason", why)
		in.a.received.add(m)
		return nil
	}
	s, err := in.a.sceneOf(ctx, m.ChannelID)
	if err != nil {
		return err
	}
	in.a.recall(s.at.GuildID, &m)
	s.last = in.a.received.lastIn(m.ChannelID)
	if m.Referenced != nil {
		in.a.recall(s.at.GuildID, m.Referenced)
	}
	ev, why := readMessage(m, s)
	if ev.Author.Kind != memory.Bot && in.a.mentionsOnly.Load() && !s.at.direct() && !ev.Mention && ev.Text == "" && len(ev.Files) == 0 {
		ev.Hidden, ev.ToOther = true, ev.ToOther || len(m.Mentions) > 0
	}
	if ev.Mention && ev.Opens != "" {
		in.a.titles.Set(m.ID, s.title(m))
	}
	if why != "" {
		in.a.Log.Debug("message ignored", "reason", why)
	} else if err := in.receive(ctx, ev); err != nil {
		return err
	}
	in.a.received.add(m)
	return nil
}

// handleRenamed delivers that somebody gave a thread a name.
func (in *intake) handleRenamed(ctx context.Context, m wireMessage) error {
	s, err := in.a.sceneOf(ctx, m.ChannelID)
	if err != nil {
		return err
	}
	ev := platform.Event{ID: "title:" + m.ID, Kind: platform.EventTitle, Key: s.key(), Channel: s.channel(), At: createdAt(m.ID).UnixMilli()}
	if err := in.receive(ctx, ev); err != nil {
		return err
	}
	in.a.received.add(m)
	return nil
}

// handleEdit delivers an edit, which the wire delivered or a comparison found, and the files that it removed from the message.
func (in *intake) handleEdit(ctx context.Context, m wireMessage, found bool) error {
	if m.Flags&flagUnsaid != 0 {
		return in.handleDeletions(ctx, m.ChannelID, m.ID)
	}
	if thinks, _ := in.a.thinking.Get(m.ID); thinks && m.Flags&flagLoading == 0 {
		err := in.handleMessage(ctx, m)
		in.a.thinking.Set(m.ID, err != nil)
		return err
	}
	if m.EditedTimestamp.IsZero() || m.Flags&flagEphemeral != 0 || m.noise() != "" || m.Author.ID == in.a.us() {
		return nil
	}
	s, err := in.a.sceneOf(ctx, m.ChannelID)
	if err != nil {
		return err
	}
	in.a.recall(s.at.GuildID, &m)
	if _, asked := in.a.titles.Get(m.ID); asked { // its thread may not be open yet
		in.a.titles.Set(m.ID, s.title(m))
	}
	ev, why := readEdit(m, s)
	if why != "" {
		return nil
	}
	if found {
		ev.Edited = ev.At
	}
	if err := in.receive(ctx, ev); err != nil {
		return err
	}
	return in.handleRemovedFiles(ctx, m, s)
}

// handleRemovedFiles delivers which files a message no longer has, or the one that it answers.
func (in *intake) handleRemovedFiles(ctx context.Context, m wireMessage, s scene) error {
	gone := in.a.received.removedFiles(m)
	if s.at.direct() || !in.a.mentionsOnly.Load() { // else Discord may withhold what is there
		stored, err := in.handler.Files(ctx, s.key(), m.ID)
		if err != nil {
			return err
		}
		lost := without(stored, m)
		if len(lost) > 0 && m.Type == typeReply && m.Referenced == nil { // Discord need not have looked for it
			m.Referenced = new(wireMessage)
			err := in.a.call(ctx, "GET", "/channels/"+m.Reference.ChannelID+"/messages/"+m.Reference.MessageID, nil, m.Referenced)
			if err != nil && !hasCode(err, discordgo.ErrCodeUnknownMessage) {
				return err
			}
		}
		if m.Referenced != nil {
			lost = without(lost, *m.Referenced)
		}
		gone = append(gone, lost...)
		slices.Sort(gone)
	}
	for _, file := range slices.Compact(gone) {
		if err := in.receive(ctx, fileRemoved(file, m, s)); err != nil {
			return err
		}
	}
	in.a.received.add(m)
	return nil
}

// handleDeletions delivers that messages were deleted, with their files: a question about a
// message brings its files along.
func (in *intake) handleDeletions(ctx context.Context, channel string, ids ...string) error {
	s, err := in.a.sceneOf(ctx, channel)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if !isID(id) {
			continue
		}
		if _, held := in.a.askedAbout.Get(id); held {
			in.a.askedAbout.Set(id, "")
		}
		if err := in.receive(ctx, deleted(id, s)); err != nil {
			return err
		}
		for _, file := range in.a.received.removedFiles(wireMessage{ID: id}) {
			if err := in.receive(ctx, fileRemoved(file, wireMessage{ID: id}, s)); err != nil {
				return err
			}
		}
	}
	return nil
}

// joinedLately is how long ago we were added to a guild that is new to us; an
// older one is announced because it was not available before.
const joinedLately = 10 * time.Minute

// handleGuild takes a guild with its channels. One we were just added to is welcomed
// in the channel Discord uses for such notices; a guild without one is not.
func (in *intake) handleGuild(ctx context.Context, g wireGuild) error {
	if !isID(g.ID) || g.Unavailable {
		return nil
	}
	back := in.missed.guilds != nil && !in.missed.guilds[g.ID] // we were not in it before
	fresh := back && time.Since(g.JoinedAt.Time) < joinedLately
	in.a.places.putGuild(g)
	ev := audienceOf(g.ID, "", "")
	ev.Channel.Unheard = back
	if err := in.receive(ctx, ev); err != nil {
		return err
	}
	me, err := in.a.identify(ctx)
	if err == nil {
		err = in.handler.In(ctx, g.ID, me.Application)
	}
	if err != nil {
		return err
	}
	for _, m := range g.Members {
		in.a.people.learn(g.ID, m)
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

// handleThread takes a thread. A mention brings us into a private one, and the gateway may
// not deliver the message with that mention: it is looked for.
func (in *intake) handleThread(ctx context.Context, c wireChannel) {
	in.a.places.putChannel(c)
	if c.Type != threadPrivate || c.Member == nil || c.NewlyCreated || !isID(c.ID) {
		return
	}
	in.lanes.Put(c.GuildID, c.ID, in.a.places.home(c.ID), func() {
		in.retryUntilDone(ctx, "an invitation", func() error { return in.readInvitation(ctx, c.ID, snowflake(c.Member.Joined.Add(-inviteTime))) })
	})
}

// readInvitation delivers what mentions us in a private thread after a message.
func (in *intake) readInvitation(ctx context.Context, thread, after string) error {
	s, err := in.a.sceneOf(ctx, thread)
	if err != nil {
		return err
	}
	said, _, err := in.a.readBack(ctx, thread, after, pageSize)
	if err != nil {
		return err
	}
	for _, m := range said {
		if newer(m.ID, after) && newer(m.ID, in.a.received.lastIn(thread)) && s.meant(m) {
			if err := in.handleMessage(ctx, m); err != nil {
				return err
			}
		}
	}
	return nil
}

// handleChannelDeleted delivers that a channel or thread was deleted, with its private
// threads, which are channels of their own.
func (in *intake) handleChannelDeleted(ctx context.Context, c wireChannel) error {
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
