package fakediscord

import (
	"net/http"
	"slices"
	"strconv"
)

func (s *Server) accountRoutes(add func(string, kind, handler)) {
	add("GET /gateway/bot", ordinary, func(*call) (any, error) {
		return map[string]any{"url": s.gatewayURL(""), "shards": 1, "session_start_limit": map[string]any{
			"total": 1000, "remaining": max(0, 1000-s.starts), "reset_after": 86400000, "max_concurrency": 1}}, nil
	})
	add("GET /users/@me", ordinary, func(*call) (any, error) { return s.self(), nil })
	add("GET /users/@me/guilds", ordinary, func(*call) (any, error) {
		all := []map[string]any{}
		for _, g := range s.joined() {
			all = append(all, map[string]any{"id": g.id, "name": g.name, "icon": nil, "owner": false, "permissions": strconv.FormatUint(s.guildPermissions(g), 10), "features": []any{}})
		}
		return all, nil
	})
	add("POST /users/@me/channels", ordinary, s.openDM)
	add("GET /applications/@me", ordinary, func(*call) (any, error) { return s.app(), nil })
	add("GET /guilds/{guild}", ordinary, s.inGuild(func(_ *call, g *guild) (any, error) { return s.guildShown(g), nil }))
	add("GET /guilds/{guild}/channels", ordinary, s.inGuild(func(_ *call, g *guild) (any, error) { return s.guildChannels(g, false), nil }))
	add("GET /guilds/{guild}/roles", ordinary, s.inGuild(func(_ *call, g *guild) (any, error) { return g.roles, nil }))
	add("GET /guilds/{guild}/members/{user}", ordinary, s.inGuild(func(c *call, g *guild) (any, error) {
		if m := g.members[c.PathValue("user")]; m != nil {
			return m, nil
		}
		return nil, unknownMember
	}))
	add("GET /guilds/{guild}/threads/active", ordinary, s.inGuild(func(_ *call, g *guild) (any, error) {
		return map[string]any{"threads": s.guildChannels(g, true), "members": []any{}}, nil
	}))
}

func (s *Server) self() any {
	return struct {
		User
		Verified bool    `json:"verified"`
		MFA      bool    `json:"mfa_enabled"`
		Email    *string `json:"email"`
		Flags    int     `json:"flags"`
	}{User: *s.bot, Verified: true}
}

// Flags of an application: intents it was granted while in fewer than 100 guilds.
// https://docs.discord.com/developers/resources/application#application-object-application-flags
const (
	flagPresenceLimited = 1 << 13
	flagMembersLimited  = 1 << 15
	flagContentLimited  = 1 << 19
)

func (s *Server) app() any {
	flags := 0
	for intent, flag := range map[int]int{intentGuildPresences: flagPresenceLimited, intentGuildMembers: flagMembersLimited, intentMessageContent: flagContentLimited} {
		if s.granted&intent != 0 {
			flags |= flag
		}
	}
	return map[string]any{"id": s.application, "name": s.bot.Username, "icon": nil, "description": "", "bot_public": !s.opts.Private, "bot_require_code_grant": false,
		"verify_key": "00", "flags": flags, "bot": s.bot, "owner": s.bot, "team": nil, "summary": "", "approximate_guild_count": len(s.joined())}
}

// joined are the guilds the bot is in, by age.
func (s *Server) joined() []*guild {
	var all []*guild
	for _, id := range s.order {
		if g := s.guilds[id]; g.members[s.bot.ID] != nil {
			all = append(all, g)
		}
	}
	return all
}

func (s *Server) guildPermissions(g *guild) uint64 {
	return s.permissions(s.bot.ID, &channel{Channel: Channel{GuildID: g.id}})
}

func (s *Server) inGuild(h func(*call, *guild) (any, error)) handler {
	return func(c *call) (any, error) {
		g := s.guilds[c.PathValue("guild")]
		if g == nil {
			return nil, unknownGuild
		}
		if g.members[s.bot.ID] == nil {
			return nil, missingAccess
		}
		return h(c, g)
	}
}

func (s *Server) openDM(c *call) (any, error) {
	var b struct {
		Recipient string `json:"recipient_id"`
	}
	if err := s.decode(c, &b); err != nil {
		return nil, err
	}
	u := s.users[b.Recipient]
	if u == nil {
		return nil, invalid("recipient_id", "BASE_TYPE_REQUIRED", "This field is required")
	}
	if u.Bot {
		return nil, cannotSendTo
	}
	return s.shownChannel(s.direct(u.ID)), nil
}

func (s *Server) channelRoutes(add func(string, kind, handler)) {
	add("GET /channels/{channel}", ordinary, func(c *call) (any, error) {
		ch, err := s.see(c)
		if err != nil {
			return nil, err
		}
		return s.shownChannel(ch), nil
	})
	add("PATCH /channels/{channel}", ordinary, s.modifyChannel)
	add("POST /channels/{channel}/typing", ordinary, s.startTyping)
	add("GET /channels/{channel}/messages", ordinary, s.listMessages)
	add("POST /channels/{channel}/messages", posting, s.createMessage)
	add("GET /channels/{channel}/messages/{message}", ordinary, func(c *call) (any, error) {
		ch, m, err := s.seeMessage(c)
		if err != nil {
			return nil, err
		}
		return s.shown(ch, m, s.granted&intentMessageContent != 0), nil
	})
	add("PATCH /channels/{channel}/messages/{message}", posting, s.editMessage)
	add("DELETE /channels/{channel}/messages/{message}", posting, s.deleteMessage)
}

func (s *Server) see(c *call) (*channel, error) {
	ch := s.channels[c.PathValue("channel")]
	switch {
	case ch == nil:
		return nil, unknownChannel
	case !s.may(s.bot.ID, ch, ViewChannel):
		return nil, missingAccess
	}
	return ch, nil
}

func (s *Server) seeMessage(c *call) (*channel, *message, error) {
	ch, err := s.see(c)
	if err != nil {
		return nil, nil, err
	}
	m := ch.find(c.PathValue("message"))
	if m == nil {
		return nil, nil, unknownMessage
	}
	if c.Method == http.MethodGet && !s.may(s.bot.ID, ch, ReadMessageHistory) {
		return nil, nil, missingAccess
	}
	return ch, m, nil
}

func (s *Server) startTyping(c *call) (any, error) {
	ch, err := s.see(c)
	if err != nil {
		return nil, err
	}
	if err := s.mayPost(ch, false); err != nil {
		return nil, err
	}
	ch.typing++
	return nil, nil
}

// Typing is how often the bot was shown as typing in a channel.
func (s *Server) Typing(channel string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.channels[channel].typing
}

func (s *Server) listMessages(c *call) (any, error) {
	ch, err := s.see(c)
	if err != nil {
		return nil, err
	}
	q := c.URL.Query()
	limit := 50
	if v := q.Get("limit"); v != "" {
		if limit, err = strconv.Atoi(v); err != nil || limit < 1 || limit > 100 {
			return nil, invalid("limit", "NUMBER_TYPE_MAX", "int value should be between 1 and 100.")
		}
	}
	out := []Message{}
	if !s.may(s.bot.ID, ch, ReadMessageHistory) {
		return out, nil
	}
	var all []*message
	for _, m := range ch.messages {
		if m.only == "" {
			all = append(all, m)
		}
	}
	for _, m := range slices.Backward(page(all, q.Get("before"), q.Get("after"), limit)) {
		out = append(out, s.shown(ch, m, s.granted&intentMessageContent != 0))
	}
	return out, nil
}

// page is the part of messages, by age, that a list asks for.
func page(all []*message, before, after string, limit int) []*message {
	at := func(id string) int { // how many are older than id
		n := 0
		for n < len(all) && older(all[n].ID, id) {
			n++
		}
		return n
	}
	switch {
	case after != "":
		i := at(after)
		for i < len(all) && all[i].ID == after {
			i++
		}
		return all[i:min(len(all), i+limit)]
	case before != "":
		all = all[:at(before)]
	}
	return all[max(0, len(all)-limit):]
}
