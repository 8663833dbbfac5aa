package main

import (
	"fmt"
	"time"

	"threadkeeper/bot/discord/fakediscord"
	"threadkeeper/memory"
)

const discordThreads = 5

type discordOutside struct {
	*fakediscord.Server
	guild    string
	users    []string
	channels []string
	threads  []string // ids; a thread has that of the message it began on
	beside   []string // ids of threads the bot is not asked in
}

func openDiscord(threads int) outside {
	s := &discordOutside{Server: fakediscord.New(fakediscord.Options{}), threads: make([]string, threads)}
	s.guild = s.AddGuild("Threadworks")
	for n := range people {
		s.users = append(s.users, s.AddUser(fmt.Sprintf("person-%d", n)).ID)
		s.AddMember(s.guild, s.users[n])
	}
	for n := range (threads + discordThreads - 1) / discordThreads {
		s.channels = append(s.channels, s.AddChannel(s.guild, fakediscord.Channel{Name: fmt.Sprintf("hall-%d", n), Type: fakediscord.TextChannel}))
	}
	for n := range threads {
		root := s.Server.Say(fakediscord.Said{User: s.users[0], Channel: s.channel(n), Text: "Who has the keys?", Unseen: true}).ID
		s.beside = append(s.beside, s.OpenThread(s.users[0], s.channel(n), root, "Keys", true))
	}
	return s
}

func (s *discordOutside) Environ() []string {
	return []string{"DISCORD_TOKEN=" + s.Token(), "DISCORD_API_URL=" + s.URL()}
}

func (s *discordOutside) Connected() bool { return s.Ready() > 0 }

func (s *discordOutside) channel(thread int) string { return s.channels[thread/discordThreads] }

func (s *discordOutside) mention(text string) string { return "<@" + s.Bot().ID + "> " + text }

func (s *discordOutside) Begin(thread, person int, text string) string {
	s.threads[thread] = s.Server.Say(fakediscord.Said{User: s.users[person], Channel: s.channel(thread), Text: s.mention(text)}).ID
	return s.threads[thread]
}

func (s *discordOutside) Say(thread, person int, text, file string, addressed bool) string {
	if addressed {
		text = s.mention(text)
	}
	return s.Server.Say(fakediscord.Said{User: s.users[person], Channel: s.threads[thread], Text: text, Files: discordFiles(file)}).ID
}

// Beside is in a channel, or in a thread of others.
func (s *discordOutside) Beside(place, person int, text, file string) {
	at := s.channel(place)
	if person%2 == 0 {
		at = s.beside[place]
	}
	s.Server.Say(fakediscord.Said{User: s.users[person], Channel: at, Text: text, Files: discordFiles(file)})
}

func discordFiles(text string) []fakediscord.File {
	if text == "" {
		return nil
	}
	return []fakediscord.File{{Name: fileName, Data: []byte(text)}}
}

func (s *discordOutside) Edit(thread int, id, text string) {
	s.Server.Edit(s.threads[thread], id, text)
}

func (s *discordOutside) Delete(thread int, id string) { s.Server.Delete(s.threads[thread], id) }

// Stir pins a message: Discord reports that as an edit.
func (s *discordOutside) Stir(thread, _ int, id string) { s.Pin(s.threads[thread], id) }

func (s *discordOutside) Key(thread int) memory.Key {
	return memory.Key{Platform: "discord", Workspace: s.guild, Channel: s.channel(thread), Thread: s.threads[thread]}
}

func (s *discordOutside) Answers(thread int) []string {
	var all []string
	for _, m := range s.Messages(s.threads[thread], s.users[0]) {
		if m.Author.ID == s.Bot().ID {
			all = append(all, m.Content)
		}
	}
	return all
}

// Acks are none: Discord's gateway is not told what was received.
func (s *discordOutside) Acks() []time.Duration { return nil }

func (s *discordOutside) Waiting() int { return 0 }

// Kept is nothing for the same reason; what it delivers keeps its order.
func (s *discordOutside) Kept() map[string]time.Time { return nil }
