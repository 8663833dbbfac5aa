package fakediscord

import (
	"slices"
)

func (s *Server) threadRoutes(add func(string, kind, handler)) {
	add("POST /channels/{channel}/messages/{message}/threads", ordinary, s.startThread)
}

func (k *checker) archiveAfter(minutes int) {
	if !slices.Contains([]int{0, 60, 1440, 4320, 10080}, minutes) {
		k.fail("auto_archive_duration", "BASE_TYPE_CHOICES", "Value must be one of {60, 1440, 4320, 10080}.")
	}
}

func (s *Server) startThread(c *call) (any, error) {
	ch, m, err := s.seeMessage(c)
	if err != nil {
		return nil, err
	}
	var b struct {
		Name                string `json:"name"`
		AutoArchiveDuration int    `json:"auto_archive_duration"`
		Type                *int   `json:"type"` // discord.js sends one; that of a message's thread follows from its channel
	}
	if err := s.decode(c, &b); err != nil {
		return nil, err
	}
	var k checker
	k.text("name", b.Name, 1, 100)
	k.archiveAfter(b.AutoArchiveDuration)
	if k.err != nil {
		return nil, k.err
	}
	if ch.Type != TextChannel && ch.Type != AnnouncementChannel {
		return nil, wrongType
	}
	if !s.may(s.bot.ID, ch, CreatePublicThreads) {
		return nil, missingPermissions
	}
	if s.channels[m.ID] != nil {
		return nil, threadExists
	}
	return reply{201, s.shownChannel(s.openThread(ch, m.ID, b.Name, s.bot.ID, b.AutoArchiveDuration))}, nil
}

func (s *Server) openThread(parent *channel, id, name, owner string, minutes int) *channel {
	kind := PublicThread
	if parent.Type == AnnouncementChannel {
		kind = AnnouncementThread
	}
	t := s.newThread(parent, id, name, owner, kind, minutes)
	if parent.Type != ForumChannel {
		t.messages = append(t.messages, s.starter(t, id))
	}
	s.tellNewThread(t)
	if m := parent.find(id); m != nil {
		s.tell("MESSAGE_UPDATE", parent, m)
	}
	return t
}

// starter is the system message a thread on a message begins with. It repeats the
// message and has an id of its own.
func (s *Server) starter(t *channel, id string) *message {
	return &message{Message: Message{ID: s.id(), ChannelID: t.ID, Type: ThreadStarterMessage, Author: s.users[t.OwnerID], Timestamp: stamp(s.now()),
		Mentions: []User{}, MentionRoles: []string{}, Attachments: []Attachment{}, Embeds: []Embed{}, Components: []Component{},
		MessageReference: &Reference{MessageID: id, ChannelID: *t.ParentID, GuildID: t.GuildID}}}
}

func (s *Server) newThread(parent *channel, id, name, owner string, kind, minutes int) *channel {
	now := stamp(s.now())
	t := &channel{Channel: Channel{ID: id, Type: kind, GuildID: parent.GuildID, Name: name, ParentID: &parent.ID, OwnerID: owner,
		ThreadMetadata: &ThreadMetadata{AutoArchiveDuration: or(minutes, 1440), ArchiveTimestamp: now, CreateTimestamp: now}},
		joined: map[string]string{owner: now}}
	s.channels[id] = t
	return t
}

// tellNewThread dispatches THREAD_CREATE, which marks a thread that did not exist.
func (s *Server) tellNewThread(t *channel) {
	data := s.shownChannel(t)
	data.NewlyCreated = true
	s.dispatch(event{name: "THREAD_CREATE", guild: t.GuildID, channel: t, intents: intentGuilds, data: same(data)})
	s.ring()
}

// unarchive opens a thread again that is about to be written in.
func (s *Server) unarchive(c *channel) error {
	if !c.thread() {
		return nil
	}
	meta := c.ThreadMetadata
	if meta.Locked && !s.may(s.bot.ID, c, ManageThreads) {
		if meta.Archived {
			return threadArchived
		}
		return threadLocked
	}
	if meta.Archived {
		s.setThread(c, func(m *ThreadMetadata) { m.Archived = false })
	}
	if _, in := c.joined[s.bot.ID]; !in {
		c.joined[s.bot.ID] = stamp(s.now())
	}
	return nil
}

func (s *Server) setThread(t *channel, change func(*ThreadMetadata)) {
	meta := *t.ThreadMetadata
	change(&meta)
	if meta.Archived != t.ThreadMetadata.Archived {
		meta.ArchiveTimestamp = stamp(s.now())
	}
	t.ThreadMetadata = &meta
	s.tellChannel("THREAD_UPDATE", t)
	s.ring()
}

// rename gives a thread a name, which is said in it.
func (s *Server) rename(t *channel, user, name string) {
	t.Name = name
	s.put(t, &message{Message: Message{Type: NameMessage, Author: s.users[user], Content: name}})
}

func (s *Server) modifyChannel(c *call) (any, error) {
	ch, err := s.see(c)
	if err != nil {
		return nil, err
	}
	var b struct {
		Name                *string `json:"name"`
		Archived            *bool   `json:"archived"`
		Locked              *bool   `json:"locked"`
		AutoArchiveDuration *int    `json:"auto_archive_duration"`
	}
	if err := s.decode(c, &b); err != nil {
		return nil, err
	}
	var k checker
	if b.Name != nil {
		k.text("name", *b.Name, 1, 100)
	}
	if b.AutoArchiveDuration != nil {
		k.archiveAfter(*b.AutoArchiveDuration)
	}
	if k.err != nil {
		return nil, k.err
	}
	if !ch.thread() {
		return nil, missingPermissions // the bot never manages channels
	}
	opens := b.Archived != nil && !*b.Archived
	if err := s.mayModify(ch, opens, b.Name != nil || b.AutoArchiveDuration != nil, b.Locked != nil); err != nil {
		return nil, err
	}
	if ch.ThreadMetadata.Archived && !opens {
		return nil, threadArchived
	}
	if b.Name != nil {
		if err := s.once("names", ch, renames, tooOften{message: "You are being rate limited."}); err != nil {
			return nil, err
		}
		s.rename(ch, s.bot.ID, *b.Name)
	}
	s.setThread(ch, func(m *ThreadMetadata) {
		set(&m.Archived, b.Archived)
		set(&m.Locked, b.Locked)
		set(&m.AutoArchiveDuration, b.AutoArchiveDuration)
	})
	return s.shownChannel(ch), nil
}

// mayModify reports whether the bot may change a thread: open it again, change more, lock
// it. Who is in a thread may open it, who began it may change more, and neither once it is
// locked (https://docs.discord.com/developers/topics/threads#editing-deleting-threads).
func (s *Server) mayModify(t *channel, opens, more, locks bool) error {
	_, joined := t.joined[s.bot.ID]
	switch {
	case s.may(s.bot.ID, t, ManageThreads):
		return nil
	case locks, t.ThreadMetadata.Locked:
		return missingPermissions
	case t.OwnerID == s.bot.ID, opens && !more && joined && s.may(s.bot.ID, t, SendMessagesInThreads):
		return nil
	}
	return missingPermissions
}

func set[T any](to *T, v *T) {
	if v != nil {
		*to = *v
	}
}
