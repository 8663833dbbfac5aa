package fakeslack

import (
	"time"
	"unicode/utf8"
)

type stream struct {
	began   time.Time
	expired bool
	stopped bool // by a person
}

func (s *Server) streaming(m *Message) bool {
	if m.stream != nil && s.o.Now().Sub(m.stream.began) > s.o.StreamLife {
		m.stream.expired = true
	}
	return m.stream != nil && !m.stream.expired
}

// ExpireStreams ends every stream, as some minutes do. The messages stay with what they
// say.
func (s *Server) ExpireStreams() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, list := range s.messages {
		for _, m := range list {
			if m.stream != nil {
				m.stream.expired = true
			}
		}
	}
}

// ExpireNext ends the next stream right after its first words.
func (s *Server) ExpireNext() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expiring = true
}

func (s *Server) expireNow(m *Message) {
	if s.expiring {
		m.stream.expired, s.expiring = true, false
	}
}

// StopStreams is a person pressing stop on what is being said in a thread: the streams
// end, and agent_session_stopped tells so. The session's status stays as it is
// (https://docs.slack.dev/reference/events/agent_session_stopped).
func (s *Server) StopStreams(user, channel, thread string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var halted []string
	for _, m := range s.messages[channel] {
		if m.Thread == thread && s.streaming(m) {
			m.stream.expired, m.stream.stopped = true, true
			halted = append(halted, m.TS)
		}
	}
	s.emit(object{"type": "agent_session_stopped", "channel": channel, "thread_ts": thread, "user": user, "streaming_message_ts": halted, "event_ts": s.ts()}, s.channels[channel])
}

func grown(c *call) (string, error) {
	text := c.str("markdown_text")
	var chunks []object
	if _, err := c.decode("chunks", &chunks); err != nil {
		return "", invalid("invalid_chunks")
	}
	if text != "" && len(chunks) > 0 {
		return "", invalid("markdown_text_conflict")
	}
	for _, chunk := range chunks {
		switch kind, _ := chunk["type"].(string); kind {
		case "markdown_text":
			t, _ := chunk["text"].(string)
			text += t
		case "task_update", "plan_update", "blocks":
		default:
			return "", invalid("invalid_chunks")
		}
	}
	if utf8.RuneCountInString(text) > markdownMost {
		return "", invalid("msg_too_long")
	}
	return text, nil
}

func (s *Server) startStream(c *call) (object, error) {
	ch, err := s.open(c, c.str("channel"))
	if err != nil {
		return nil, err
	}
	text, err := grown(c)
	if err != nil {
		return nil, err
	}
	team, user := c.str("recipient_team_id"), c.str("recipient_user_id")
	switch {
	case c.str("thread_ts") == "":
		return nil, invalid("invalid_arguments", "[ERROR] missing required field: thread_ts")
	case ch.Kind != Direct && team == "":
		return nil, invalid("missing_recipient_team_id")
	case ch.Kind != Direct && user == "":
		return nil, invalid("missing_recipient_user_id")
	case user != "" && s.users[user] == nil, team != "" && user != "" && s.users[user].Team != team:
		return nil, invalid("user_not_found")
	}
	if err := s.thread(ch, c.str("thread_ts")); err != nil {
		return nil, err
	}
	m := s.add(Message{Channel: ch.ID, User: BotUser, Thread: c.str("thread_ts"), stream: &stream{began: s.o.Now()}})
	m.Markdown, m.Text = text, text
	if text != "" {
		s.expireNow(m)
	}
	s.tellNew(m)
	s.clearStatus(ch.ID, m.Thread)
	if s.o.AgentView {
		s.sessions[place(ch.ID, m.Thread)] = "processing"
	}
	return object{"channel": ch.ID, "ts": m.TS}, nil
}

func (s *Server) growing(c *call) (*Message, string, error) {
	_, m, err := s.own(c, "message_not_owned_by_app")
	if err != nil {
		return nil, "", err
	}
	text, err := grown(c)
	if err == nil && !s.streaming(m) {
		err = errCode("message_not_in_streaming_state")
		if m.stream != nil && m.stream.stopped && c.method == "chat.appendStream" { // docs.slack.dev/reference/methods/chat.appendStream
			err = errCode("stopped_by_user")
		}
	}
	return m, text, err
}

func (s *Server) appendStream(c *call) (object, error) {
	m, text, err := s.growing(c)
	if err != nil {
		return nil, err
	}
	if text == "" && c.str("chunks") == "" {
		return nil, invalid("no_text")
	}
	before := s.json(m, false)
	m.grow(text)
	s.expireNow(m)
	s.tellChanged(m, before)
	return object{"channel": m.Channel, "ts": m.TS}, nil
}

func (m *Message) grow(text string) {
	m.Markdown += text
	m.Text = m.Markdown
}

func (s *Server) stopStream(c *call) (object, error) {
	m, text, err := s.growing(c)
	if err != nil {
		return nil, err
	}
	blocks := []object{}
	if _, err := c.decode("blocks", &blocks); err != nil {
		return nil, invalid("invalid_blocks_format")
	}
	if err := checkBlocks(blocks, messageBlocks); err != nil {
		return nil, err
	}
	if err := c.metadata(m); err != nil {
		return nil, err
	}
	before := s.json(m, false)
	m.grow(text)
	m.Blocks, m.stream = blocks, nil
	number(m.Blocks)
	m.remember()
	s.tellChanged(m, before)
	if s.o.AgentView {
		s.sessions[place(m.Channel, m.Thread)] = or(c.str("session_status"), "active")
	}
	return object{"channel": m.Channel, "ts": m.TS, "message": s.json(m, true)}, nil
}
