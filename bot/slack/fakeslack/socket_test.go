package fakeslack

import (
	"testing"
	"time"
)

func TestEachEventGoesToOneConnection(t *testing.T) {
	s := newStage(t, Options{})
	one, two := s.connect().hello(), s.connect().hello()
	texts := map[any]int{}
	for range 4 {
		s.say("hello", "")
	}
	for range 2 {
		texts[one.event()["ts"]]++
		texts[two.event()["ts"]]++
	}
	if len(texts) != 4 {
		t.Errorf("events %v", texts)
	}
	until(t, "the acknowledgements", func() bool { return s.Pending() == 0 })
}

func TestUnacknowledgedIsDeliveredAgain(t *testing.T) {
	s := newStage(t, Options{})
	c := s.connect().hello()
	s.say("hello", "")
	first := c.next()
	s.clock.pass(4 * time.Second)
	second := c.next()
	id := func(f map[string]any) any { return f["payload"].(map[string]any)["event_id"] }
	if id(first) != id(second) || second["retry_attempt"] != 1.0 || second["retry_reason"] != "timeout" {
		t.Errorf("delivered again: %v", second)
	}
	waits := func() bool { s.mu.Lock(); defer s.mu.Unlock(); return s.queue[0].conn == nil }
	s.clock.pass(4 * time.Second)
	until(t, "the second pause", waits)
	s.clock.pass(time.Minute)
	if third := c.next(); third["retry_attempt"] != 2.0 {
		t.Errorf("the third delivery: %v", third)
	}
	s.clock.pass(4 * time.Second)
	until(t, "the third pause", waits)
	s.clock.pass(5 * time.Minute)
	c.next()
	s.clock.pass(4 * time.Second)
	until(t, "giving up", func() bool { return len(s.Lost()) == 1 && s.Pending() == 0 })
}

func TestCutConnectionLosesNothing(t *testing.T) {
	s := newStage(t, Options{})
	c := s.connect().hello()
	s.say("hello", "")
	first := c.next()
	s.CutSockets()
	if f := c.next(); f != nil {
		t.Errorf("frame %v after the cut", f)
	}
	again := s.connect().hello().next()
	if again["payload"].(map[string]any)["event_id"] != first["payload"].(map[string]any)["event_id"] {
		t.Errorf("the next connection got %v", again)
	}
}

func TestDisconnectFrames(t *testing.T) {
	s := newStage(t, Options{})
	c := s.connect().hello()
	s.Disconnect("warning", true)
	if f := c.next(); f["type"] != "disconnect" || f["reason"] != "warning" {
		t.Errorf("frame %v", f)
	}
	s.say("still here", "")
	c.event()
	s.Disconnect("refresh_requested", true)
	if f := c.next(); f["reason"] != "refresh_requested" {
		t.Errorf("frame %v", f)
	}
	if f := c.next(); f != nil {
		t.Errorf("frame %v after the last", f)
	}
	until(t, "its end", func() bool { return s.Sockets() == 0 })
	for range connsMost {
		s.connect().hello()
	}
	if f := s.connect().next(); f["reason"] != "too_many_websockets" {
		t.Errorf("connection %d: %v", connsMost+1, f)
	}
	s.clean()
}

func TestAcknowledgements(t *testing.T) {
	s := newStage(t, Options{})
	c := s.connect().hello()
	s.Slash(s.ada, s.room, "/memory", "status")
	c.ack(c.next())
	until(t, "the acknowledgement", func() bool { return len(s.Acks()) == 1 && s.Acks()[0].Kind == "slash_commands" })
	s.clean()
	c.ws.WriteJSON(map[string]any{"envelope_id": "x", "payload": map[string]any{"text": "at once"}})
	until(t, "the violation", func() bool { return len(s.Violations()) == 1 })
}

func TestRedeliver(t *testing.T) {
	s := newStage(t, Options{})
	c := s.connect().hello()
	ts := s.say("hello", "")
	c.event()
	until(t, "the acknowledgement", func() bool { return s.Pending() == 0 })
	s.Redeliver()
	if e := c.event(); e["ts"] != ts {
		t.Errorf("delivered again: %v", e)
	}
}
