package slack

import (
	"cmp"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"
	"strings"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/memory"
)

// reader turns Slack's JSON into what it means to us. It asks nobody: the text of an
// event it reads is still Slack's (markdown converts it), and its author has only an id.
type reader struct {
	us        identity
	agentView bool
}

// outcome is what one delivery means: an event, a notice that the adapter itself
// handles, or the reason to ignore it.
type outcome struct {
	event       *platform.Event
	checkShares bool   // its file may still be shared somewhere
	editedAt    string // when the message of event was edited, as Slack has it
	about       *about // the message that aloud asks about
	said        string // its words, which aloud follows; "" to look them up
	aloud       string // a question from a slash command or a message's menu, as it is shown to everybody before it is passed on
	notice      any    // *homeOpened, *aboutMessage, *channelRenamed, *rateLimited, *uninstalled
	reason      string
}

func ignored(format string, args ...any) outcome {
	return outcome{reason: fmt.Sprintf(format, args...)}
}

// homeOpened is a person opening the page about us ("home") or the conversation
// with us ("messages").
type homeOpened struct {
	User    string `json:"user"`
	Channel string `json:"channel"`
	Tab     string `json:"tab"`
}

type channelRenamed struct{ channel string }

// rateLimited is Slack withholding events of an app that gets too many
// (https://docs.slack.dev/apis/events-api/#rate-limiting).
type rateLimited struct{}

type uninstalled struct{ reason string }

func (r reader) callback(payload []byte) outcome {
	var outer callback
	if err := kit.Decode(payload, &outer); err != nil {
		return ignored("no JSON: %v", err)
	}
	switch {
	case outer.Type == "event_callback" && !outer.of(r.us.Team):
		return ignored("of another workspace")
	case outer.Type == "event_callback":
	case outer.Type == "app_rate_limited":
		return outcome{notice: &rateLimited{}}
	default:
		return ignored("delivery of type %q", outer.Type)
	}
	var head struct {
		Type    string `json:"type"`
		Subtype string `json:"subtype"`
	}
	if err := kit.Decode(outer.Event, &head); err != nil {
		return ignored("no event: %v", err)
	}
	switch head.Type {
	case "message", "app_mention":
		var m message
		if err := kit.Decode(outer.Event, &m); err != nil {
			return ignored("no message: %v", err)
		}
		f := r.message(m)
		if f.event != nil {
			f.event.Channel.External = outer.ExtShared
		}
		return f
	}
	return r.other(head.Type, outer)
}

func (r reader) other(kind string, outer callback) outcome {
	var e struct {
		User    json.RawMessage `json:"user"` // an id, or the person
		Channel string          `json:"channel"`
		Thread  string          `json:"thread_ts"`
		TS      string          `json:"event_ts"`
		File    string          `json:"file_id"`
		Inviter string          `json:"inviter"`
		Old     string          `json:"old_channel_id"`
		New     string          `json:"new_channel_id"`
		Tokens  struct {
			Bot list[string] `json:"bot"`
		} `json:"tokens"`
	}
	if err := kit.Decode(outer.Event, &e); err != nil {
		return ignored("no %s: %v", kind, err)
	}
	var user string
	_ = kit.Decode(e.User, &user)
	ev := &platform.Event{ID: "event:" + outer.EventID, At: millis(e.TS), Channel: memory.Channel{External: outer.ExtShared}}
	switch kind {
	case "member_joined_channel":
		if user != r.us.User {
			if user == "" {
				return ignored("nobody joined")
			}
			ev.Kind, ev.Key, ev.Author.ID, ev.Joined = platform.EventAudience, r.key(e.Channel), user, true
			return outcome{event: ev}
		}
		ev.Kind, ev.Key, ev.Author.ID = platform.EventJoin, r.key(e.Channel), e.Inviter
		return outcome{event: ev}
	case "channel_id_changed":
		// A private channel is about to be shared with another workspace
		// (https://docs.slack.dev/reference/events/channel_id_changed).
		if e.Old == "" || e.New == "" {
			return ignored("another id without an id")
		}
		ev.Kind, ev.Key, ev.Message, ev.Channel.External = platform.EventMove, r.key(e.New), e.Old, true
		return outcome{event: ev}
	case "channel_shared", "channel_unshared", "channel_archive", "channel_unarchive", "group_archive", "group_unarchive":
		return r.audience(ev.ID, e.Channel, memory.Channel{External: kind == "channel_shared" || outer.ExtShared})
	case "channel_left", "group_left": // it is we who left
		return r.audience(ev.ID, e.Channel, memory.Channel{})
	case "member_left_channel":
		if user == r.us.User || user == "" {
			return ignored("told by channel_left")
		}
		ev.Kind, ev.Key, ev.Author.ID = platform.EventAudience, r.key(e.Channel), user
		return outcome{event: ev}
	case "channel_deleted", "group_deleted":
		if e.Channel == "" {
			return ignored("%s without a channel", kind)
		}
		ev.Kind, ev.Key = platform.EventDelete, r.key(e.Channel)
		return outcome{event: ev}
	case "file_deleted", "file_unshared":
		if e.File == "" {
			return ignored("%s without a file", kind)
		}
		// The page of file_unshared does not promise the channel, and never names those where
		// the file still is.
		ev.Kind, ev.Key, ev.Message = platform.EventFile, r.key(""), e.File
		return outcome{event: ev, checkShares: kind == "file_unshared"}
	case "agent_session_stopped":
		ev.Kind, ev.Key, ev.Author.ID, ev.Action = platform.EventClick, r.key(e.Channel), user, platform.StopAction
		ev.Key.Thread, ev.Channel.Kind = e.Thread, kindOf("", e.Channel)
		return outcome{event: ev}
	case "agent_session_title_changed": // by a person, never by us
		ev.Kind, ev.Key, ev.Author.ID = platform.EventTitle, r.key(e.Channel), user
		ev.Key.Thread, ev.Channel.Kind = e.Thread, kindOf("", e.Channel)
		return outcome{event: ev}
	case "app_home_opened":
		home := new(homeOpened)
		_ = kit.Decode(outer.Event, home)
		return outcome{notice: home}
	case "app_uninstalled":
		return outcome{notice: &uninstalled{"the app was removed from the workspace: install it again and set the new tokens"}}
	case "tokens_revoked":
		if slices.Contains(e.Tokens.Bot, r.us.User) {
			return outcome{notice: &uninstalled{"the bot token was revoked: install the app again and set SLACK_BOT_TOKEN to its new token"}}
		}
		return ignored("tokens of others were revoked")
	}
	return ignored("event of type %q", kind)
}

// audience is that who may read a channel has changed, or may have; certain is what is
// taken from them.
func (r reader) audience(id, channel string, certain memory.Channel) outcome {
	if channel == "" {
		return ignored("another audience without a channel")
	}
	return outcome{event: &platform.Event{ID: id, Kind: platform.EventAudience, Key: r.key(channel), Channel: certain}}
}

func (r reader) key(channel string) memory.Key {
	return memory.Key{Platform: "slack", Workspace: r.us.Team, Channel: channel}
}

// spoken are the subtypes that people say something with. What Slack tells of a
// thread's reply that is shown in its channel too has the same ts as the reply. Programs without
// a user say bot_message.
var spoken = map[string]bool{"": true, "file_share": true, "thread_broadcast": true, "me_message": true, "bot_message": true}

func (r reader) message(m message) outcome {
	if m.Channel == "" {
		return ignored("message without a channel")
	}
	switch m.Subtype {
	case "message_changed":
		return r.changed(m)
	case "channel_convert_to_private", "channel_convert_to_public":
		certain := memory.Channel{}
		if m.Subtype == "channel_convert_to_private" {
			certain.Kind = memory.Private
		}
		return r.audience(fmt.Sprintf("msg:%s:%s:%s", r.us.Team, m.Channel, m.TS), m.Channel, certain)
	case "channel_name", "group_name":
		return outcome{notice: &channelRenamed{m.Channel}}
	case "message_deleted":
		ts := m.DeletedTS
		if m.Previous != nil {
			if why := r.unsaid(*m.Previous); why != "" && !r.ours(*m.Previous) {
				return ignored("deleted: %s", why)
			}
			if ts == "" {
				ts = m.Previous.TS
			}
		}
		return r.deleted(m, ts)
	}
	if why := r.unsaid(m); why != "" {
		return outcome{reason: why}
	}
	ev := r.event(platform.EventMessage, m, m.Channel, m.ChannelType)
	ev.ID = fmt.Sprintf("msg:%s:%s:%s", r.us.Team, m.Channel, m.TS)
	ev.Files = files(m)
	return outcome{event: ev}
}

// unsaid says why a message is not from a person or another program, "" if it is.
func (r reader) unsaid(m message) string {
	switch {
	case !spoken[m.Subtype]:
		return fmt.Sprintf("message of subtype %q", m.Subtype)
	case r.ours(m):
		return "said by us"
	case m.User == "" && m.BotID == "":
		return "said by nobody"
	case m.TS == "":
		return "message without a ts"
	}
	return ""
}

func (r reader) ours(m message) bool {
	return m.User == r.us.User || m.BotID != "" && m.BotID == r.us.Bot
}

// changed reads message_changed, which comes for edits by people, for unfurled links,
// for new replies, for each edit of ours, and for the deletion of a thread's root.
func (r reader) changed(m message) outcome {
	now, before := m.Message, m.Previous
	if now == nil {
		return ignored("change without a message")
	}
	if now.Subtype == "tombstone" {
		if before != nil && r.unsaid(*before) != "" && !r.ours(*before) {
			return ignored("deleted: %s", r.unsaid(*before))
		}
		if before != nil {
			now.User, now.ThreadTS = before.User, before.ThreadTS
		}
		m.Previous = now
		return r.deleted(m, now.TS)
	}
	if why := r.unsaid(*now); why != "" {
		return ignored("changed: %s", why)
	}
	if m.TS != "" && now.Edited == nil && now.BotID != "" && before != nil { // programs need not say that they edited
		now.Edited = &edited{m.TS}
	}
	switch {
	case now.Edited == nil || now.Edited.TS == "":
		return ignored("changed by Slack, not edited")
	case before != nil && before.Edited != nil && before.Edited.TS == now.Edited.TS && before.Text == now.Text:
		return ignored("changed by Slack after an edit")
	case before != nil && body(*before) == body(*now):
		return ignored("changed, but not its text")
	}
	ev := r.event(platform.EventEdit, *now, m.Channel, m.ChannelType)
	ev.Files, ev.At = files(*now), millis(now.Edited.TS)
	// Slack dates an edit by the second, in which there may be two.
	ev.ID = fmt.Sprintf("edit:%s:%s:%s:%s:%08x", r.us.Team, m.Channel, now.TS, now.Edited.TS, crc32.ChecksumIEEE([]byte(ev.Text)))
	return outcome{event: ev, editedAt: now.Edited.TS}
}

func (r reader) deleted(m message, ts string) outcome {
	if ts == "" {
		return ignored("deletion of nothing")
	}
	gone := message{TS: ts, ThreadTS: m.ThreadTS}
	if m.Previous != nil {
		gone.User, gone.ThreadTS = m.Previous.User, m.Previous.ThreadTS
	}
	ev := r.event(platform.EventDelete, gone, m.Channel, m.ChannelType)
	ev.ID = fmt.Sprintf("delete:%s:%s:%s", r.us.Team, m.Channel, ts)
	return outcome{event: ev}
}

// event is what a message, its edit and its deletion have in common.
func (r reader) event(kind platform.EventKind, m message, channel, channelType string) *platform.Event {
	ev := &platform.Event{Kind: kind, Key: r.key(channel), Author: author(m), Message: m.TS, At: millis(m.TS), Text: body(m)}
	ev.Channel.Kind = kindOf(channelType, channel)
	ev.Joined = r.in(ev, m.ThreadTS, m.TS)
	ev.Mention = ev.Channel.Kind == memory.DM || mentions(m.typed(), r.us.User)
	ev.ToOther = opensToOther(m.typed(), r.us.User)
	return ev
}

// author is who said a message, as far as it tells. A person's post through an app with their own
// token has their id and the app's bot_id, as the post of the app's bot has its own: until
// Slack tells who they are, both are by a program.
func author(m message) platform.Author {
	a := platform.Author{ID: m.User}
	if m.BotID != "" || m.User == "USLACKBOT" {
		a.ID, a.Name, a.Kind = cmp.Or(m.User, m.BotID), plainName(cmp.Or(m.Username, m.Bot.Name)), memory.Bot
	}
	if m.Subtype == "bot_message" { // not from a user, whatever else it says
		a.ID = cmp.Or(m.BotID, a.ID)
	}
	return a
}

// in places an event that is about message ts of a thread, and reports whether the
// message is a reply in it. The root of a thread is at the top of its channel.
func (r reader) in(ev *platform.Event, thread, ts string) (replied bool) {
	dm := ev.Channel.Kind == memory.DM
	switch {
	case thread != "" && thread != ts:
		ev.Key.Thread = thread
		return true
	case dm && r.agentView:
		ev.Key.Thread = ts
	case !dm:
		ev.Opens = ts
	}
	return false
}

// kindOf returns what a channel's type and id reveal about who can read it, "" for nothing.
func kindOf(channelType, channel string) memory.ChannelKind {
	switch channelType {
	case "im":
		return memory.DM
	case "channel":
		return memory.Public
	case "group", "mpim":
		return memory.Private
	}
	if strings.HasPrefix(channel, "D") {
		return memory.DM
	}
	return ""
}

// millis is the time of a ts ("1700000000.000100"), milliseconds UTC.
func millis(ts string) int64 {
	seconds, fraction, _ := strings.Cut(ts, ".")
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return 0
	}
	f, err := strconv.ParseInt((fraction + "000")[:3], 10, 64)
	if err != nil {
		f = 0
	}
	return n*1000 + f
}

// files are those that a message brings. A reply may repeat the files of the message
// it answers, and files that were deleted or are withheld are no files.
func files(m message) []memory.File {
	all := m.Files
	for _, a := range m.Attachments {
		if a.IsShare || a.IsMessage {
			all = append(all, a.Files...)
		}
	}
	repeated := make(map[string]bool)
	if m.Root != nil {
		for _, f := range m.Root.Files {
			repeated[f.ID] = true
		}
	}
	var brought []memory.File
	for _, f := range all {
		if f.ID == "" || repeated[f.ID] || f.Mode == "tombstone" || f.Mode == "hidden_by_limit" || m.ThreadTS != "" && sharedBefore(f, m) {
			continue
		}
		repeated[f.ID] = true
		brought = append(brought, attached(f))
	}
	return brought
}

// sharedBefore reports whether a file was shared by the root of the message's
// thread and not by the message.
func sharedBefore(f file, m message) bool {
	before := false
	for _, channels := range f.Shares {
		for _, shares := range channels {
			for _, s := range shares {
				if s.TS == m.TS {
					return false
				}
				before = before || s.TS == m.ThreadTS
			}
		}
	}
	return before
}

func attached(f file) memory.File {
	name := f.Name
	if name == "" {
		name = f.Title
	}
	if f.Mode == "snippet" && (strings.HasPrefix(name, "-") || strings.HasPrefix(strings.ToLower(name), "untitled")) && f.Media == "text/plain" { // nobody gave it a name
		name = kit.Pasted
	}
	if name == "" {
		name = f.ID
	}
	return memory.File{PlatformID: f.ID, Name: name, Media: f.Media, Size: f.Size, Locator: locate(f), Link: f.Permalink}
}
