package fakeslack

import (
	"slices"
	"strings"
)

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

// Prompts are those the app suggests in a thread ("" for the top of the messages tab).
func (s *Server) Prompts(channel, thread string) []Prompt {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.prompts[place(channel, thread)])
}

// clearStatus is what a reply does to the status.
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
	if err := s.thread(ch, c.str("thread_ts")); err != nil {
		return nil, err
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
	s.statuses = append(s.statuses, Status{ch.ID, c.str("thread_ts"), c.str("status"), loading})
	return nil, nil
}

func (s *Server) setTitle(c *call) (object, error) {
	ch, err := s.open(c, c.str("channel_id"))
	switch {
	case err != nil:
		return nil, err
	case c.str("title") == "" || c.str("thread_ts") == "":
		return nil, invalid("invalid_arguments", "[ERROR] title and thread_ts are required")
	case ch.Kind != Direct:
		return nil, invalid("channel_type_not_supported")
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
	case ch.Kind != Direct:
		return nil, invalid("channel_type_not_supported")
	case c.str("thread_ts") == "" && !s.o.AgentView:
		return nil, invalid("invalid_arguments", "[ERROR] missing required field: thread_ts")
	}
	for _, p := range prompts {
		if p.Title == "" || p.Message == "" {
			return nil, invalid("invalid_arguments", "[ERROR] a prompt has a title and a message")
		}
	}
	s.prompts[place(ch.ID, c.str("thread_ts"))] = prompts
	return nil, nil
}
