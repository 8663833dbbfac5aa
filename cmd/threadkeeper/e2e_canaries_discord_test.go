package main

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"threadkeeper/bot/discord"
	"threadkeeper/bot/discord/fakediscord"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
	"threadkeeper/config"
	"threadkeeper/memory"
)

type discordTown struct {
	*fakediscord.Harness
	seen     int
	names    map[string]string // of channels, by id
	category string
	rooms    []*channel // of the server
}

func discordVillage(t *testing.T, _ *rapid.T) village {
	return &discordTown{Harness: fakediscord.NewHarness(t, nil)}
}

func (v *discordTown) channels() []*channel {
	all := []*channel{
		{Place: platformtest.Place{Channel: "general"}, members: people("Ada", "Bob")},
		{Place: platformtest.Place{Channel: "random"}, members: people("Ada", "Bob")},
		{Place: platformtest.Place{Channel: "board"}, members: people("Ada", "Bob")},
		{Place: platformtest.Place{Channel: "staff"}, members: people("Ada", "Bob")},
		{Place: platformtest.Place{Channel: "ada", DM: true}, private: true, members: people("Ada")},
		{Place: platformtest.Place{Channel: "bob", DM: true}, private: true, members: people("Bob")},
	}
	v.names, v.category = make(map[string]string), v.AddChannel(v.Guild(), fakediscord.Channel{Name: "Back office", Type: 4})
	for _, c := range all {
		v.names[v.RoomID(c.Place, slices.Sorted(maps.Keys(c.members))[0])] = c.Channel
		if !c.DM {
			v.rooms = append(v.rooms, c)
		}
		if c.Channel == "board" || c.Channel == "staff" {
			c.private = true
			v.convert(c, true)
		}
	}
	return all
}

func (v *discordTown) convert(c *channel, _ bool) {
	v.SetOverwrites(v.RoomID(c.Place, "Ada"), v.overwrites(c)...)
}

// overwrites are those of a channel that is what c is now.
func (v *discordTown) overwrites(c *channel) []fakediscord.Overwrite {
	if !c.private {
		return nil
	}
	view := "1024"
	all := []fakediscord.Overwrite{{ID: v.Guild(), Deny: view, Allow: "0"}, {ID: v.Bot().ID, Type: 1, Allow: view, Deny: "0"}}
	for who := range c.members {
		all = append(all, fakediscord.Overwrite{ID: v.PersonID(who), Type: 1, Allow: view, Deny: "0"})
	}
	return all
}

// move moves a channel to the category that not everybody may see, or out of it: Discord gives it the overwrites of
// that category.
func (v *discordTown) move(c *channel) {
	c.private = !c.private
	id, category := v.RoomID(c.Place, "Ada"), ""
	if c.private {
		category = v.category
	}
	v.MoveChannel(id, category, v.overwrites(c)...)
}

func (v *discordTown) key(c *channel) memory.Key {
	key := memory.Key{Platform: "discord", Workspace: v.Guild(), Channel: v.RoomID(c.Place, "Ada")}
	if c.DM {
		key.Workspace = "@me" // direct messages are in no server
	}
	return key
}

func (v *discordTown) leave(c *channel, _ string) {
	v.convert(c, true)
	v.Hear()
}

func (v *discordTown) guest(*channel) bool { return false }

// away takes us out of the server.
func (v *discordTown) away(*rapid.T, *channel) []*channel {
	v.RemoveFromGuild(v.Guild())
	v.Hear()
	return v.rooms
}

func (v *discordTown) back(*channel) {
	v.ReturnToGuild(v.Guild())
	for _, c := range v.rooms {
		if c.private {
			v.convert(c, true) // we need our own overwrite again
		}
	}
	v.Hear()
}

func (v *discordTown) erase(u *utterance) { v.Server.Delete(v.holding(u), u.id) }

func (v *discordTown) withdraw(u *utterance) { v.Withdraw(v.holding(u), u.id, u.canary.file) }

// holding is the channel or thread that a message stands in.
func (v *discordTown) holding(u *utterance) string {
	if u.at.Thread == "" || u.at.Thread == u.id {
		return v.RoomID(u.at, u.who)
	}
	return u.at.Thread
}

// clicks: Discord refuses those who may not see the channel.
func (v *discordTown) clicks() bool { return false }

func (v *discordTown) drop(c *channel) {
	v.DeleteChannel(v.RoomID(c.Place, "Ada"))
	v.rooms = slices.DeleteFunc(v.rooms, func(r *channel) bool { return r == c })
}

func (v *discordTown) home(string) {}

func (v *discordTown) page(string) string { return "" }

func (v *discordTown) arrive() {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_ = v.AwaitReady(ctx, 1) // Discord tells nothing to those who are not there
	for end := time.Now().Add(patience); v.Pending() > 0 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
}

func (v *discordTown) title(at platformtest.Place) string { return v.Title(at) }

func (v *discordTown) told() (all []sent) {
	requests := v.RequestsSince(v.seen)
	for _, r := range requests {
		path, _ := url.PathUnescape(r.Path)
		s := sent{text: r.Body + path + strings.Join(r.Files, " ") + r.Data}
		if _, rest, ok := strings.Cut(path, "/channels/"); ok {
			id, _, _ := strings.Cut(rest, "/")
			if c, ok := v.Channel(id); ok && v.names[id] == "" && c.ParentID != nil {
				id = *c.ParentID
			}
			s.channel = v.names[id]
		}
		all = append(all, s)
	}
	v.seen += len(requests)
	return all
}

func (v *discordTown) environ() []string {
	return []string{"DISCORD_TOKEN=" + v.Token(), "DISCORD_API_URL=" + v.URL()}
}

func (v *discordTown) platform(cfg *config.Config, p *parts) platform.Platform {
	o := newDiscord(cfg, p.log).Options
	o.Unpaced = true // the fake has no limits
	v.Open = func(*fakediscord.Server) platform.Platform { return discord.New(o) }
	return v.Harness.Platform()
}

func (v *discordTown) close() { v.Server.Close() }
