package discord

import (
	"context"
	"errors"
	"maps"
	"slices"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// Member reports whether a person is in the guild of a channel and may read what was said in it. Who is in a private
// thread is not known: nobody is.
func (a *Adapter) Member(ctx context.Context, key memory.Key, person string) (bool, error) {
	s, err := a.sceneOf(ctx, key.Channel)
	if err != nil || s.at.thread() {
		return false, err
	}
	var who wireMember
	err = a.call(ctx, "GET", "/guilds/"+s.at.GuildID+"/members/"+person, nil, &who)
	if errors.Is(err, platform.ErrUndeliverable) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	may := granted(s.at.GuildID, who.Roles, slices.Collect(maps.Values(s.guild.Roles)))
	if s.guild.Owner == person {
		return true, nil
	}
	needs := s.at.toRead() | readHistory
	return allowed(s.at, may, s.at.GuildID, person, who.Roles)&needs == needs, nil
}

// rights are what we may do in a channel of a guild, as far as we know: the gateway
// names our roles, and theirs.
func (a *Adapter) rights(ctx context.Context, channel string) (uint64, error) {
	s, err := a.sceneOf(ctx, channel)
	if err != nil {
		return 0, err
	}
	us := wireMessage{Author: &wireUser{ID: s.me.User}}
	if err := a.member(ctx, s.at.GuildID, &us); err != nil {
		return 0, err
	}
	may := granted(s.at.GuildID, us.Member.Roles, slices.Collect(maps.Values(s.guild.Roles)))
	may = allowed(s.at, may, s.at.GuildID, s.me.User, us.Member.Roles)
	if us.Member.Timeout.After(a.limits.clock()) && may&administrator == 0 {
		may &= viewChannel | readHistory // https://docs.discord.com/developers/topics/permissions#permissions-for-timed-out-members
	}
	return may, nil
}

// talks reports whether people write in a channel of this kind: text, announcement,
// voice, stage, forum and media channels
// (https://discord.com/developers/docs/resources/channel#channel-object-channel-types).
func talks(c wireChannel) bool {
	return slices.Contains([]int{channelText, channelVoice, channelNews, channelStage, channelForum, channelMedia}, c.Type)
}

// toRead is what it takes to read a channel: the chat of a voice or stage channel is for
// those who may come in (https://docs.discord.com/developers/resources/message#get-channel-messages).
func (c wireChannel) toRead() uint64 {
	if c.Type == channelVoice || c.Type == channelStage {
		return viewChannel | connect
	}
	return viewChannel
}

// overwriteRole is the type of an overwrite for a role; others are for a member.
const overwriteRole = 0

// granted are the permissions of a member with these roles in the whole server. The
// role of everybody has the server's id.
func granted(guild string, mine []string, roles []wireRole) uint64 {
	var may uint64
	for _, r := range roles {
		if r.ID == guild || slices.Contains(mine, r.ID) {
			may |= number(r.Permissions)
		}
	}
	return may
}

// allowed are a member's permissions in a channel
// (https://discord.com/developers/docs/topics/permissions#permission-overwrites):
// first everybody's overwrite, then those of all roles at once, then the member's.
func allowed(c wireChannel, may uint64, guild, me string, mine []string) uint64 {
	if may&administrator != 0 {
		return ^uint64(0)
	}
	var allow, deny uint64 // of the roles
	var member wireOverwrite
	for _, o := range c.Overwrites {
		switch {
		case o.ID == guild:
			may = may&^number(o.Deny) | number(o.Allow)
		case o.ID == me:
			member = o
		case slices.Contains(mine, o.ID):
			allow |= number(o.Allow)
			deny |= number(o.Deny)
		}
	}
	may = may&^deny | allow
	return may&^number(member.Deny) | number(member.Allow)
}
