package fakeslack

import (
	"fmt"
	"slices"
)

// Said is what a person posts.
type Said struct {
	User, Channel string
	Thread        string // ts of the message it replies to
	Text          string // as Slack stores it: &, < and > escaped, <@U…> for a mention
	Files         []NewFile
	Broadcast     bool // also to the channel
	Silent        bool // no event tells of it: said before we were there
	Subtype       string
	Blocks        []map[string]any
	FileIDs       []string // files that are already there, as a reply that repeats them
	Webhook       string   // a webhook or workflow of this name posts it, no user
	App           bool     // the user posts it through an app with their own token
	Attachments   []map[string]any
}

// Say posts a message of a person (or another bot) and returns its ts.
func (s *Server) Say(v Said) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch := s.channels[v.Channel]
	if ch == nil || s.users[v.User] == nil && v.Webhook == "" {
		panic(fmt.Sprintf("fakeslack: %s says something in %s, which do not both exist", v.User, v.Channel))
	}
	m := Message{Channel: v.Channel, User: v.User, Thread: v.Thread, Text: v.Text, Broadcast: v.Broadcast, Subtype: v.Subtype,
		Blocks: clone(v.Blocks), Files: slices.Clone(v.FileIDs), App: v.App, Webhook: v.Webhook, Unfurled: clone(v.Attachments)}
	if v.Webhook != "" {
		m.User, m.Subtype = "", "bot_message"
	}
	for _, f := range v.Files {
		file := s.addFile(v.User, f)
		file.channels = []string{v.Channel}
		m.Files = append(m.Files, file.id)
	}
	for _, id := range v.FileIDs {
		if f := s.files[id]; !slices.Contains(f.channels, v.Channel) {
			f.channels = append(f.channels, v.Channel)
		}
	}
	if m.Subtype == "" && m.Broadcast {
		m.Subtype = "thread_broadcast"
	}
	m.alreadyCalled = v.Silent
	posted := s.add(m)
	if !v.Silent {
		s.tellNew(posted)
	}
	return posted.TS
}

// Edit is a person changing their message.
func (s *Server) Edit(channel, ts, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.message(channel, ts)
	before := s.json(m, false)
	m.Text, m.Blocks = text, nil
	s.edited(m)
	s.tellChanged(m, before)
}

// Unfurl is Slack showing a preview of a link: message_changed with the same text.
func (s *Server) Unfurl(channel, ts, link string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.message(channel, ts)
	before := s.json(m, false)
	m.Unfurled = append(m.Unfurled, object{"from_url": link, "original_url": link, "title": "A page", "fallback": "A page", "id": 1})
	s.tellChanged(m, before)
}

// Delete is a person deleting a message.
func (s *Server) Delete(channel, ts string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.withdraw(s.message(channel, ts))
}

// Join adds a person or the bot to a channel, as a message and as an event tell.
func (s *Server) Join(user, channel, inviter string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch := s.channels[channel]
	if !ch.has(user) {
		ch.Members = append(ch.Members, user)
	}
	m := s.add(Message{Channel: channel, User: user, Subtype: "channel_join", Text: "<@" + user + "> has joined the channel"})
	s.tellNew(m)
	kind := "C"
	if ch.Kind != Public {
		kind = "G"
	}
	s.emit(object{"type": "member_joined_channel", "user": user, "channel": channel, "channel_type": kind, "team": TeamID, "inviter": inviter, "event_ts": s.ts()}, ch)
}

// Leave takes somebody out of a channel. The bot hears of its own going by
// channel_left or group_left.
func (s *Server) Leave(user, channel string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch := s.channels[channel]
	ch.Members = slices.DeleteFunc(ch.Members, func(u string) bool { return u == user })
	if user != BotUser {
		s.tellNew(s.add(Message{Channel: channel, User: user, Subtype: "channel_leave", Text: "<@" + user + "> has left the channel"}))
		s.emit(object{"type": "member_left_channel", "user": user, "channel": channel, "channel_type": "C", "team": TeamID, "event_ts": s.ts()}, nil)
		return
	}
	s.emit(object{"type": ch.family() + "_left", "channel": channel, "actor_id": user, "event_ts": s.ts()}, nil)
}

// Convert makes a public channel private or a private one public, as its own message tells
// (https://docs.slack.dev/reference/events/message/channel_convert_to_private).
func (s *Server) Convert(user, channel string, to ChannelKind) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.channels[channel].Kind = to
	word := map[ChannelKind]string{Public: "public", Private: "private"}[to]
	s.tellNew(s.add(Message{Channel: channel, User: user, Subtype: "channel_convert_to_" + word, Text: "made this channel *" + word + "*"}))
}

// ChangeID gives a private channel another id, as Slack does when somebody begins to
// share it with another workspace (https://docs.slack.dev/reference/events/channel_id_changed). If it is not told, the event
// gets lost.
func (s *Server) ChangeID(channel, to string, told bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch := s.channels[channel]
	ch.ID, ch.ExtShared = to, true
	s.channels[to], s.messages[to] = ch, s.messages[channel]
	s.chanOrder[slices.Index(s.chanOrder, channel)] = to
	for _, m := range s.messages[to] {
		m.Channel = to
	}
	for _, f := range s.files {
		if i := slices.Index(f.channels, channel); i >= 0 {
			f.channels[i] = to
		}
	}
	delete(s.channels, channel)
	delete(s.messages, channel)
	if !told {
		return
	}
	s.emit(object{"type": "channel_id_changed", "old_channel_id": channel, "new_channel_id": to, "event_ts": s.ts()}, ch)
}

// Share shares a channel with another workspace, or ends that
// (https://docs.slack.dev/reference/events/channel_shared).
func (s *Server) Share(channel string, shared bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch := s.channels[channel]
	ch.ExtShared = shared
	if shared {
		s.emit(object{"type": "channel_shared", "connected_team_id": OtherID, "channel": channel, "event_ts": s.ts()}, ch)
	} else {
		s.emit(object{"type": "channel_unshared", "previously_connected_team_id": OtherID, "channel": channel, "is_ext_shared": false, "event_ts": s.ts()}, ch)
	}
}

// Archive closes a channel.
func (s *Server) Archive(channel string) { s.archive(channel, true, "_archive") }

// Unarchive opens it again.
func (s *Server) Unarchive(channel string) { s.archive(channel, false, "_unarchive") }

func (s *Server) archive(channel string, archived bool, event string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch := s.channels[channel]
	ch.Archived = archived
	s.emit(object{"type": ch.family() + event, "channel": channel, "user": BotUser, "event_ts": s.ts()}, ch)
}

// DeleteChannel deletes a channel with all that was said in it.
func (s *Server) DeleteChannel(channel string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch := s.channels[channel]
	s.emit(object{"type": ch.family() + "_deleted", "channel": channel, "event_ts": s.ts()}, ch)
	for _, f := range s.files { // its files stay, and are in no place
		f.channels = slices.DeleteFunc(f.channels, func(id string) bool { return id == channel })
	}
	delete(s.channels, channel)
	delete(s.messages, channel)
	s.chanOrder = slices.DeleteFunc(s.chanOrder, func(id string) bool { return id == channel })
}

// Change changes a channel while nobody is told.
func (s *Server) Change(channel string, change func(*Channel)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(s.channels[channel])
}

func (c *Channel) family() string {
	if c.Kind == Public {
		return "channel"
	}
	return "group"
}

// OpenHome is a person opening a tab of the app ("home" or "messages"). In the agent
// view the messages tab tells which channel they look at, in context.
func (s *Server) OpenHome(user, tab, context string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	event := object{"type": "app_home_opened", "user": user, "channel": s.dm(user).ID, "tab": tab, "event_ts": s.ts()}
	if v := s.homes[user]; v != nil && tab == "home" {
		event["view"] = v.json()
	}
	if s.o.AgentView && context != "" {
		event["context"] = contextOf(context)
	}
	s.emit(event, nil)
}

func contextOf(channel string) object {
	return object{"entities": []object{{"type": "slack#/types/channel_id", "value": channel, "team_id": TeamID}}}
}

// Uninstall removes the app: the events that tell so, and tokens that are void.
func (s *Server) Uninstall() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.emit(object{"type": "tokens_revoked", "tokens": object{"oauth": []string{}, "bot": []string{BotUser}}, "event_ts": s.ts()}, nil)
	s.emit(object{"type": "app_uninstalled", "event_ts": s.ts()}, nil)
	s.tokens[s.o.BotToken].refusal = "account_inactive"
}
