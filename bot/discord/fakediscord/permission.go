package fakediscord

import (
	"slices"
	"strconv"
)

// Permissions a bot like ours needs to know.
const (
	Administrator          uint64 = 1 << 3
	AddReactions           uint64 = 1 << 6
	ViewChannel            uint64 = 1 << 10
	SendMessages           uint64 = 1 << 11
	ManageMessages         uint64 = 1 << 13
	EmbedLinks             uint64 = 1 << 14
	AttachFiles            uint64 = 1 << 15
	ReadMessageHistory     uint64 = 1 << 16
	MentionEveryone        uint64 = 1 << 17
	Connect                uint64 = 1 << 20
	UseApplicationCommands uint64 = 1 << 31
	ManageThreads          uint64 = 1 << 34
	CreatePublicThreads    uint64 = 1 << 35
	CreatePrivateThreads   uint64 = 1 << 36
	SendMessagesInThreads  uint64 = 1 << 38

	usualPermissions = AddReactions | ViewChannel | SendMessages | EmbedLinks | AttachFiles | ReadMessageHistory | MentionEveryone |
		Connect | UseApplicationCommands | CreatePublicThreads | CreatePrivateThreads | SendMessagesInThreads
	everything = uint64(1)<<50 - 1
)

func bits(s string) uint64 {
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// permissions of a user in a channel, by
// https://docs.discord.com/developers/topics/permissions#permission-overwrites.
// Threads have those of their parent. In DMs everything is permitted.
func (s *Server) permissions(user string, c *channel) uint64 {
	if c.Type == DMChannel {
		return everything
	}
	g := s.guilds[c.GuildID]
	member := g.members[user]
	if member == nil {
		return 0
	}
	if g.owner == user {
		return everything
	}
	all := uint64(0)
	for _, r := range g.roles {
		if r.ID == g.id || slices.Contains(member.Roles, r.ID) {
			all |= bits(r.Permissions)
		}
	}
	if all&Administrator != 0 {
		return everything
	}
	if c.thread() {
		c = s.channels[*c.ParentID]
	}
	all = overwritten(all, g.id, member, c.Overwrites)
	if until := member.CommunicationDisabledUntil; until != nil && *until > stamp(s.now()) {
		all &= ViewChannel | ReadMessageHistory
	}
	return all
}

func overwritten(all uint64, everyone string, member *Member, overwrites []Overwrite) uint64 {
	var allow, deny uint64
	for _, o := range overwrites {
		if o.ID == everyone {
			all = all&^bits(o.Deny) | bits(o.Allow)
		} else if slices.Contains(member.Roles, o.ID) {
			allow, deny = allow|bits(o.Allow), deny|bits(o.Deny)
		}
	}
	all = all&^deny | allow
	for _, o := range overwrites {
		if o.ID == member.User.ID {
			all = all&^bits(o.Deny) | bits(o.Allow)
		}
	}
	return all
}

// may reports whether a user has all these permissions in a channel. Who does not see a
// channel may nothing there. A private thread is seen by its members only, what is written
// in a voice channel by those who may connect.
func (s *Server) may(user string, c *channel, p uint64) bool {
	has := s.permissions(user, c)
	if c.Type == PrivateThread && has&ManageThreads == 0 {
		if _, in := c.joined[user]; !in {
			return false
		}
	}
	if c.Type == VoiceChannel || c.Type == StageChannel {
		p |= Connect
	}
	return has&ViewChannel != 0 && has&p == p
}
