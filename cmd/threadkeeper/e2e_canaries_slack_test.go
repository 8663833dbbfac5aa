package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
	"threadkeeper/bot/slack"
	"threadkeeper/bot/slack/fakeslack"
	"threadkeeper/config"
	"threadkeeper/memory"
)

type slackTown struct {
	*fakeslack.Harness
	seen     int
	moved    int               // times a channel was
	archived bool              // a channel is
	names    map[string]string // of channels, by id
}

// slackVillage is a workspace. Some have the agent view, with titles and suggestions.
func slackVillage(t *testing.T, rt *rapid.T) village {
	h := fakeslack.NewHarness(t, fakeslack.Options{AgentView: rapid.Bool().Draw(rt, "agent view")}, nil)
	for _, who := range []string{platformtest.Guest, platformtest.Admin} {
		h.Person(who)
	}
	ada, bob, gus := h.Person("Ada"), h.Person("Bob"), h.Person(platformtest.Guest)
	h.Furnish("general", fakeslack.Channel{Members: []string{fakeslack.BotUser, ada, bob}})
	h.Furnish("random", fakeslack.Channel{Members: []string{fakeslack.BotUser, ada, bob}})
	h.Furnish("lounge", fakeslack.Channel{Members: []string{fakeslack.BotUser, ada, gus}})
	h.Furnish("board", fakeslack.Channel{Kind: fakeslack.Private, Members: []string{fakeslack.BotUser, ada, bob}})
	h.Furnish("staff", fakeslack.Channel{Kind: fakeslack.Private, Members: []string{fakeslack.BotUser, ada, bob}})
	h.Furnish("both", fakeslack.Channel{Kind: fakeslack.Group, Members: []string{fakeslack.BotUser, ada, bob}})
	h.Furnish("shared", fakeslack.Channel{ExtShared: true, Members: []string{fakeslack.BotUser, ada, bob}})
	return &slackTown{Harness: h}
}

func people(names ...string) map[string]bool {
	all := make(map[string]bool)
	for _, name := range names {
		all[name] = true
	}
	return all
}

func (v *slackTown) channels() []*channel {
	all := []*channel{
		{Place: platformtest.Place{Channel: "general"}, members: people("Ada", "Bob")},
		{Place: platformtest.Place{Channel: "random"}, members: people("Ada", "Bob")},
		{Place: platformtest.Place{Channel: "lounge"}, members: people("Ada", platformtest.Guest)},
		{Place: platformtest.Place{Channel: "board"}, private: true, members: people("Ada", "Bob")},
		{Place: platformtest.Place{Channel: "staff"}, private: true, members: people("Ada", "Bob")},
		{Place: platformtest.Place{Channel: "both"}, private: true, members: people("Ada", "Bob")},
		{Place: platformtest.Place{Channel: "shared", External: true}, members: people("Ada", "Bob")},
		{Place: platformtest.Place{Channel: "ada", DM: true}, private: true, members: people("Ada")},
		{Place: platformtest.Place{Channel: "bob", DM: true}, private: true, members: people("Bob")},
		{Place: platformtest.Place{Channel: "gus", DM: true}, private: true, members: people(platformtest.Guest)},
	}
	v.names = make(map[string]string)
	for _, c := range all {
		v.names[v.Room(c.Place, slices.Sorted(maps.Keys(c.members))[0])] = c.Channel
	}
	return all
}

func (v *slackTown) convert(c *channel, private bool) {
	kind := fakeslack.Public
	if private {
		kind = fakeslack.Private
	}
	v.Convert(v.Person("Ada"), v.Room(c.Place, "Ada"), kind)
}

// move shares a channel with another workspace, or ends that. A private one may get another id, of
// which the program hears at once, late, or never.
func (v *slackTown) move(c *channel) {
	c.shared = !c.shared
	if v.moved++; c.shared && c.private && c.Channel != "both" { // a direct message of several stays one
		id := fmt.Sprintf("C0MOVED%02d", v.moved)
		v.names[id] = c.Channel
		v.ChangeID(c.Place, id, v.moved%3 > 0)
		return
	}
	v.Server.Share(v.Room(c.Place, "Ada"), c.shared)
}

func (v *slackTown) key(c *channel) memory.Key {
	return memory.Key{Platform: "slack", Workspace: fakeslack.TeamID, Channel: v.Room(c.Place, "Ada")}
}

func (v *slackTown) leave(c *channel, who string) { v.Leave(v.Person(who), v.Room(c.Place, who)) }

func (v *slackTown) guest(c *channel) bool {
	v.Server.Join(v.Person(platformtest.Guest), v.Room(c.Place, "Ada"), v.Person("Ada"))
	return true
}

// away takes us out of a channel, or archives it, in which nothing happens then.
func (v *slackTown) away(t *rapid.T, c *channel) []*channel {
	if v.archived = rapid.Bool().Draw(t, "archived"); v.archived {
		v.Archive(v.Room(c.Place, "Ada"))
		return nil
	}
	v.Leave(fakeslack.BotUser, v.Room(c.Place, "Ada"))
	return []*channel{c}
}

func (v *slackTown) back(c *channel) {
	if v.archived {
		v.Unarchive(v.Room(c.Place, "Ada"))
		return
	}
	v.Join(c.Place)
}

func (v *slackTown) erase(u *utterance) { v.Server.Delete(v.Room(u.at, u.who), u.id) }

func (v *slackTown) withdraw(u *utterance) {
	m, _ := v.Message(v.Room(u.at, u.who), u.id)
	v.Server.DeleteFile(m.Files[0])
}

func (v *slackTown) clicks() bool { return true }

func (v *slackTown) drop(c *channel) { v.DeleteChannel(v.Room(c.Place, "Ada")) }

// home returns once the page was drawn: no event waits for that.
func (v *slackTown) home(who string) {
	before := v.drawn(who)
	v.OpenHome(v.Person(who), "home", "")
	for end := time.Now().Add(patience); v.Sockets() > 0 && v.drawn(who) == before && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
}

func (v *slackTown) page(who string) string {
	shown, _ := v.Home(v.Person(who))
	text, _ := json.Marshal(shown.Blocks)
	return string(text)
}

// drawn is how many pages about us somebody was sent in this step.
func (v *slackTown) drawn(who string) (n int) {
	for _, r := range v.RequestsSince(v.seen) {
		if r.Method == "views.publish" && r.Args["user_id"] == v.Person(who) {
			n++
		}
	}
	return n
}

func (v *slackTown) arrive() {
	for end := time.Now().Add(patience); v.Pending() > 0 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
}

func (v *slackTown) title(at platformtest.Place) (all string) {
	for id, name := range v.names { // a channel may have had another
		if name == at.Channel {
			all += v.Server.Title(id, at.Thread)
		}
	}
	return all
}

var fileID = regexp.MustCompile(`F[0-9A-Z]{6,}`)

func (v *slackTown) told() (all []sent) {
	requests := v.RequestsSince(v.seen)
	for _, r := range requests {
		text, _ := json.Marshal(r.Args)
		s := sent{text: string(text)}
		for _, name := range []string{"channel", "channel_id"} {
			if id, _ := r.Args[name].(string); id != "" {
				s.channel = v.names[id]
			}
		}
		if r.Method == "views.publish" { // see page
			continue
		}
		if r.Method == "files.completeUploadExternal" {
			for _, id := range fileID.FindAllString(s.text, -1) {
				data, _ := v.FileData(id)
				s.text += string(data)
			}
		}
		all = append(all, s)
	}
	v.seen += len(requests)
	return all
}

func (v *slackTown) environ() []string {
	return []string{"SLACK_BOT_TOKEN=" + v.Options().BotToken, "SLACK_API_URL=" + v.APIURL(), "SLACK_APP_TOKEN=" + v.Options().AppToken, "SLACK_AGENT_VIEW=" + strconv.FormatBool(v.Options().AgentView)}
}

func (v *slackTown) platform(cfg *config.Config, p *parts) platform.Platform {
	o := newSlack(cfg, p.log).Options
	o.HTTP, o.Unpaced = nil, true // the fake has no limits
	return slack.New(o)
}

func (v *slackTown) close() { v.Server.Close() }
