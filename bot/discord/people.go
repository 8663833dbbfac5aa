package discord

import (
	"context"
	"errors"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/memory"
)

const maxPeople = 5_000

// people are the members of guilds as they were last seen. Messages read through
// REST lack their author's nickname and roles.
type people struct {
	members kit.Recent[wireMember] // guild/user
}

func (p *people) put(guild, user string, m wireMember) { p.members.Set(guild+"/"+user, m) }

func (p *people) get(guild, user string) (wireMember, bool) { return p.members.Get(guild + "/" + user) }

func (p *people) learn(guild string, m wireMember) {
	if m.User == nil || !isID(m.User.ID) || !isID(guild) {
		return
	}
	user := m.User.ID
	m.User = nil
	p.put(guild, user, m)
}

// recall completes a message's author from what is known and reports whether anything
// has to be asked for: a program and one who writes directly are no members.
func (a *Adapter) recall(guildID string, m *wireMessage) bool {
	switch {
	case m.Author == nil || m.Author.Bot || m.WebhookID != "" || !isID(guildID) || !isID(m.Author.ID):
		return true
	case m.Member != nil:
		a.people.put(guildID, m.Author.ID, *m.Member)
		return true
	}
	known, ok := a.people.get(guildID, m.Author.ID)
	if ok {
		m.Member = &known
	}
	return ok
}

// member completes a message's author from our cache, or from Discord. One
// who left the guild has no membership.
func (a *Adapter) member(ctx context.Context, guildID string, m *wireMessage) error {
	if a.recall(guildID, m) {
		return nil
	}
	var found wireMember
	err := a.call(ctx, "GET", "/guilds/"+guildID+"/members/"+m.Author.ID, nil, &found)
	if err != nil && !errors.Is(err, platform.ErrUndeliverable) {
		return err
	}
	found.User = nil
	a.people.put(guildID, m.Author.ID, found)
	m.Member = &found
	return nil
}

func (s scene) author(u wireUser, m *wireMember) platform.Author {
	a := platform.Author{ID: u.ID, Name: called(u, m), Kind: memory.Human}
	if u.Bot {
		a.Kind = memory.Bot
	}
	if m == nil || s.at.direct() {
		return a
	}
	may := number(m.Permissions) | number(s.guild.Roles[s.at.GuildID].Permissions)
	a.Roles = m.Roles
	for _, id := range m.Roles {
		may |= number(s.guild.Roles[id].Permissions)
	}
	a.Admin = may&(administrator|manageGuild) != 0 || s.guild.Owner == u.ID
	return a
}

func called(u wireUser, m *wireMember) string {
	switch {
	case m != nil && m.Nick != "":
		return m.Nick
	case u.GlobalName != "":
		return u.GlobalName
	}
	return u.Username
}
