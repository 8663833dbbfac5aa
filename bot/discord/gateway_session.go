package discord

import (
	"encoding/json"
	"sync"
)

// session is what a RESUME needs (discord.com/developers/docs/events/gateway#resuming).
type session struct {
	token string
	mu    sync.Mutex
	id    string // "" when there is nothing to resume
	url   string // where to resume
	n     int    // events so far, of all sessions
	at    *progress
}

func (s *session) arrivals() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.n
}

// begin notes an event; done is to be called when it was handled. It is not fresh if
// it came before in this session: after a RESUME the gateway delivers again what was not
// handled by then.
func (s *session) begin(p packet) (done func(), fresh bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	if p.Type == "READY" {
		s.at = &progress{ready: p.Seq}
		var ready struct {
			Session string `json:"session_id"`
			URL     string `json:"resume_gateway_url"`
		}
		if json.Unmarshal(p.Data, &ready) == nil {
			s.id, s.url = ready.Session, ready.URL
		}
	}
	if s.at == nil {
		s.at = &progress{}
	}
	at := s.at
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(at.open, p.Seq)
	}, at.begin(p.Seq)
}

func (s *session) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.id, s.url, s.at = "", "", nil
}

// sequence is the number of the last event that came, as heartbeats send it.
func (s *session) sequence() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.at == nil {
		return 0
	}
	return s.at.last
}

type progress struct {
	ready int64              // the number of READY, which comes once
	last  int64              // the highest number so far
	open  map[int64]struct{} // numbers of events not yet handled
}

// begin reports whether an event is new. Events without a number are.
func (p *progress) begin(seq int64) bool {
	if seq == 0 {
		return true
	}
	if seq <= p.last {
		return false
	}
	if p.open == nil {
		p.open = make(map[int64]struct{})
	}
	p.last = seq
	p.open[seq] = struct{}{}
	return true
}

// done is the highest number up to which everything was handled.
func (p *progress) done() int64 {
	seq := p.last
	for open := range p.open {
		seq = min(seq, open-1)
	}
	return max(seq, p.ready)
}

// resume is the frame that resumes the session and where it is sent, or nothing.
// Without an address it is the usual one.
func (s *session) resume() (*frame, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.id == "" {
		return nil, ""
	}
	return &frame{6, resume{s.token, s.id, s.at.done()}}, s.url
}

type resume struct {
	Token   string `json:"token"`
	Session string `json:"session_id"`
	Seq     int64  `json:"seq"`
}
