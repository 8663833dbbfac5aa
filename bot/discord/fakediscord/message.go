package fakediscord

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"
)

// message is one message with what only the server knows of it.
type message struct {
	Message
	only     string // the one person who sees it, "" for all
	notifies int    // people and groups, as far as ever
}

// messageBody is what a bot sends to create or edit a message, also by an interaction.
type messageBody struct {
	Content          *string           `json:"content"`
	Nonce            any               `json:"nonce"`
	EnforceNonce     bool              `json:"enforce_nonce"`
	TTS              bool              `json:"tts"`
	AllowedMentions  *allowedMentions  `json:"allowed_mentions"`
	MessageReference *Reference        `json:"message_reference"`
	Components       *[]Component      `json:"components"`
	Attachments      *[]attachmentBody `json:"attachments"`
	Flags            int               `json:"flags"`
}

type attachmentBody struct {
	ID          json.RawMessage `json:"id"` // number or string
	Filename    string          `json:"filename"`
	Description *string         `json:"description"`
	Title       string          `json:"title"`
	Size        int             `json:"size"`
	ContentType string          `json:"content_type"`
	URL         string          `json:"url"`
	ProxyURL    string          `json:"proxy_url"`
	Ephemeral   bool            `json:"ephemeral"`
	IsSpoiler   bool            `json:"is_spoiler"`
	Duration    *float64        `json:"duration_secs"`
	Waveform    *string         `json:"waveform"`
}

func (a attachmentBody) id() string {
	var s string
	if json.Unmarshal(a.ID, &s) == nil {
		return s
	}
	return string(a.ID)
}

// check is the first thing wrong with a body.
func (s *Server) check(c *call, b *messageBody) error {
	var k checker
	if b.Content != nil {
		k.text("content", *b.Content, 0, maxContent)
	}
	if b.Components != nil {
		k.components(*b.Components)
	}
	k.allowed(b.AllowedMentions)
	if n, ok := b.Nonce.(string); ok {
		k.text("nonce", n, 0, maxNonce)
	}
	k.count("files", len(c.files), 0, maxFiles)
	for n := range c.files {
		if n < 0 || n >= maxFiles {
			k.fail("files", "BASE_TYPE_BAD_LENGTH", "A file's number is from 0 to 9.")
		}
	}
	if k.err != nil {
		s.violate("%s %s: %v", c.Method, c.URL.Path, k.err.errors)
		return k.err
	}
	for _, f := range c.files {
		if len(f.data) > s.opts.UploadLimit {
			return tooLarge
		}
	}
	if b.AllowedMentions == nil {
		s.violate("%s %s: no allowed_mentions", c.Method, c.URL.Path)
	}
	return nil
}

// uploads keeps the files of a request. Every file must be named in attachments or has
// the name of its form part.
func (s *Server) uploads(c *call, channel string, list *[]attachmentBody) []Attachment {
	all := []Attachment{}
	for n := range maxFiles {
		f, ok := c.files[n]
		if !ok {
			continue
		}
		up := File{Name: f.name, Media: f.media, Data: f.data}
		var description *string
		if list != nil {
			for _, a := range *list {
				if a.id() == strconv.Itoa(n) {
					up.Name, description = or(a.Filename, up.Name), a.Description
				}
			}
		}
		all = append(all, s.attach(channel, up, description))
	}
	return all
}

// put adds a message to a channel and tells it to the bot, if it may see it.
func (s *Server) put(c *channel, m *message) {
	m.ID, m.ChannelID, m.Timestamp = or(m.ID, s.id()), c.ID, stamp(s.now())
	m.Mentions, m.MentionRoles = list(m.Mentions), list(m.MentionRoles)
	m.Attachments, m.Embeds, m.Components = list(m.Attachments), list(m.Embeds), list(m.Components)
	c.messages = append(c.messages, m)
	if m.only == "" {
		s.tell("MESSAGE_CREATE", c, m)
		s.unfurl(c, m)
	} else {
		s.whisper("MESSAGE_CREATE", c, m)
	}
	s.ring()
}

// list makes a nil list an empty one, as it is sent.
func list[T any](l []T) []T {
	if l == nil {
		return []T{}
	}
	return l
}

// unfurl adds the embeds of links, a moment later, which is told as a change that is no
// edit.
func (s *Server) unfurl(c *channel, m *message) {
	if m.Flags&FlagSuppressEmbeds != 0 {
		return
	}
	found := linkText.FindAllStringSubmatch(codeText.ReplaceAllString(m.Content, ""), maxEmbeds)
	for _, l := range found {
		if !slices.ContainsFunc(m.Embeds, func(e Embed) bool { return e.URL == l[2] }) {
			m.Embeds = append(m.Embeds, Embed{Type: "link", URL: l[2], Title: l[2]})
		}
	}
	if len(found) > 0 {
		s.tell("MESSAGE_UPDATE", c, m)
	}
}

// shown is a message as REST and the gateway send it to the bot. Without the Message
// Content intent (seen) it is empty, unless it is the bot's, mentions it, or is direct.
func (s *Server) shown(c *channel, m *message, seen bool) Message {
	out := m.Message
	out.Attachments = []Attachment{}
	for _, a := range m.Attachments {
		out.Attachments = append(out.Attachments, s.signed(a))
	}
	if r := m.MessageReference; r != nil && m.ReferencedMessage == nil && (m.Type == ReplyMessage || m.Type == ThreadStarterMessage) {
		if o := s.channels[r.ChannelID].find(r.MessageID); o != nil && o.MessageReference != r {
			shown := s.shown(s.channels[r.ChannelID], o, seen)
			shown.ReferencedMessage = nil
			out.ReferencedMessage = &shown
		}
	}
	if t := s.channels[m.ID]; t != nil && t.thread() {
		shown := s.shownChannel(t)
		out.Thread, out.Flags = &shown, out.Flags|FlagHasThread
	}
	mentions := slices.ContainsFunc(m.Mentions, func(u User) bool { return u.ID == s.bot.ID })
	if !seen && m.Author.ID != s.bot.ID && !mentions && c.Type != DMChannel {
		out.Content, out.Attachments, out.Embeds, out.Components = "", []Attachment{}, []Embed{}, []Component{}
	}
	return out
}

func (s *Server) tell(name string, c *channel, m *message) {
	s.dispatch(event{name: name, guild: c.GuildID, channel: c, intents: messageIntent(c), data: func(to *session) any {
		out := s.shown(c, m, to.intents&intentMessageContent != 0)
		out.GuildID, out.ChannelType = c.GuildID, &c.Type
		if g := s.guilds[c.GuildID]; g != nil && g.members[m.Author.ID] != nil {
			member := *g.members[m.Author.ID]
			member.User = nil
			out.Member = &member
		}
		return out
	}})
}

// whisper tells the bot of a message for one person: it is sent to both directly, with
// no guild, whatever channel it is in
// (https://docs.discord.com/developers/events/gateway-events#messages).
func (s *Server) whisper(name string, c *channel, m *message) {
	s.dispatch(event{name: name, intents: intentDirectMessages, data: func(*session) any { return s.shown(c, m, true) }})
}

func messageIntent(c *channel) int {
	if c.Type == DMChannel {
		return intentDirectMessages
	}
	return intentGuildMessages
}

// find is a message that everybody may see.
func (c *channel) find(id string) *message {
	if c == nil {
		return nil
	}
	for _, m := range c.messages {
		if m.ID == id && m.only == "" {
			return m
		}
	}
	return nil
}

func (s *Server) create(c *call, ch *channel, b *messageBody) *message {
	var replied *message
	m := &message{Message: Message{Author: s.bot, TTS: b.TTS, Flags: b.Flags & (FlagSuppressEmbeds | FlagSilent | FlagComponentsV2)}}
	if r := b.MessageReference; r != nil {
		if replied = ch.find(r.MessageID); replied != nil {
			m.Type, m.MessageReference = ReplyMessage, &Reference{MessageID: r.MessageID, ChannelID: ch.ID, GuildID: ch.GuildID}
		}
	}
	m.Nonce = b.Nonce
	s.change(c, ch, m, b, replied)
	return m
}

func (s *Server) change(c *call, ch *channel, m *message, b *messageBody, replied *message) {
	if b.Content != nil {
		m.Content = *b.Content
	}
	if b.Components != nil {
		m.Components = *b.Components
	}
	if b.Attachments != nil {
		m.Attachments = slices.DeleteFunc(slices.Clone(m.Attachments), func(a Attachment) bool {
			return !slices.ContainsFunc(*b.Attachments, func(k attachmentBody) bool { return k.id() == a.ID })
		})
	}
	m.Attachments = append(m.Attachments, s.uploads(c, ch.ID, b.Attachments)...)
	told := s.mentions(s.bot.ID, ch, m.Content, b.AllowedMentions, replied)
	m.Mentions, m.MentionRoles, m.MentionEveryone = list(told.users), list(told.roles), told.everyone
	m.notifies = max(m.notifies, told.count())
}

func (m *message) empty() bool {
	return length(m.Content) == 0 && len(m.Attachments) == 0 && len(m.Components) == 0
}

// nonceLife is how long a nonce is remembered in its channel ("the past few minutes"),
// also when its message was deleted
// (https://github.com/discord/discord-api-docs/pull/6647).
const nonceLife = 3 * time.Minute

func (s *Server) createMessage(c *call) (any, error) {
	ch, err := s.see(c)
	if err != nil {
		return nil, err
	}
	var b messageBody
	if err := s.decode(c, &b); err != nil {
		return nil, err
	}
	if err := s.mayPost(ch, len(c.files) > 0); err != nil {
		return nil, err
	}
	if err := s.check(c, &b); err != nil {
		return nil, err
	}
	if b.Flags&FlagEphemeral != 0 {
		s.violate("an ephemeral message without an interaction")
	}
	key := fmt.Sprint(ch.ID, "/", b.Nonce)
	if old := s.nonces[key]; b.EnforceNonce && b.Nonce != nil && old != nil && s.now().Sub(snowflakeTime(old.ID)) < nonceLife {
		if ch.find(old.ID) == nil {
			return nil, unknownMessage
		}
		return s.shown(ch, old, true), nil
	}
	if r := b.MessageReference; r != nil {
		switch {
		case !s.may(s.bot.ID, ch, ReadMessageHistory):
			return nil, noReference
		case ch.find(r.MessageID) == nil && (r.FailIfNotExists == nil || *r.FailIfNotExists):
			return nil, invalid("message_reference", "MESSAGE_REFERENCE_UNKNOWN_MESSAGE", "Unknown message")
		}
	}
	m := s.create(c, ch, &b)
	if m.empty() {
		return nil, emptyMessage
	}
	if err := s.unarchive(ch); err != nil {
		return nil, err
	}
	s.put(ch, m)
	if b.Nonce != nil {
		s.nonces[key] = m
	}
	return s.shown(ch, m, true), nil
}

func (s *Server) mayPost(ch *channel, files bool) error {
	need := SendMessages
	if ch.thread() {
		need = SendMessagesInThreads
	}
	switch {
	case ch.Type == CategoryChannel:
		return noText
	case ch.Type == ForumChannel:
		return noForum
	case ch.Type == DMChannel && s.closedDMs[ch.Recipients[0].ID]:
		return cannotSendTo
	case !s.may(s.bot.ID, ch, need), files && !s.may(s.bot.ID, ch, AttachFiles):
		return missingPermissions
	}
	return nil
}

func (s *Server) editMessage(c *call) (any, error) {
	ch, m, err := s.seeMessage(c)
	if err != nil {
		return nil, err
	}
	if m.Author.ID != s.bot.ID {
		return nil, notOurs
	}
	if m.Type != DefaultMessage && m.Type != ReplyMessage && m.Type != CommandMessage {
		return nil, systemMessage
	}
	if ch.thread() && ch.ThreadMetadata.Archived {
		return nil, threadArchived
	}
	if ch.thread() && ch.ThreadMetadata.Locked && !s.may(s.bot.ID, ch, ManageThreads) {
		return nil, threadLocked // https://docs.discord.com/developers/topics/threads#locked-threads
	}
	if s.now().Sub(snowflakeTime(m.ID)) > time.Hour {
		if err := s.once("old edits", ch, oldEdits, tooOften{code: 30046, message: "Maximum number of edits to messages older than 1 hour reached. Try again later."}); err != nil {
			return nil, err
		}
	}
	return s.edit(c, ch, m)
}

func (s *Server) edit(c *call, ch *channel, m *message) (any, error) {
	var b messageBody
	if err := s.decode(c, &b); err != nil {
		return nil, err
	}
	if err := s.check(c, &b); err != nil {
		return nil, err
	}
	var present map[string]json.RawMessage
	if err := json.Unmarshal(c.body, &present); err == nil && string(present["content"]) == "null" {
		b.Content = text("")
	}
	next := *m
	s.change(c, ch, &next, &b, nil)
	if present["flags"] != nil {
		next.Flags = next.Flags&^FlagSuppressEmbeds | b.Flags&FlagSuppressEmbeds
	}
	if next.empty() {
		return nil, emptyMessage
	}
	if next.Flags&FlagLoading == 0 { // what was deferred is not edited, but said now
		next.EditedTimestamp = text(stamp(s.now()))
	}
	next.Flags &^= FlagLoading
	*m = next
	if m.only == "" {
		s.tell("MESSAGE_UPDATE", ch, m)
		s.unfurl(ch, m)
	} else {
		s.whisper("MESSAGE_UPDATE", ch, m)
	}
	return s.shown(ch, m, true), nil
}

func (s *Server) deleteMessage(c *call) (any, error) {
	ch, m, err := s.seeMessage(c)
	if err != nil {
		return nil, err
	}
	if m.Author.ID != s.bot.ID && !s.may(s.bot.ID, ch, ManageMessages) {
		return nil, missingPermissions
	}
	if ch.thread() && ch.ThreadMetadata.Archived {
		return nil, threadArchived
	}
	s.remove(ch, m)
	return nil, nil
}

func (s *Server) remove(c *channel, m *message) {
	s.drop(c, m)
	if m.only == "" {
		data := map[string]any{"id": m.ID, "channel_id": c.ID}
		if c.GuildID != "" {
			data["guild_id"] = c.GuildID
		}
		s.dispatch(event{name: "MESSAGE_DELETE", guild: c.GuildID, channel: c, intents: messageIntent(c), data: same(data)})
	}
	s.ring()
}

func (s *Server) drop(c *channel, m *message) {
	c.messages = slices.DeleteFunc(c.messages, func(o *message) bool { return o == m })
	for _, a := range m.Attachments {
		delete(s.files, a.ID)
	}
}

func (s *Server) removeAll(c *channel, ids []string) {
	var gone []string
	for _, id := range ids {
		if m := c.find(id); m != nil {
			s.drop(c, m)
			gone = append(gone, id)
		}
	}
	s.dispatch(event{name: "MESSAGE_DELETE_BULK", guild: c.GuildID, channel: c, intents: messageIntent(c),
		data: same(map[string]any{"ids": gone, "channel_id": c.ID, "guild_id": c.GuildID})})
	s.ring()
}
