package fakeslack

import (
	"encoding/json"
	"unicode/utf8"
)

// Lengths of a message, in characters, of Slack's documentation of chat.postMessage and
// chat.update; blocksMost is what is seen in practice (msg_blocks_too_long).
const (
	textMost       = 40_000
	updateTextMost = 4_000
	markdownMost   = 12_000
	blocksMost     = 13_200
	metadataMost   = 16 << 10 // bytes
)

// open finds the channel of a request that the bot may write to. A person's id stands
// for the direct message with them.
func (s *Server) open(c *call, id string) (*Channel, error) {
	ch := s.channels[id]
	if ch == nil && s.users[id] != nil && id != BotUser {
		ch = s.dm(id)
	}
	switch {
	case id == "":
		return nil, invalid("invalid_arguments", "[ERROR] missing required field: channel")
	case ch == nil || ch.Kind != Public && !ch.has(BotUser):
		return nil, errCode("channel_not_found")
	case ch.Archived:
		return nil, errCode("is_archived")
	case !ch.has(BotUser):
		return nil, errCode("not_in_channel")
	}
	return ch, nil
}

func (s *Server) thread(ch *Channel, ts string) error {
	if ts == "" {
		return nil
	}
	root := s.message(ch.ID, ts)
	switch {
	case root == nil:
		return errCode("thread_not_found")
	case root.Thread != "" && root.Thread != ts:
		return invalid("cannot_reply_to_message", "thread_ts "+ts+" is a reply, not the message a thread begins with")
	}
	return nil
}

// content is what a message is to say. retained keeps what the request leaves out.
func (s *Server) content(c *call, m *Message, textLimit int, retained bool) error {
	blocks := []object{}
	given, err := c.decode("blocks", &blocks)
	if err != nil {
		return invalid("invalid_blocks_format")
	}
	text, markdown := c.str("text"), c.str("markdown_text")
	switch {
	case markdown != "" && (text != "" || len(blocks) > 0):
		return invalid("markdown_text_conflict")
	case utf8.RuneCountInString(markdown) > markdownMost, utf8.RuneCountInString(text) > textLimit:
		return invalid("msg_too_long")
	case text == "" && markdown == "" && len(blocks) == 0 && (!retained || given):
		return invalid("no_text")
	}
	if err := checkBlocks(blocks, messageBlocks); err != nil {
		return err
	}
	if size, _ := json.Marshal(blocks); given && utf8.RuneCount(size) > blocksMost {
		return invalid("msg_blocks_too_long")
	}
	if err := c.metadata(m); err != nil {
		return err
	}
	if text != "" || markdown != "" || given {
		m.Text, m.Markdown = text, markdown
	}
	if given || markdown != "" {
		m.Blocks = blocks
		number(m.Blocks)
	}
	if m.Text == "" {
		m.Text = plain(m)
	}
	m.Parse = c.str("parse") == "full" || c.yes("link_names")
	m.remember()
	return nil
}

func (c *call) metadata(m *Message) error {
	var meta struct {
		Type    string `json:"event_type"`
		Payload object `json:"event_payload"`
	}
	given, err := c.decode("metadata", &meta)
	switch {
	case !given:
		return nil
	case err != nil:
		return invalid("invalid_metadata_format")
	case meta.Type == "" && meta.Payload == nil:
		m.Metadata = nil
		return nil
	case meta.Type == "" || meta.Payload == nil:
		return invalid("invalid_metadata_schema")
	}
	if size, _ := json.Marshal(meta.Payload); len(size) > metadataMost {
		return invalid("metadata_too_large")
	}
	m.Metadata = object{"event_type": meta.Type, "event_payload": meta.Payload}
	return nil
}

func (s *Server) postMessage(c *call) (object, error) {
	ch, err := s.open(c, c.str("channel"))
	if err != nil {
		return nil, err
	}
	m := Message{Channel: ch.ID, User: BotUser, Thread: c.str("thread_ts"), Broadcast: c.yes("reply_broadcast")}
	if err := s.thread(ch, m.Thread); err != nil {
		return nil, err
	}
	if err := s.content(c, &m, textMost, false); err != nil {
		return nil, err
	}
	if m.Broadcast && m.Thread != "" {
		m.Subtype = "thread_broadcast"
	}
	posted := s.add(m)
	s.tellNew(posted)
	return object{"channel": ch.ID, "ts": posted.TS, "message": s.json(posted, true)}, nil
}

func (s *Server) postEphemeral(c *call) (object, error) {
	ch, err := s.open(c, c.str("channel"))
	if err != nil {
		return nil, err
	}
	m := Message{Channel: ch.ID, User: BotUser, Thread: c.str("thread_ts")}
	switch {
	case s.users[c.str("user")] == nil:
		return nil, invalid("user_not_found")
	case !ch.has(c.str("user")):
		return nil, errCode("user_not_in_channel")
	}
	if err := s.thread(ch, m.Thread); err != nil {
		return nil, err
	}
	if err := s.content(c, &m, textMost, false); err != nil {
		return nil, err
	}
	m.TS = s.ts()
	s.whisper(&Ephemeral{m, c.str("user")})
	return object{"message_ts": m.TS}, nil
}

// whisper shows somebody an ephemeral message. One in a thread that has no replies is
// taken and not shown (https://docs.slack.dev/reference/methods/chat.postEphemeral).
func (s *Server) whisper(e *Ephemeral) {
	if root := s.message(e.Channel, e.Thread); root == nil || len(root.Replies) > 0 {
		s.ephemerals = append(s.ephemerals, e)
	}
}

func (s *Server) own(c *call, foreign string) (*Channel, *Message, error) {
	ch, err := s.open(c, c.str("channel"))
	if err != nil {
		return nil, nil, err
	}
	m := s.message(ch.ID, c.str("ts"))
	switch {
	case m == nil:
		return nil, nil, errCode("message_not_found")
	case m.User != BotUser:
		return nil, nil, invalid(foreign)
	}
	return ch, m, nil
}

func (s *Server) updateMessage(c *call) (object, error) {
	if ch := s.channels[c.str("channel")]; ch != nil && ch.Archived {
		return nil, errCode("is_inactive")
	}
	ch, m, err := s.own(c, "cant_update_message")
	if err != nil {
		return nil, err
	}
	if s.streaming(m) {
		return nil, errCode("streaming_state_conflict")
	}
	before, changed := s.json(m, true), *m
	if err := s.content(c, &changed, updateTextMost, true); err != nil {
		return nil, err
	}
	s.edited(&changed)
	*m = changed
	s.tellChanged(m, before)
	return object{"channel": ch.ID, "ts": m.TS, "text": m.Text, "message": s.json(m, true)}, nil
}

func (s *Server) deleteMessage(c *call) (object, error) {
	ch, m, err := s.own(c, "cant_delete_message")
	if err != nil {
		return nil, err
	}
	if s.streaming(m) {
		return nil, errCode("cant_delete_message")
	}
	ts := m.TS
	s.withdraw(m)
	return object{"channel": ch.ID, "ts": ts}, nil
}
