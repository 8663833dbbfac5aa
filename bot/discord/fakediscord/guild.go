package fakediscord

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// guild is a server of Discord. Its role @everyone has its id.
type guild struct {
	id, name, owner, system string
	roles                   []*Role
	members                 map[string]*Member
	order                   []string // members by age
	joined                  string   // when the bot came
}

// channel is a place for messages, with what only the server knows of it.
type channel struct {
	Channel
	messages []*message // by age, without deleted ones
	joined   map[string]string
	typing   int
}

func (c *channel) thread() bool { return c.ThreadMetadata != nil }

func text(s string) *string { return &s }

// addUser makes a user. The lock is held, or the server not running yet.
func (s *Server) addUser(name string, bot bool) *User {
	u := &User{ID: s.id(), Username: strings.ToLower(strings.ReplaceAll(name, " ", "_")), Discriminator: "0", GlobalName: text(name), Bot: bot}
	if bot {
		u.Username, u.GlobalName = name, nil
	}
	s.users[u.ID] = u
	return u
}

// AddUser makes a person.
func (s *Server) AddUser(name string) User {
	s.mu.Lock()
	defer s.mu.Unlock()
	return *s.addUser(name, false)
}

// AddProgram makes another bot.
func (s *Server) AddProgram(name string) User {
	s.mu.Lock()
	defer s.mu.Unlock()
	return *s.addUser(name, true)
}

// CloseDMs lets nobody write to a user directly any more.
func (s *Server) CloseDMs(user string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closedDMs[user] = true
}

// AddGuild makes a guild with the bot in it, whose @everyone role has all permissions
// people usually have, and returns its id. The bot is told if it is connected.
func (s *Server) AddGuild(name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.addGuild(name)
	s.joinGuild(g)
	return g.id
}

func (s *Server) addGuild(name string) *guild {
	g := &guild{id: s.id(), name: name, members: make(map[string]*Member), owner: s.addUser("Owner of "+name, false).ID}
	g.roles = []*Role{{ID: g.id, Name: "@everyone", Permissions: strconv.FormatUint(usualPermissions, 10)}}
	s.guilds[g.id] = g
	s.order = append(s.order, g.id)
	s.enter(g, g.owner)
	return g
}

// joinGuild makes the bot a member, with the role that Discord makes for it, and tells it
// so.
func (s *Server) joinGuild(g *guild) {
	g.joined = stamp(s.now())
	r := &Role{ID: s.id(), Name: s.bot.Username, Position: len(g.roles), Permissions: "0", Managed: true, Tags: &RoleTags{BotID: s.bot.ID}}
	g.roles = append(g.roles, r)
	s.enter(g, s.bot.ID).Roles = []string{r.ID}
	s.dispatch(event{name: "GUILD_CREATE", guild: g.id, intents: intentGuilds, data: func(*session) any { return s.guildCreate(g) }})
}

// RemoveFromGuild throws the bot out.
func (s *Server) RemoveFromGuild(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.guilds[id]
	delete(g.members, s.bot.ID)
	g.order = slices.DeleteFunc(g.order, func(u string) bool { return u == s.bot.ID })
	g.roles = slices.DeleteFunc(g.roles, func(r *Role) bool { return r.Tags != nil && r.Tags.BotID == s.bot.ID })
	s.dispatch(event{name: "GUILD_DELETE", guild: id, intents: intentGuilds, data: same(map[string]any{"id": id})})
}

// ReturnToGuild brings the bot back.
func (s *Server) ReturnToGuild(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.joinGuild(s.guilds[id])
}

func (s *Server) enter(g *guild, user string) *Member {
	if m := g.members[user]; m != nil {
		return m
	}
	m := &Member{User: s.users[user], Roles: []string{}, JoinedAt: stamp(s.now())}
	g.members[user] = m
	g.order = append(g.order, user)
	return m
}

// AddMember puts a user into a guild.
func (s *Server) AddMember(guild, user string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.enter(s.guilds[guild], user)
}

// SetNick gives a member a name of their own in a guild.
func (s *Server) SetNick(guild, user, nick string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.guilds[guild].members[user].Nick = &nick
}

// AddRole makes a role with permissions and gives it to users.
func (s *Server) AddRole(guild, name string, permissions uint64, users ...string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.guilds[guild]
	r := &Role{ID: s.id(), Name: name, Position: len(g.roles), Permissions: strconv.FormatUint(permissions, 10), Mentionable: true}
	g.roles = append(g.roles, r)
	s.tellRole("GUILD_ROLE_CREATE", g, r)
	for _, u := range users {
		m := s.enter(g, u)
		m.Roles = append(m.Roles, r.ID)
		s.tellMember(g, m)
	}
	return r.ID
}

// DeleteRole deletes a role. Overwrites for it stay where they are.
func (s *Server) DeleteRole(guild, role string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.guilds[guild]
	g.roles = slices.DeleteFunc(g.roles, func(r *Role) bool { return r.ID == role })
	for _, m := range g.members {
		m.Roles = slices.DeleteFunc(m.Roles, func(id string) bool { return id == role })
	}
	s.dispatch(event{name: "GUILD_ROLE_DELETE", guild: guild, intents: intentGuilds, data: same(map[string]any{"guild_id": guild, "role_id": role})})
}

// Timeout silences a member for a while.
func (s *Server) Timeout(guild, user string, d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.guilds[guild]
	m := g.members[user]
	m.CommunicationDisabledUntil = text(stamp(s.now().Add(d)))
	s.tellMember(g, m)
}

// BotRole is the id of the role that Discord made for the bot.
func (s *Server) BotRole(guild string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.guilds[guild].members[s.bot.ID].Roles[0]
}

// tellMember dispatches a change of a member: of others only with the intent for members.
func (s *Server) tellMember(g *guild, m *Member) {
	need := intentGuildMembers
	if m.User.ID == s.bot.ID {
		need = 0
	}
	data := struct {
		GuildID string `json:"guild_id"`
		Member
	}{g.id, *m}
	s.dispatch(event{name: "GUILD_MEMBER_UPDATE", guild: g.id, intents: need, data: same(data)})
}

// SetPermissions replaces those of the role @everyone.
func (s *Server) SetPermissions(guild string, permissions uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.guilds[guild]
	g.roles[0].Permissions = strconv.FormatUint(permissions, 10)
	s.tellRole("GUILD_ROLE_UPDATE", g, g.roles[0])
}

func (s *Server) tellRole(name string, g *guild, r *Role) {
	s.dispatch(event{name: name, guild: g.id, intents: intentGuilds, data: same(map[string]any{"guild_id": g.id, "role": *r})})
}

// AddChannel makes a channel and returns its id. Id, guild and the message fields of c
// are not used.
func (s *Server) AddChannel(guild string, c Channel) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.addChannel(s.guilds[guild], c).ID
}

func (s *Server) addChannel(g *guild, c Channel) *channel {
	c.ID, c.GuildID = s.id(), g.id
	ch := &channel{Channel: c}
	s.channels[c.ID] = ch
	if g.system == "" && c.Type == TextChannel {
		g.system = c.ID
	}
	s.tellChannel("CHANNEL_CREATE", ch)
	return ch
}

// SetOverwrites replaces the overwrites of a channel.
func (s *Server) SetOverwrites(channel string, o ...Overwrite) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.channels[channel]
	c.Overwrites = o
	s.tellChannel("CHANNEL_UPDATE", c)
}

// SetNSFW says whether a channel is for adults only.
func (s *Server) SetNSFW(channel string, nsfw bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.channels[channel]
	c.NSFW = nsfw
	s.tellChannel("CHANNEL_UPDATE", c)
}

// MoveChannel puts a channel into a category, "" for none, and gives it these overwrites.
func (s *Server) MoveChannel(channel, category string, o ...Overwrite) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.channels[channel]
	c.ParentID, c.Overwrites = nil, o
	if category != "" {
		c.ParentID = &category
	}
	s.tellChannel("CHANNEL_UPDATE", c)
}

// DeleteChannel deletes a channel or thread, and the threads in it.
func (s *Server) DeleteChannel(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.deleteChannel(s.channels[id])
}

func (s *Server) deleteChannel(c *channel) {
	for _, t := range s.threads(c.ID) {
		s.deleteChannel(t)
	}
	name := "CHANNEL_DELETE"
	if c.thread() {
		name = "THREAD_DELETE"
	}
	s.tellChannel(name, c)
	delete(s.channels, c.ID)
}

// tellChannel dispatches a change of a channel or thread to those who may see it.
func (s *Server) tellChannel(name string, c *channel) {
	var data any = s.shownChannel(c)
	if name == "THREAD_DELETE" {
		data = map[string]any{"id": c.ID, "guild_id": c.GuildID, "parent_id": c.ParentID, "type": c.Type}
	}
	s.dispatch(event{name: name, guild: c.GuildID, channel: c, intents: intentGuilds, data: same(data)})
}

func (s *Server) shownChannel(c *channel) Channel {
	out := c.Channel
	if n := len(c.messages); n > 0 {
		out.LastMessageID = &c.messages[n-1].ID
	}
	if c.thread() {
		n, members := len(c.messages), len(c.joined)
		out.MessageCount, out.MemberCount, out.TotalMessageSent = &n, &members, &n
		if at, ok := c.joined[s.bot.ID]; ok {
			out.Member = &ThreadMember{ID: c.ID, UserID: s.bot.ID, JoinTimestamp: at}
		}
	}
	return out
}

// threads are those of a channel, by age.
func (s *Server) threads(parent string) []*channel {
	var all []*channel
	for _, c := range s.channels {
		if c.thread() && *c.ParentID == parent {
			all = append(all, c)
		}
	}
	byAge(all)
	return all
}

func byAge(all []*channel) {
	slices.SortFunc(all, func(a, b *channel) int {
		if older(a.ID, b.ID) {
			return -1
		}
		return 1
	})
}

// guildChannels are a guild's channels without threads, or only its threads that are not
// archived, as far as the bot sees them, by age.
func (s *Server) guildChannels(g *guild, threads bool) []Channel {
	var all []*channel
	for _, c := range s.channels {
		if c.GuildID == g.id && c.thread() == threads && !(threads && c.ThreadMetadata.Archived) && (!threads || s.may(s.bot.ID, c, ViewChannel)) {
			all = append(all, c)
		}
	}
	byAge(all)
	out := []Channel{}
	for _, c := range all {
		out = append(out, s.shownChannel(c))
	}
	return out
}

func (s *Server) guildShown(g *guild) map[string]any {
	var system *string
	if g.system != "" {
		system = &g.system
	}
	return map[string]any{
		"id": g.id, "name": g.name, "owner_id": g.owner, "system_channel_id": system, "roles": g.roles, "icon": nil, "splash": nil,
		"discovery_splash": nil, "banner": nil, "description": nil, "emojis": []any{}, "stickers": []any{}, "features": []any{"COMMUNITY"},
		"preferred_locale": "en-US", "premium_tier": 0, "afk_timeout": 300, "afk_channel_id": nil, "verification_level": 0,
		"default_message_notifications": 0, "explicit_content_filter": 0, "mfa_level": 0, "nsfw_level": 0, "application_id": nil,
		"system_channel_flags": 0, "rules_channel_id": nil, "public_updates_channel_id": nil, "vanity_url_code": nil,
		"premium_progress_bar_enabled": false, "safety_alerts_channel_id": nil,
	}
}

func (s *Server) guildCreate(g *guild) map[string]any {
	m := s.guildShown(g)
	members := []*Member{g.members[s.bot.ID]}
	m["joined_at"], m["large"], m["unavailable"], m["member_count"] = g.joined, false, false, len(g.members)
	m["members"], m["channels"], m["threads"] = members, s.guildChannels(g, false), s.guildChannels(g, true)
	for _, k := range []string{"voice_states", "presences", "stage_instances", "guild_scheduled_events", "soundboard_sounds"} {
		m[k] = []any{}
	}
	return m
}

// direct is the DM channel of the bot and a user, made if there is none.
func (s *Server) direct(user string) *channel {
	for _, c := range s.channels {
		if c.Type == DMChannel && c.Recipients[0].ID == user {
			return c
		}
	}
	c := &channel{Channel: Channel{ID: s.id(), Type: DMChannel, Recipients: []User{*s.users[user]}}}
	s.channels[c.ID] = c
	return c
}

// DM is the id of the channel between the bot and a user.
func (s *Server) DM(user string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.direct(user).ID
}
