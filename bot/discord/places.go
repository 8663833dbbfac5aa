package discord

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// maxPlaces bounds how many channels and threads are remembered; of more, any may
// have to be asked for again. Discord allows 500 channels and 1,000 active threads in a guild.
const maxPlaces = 20_000

// places are the channels, threads and guilds the gateway delivered, and those asked for.
type places struct {
	mu       sync.Mutex
	channels map[string]wireChannel
	guilds   map[string]guild
}

type guild struct {
	Owner string
	Roles map[string]wireRole
}

func (p *places) channel(id string) (wireChannel, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c, ok := p.channels[id]
	return c, ok
}

func (p *places) name(id string) string {
	c, _ := p.channel(id)
	return c.Name
}

// home is the channel that a thread is in, as far as it is known, and otherwise the
// channel itself.
func (p *places) home(id string) string {
	if c, ok := p.channel(id); ok && c.thread() && isID(c.ParentID) {
		return c.ParentID
	}
	return id
}

func (p *places) guild(id string) (guild, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	g, ok := p.guilds[id]
	return g, ok
}

func (p *places) putChannel(c wireChannel) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.put(c)
}

// put is putChannel with the lock held.
func (p *places) put(c wireChannel) {
	if isID(c.ID) {
		makeRoom(p.channels, c.ID, maxPlaces)
		p.channels[c.ID] = c
	}
}

// addChannel remembers a channel unless the gateway has told of it: what was asked for may be older. It
// returns what is known.
func (p *places) addChannel(c wireChannel) wireChannel {
	p.mu.Lock()
	defer p.mu.Unlock()
	if known, ok := p.channels[c.ID]; ok {
		return known
	}
	p.put(c)
	return c
}

// dropChannel forgets a channel with its threads and returns the private ones.
func (p *places) dropChannel(id string) (private []wireChannel) {
	p.mu.Lock()
	defer p.mu.Unlock()
	maps.DeleteFunc(p.channels, func(_ string, c wireChannel) bool {
		within := c.ParentID == id && c.thread()
		if within && c.Type == threadPrivate {
			private = append(private, c)
		}
		return within || c.ID == id
	})
	return private
}

// putGuild remembers a guild as GUILD_CREATE, GUILD_UPDATE or REST has it; of the
// three only the first has channels.
func (p *places) putGuild(w wireGuild) {
	if !isID(w.ID) {
		return
	}
	g := guild{Owner: w.OwnerID, Roles: make(map[string]wireRole, len(w.Roles))}
	for _, r := range w.Roles {
		g.Roles[r.ID] = r
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	maps.DeleteFunc(p.channels, func(_ string, c wireChannel) bool { // not all threads are told again
		return w.Channels != nil && c.GuildID == w.ID && !c.thread()
	})
	for _, c := range slices.Concat(w.Channels, w.Threads) {
		c.GuildID = w.ID
		p.put(c)
	}
	makeRoom(p.guilds, w.ID, maxPlaces)
	p.guilds[w.ID] = g
}

// putRole remembers a role, or forgets it when it has no name.
func (p *places) putRole(guildID, id string, r wireRole) {
	p.mu.Lock()
	defer p.mu.Unlock()
	g, ok := p.guilds[guildID]
	if !ok {
		return
	}
	roles := make(map[string]wireRole, len(g.Roles)+1) // the old one may be in use
	maps.Copy(roles, g.Roles)
	if delete(roles, id); r.Name != "" {
		roles[id] = r
	}
	g.Roles = roles
	p.guilds[guildID] = g
}

// makeRoom drops any entry of a full map that is to take another.
func makeRoom[V any](m map[string]V, id string, limit int) {
	if _, ok := m[id]; ok || len(m) < limit {
		return
	}
	for k := range m {
		delete(m, k)
		return
	}
}

var errNoID = fmt.Errorf("discord: %w: the event names no place", platform.ErrUndeliverable)

func (a *Adapter) channelOf(ctx context.Context, id string) (wireChannel, error) {
	if c, ok := a.places.channel(id); ok {
		return c, nil
	}
	if !isID(id) {
		return wireChannel{}, errNoID
	}
	var c wireChannel
	if err := a.call(ctx, "GET", "/channels/"+id, nil, &c); err != nil {
		return c, fmt.Errorf("discord: look up channel: %w", err)
	}
	c.ID = id
	return a.places.addChannel(c), nil
}

func (a *Adapter) guildOf(ctx context.Context, id string) (guild, error) {
	if g, ok := a.places.guild(id); ok {
		return g, nil
	}
	if !isID(id) {
		return guild{}, errNoID
	}
	var w wireGuild
	if err := a.call(ctx, "GET", "/guilds/"+id, nil, &w); err != nil {
		return guild{}, fmt.Errorf("discord: look up guild: %w", err)
	}
	if g, ok := a.places.guild(id); ok { // the gateway told of it meanwhile
		return g, nil
	}
	w.ID = id
	a.places.putGuild(w)
	g, _ := a.places.guild(id)
	return g, nil
}

// scene is where something happens, and who we are there.
type scene struct {
	me     identity
	at     wireChannel // the channel or thread
	parent wireChannel // of a thread
	guild  guild       // none in a DM
	name   func(channel string) string
	shut   bool   // we may not write there but by answering interactions
	last   string // the last message there before the one that is read, "" if it is not known
}

// sceneOf looks up what the wire left out about a channel.
func (a *Adapter) sceneOf(ctx context.Context, channel string) (scene, error) {
	me, err := a.identify(ctx)
	if err != nil {
		return scene{}, err
	}
	s := scene{me: me, name: a.places.name}
	if s.at, err = a.channelOf(ctx, channel); err != nil || s.at.direct() {
		return s, err
	}
	if s.guild, err = a.guildOf(ctx, s.at.GuildID); err != nil || !s.at.thread() {
		return s, err
	}
	s.parent, err = a.channelOf(ctx, s.at.ParentID)
	return s, err
}

// key names the conversation. A private thread has members of its own, so it is a
// channel of its own.
func (s scene) key() memory.Key {
	k := memory.Key{Platform: platformName, Workspace: s.at.GuildID, Channel: s.at.ID}
	switch {
	case s.at.direct():
		k.Workspace = directly
	case s.at.Type == threadPrivate:
		k.Thread = s.at.ID
	case s.at.thread():
		k.Channel, k.Thread = s.at.ParentID, s.at.ID
	}
	return k
}

// channel says who may read the channel of a conversation, as far as we know now.
func (s scene) channel() memory.Channel {
	c := s.at
	if s.at.thread() && s.at.Type != threadPrivate {
		c = s.parent
	}
	return memory.Channel{Kind: c.kind(s.guild), Unchecked: true, Name: c.Name}
}

// kind is who may read a channel or private thread of a guild. It is public if the role
// everybody has, whose id is the guild's, may read it and what was said there before, no role and nobody is denied to
// (https://discord.com/developers/docs/topics/permissions), and it is not for adults only.
func (c wireChannel) kind(g guild) memory.ChannelKind {
	switch {
	case c.direct():
		return memory.DM
	case c.thread() || c.NSFW:
		return memory.Private
	}
	everybody := number(g.Roles[c.GuildID].Permissions)
	denied, needs := false, c.toRead()|readHistory
	for _, o := range c.Overwrites {
		_, known := g.Roles[o.ID]
		switch {
		case o.ID == c.GuildID:
			everybody = everybody&^number(o.Deny) | number(o.Allow)
		case o.Type != nil && *o.Type == overwriteRole && !known: // of a role that was deleted
		default:
			denied = denied || number(o.Deny)&needs != 0
		}
	}
	if everybody&administrator != 0 || everybody&needs == needs && !denied {
		return memory.Public
	}
	return memory.Private
}

// kinds are those of a guild's channels and private threads that are known, or of one.
func (p *places) kinds(guildID, channel string) map[string]memory.ChannelKind {
	p.mu.Lock()
	defer p.mu.Unlock()
	g, all := p.guilds[guildID], make(map[string]memory.ChannelKind)
	for id, c := range p.channels {
		if c.GuildID == guildID && (channel == "" || id == channel) && (!c.thread() || c.Type == threadPrivate) {
			all[id] = c.kind(g)
		}
	}
	return all
}

// Channel says who may read the channel of a conversation. The gateway delivers every change.
func (a *Adapter) Channel(ctx context.Context, key memory.Key) (memory.Channel, error) {
	s, err := a.sceneOf(ctx, key.Channel)
	if err != nil {
		return memory.Channel{}, err
	}
	c := s.channel()
	c.Unchecked = false
	return c, nil
}

// Channels returns the channels and private threads of a guild that the gateway has delivered.
func (a *Adapter) Channels(_ context.Context, guildID string) ([]memory.Channel, error) {
	if _, ok := a.places.guild(guildID); !ok {
		return nil, errors.New("discord: the gateway has not told of the guild")
	}
	var all []memory.Channel
	for id, kind := range a.places.kinds(guildID, "") {
		all = append(all, memory.Channel{Channel: id, Kind: kind, Name: a.places.name(id)})
	}
	return all, nil
}
