package fakediscord

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Said is a message that somebody writes.
type Said struct {
	User    string
	Channel string
	Text    string
	Files   []File
	ReplyTo string // message in the same channel
	Type    int    // message type, DefaultMessage or ReplyMessage by itself
	Webhook bool   // comes from a webhook
	Unseen  bool   // is not told: the bot was not there
}

// Say puts a message into a channel. Files of people may have any size.
func (s *Server) Say(d Said) Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.channels[d.Channel]
	m := &message{Message: Message{Author: s.users[d.User], Content: d.Text, Type: d.Type}}
	if d.Webhook {
		m.WebhookID = s.id()
	}
	var replied *message
	if replied = c.find(d.ReplyTo); replied != nil {
		m.Type, m.MessageReference = ReplyMessage, &Reference{MessageID: d.ReplyTo, ChannelID: c.ID, GuildID: c.GuildID}
	}
	for _, f := range d.Files {
		m.Attachments = append(m.Attachments, s.attach(c.ID, f, nil))
	}
	told := s.mentions(d.User, c, d.Text, nil, replied)
	m.Mentions, m.MentionRoles, m.MentionEveryone = told.users, told.roles, told.everyone
	if c.thread() {
		c.joined[d.User] = stamp(s.now())
		if c.ThreadMetadata.Archived {
			s.setThread(c, func(t *ThreadMetadata) { t.Archived = false })
		}
	}
	s.unheard(d.Unseen, func() {
		s.put(c, m)
		if c.thread() && s.names(told, s.bot.ID, c) {
			s.invite(c, s.bot.ID)
		}
	})
	return s.shown(c, m, true)
}

func (s *Server) names(told mentioned, user string, c *channel) bool {
	return slices.ContainsFunc(told.users, func(u User) bool { return u.ID == user }) ||
		slices.ContainsFunc(told.roles, func(r string) bool { return slices.Contains(s.guilds[c.GuildID].members[user].Roles, r) })
}

// invite puts a user into a thread, after the message that mentions them: of a private
// thread the bot was not told of that one
// (https://docs.discord.com/developers/topics/threads#gaining-access-to-private-threads).
func (s *Server) invite(t *channel, user string) {
	if _, in := t.joined[user]; in {
		return
	}
	t.joined[user] = stamp(s.now())
	if user == s.bot.ID {
		s.dispatch(event{name: "THREAD_CREATE", guild: t.GuildID, channel: t, intents: intentGuilds, data: same(s.shownChannel(t))})
	}
}

// unheard does something of which no event is told.
func (s *Server) unheard(yes bool, f func()) {
	if !yes {
		f()
		return
	}
	sessions := s.sessions
	s.sessions = nil
	f()
	s.sessions = sessions
}

// Edit changes what somebody wrote.
func (s *Server) Edit(channel, id, content string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.channels[channel]
	m := c.find(id)
	m.Content, m.EditedTimestamp = content, text(stamp(s.now()))
	told := s.mentions(m.Author.ID, c, content, nil, nil)
	m.Mentions, m.MentionRoles, m.MentionEveryone = list(told.users), list(told.roles), told.everyone
	s.tell("MESSAGE_UPDATE", c, m)
}

// Pin pins a message, which is told as a change that is no edit.
func (s *Server) Pin(channel, id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.channels[channel]
	m := c.find(id)
	m.Pinned = true
	s.tell("MESSAGE_UPDATE", c, m)
}

// Delete takes back messages: one by itself, several at once.
func (s *Server) Delete(channel string, ids ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.channels[channel]
	if len(ids) > 1 {
		s.removeAll(c, ids)
	} else if m := c.find(ids[0]); m != nil {
		s.remove(c, m)
	}
}

// Withdraw takes a file out of a message and returns its id, "" if there is none of
// this name.
func (s *Server) Withdraw(channel, id, name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.channels[channel]
	m := c.find(id)
	i := slices.IndexFunc(m.Attachments, func(a Attachment) bool { return a.Filename == name })
	if i < 0 {
		return ""
	}
	file := m.Attachments[i].ID
	m.Attachments = slices.Delete(slices.Clone(m.Attachments), i, i+1)
	delete(s.files, file)
	m.EditedTimestamp = text(stamp(s.now()))
	s.tell("MESSAGE_UPDATE", c, m)
	return file
}

// OpenThread lets a person open the thread on a message, which may be gone, and returns
// its id. One that exists stays as it is.
func (s *Server) OpenThread(user, channel, id, name string, unseen bool) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.channels[id] == nil {
		s.unheard(unseen, func() { s.openThread(s.channels[channel], id, name, user, 0) })
	}
	return id
}

// Invite makes a guild with one channel and one person, then brings the bot into it, and
// returns the channel.
func (s *Server) Invite(name, channel, user string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.addGuild(name)
	c := s.addChannel(g, Channel{Name: channel})
	s.enter(g, user)
	s.joinGuild(g)
	return c.ID
}

// Repeat sends everything people did that was told so far to the connected sessions
// again, each thing once, and returns the last sequence number.
func (s *Server) Repeat() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := 0
	for _, n := range s.sessions {
		for _, f := range n.log {
			if n.conn != nil && !f.again && (strings.HasPrefix(f.Type, "MESSAGE_") || f.Type == "INTERACTION_CREATE") {
				n.push(f.Type, f.Data)
				n.log[len(n.log)-1].again = true
			}
		}
		last = max(last, n.seq)
	}
	return last
}

// Post makes a post in a forum and returns the thread's id, which is its first
// message's too.
func (s *Server) Post(user, forum, name, text string, files ...File) string {
	s.mu.Lock()
	id := s.id()
	s.openThread(s.channels[forum], id, name, user, 0)
	s.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.channels[id]
	m := &message{Message: Message{ID: id, Author: s.users[user], Content: text}}
	for _, f := range files {
		m.Attachments = append(m.Attachments, s.attach(id, f, nil))
	}
	told := s.mentions(user, t, text, nil, nil)
	m.Mentions, m.MentionRoles, m.MentionEveryone = told.users, told.roles, told.everyone
	s.put(t, m)
	return id
}

// PrivateThread lets a person open a private thread with others.
func (s *Server) PrivateThread(user, channel, name string, others ...string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.newThread(s.channels[channel], s.id(), name, user, PrivateThread, 0)
	for _, u := range others {
		t.joined[u] = stamp(s.now())
	}
	s.tellNewThread(t)
	return t.ID
}

// SetThread archives or opens, locks or unlocks a thread.
func (s *Server) SetThread(id string, archived, locked bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.setThread(s.channels[id], func(m *ThreadMetadata) { m.Archived, m.Locked = archived, locked })
}

// Rename gives a thread a name.
func (s *Server) Rename(user, thread, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rename(s.channels[thread], user, name)
	s.tellChannel("THREAD_UPDATE", s.channels[thread])
}

// Shown is a message as a person sees it.
type Shown struct {
	Message
	OnlyTo   string // the one person who sees it, "" for all
	Notifies int    // how many people and groups it would notify
	Data     string // content of its files
}

// Messages are what a user sees in a channel, oldest first; "" sees what everybody
// sees. Answers that still are "thinking" have FlagLoading.
func (s *Server) Messages(channel, user string) []Shown {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Shown
	if c := s.channels[channel]; c != nil {
		for _, m := range c.messages {
			if m.only == "" || m.only == user {
				v := Shown{Message: s.shown(c, m, true), OnlyTo: m.only, Notifies: m.notifies}
				for _, a := range m.Attachments {
					if f := s.files[a.ID]; f != nil {
						v.Data += string(f.data)
					}
				}
				all = append(all, v)
			}
		}
	}
	return all
}

// Channel is a channel or thread as it is, false if there is none.
func (s *Server) Channel(id string) (Channel, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.channels[id]
	if c == nil {
		return Channel{}, false
	}
	return s.shownChannel(c), true
}

// Threads are those of a channel, oldest first.
func (s *Server) Threads(channel string) []Channel {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Channel
	for _, t := range s.threads(channel) {
		all = append(all, s.shownChannel(t))
	}
	return all
}

// FileData is the content of an attachment.
func (s *Server) FileData(attachment string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := s.files[attachment]; f != nil {
		return slices.Clone(f.data)
	}
	return nil
}

var errNoCommand = errors.New("fakediscord: no such command is registered")

// at is the channel of an interaction that a user may begin there.
func (s *Server) at(user, channel string) (*channel, error) {
	c := s.channels[channel]
	if c == nil || s.users[user] == nil {
		return nil, fmt.Errorf("fakediscord: no channel %s or no user %s", channel, user)
	}
	if !s.may(user, c, UseApplicationCommands) && c.Type != DMChannel {
		return nil, fmt.Errorf("fakediscord: %s may use no commands in %s", user, channel)
	}
	return c, nil
}
