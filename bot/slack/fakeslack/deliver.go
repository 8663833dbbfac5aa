package fakeslack

import (
	"encoding/json"
	"maps"
	"time"
)

// envelope is one delivery: an event, a command or an interaction.
type envelope struct {
	id       string
	kind     string // events_api, slash_commands, interactive
	payload  object
	attempt  int // deliveries so far that failed
	reason   string
	conn     *conn     // where it was sent, nil while it waits
	sent     time.Time // when it was sent last
	next     time.Time // when it may be sent
	inFlight bool      // an HTTP delivery is under way
}

// Ack is an acknowledgement as it came.
type Ack struct {
	Kind    string
	Message string // the ts of what it told of, "" if that has none
	Attempt int
	At      time.Time
	After   time.Duration // since it was sent
}

// tick is how often the server looks for deliveries that are due.
const tick = 5 * time.Millisecond

func (s *Server) send(kind string, payload object) {
	e := &envelope{id: s.id("env-"), kind: kind, payload: clone(payload)}
	s.queue = append(s.queue, e)
	if kind == "events_api" {
		s.past = append(s.past, e)
	}
	s.ring()
}

// Redeliver sends every event so far again, under the same event ids, but for those whose
// delivery is not acknowledged: Slack would not send them twice at a time.
func (s *Server) Redeliver() {
	s.mu.Lock()
	defer s.mu.Unlock()
	waiting := make(map[any]bool)
	for _, e := range s.queue {
		waiting[e.payload["event_id"]] = true
	}
	for _, e := range s.past {
		if waiting[e.payload["event_id"]] {
			continue
		}
		s.queue = append(s.queue, &envelope{id: s.id("env-"), kind: e.kind, payload: maps.Clone(e.payload), attempt: 1, reason: "timeout"})
	}
	s.ring()
}

// GiveUp drops every delivery that is not acknowledged, as Slack does after some minutes.
func (s *Server) GiveUp() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue = nil
}

// Pending is how many deliveries are not acknowledged.
func (s *Server) Pending() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.queue)
}

// Acks are the acknowledgements so far.
func (s *Server) Acks() []Ack {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Ack(nil), s.acks...)
}

// Lost are the deliveries that were given up: kind and event or envelope id.
func (s *Server) Lost() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.lost...)
}

func (s *Server) deliver() {
	t := time.NewTicker(tick)
	defer t.Stop()
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-s.bell:
		case <-t.C:
		}
		s.mu.Lock()
		s.sweep()
		s.mu.Unlock()
	}
}

// sweep sends what waits and takes back what was not acknowledged in time.
func (s *Server) sweep() {
	now := s.o.Now()
	kept := s.queue[:0]
	for _, e := range s.queue {
		if e.conn != nil && now.Sub(e.sent) > s.o.AckWait && !s.retry(e, "timeout") {
			continue
		}
		kept = append(kept, e)
	}
	clear(s.queue[len(kept):])
	s.queue = kept
	for _, e := range s.queue {
		if e.conn != nil || e.inFlight || now.Before(e.next) {
			continue
		}
		if s.target.URL != "" {
			s.post(e)
		} else if c := s.connection(); c != nil {
			e.conn, e.sent = c, now
			c.write(frame(e))
		}
	}
}

func (s *Server) retry(e *envelope, reason string) bool {
	e.conn, e.inFlight = nil, false
	if e.attempt >= len(s.o.RetryWaits) || e.kind != "events_api" && s.target.URL != "" {
		id, _ := e.payload["event_id"].(string)
		s.lost = append(s.lost, e.kind+" "+or(id, e.id))
		return false
	}
	e.next = s.o.Now().Add(s.o.RetryWaits[e.attempt])
	e.attempt++
	e.reason = reason
	return true
}

func (s *Server) acknowledged(id string) {
	for i, e := range s.queue {
		if e.id == id {
			s.queue = append(s.queue[:i:i], s.queue[i+1:]...)
			now := s.o.Now()
			event, _ := e.payload["event"].(object)
			ts, _ := event["ts"].(string)
			s.acks = append(s.acks, Ack{Kind: e.kind, Message: ts, Attempt: e.attempt, At: now, After: now.Sub(e.sent)})
			return
		}
	}
}

func frame(e *envelope) []byte {
	v := object{"envelope_id": e.id, "type": e.kind, "payload": e.payload, "accepts_response_payload": e.kind != "events_api"}
	if e.kind == "events_api" {
		v["retry_attempt"], v["retry_reason"] = e.attempt, e.reason
	}
	return marshal(v)
}

func marshal(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // only JSON values are sent
	}
	return b
}
