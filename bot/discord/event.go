package discord

import (
	"cmp"
	"slices"
	"strings"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/memory"
)

// Reasons to ignore a message.
const (
	notSaid    = "not something a person writes"
	byUs       = "said by us"
	notEdited  = "nothing was edited" // Discord resolved a link, or pinned it
	notMessage = "no message"
)

// readMessage is what a message says, or a reason to ignore it. What we said is read all the same,
// with the reason byUs.
func readMessage(m wireMessage, s scene) (platform.Event, string) {
	why := m.noise()
	if ours := m.Author != nil && m.Author.ID == s.me.User; ours && m.Type != typeDefault && m.Type != typeReply {
		why = cmp.Or(why, notSaid)
	}
	if why != "" {
		return platform.Event{}, why
	}
	ev := platform.Event{ID: messageEvent + m.ID, Kind: platform.EventMessage, Message: m.ID, At: createdAt(m.ID).UnixMilli(),
		Key: s.key(), Channel: s.channel(), Author: s.author(*m.Author, m.Member), Files: s.files(m)}
	ev.Mention = s.at.direct() || s.meant(m)
	if about := s.about(m); about != nil && ev.Mention {
		ev.Files = append(ev.Files, s.files(*about)...)
		ev.Quoted = s.quoted(*about)
	}
	ev.ToOther = !ev.Mention && s.toOther(m)
	ev.Text = s.text(m, ev.Mention)
	switch {
	case s.at.thread():
		ev.Joined = m.ID != s.at.ID
	case s.at.opens():
		ev.Opens = cmp.Or(s.continues(m), m.ID)
	}
	switch {
	case m.Author.ID == s.me.User:
		ev.Ours = true
		return ev, byUs
	case m.byProgram():
		ev.Author.Kind, ev.Author.Admin = memory.Bot, false
	}
	return ev, ""
}

// quoted is a message that another one quotes, without what it quotes itself; nothing if it is none of a person or program.
func (s scene) quoted(m wireMessage) []platform.Event {
	m.Referenced = nil
	if ev, why := readMessage(m, s); why == "" {
		return []platform.Event{ev}
	}
	return nil
}

// byProgram reports whether a bot, a webhook or Discord itself wrote a message. We are a program, too.
func (m wireMessage) byProgram() bool {
	return m.Author != nil && (m.Author.Bot || m.Author.System) || m.WebhookID != ""
}

// noise returns a reason to ignore a message wherever it was posted, "" if there is none.
func (m wireMessage) noise() string {
	switch {
	case !isID(m.ID) || m.Author == nil || !isID(m.Author.ID):
		return notMessage
	case m.byProgram() && (m.Type == typeCommandAnswer || m.Type == typeMenuAnswer):
	case m.Type != typeDefault && m.Type != typeReply:
		return notSaid
	}
	return ""
}

// readEdit is what a message was changed into, or a reason to ignore the update.
func readEdit(m wireMessage, s scene) (platform.Event, string) {
	ev, why := readMessage(m, s)
	if why == "" && m.EditedTimestamp.IsZero() {
		why = notEdited
	}
	if why != "" {
		return platform.Event{}, why
	}
	ev.Kind, ev.ID = platform.EventEdit, "edit:"+m.ID+":"+m.EditedTimestamp.UTC().Format("20060102150405.000000")
	ev.At = m.EditedTimestamp.UnixMilli()
	return ev, ""
}

func deleted(id string, s scene) platform.Event {
	ev := platform.Event{ID: "delete:" + id, Kind: platform.EventDelete, Message: id, Key: s.key(), Channel: s.channel()}
	if s.at.opens() {
		ev.Opens = id
	}
	return ev
}

func fileRemoved(file string, m wireMessage, s scene) platform.Event {
	ev := deleted(m.ID, s)
	ev.ID, ev.Kind, ev.Message = "file:"+file, platform.EventFile, file
	return ev
}

// meant reports whether a message says our name: it mentions us or our role, or
// it answers a message of ours in words that we may read and that call nobody else, whether or not it notifies us. A role
// that this author may not notify stands in the content only.
func (s scene) meant(m wireMessage) bool {
	notified := slices.ContainsFunc(m.Mentions, func(u wireMention) bool { return u.ID == s.me.User })
	switch {
	case slices.ContainsFunc(append(m.rolesNamed(), m.MentionRoles...), s.ourRole):
		return true
	case !s.answersUs(m), strings.Contains(m.Content, "<@"+s.me.User+">"), strings.Contains(m.Content, "<@!"+s.me.User+">"):
		return notified
	}
	return (notified || m.Content != "") && !s.toOther(m) // a reply notifies whom it answers, whoever it calls
}

func (s scene) answersUs(m wireMessage) bool {
	r := m.Referenced
	return m.Type == typeReply && r != nil && r.Author != nil && r.Author.ID == s.me.User
}

func (s scene) ourRole(id string) bool {
	return s.me.User != "" && s.guild.Roles[id].Tags.BotID == s.me.User
}

// toOther reports whether a message, which does not mention us, is addressed to
// somebody else: it opens by calling them, it answers what they said, or it is a poll.
func (s scene) toOther(m wireMessage) bool {
	if addressed.MatchString(kit.AfterSalutation(m.Content)) || m.Poll.Question.Text != "" {
		return true
	}
	r := s.about(m)
	return r != nil && r.Author.ID != m.Author.ID
}

// about returns the message of another person that a message answers, nil if there is none.
func (s scene) about(m wireMessage) *wireMessage {
	if r := m.Referenced; m.Type == typeReply && r != nil && r.Author != nil && r.Author.ID != s.me.User {
		return r
	}
	return nil
}

// continues is the thread that a message continues by answering a post of ours which
// stands for it, where none could be opened; "" for none. Its buttons name the thread.
func (s scene) continues(m wireMessage) string {
	if !s.answersUs(m) {
		return ""
	}
	for _, id := range m.Referenced.customIDs() {
		if _, k := readCustomID(id); isID(k.thread) {
			return k.thread
		}
	}
	return ""
}

// files are the attachments of a message and of those it forwards.
func (s scene) files(m wireMessage) []memory.File {
	var files []memory.File
	for _, at := range m.attachments() {
		files = append(files, memory.File{PlatformID: at.ID, Name: at.name(), Media: at.ContentType, Size: at.Size,
			Locator: locator{s.at.ID, m.ID, at.ID, at.URL}.String(), Link: jump(s.key().Workspace, s.at.ID, m.ID)})
	}
	return files
}

func (m wireMessage) attachments() []wireAttachment {
	all := slices.Clone(m.Attachments)
	for _, f := range m.Snapshots {
		all = append(all, f.Message.Attachments...)
	}
	return slices.DeleteFunc(all, func(f wireAttachment) bool { return !isID(f.ID) })
}
