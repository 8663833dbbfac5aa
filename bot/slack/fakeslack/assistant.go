package fakeslack

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// loadingMost is how long each of a status's loading_messages may be, in characters.
const loadingMost = 50

// Status is what an app shows while it works.
type Status struct {
	Channel, Thread, Text string
	Loading               []string
}

// Prompt is a suggestion of the assistant.
type Prompt struct{ Title, Message string }

// Statuses are all that were shown, in order; a cleared one has no Text.
func (s *Server) Statuses() []Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.statuses)
}

// Title is what the app called a thread, "" if nothing.
func (s *Server) Title(channel, thread string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.titles[place(channel, thread)]
}

// Session is the status of a thread's agent session ("processing", "active" …), "" if
// there is none.
func (s *Server) Session(channel, thread string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sessions[place(channel, thread)]
}

// Prompts are those the app suggests in a thread ("" for the top of the messages tab).
func (s *Server) Prompts(channel, thread string) []Prompt {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.prompts[place(channel, thread)])
}

func (s *Server) clearStatus(channel, thread string) {
	for i := len(s.statuses) - 1; i >= 0; i-- {
		if st := s.statuses[i]; st.Channel == channel && st.Thread == thread {
			if st.Text != "" {
				s.statuses = append(s.statuses, Status{Channel: channel, Thread: thread})
			}
			return
		}
	}
}

func (s *Server) setStatus(c *call) (object, error) {
	ch, err := s.open(c, c.str("channel_id"))
	if err != nil {
		return nil, err
	}
	if _, given := c.Args["status"]; !given || c.str("thread_ts") == "" {
		return nil, invalid("invalid_arguments", "[ERROR] status and thread_ts are required")
	}
	if s.thread(ch, c.str("thread_ts")) != nil {
		return nil, errCode("invalid_thread_ts")
	}
	var loading []string
	if text := c.str("loading_messages"); text != "" {
		if _, err := c.decode("loading_messages", &loading); err != nil {
			loading = strings.Split(text, ",")
		}
	}
	if len(loading) > 10 {
		return nil, invalid("invalid_arguments", "[ERROR] no more than 10 items allowed [json-pointer:/loading_messages]")
	}
	for _, text := range loading {
		if n := utf8.RuneCountInString(text); n < 1 || n > loadingMost {
			return nil, invalid("invalid_arguments", "[ERROR] must have 1 to 50 characters [json-pointer:/loading_messages]")
		}
	}
	s.statuses = append(s.statuses, Status{ch.ID, c.str("thread_ts"), c.str("status"), loading})
	return nil, nil
}

// setSession sets the status of an agent session, which it begins if there is none. One
// that is processing stays so until it is told otherwise.
func (s *Server) setSession(c *call) (object, error) {
	ch, err := s.open(c, c.str("channel_id"))
	if err != nil {
		return nil, err
	}
	status, at := c.str("status"), place(ch.ID, c.str("thread_ts"))
	switch {
	case !s.o.AgentView: // only apps that are declared as agents have sessions
		return nil, errCode("not_authorized")
	case !slices.Contains([]string{"active", "processing", "suspended", "closed"}, status):
		return nil, invalid("invalid_status")
	case c.str("thread_ts") == "":
		return nil, invalid("thread_ts_required")
	}
	s.sessions[at] = status
	return object{"status": status, "agent_status": status}, nil
}

// rename names an agent session that there is. The error codes besides session_not_found are those of setStatus: the method's
// page lists no others.
func (s *Server) rename(c *call) (object, error) {
	ch, err := s.open(c, c.str("channel_id"))
	if err != nil {
		return nil, err
	}
	title, at := c.str("title"), place(ch.ID, c.str("thread_ts"))
	switch {
	case !s.o.AgentView:
		return nil, errCode("not_authorized")
	case c.str("thread_ts") == "":
		return nil, invalid("thread_ts_required")
	case title == "" || utf8.RuneCountInString(title) > 200:
		return nil, invalid("invalid_arguments", "[ERROR] title must have 1 to 200 characters")
	case s.sessions[at] == "":
		return nil, errCode("session_not_found")
	}
	s.titles[at] = title
	return object{"title": title}, nil
}

// Rename is a person giving an agent session a title.
func (s *Server) Rename(user, channel, thread, title string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := object{"type": "agent_session_title_changed", "channel": channel, "thread_ts": thread, "user": user, "title": title, "team_id": TeamID, "event_ts": s.ts()}
	if before := s.titles[place(channel, thread)]; before != "" {
		e["previous_title"] = before
	}
	s.titles[place(channel, thread)] = title
	s.emit(e, s.channels[channel])
}

func (s *Server) setTitle(c *call) (object, error) {
	ch, err := s.open(c, c.str("channel_id"))
	switch {
	case err != nil:
		return nil, err
	case c.str("title") == "" || c.str("thread_ts") == "":
		return nil, invalid("invalid_arguments", "[ERROR] title and thread_ts are required")
	case ch.Kind != Direct || s.thread(ch, c.str("thread_ts")) != nil:
		return nil, errCode("invalid_thread_ts")
	}
	s.titles[place(ch.ID, c.str("thread_ts"))] = c.str("title")
	return nil, nil
}

func (s *Server) setPrompts(c *call) (object, error) {
	ch, err := s.open(c, c.str("channel_id"))
	if err != nil {
		return nil, err
	}
	var prompts []Prompt
	given, err := c.decode("prompts", &prompts)
	switch {
	case err != nil || !given:
		return nil, invalid("invalid_arguments", "[ERROR] prompts must be a list of objects")
	case len(prompts) > 4:
		return nil, invalid("invalid_arguments", "[ERROR] no more than 4 prompts")
	case c.str("thread_ts") == "" && !s.o.AgentView:
		return nil, invalid("not_agent_app")
	case c.str("thread_ts") == "" && len(s.messages[ch.ID]) == 0: // they belong to the latest message
		return nil, errCode("message_not_found")
	case c.str("thread_ts") != "" && (ch.Kind != Direct || s.thread(ch, c.str("thread_ts")) != nil):
		return nil, errCode("invalid_thread_ts")
	}
	for _, p := range prompts {
		if p.Title == "" || p.Message == "" {
			return nil, invalid("invalid_arguments", "[ERROR] a prompt has a title and a message")
		}
	}
	if c.str("thread_ts") != "" && s.o.AgentView {
		s.wrong("assistant.threads.setSuggestedPrompts: an agent's prompts have no thread_ts: Slack shows none and says so to nobody")
		return nil, nil
	}
	s.prompts[place(ch.ID, c.str("thread_ts"))] = prompts
	return nil, nil
}
