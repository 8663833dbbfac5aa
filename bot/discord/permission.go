package discord

import "slices"

// talks tells whether people write in a channel of this kind: text, announcement,
// voice, stage, forum and media channels
// (https://discord.com/developers/docs/resources/channel#channel-object-channel-types).
func talks(c wireChannel) bool {
	return slices.Contains([]int{channelText, 2, channelNews, 13, channelForum, channelMedia}, c.Type)
}

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
