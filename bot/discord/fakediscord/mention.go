package fakediscord

import (
	"slices"
	"strings"
)

type mentioned struct {
	users    []User
	roles    []string
	everyone bool
}

// count is how many people and groups are notified.
func (m mentioned) count() int {
	n := len(m.users) + len(m.roles)
	if m.everyone {
		n++
	}
	return n
}

// mayNotify reports whether a user may notify a role: one that everybody may, or with
// permission to notify all.
func (s *Server) mayNotify(user string, c *channel, role string) bool {
	g := s.guilds[c.GuildID]
	return g != nil && slices.ContainsFunc(g.roles, func(r *Role) bool {
		return r.ID == role && (r.Mentionable || s.may(user, c, MentionEveryone))
	})
}

// mentions are those of a text by author in a channel. Without allowed everybody named
// is notified, and who is replied to, if that is no answer to an interaction
// (https://github.com/discord/discord-api-docs/issues/5395).
func (s *Server) mentions(author string, c *channel, content string, allowed *allowedMentions, replied *message) mentioned {
	content = codeText.ReplaceAllString(content, "")
	may := func(kind, id string) bool {
		if allowed == nil || slices.Contains(allowed.Parse, kind) {
			return true
		}
		return kind == "users" && slices.Contains(allowed.Users, id) || kind == "roles" && slices.Contains(allowed.Roles, id)
	}
	var m mentioned
	name := func(id string) {
		u := s.users[id]
		if u != nil && !slices.ContainsFunc(m.users, func(v User) bool { return v.ID == id }) {
			m.users = append(m.users, *u)
		}
	}
	for _, f := range userMention.FindAllStringSubmatch(content, -1) {
		if may("users", f[1]) {
			name(f[1])
		}
	}
	for _, f := range roleMention.FindAllStringSubmatch(content, -1) {
		if may("roles", f[1]) && !slices.Contains(m.roles, f[1]) && s.mayNotify(author, c, f[1]) {
			m.roles = append(m.roles, f[1])
		}
	}
	if strings.Contains(content, "@everyone") || strings.Contains(content, "@here") {
		m.everyone = may("everyone", "") && c.Type != DMChannel && s.may(author, c, MentionEveryone)
	}
	if replied != nil && replied.InteractionMetadata == nil && (allowed == nil || allowed.RepliedUser) {
		name(replied.Author.ID)
	}
	return m
}
