package fakeslack

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// object is a JSON object on the wire.
type object = map[string]any

// User is a person or a bot. AddUser fills an empty ID, Team, TimeZone and Locale.
type User struct {
	ID, Team        string
	Name, RealName  string
	Bot             bool
	BotID, AppID    string // of a bot
	Admin, Owner    bool
	Restricted      bool // a guest of several channels
	UltraRestricted bool // a guest of one channel
	Stranger        bool // of another workspace, met through Slack Connect
	TimeZone        string
	Locale          string
}

// ChannelKind is what sort of conversation a Channel is, as channel_type in events.
type ChannelKind string

const (
	Public  ChannelKind = "channel"
	Private ChannelKind = "group"
	Direct  ChannelKind = "im"
	Group   ChannelKind = "mpim" // a direct message of several people
)

// Channel is a conversation. AddChannel fills an empty ID and Kind.
type Channel struct {
	ID, Name  string
	Kind      ChannelKind
	Members   []string // ids; the bot is one where it was added
	Archived  bool
	ExtShared bool // Slack Connect
	OrgShared bool // Enterprise Grid
}

func (c *Channel) has(user string) bool { return slices.Contains(c.Members, user) }

// Message is one that was posted, by a person or by us.
type Message struct {
	Channel, TS   string
	Thread        string // ts of the root, "" at the top and for a root without replies
	User          string
	Text          string // as stored: mrkdwn, escaped
	Blocks        []object
	Markdown      string // the text of markdown_text, as it was sent
	Metadata      object
	Files         []string
	Edited        bool // by its author, visibly
	editedTS      string
	Subtype       string
	Broadcast     bool
	Unfurled      []object
	Parse         bool // names and @everyone in Text notify (parse=full or link_names)
	Replies       []string
	Webhook       string // its name, if one posted it
	App           bool   // its user posted it through an app
	stream        *stream
	everShown     []element // buttons that were ever under it
	alreadyCalled bool      // it mentions us, and we were told
}

// Ephemeral is a message that one person sees until they reload.
type Ephemeral struct {
	Message
	OnlyTo string
}

// AddUser adds a person.
func (s *Server) AddUser(u User) User {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.addUser(u)
}

func (s *Server) addUser(u User) User {
	if u.ID == "" {
		u.ID = s.id("U")
	}
	u.Team = or(u.Team, TeamID)
	if u.Stranger && u.Team == TeamID {
		u.Team = OtherID
	}
	u.TimeZone = or(u.TimeZone, "Europe/Lisbon")
	u.Locale = or(u.Locale, "en-US")
	u.RealName = or(u.RealName, u.Name)
	s.users[u.ID] = &u
	s.order = append(s.order, u.ID)
	return u
}

// AddChannel adds a conversation. The bot is a member only if it is among Members.
func (s *Server) AddChannel(c Channel) Channel {
	s.mu.Lock()
	defer s.mu.Unlock()
	return *s.addChannel(c)
}

func (s *Server) addChannel(c Channel) *Channel {
	c.Kind = or(c.Kind, Public)
	if c.ID == "" {
		c.ID = s.id(map[ChannelKind]string{Public: "C", Private: "C", Direct: "D", Group: "G"}[c.Kind])
	}
	c.Members = slices.Clone(c.Members)
	s.channels[c.ID] = &c
	s.chanOrder = append(s.chanOrder, c.ID)
	return &c
}

// DM is the direct message of a person and the bot, opened if need be.
func (s *Server) DM(user string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dm(user).ID
}

func (s *Server) dm(user string) *Channel {
	for _, id := range s.chanOrder {
		if c := s.channels[id]; c.Kind == Direct && c.has(user) {
			return c
		}
	}
	return s.addChannel(Channel{Kind: Direct, Members: []string{user, BotUser}})
}

func (s *Server) message(channel, ts string) *Message {
	for _, m := range s.messages[channel] {
		if m.TS == ts {
			return m
		}
	}
	return nil
}

// add stores a new message: in its thread, its time later than all before.
func (s *Server) add(m Message) *Message {
	m.TS = s.ts()
	if root := s.message(m.Channel, m.Thread); root != nil {
		root.Thread = root.TS
		root.Replies = append(root.Replies, m.TS)
	}
	s.messages[m.Channel] = append(s.messages[m.Channel], &m)
	return &m
}

// edited marks a message as changed by its author now; Slack tells when in whole seconds.
func (s *Server) edited(m *Message) {
	m.Edited, m.editedTS = true, fmt.Sprintf("%d.000000", s.o.Now().Unix())
}

// remove deletes a message; a root with replies leaves a tombstone.
func (s *Server) remove(m *Message) {
	if len(m.Replies) > 0 {
		m.Subtype, m.Text, m.Blocks, m.Files, m.User, m.Metadata = "tombstone", "This message was deleted.", nil, nil, "USLACKBOT", nil
		return
	}
	s.messages[m.Channel] = slices.DeleteFunc(s.messages[m.Channel], func(o *Message) bool { return o == m })
	if root := s.message(m.Channel, m.Thread); root != nil {
		root.Replies = slices.DeleteFunc(root.Replies, func(ts string) bool { return ts == m.TS })
	}
}

// Message is one as it is stored; false if there is none.
func (s *Server) Message(channel, ts string) (Message, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.message(channel, ts)
	if m == nil {
		return Message{}, false
	}
	return *m, true
}

// Messages are those of a channel, oldest first.
func (s *Server) Messages(channel string) []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Message
	for _, m := range s.messages[channel] {
		all = append(all, *m)
	}
	return all
}

func (s *Server) json(m *Message, metadata bool) object {
	v := object{"type": "message", "user": m.User, "text": m.Text, "ts": m.TS}
	if u := s.users[m.User]; u != nil {
		v["team"] = u.Team
		if u.Bot {
			v["bot_id"], v["app_id"] = u.BotID, u.AppID
			v["bot_profile"] = object{"id": u.BotID, "deleted": false, "name": u.Name, "app_id": u.AppID, "team_id": TeamID}
		}
		if u.Stranger {
			v["user_team"], v["source_team"] = u.Team, u.Team
		}
	}
	if m.App {
		v["bot_id"], v["app_id"], v["bot_profile"] = OtherBotID, OtherAppID, object{"id": OtherBotID, "name": "Other app", "app_id": OtherAppID, "team_id": TeamID}
	}
	if m.Webhook != "" {
		delete(v, "user")
		v["bot_id"], v["app_id"], v["username"] = OtherBotID, OtherAppID, m.Webhook
	}
	if m.Thread != "" {
		v["thread_ts"] = m.Thread
		root := s.message(m.Channel, m.Thread)
		switch {
		case m.Thread == m.TS:
			v["reply_count"], v["reply_users_count"], v["latest_reply"] = len(m.Replies), 1, last(m.Replies)
			v["subscribed"], v["is_locked"] = false, false
		case root != nil:
			v["parent_user_id"] = root.User
		}
	}
	if m.Subtype != "" {
		v["subtype"] = m.Subtype
	}
	if m.Subtype == "tombstone" {
		v["hidden"] = true
	}
	if len(m.Blocks) > 0 {
		v["blocks"] = m.Blocks
	}
	if len(m.Unfurled) > 0 {
		v["attachments"] = m.Unfurled
	}
	if len(m.Files) > 0 {
		v["files"], v["upload"] = s.filesOf(m), m.User != BotUser
	}
	if m.Edited {
		v["edited"] = object{"user": m.User, "ts": m.editedTS}
	}
	if metadata && m.Metadata != nil {
		v["metadata"] = m.Metadata
	}
	return v
}

func (s *Server) filesOf(m *Message) []object {
	var all []object
	for _, id := range m.Files {
		all = append(all, s.fileJSON(s.files[id], s.channels[m.Channel].ExtShared))
	}
	return all
}

func last(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[len(list)-1]
}

func clone[T any](v T) T {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // it came from JSON
	}
	var c T
	if err := json.Unmarshal(b, &c); err != nil {
		panic(err)
	}
	return c
}

func escape(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)
}

func unescape(text string) string {
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&").Replace(text)
}
