package fakediscord

import (
	"context"
	"time"
)

// gates are the faults of the gateway and of files.
type gates struct {
	lostFiles      int
	refusedFiles   []int        // statuses of the next downloads
	silent         int          // connections that are told nothing
	denied         int          // connections that are refused before they are one
	zombie         bool         // heartbeats are not answered
	dropResumes    bool         // every RESUME ends the connection
	reconnectFirst bool         // op 7 is the answer to the next IDENTIFY or RESUME
	cut            map[int]bool // ops at which the connection is dropped, once
	refuse         map[int]bool // IDENTIFY or RESUME answered with op 9, once
	cutBefore      string       // dispatch that is not sent any more
	cutAfter       string       // dispatch that is the last one sent
}

// CutAt drops the connection at the next op: after it was sent (10), or when it
// comes from the client (1, 2, 6).
func (s *Server) CutAt(op int) { s.gate(func(g *gates) { g.cut[op] = true }) }

// CutOn drops the connection at the next dispatch with this name, before or after it
// was sent.
func (s *Server) CutOn(event string, sent bool) {
	s.gate(func(g *gates) {
		if sent {
			g.cutAfter = event
		} else {
			g.cutBefore = event
		}
	})
}

// RefuseResume answers the next RESUME with op 9.
func (s *Server) RefuseResume() { s.gate(func(g *gates) { g.refuse[opResume] = true }) }

// DropResumes drops every connection that sends RESUME.
func (s *Server) DropResumes() { s.gate(func(g *gates) { g.dropResumes = true }) }

// RefuseIdentify answers the next IDENTIFY with op 9.
func (s *Server) RefuseIdentify() { s.gate(func(g *gates) { g.refuse[opIdentify] = true }) }

// ReconnectFirst answers the next IDENTIFY or RESUME with op 7.
func (s *Server) ReconnectFirst() { s.gate(func(g *gates) { g.reconnectFirst = true }) }

// SilenceNext tells the next n connections nothing, not even hello.
func (s *Server) SilenceNext(n int) { s.gate(func(g *gates) { g.silent = n }) }

// DenyNext answers the next n connections with 503, as a proxy does for a gateway that is away.
func (s *Server) DenyNext(n int) { s.gate(func(g *gates) { g.denied = n }) }

// Zombie says whether heartbeats are left without an answer.
func (s *Server) Zombie(on bool) { s.gate(func(g *gates) { g.zombie = on }) }

// RefuseFile answers the next downloads with these statuses, a 429 with "Retry-After: 1".
func (s *Server) RefuseFile(statuses ...int) {
	s.gate(func(g *gates) { g.refusedFiles = append(g.refusedFiles, statuses...) })
}

// LoseFile makes the next attachment that is asked for disappear for good.
func (s *Server) LoseFile() { s.gate(func(g *gates) { g.lostFiles++ }) }

func (s *Server) gate(set func(*gates)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	set(&s.gates)
}

// cutOn drops the connection at a dispatch, if that was asked for, and reports whether
// the dispatch is not to be sent.
func (c *conn) cutOn(event string) bool {
	g := &c.s.gates
	switch event {
	case g.cutBefore:
		g.cutBefore = ""
		c.close(0)
		return true
	case g.cutAfter:
		g.cutAfter = ""
		c.send(c.session.log[len(c.session.log)-1])
		c.close(0)
		return true
	}
	return false
}

func (s *Server) each(f func(*conn)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		f(c)
	}
}

// Cut drops every connection without a word.
func (s *Server) Cut() { s.each(func(c *conn) { c.close(0) }) }

// CloseWith closes every connection with a code.
func (s *Server) CloseWith(code int) { s.each(func(c *conn) { c.close(code) }) }

// Reconnect sends op 7.
func (s *Server) Reconnect() { s.each(func(c *conn) { c.send(frame{Op: opReconnect}) }) }

// Invalidate sends op 9. Sessions that may not be resumed are forgotten.
func (s *Server) Invalidate(resumable bool) {
	s.each(func(c *conn) {
		if c.session != nil && !resumable {
			c.session.invalid = true
		}
		c.send(frame{Op: opInvalidSession, Data: resumable})
	})
}

// AskHeartbeat sends op 1.
func (s *Server) AskHeartbeat() { s.each(func(c *conn) { c.send(frame{Op: opHeartbeat}) }) }

// Pulse is the interval of heartbeats that the next connections are told.
func (s *Server) Pulse(every time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opts.Heartbeat = every
}

// Mute lets the present connections stay open and says nothing on them any more.
func (s *Server) Mute() { s.each(func(c *conn) { c.muted = true }) }

// Grant says which privileged intents are granted from now on.
func (s *Server) Grant(intents int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.granted = intents
}

// ForgetIdentify lets the next IDENTIFY come at once, as if time had passed.
func (s *Server) ForgetIdentify() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.identified = s.identified.Add(-s.opts.IdentifyEvery)
}

// Dispatch sends an event that the server does not make by itself: a message with
// unknown parts, a partial update. guild is "" for direct messages.
func (s *Server) Dispatch(guild, name string, data any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dispatch(event{name: name, guild: guild, data: same(data)})
}

// Ready is how many clients are connected and have been told everything so far.
func (s *Server) Ready() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.connected()
}

func (s *Server) connected() int {
	n := 0
	for c := range s.conns {
		if c.session != nil && !c.session.invalid && !c.over && !c.muted {
			n++
		}
	}
	return n
}

// AwaitReady returns when n clients are connected, or with the error of ctx.
func (s *Server) AwaitReady(ctx context.Context, n int) error {
	return s.await(ctx, func() bool { return s.connected() >= n })
}

// Connections is how many websockets are open.
func (s *Server) Connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.conns)
}

// Identified is how many IDENTIFYs there were, good or bad.
func (s *Server) Identified() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.starts
}
