package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"threadkeeper/bot/slack/fakeslack"
	"threadkeeper/memory"
)

// slackThreads is how many threads a channel has: Slack takes one message a second in each.
const slackThreads = 2

type slackOutside struct {
	*fakeslack.Server
	users    []string
	channels []string
	threads  []string // ts
	beside   []string // ts of threads the bot is not in
}

func openSlack(threads int) outside {
	s := &slackOutside{Server: fakeslack.New(fakeslack.Options{AgentView: true, Limits: 1, AckWait: time.Minute}), threads: make([]string, threads)}
	for n := range people {
		s.users = append(s.users, s.AddUser(fakeslack.User{Name: fmt.Sprintf("person-%d", n)}).ID)
	}
	for n := range (threads + slackThreads - 1) / slackThreads {
		c := s.AddChannel(fakeslack.Channel{Name: fmt.Sprintf("hall-%d", n), Members: append(slices.Clone(s.users), fakeslack.BotUser)})
		s.channels = append(s.channels, c.ID)
	}
	for n := range threads {
		s.beside = append(s.beside, s.Server.Say(fakeslack.Said{User: s.users[0], Channel: s.channel(n), Text: "Who has the keys?", Silent: true}))
	}
	return s
}

func (s *slackOutside) Environ() []string {
	o := s.Options()
	return []string{"SLACK_BOT_TOKEN=" + o.BotToken, "SLACK_APP_TOKEN=" + o.AppToken, "SLACK_API_URL=" + s.APIURL()}
}

func (s *slackOutside) Connected() bool { return s.Sockets() > 0 }

func (s *slackOutside) channel(thread int) string { return s.channels[thread/slackThreads] }

func (s *slackOutside) Begin(thread, person int, text string) string {
	s.threads[thread] = s.Server.Say(fakeslack.Said{User: s.users[person], Channel: s.channel(thread), Text: mention(text)})
	return s.threads[thread]
}

func (s *slackOutside) Say(thread, person int, text, file string, addressed bool) string {
	if addressed {
		text = mention(text)
	}
	return s.Server.Say(fakeslack.Said{User: s.users[person], Channel: s.channel(thread), Thread: s.threads[thread], Text: text, Files: slackFiles(file)})
}

// Beside is at the top of a channel, or in a thread of others.
func (s *slackOutside) Beside(place, person int, text, file string) {
	said := fakeslack.Said{User: s.users[person], Channel: s.channel(place), Text: text, Files: slackFiles(file)}
	if person%2 == 0 {
		said.Thread = s.beside[place]
	}
	s.Server.Say(said)
}

func slackFiles(text string) []fakeslack.NewFile {
	if text == "" {
		return nil
	}
	return []fakeslack.NewFile{{Name: fileName, Data: []byte(text)}}
}

func (s *slackOutside) Edit(thread int, id, text string) { s.Server.Edit(s.channel(thread), id, text) }

func (s *slackOutside) Delete(thread int, id string) { s.Server.Delete(s.channel(thread), id) }

// Stir shows a preview of a link, as Slack does.
func (s *slackOutside) Stir(thread, _ int, id string) {
	s.Unfurl(s.channel(thread), id, "https://example.org/tides")
}

func mention(text string) string { return "<@" + fakeslack.BotUser + "> " + text }

func (s *slackOutside) Key(thread int) memory.Key {
	return memory.Key{Platform: "slack", Workspace: fakeslack.TeamID, Channel: s.channel(thread), Thread: s.threads[thread]}
}

func (s *slackOutside) Answers(thread int) []string {
	var all []string
	for _, m := range s.Shown(s.channel(thread), s.threads[thread], s.users[0]) {
		if !m.Streaming {
			all = append(all, m.Text)
		}
	}
	return all
}

func (s *slackOutside) Acks() []time.Duration {
	var all []time.Duration
	for _, a := range s.Server.Acks() {
		all = append(all, a.After)
	}
	return all
}

func (s *slackOutside) Waiting() int { return s.Pending() }

// Violations leave out what was refused for coming too often: under load that is how
// Slack paces a program.
func (s *slackOutside) Violations() []string {
	paced := func(v string) bool { return strings.HasSuffix(v, ": ratelimited") }
	return append(slices.DeleteFunc(s.Server.Violations(), paced), s.Lost()...)
}

func (s *slackOutside) Kept() map[string]time.Time {
	kept := make(map[string]time.Time)
	for _, a := range s.Server.Acks() {
		kept[a.Message] = a.At // of a mention Slack tells twice
	}
	return kept
}
