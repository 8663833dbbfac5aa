package fakeslack

import (
	"fmt"
	"regexp"
	"strings"
)

// emit sends an event of the Events API. In a channel the bot hears only what
// happens where it is a member.
func (s *Server) emit(event object, ch *Channel) {
	if ch != nil && !ch.has(BotUser) {
		return
	}
	shared := ch != nil && ch.ExtShared
	body := object{"token": "verification", "team_id": TeamID, "context_team_id": TeamID, "context_enterprise_id": nil,
		"api_app_id": AppID, "type": "event_callback", "event": event, "event_id": s.id("Ev"), "event_time": s.o.Now().Unix(),
		"is_ext_shared_channel": shared, "event_context": "4-" + s.id("EC"),
		"authorizations": []object{{"enterprise_id": nil, "team_id": TeamID, "user_id": BotUser, "is_bot": true, "is_enterprise_install": false}}}
	s.send("events_api", body)
}

// Emit sends any event of the Events API, as if it had happened in a channel ("" for
// one that belongs to none).
func (s *Server) Emit(event map[string]any, channel string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.emit(clone(event), s.channels[channel])
}

func mentioned(text string) bool { return strings.Contains(text, "<@"+BotUser) }

// tellNew sends the events of a new message: message, and app_mention when a person
// mentions us outside direct messages, in either order.
func (s *Server) tellNew(m *Message) {
	ch := s.channels[m.Channel]
	event := s.json(m, false)
	event["channel"], event["channel_type"], event["event_ts"] = ch.ID, string(ch.Kind), m.TS
	if len(m.Files) > 0 && m.Subtype == "" { // which neither an edit of it nor its history has
		event["subtype"] = "file_share"
	}
	if root := s.message(m.Channel, m.Thread); m.Broadcast && root != nil {
		event["root"] = s.json(root, false)
	}
	s.emit(event, ch)
	s.tellMention(m, event)
	for _, id := range m.Files {
		s.emit(object{"type": "file_shared", "file_id": id, "user_id": m.User, "file": object{"id": id}, "channel_id": ch.ID, "event_ts": m.TS}, ch)
	}
}

// tellMention sends app_mention, once for a message, also when an edit adds the mention.
func (s *Server) tellMention(m *Message, event object) {
	ch := s.channels[m.Channel]
	if m.alreadyCalled || m.User == BotUser || ch.Kind == Direct || !mentioned(m.Text) {
		return
	}
	m.alreadyCalled = true
	call := clone(event)
	call["type"] = "app_mention"
	delete(call, "subtype")
	delete(call, "channel_type")
	s.emit(call, ch)
}

// tellChanged sends message_changed: for an edit, but as well for what only looks
// like one (an unfurled link, a stream that grew).
func (s *Server) tellChanged(m *Message, before object) {
	ch := s.channels[m.Channel]
	now, ts := s.json(m, false), s.ts()
	s.emit(object{"type": "message", "subtype": "message_changed", "message": now, "previous_message": before, "channel": ch.ID,
		"channel_type": string(ch.Kind), "hidden": true, "ts": ts, "event_ts": ts}, ch)
	if m.Edited {
		event := clone(now)
		event["channel"], event["event_ts"] = ch.ID, ts
		s.tellMention(m, event)
	}
}

// withdraw deletes a message and tells. One that a thread begins with stays as a
// tombstone while it has replies; Slack tells of that as a change.
func (s *Server) withdraw(m *Message) {
	ch := s.channels[m.Channel]
	before, ts := s.json(m, false), s.ts()
	deleted := m.TS
	s.remove(m)
	event := object{"type": "message", "subtype": "message_deleted", "deleted_ts": deleted, "previous_message": before,
		"channel": ch.ID, "channel_type": string(ch.Kind), "hidden": true, "ts": ts, "event_ts": ts}
	if m.Subtype == "tombstone" {
		event["subtype"], event["message"] = "message_changed", s.json(m, false)
		delete(event, "deleted_ts")
	}
	s.emit(event, ch)
}

// notifying are the tokens of mrkdwn that notify people.
var notifying = regexp.MustCompile(`<(@[UW][A-Z0-9]+|!(?:channel|here|everyone)|!subteam\^[A-Z0-9]+)(?:\|[^>]*)?>`)

// named are the words that notify when names are looked for (parse, link_names).
var named = regexp.MustCompile(`(?:^|\s)@(?:channel|here|everyone)\b`)

func notifies(m *Message) int {
	n := 0
	for _, text := range texts(m) {
		n += len(notifying.FindAllString(text, -1))
		if m.Parse {
			n += len(named.FindAllString(text, -1))
		}
	}
	return n
}

// place is a message's address, in keys and in the words of a failure: "C00000001/17…".
func place(channel, ts string) string { return fmt.Sprintf("%s/%s", channel, ts) }
