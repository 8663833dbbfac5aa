package fakeslack

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// connsMost is how many Socket Mode connections an app may have.
const connsMost = 10

// conn is one Socket Mode connection. Frames go out in order from its own goroutine.
type conn struct {
	ws     *websocket.Conn
	out    chan []byte
	gone   chan struct{}
	leave  sync.Once
	closed bool // takes no more envelopes; under the server's lock
}

// outMost is how many frames wait for one connection before it is cut.
const outMost = 10_000

func (c *conn) write(frame []byte) {
	select {
	case c.out <- frame:
	default:
		c.cut()
	}
}

func (c *conn) cut() {
	c.leave.Do(func() {
		close(c.gone)
		c.ws.Close()
	})
}

func (s *Server) openConnection(*call) (object, error) {
	s.opened++
	ticket := s.id("ticket-")
	s.tickets[ticket] = true
	return object{"url": fmt.Sprintf("ws%s/link/?ticket=%s&app_id=%s", strings.TrimPrefix(s.URL(), "http"), ticket, AppID)}, nil
}

// Opened is how often a socket was asked for and granted.
func (s *Server) Opened() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.opened
}

// Sockets is how many connections there are.
func (s *Server) Sockets() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.conns)
}

func (s *Server) serveSocket(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	ticket := r.URL.Query().Get("ticket")
	known := s.tickets[ticket]
	delete(s.tickets, ticket)
	s.mu.Unlock()
	if !known || s.ctx.Err() != nil {
		http.Error(w, "bad ticket", http.StatusForbidden)
		return
	}
	up := websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}
	ws, err := up.Upgrade(w, r, nil)
	if err != nil {
		s.violate("socket: %v", err)
		return
	}
	c := &conn{ws: ws, out: make(chan []byte, outMost), gone: make(chan struct{})}
	if !s.join(c) {
		return
	}
	s.wg.Go(func() {
		s.writeSocket(c)
	})
	s.readSocket(c)
	s.part(c)
}

// join greets a connection, or turns it away when there are too many.
func (s *Server) join(c *conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.conns) >= connsMost || s.ctx.Err() != nil {
		c.ws.WriteMessage(websocket.TextMessage, marshal(object{"type": "disconnect", "reason": "too_many_websockets", "debug_info": object{"host": "fake"}}))
		c.ws.Close()
		return false
	}
	s.wg.Add(1)
	s.conns = append(s.conns, c)
	if s.mute > 0 {
		s.mute--
		c.closed = true // it will never bring anything
		return true
	}
	c.write(marshal(object{"type": "hello", "num_connections": len(s.conns), "connection_info": object{"app_id": AppID},
		"debug_info": object{"host": "fake", "build_number": 1, "approximate_connection_time": 18060}}))
	s.ring()
	return true
}

// part forgets a connection; what it did not acknowledge is delivered to another.
func (s *Server) part(c *conn) {
	defer s.wg.Done()
	c.cut()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conns = slices.DeleteFunc(s.conns, func(o *conn) bool { return o == c })
	s.queue = slices.DeleteFunc(s.queue, func(e *envelope) bool { return e.conn == c && !s.retry(e, "connection_closed") })
	s.ring()
}

func (s *Server) connection() *conn {
	for range s.conns {
		s.turn++
		if c := s.conns[s.turn%len(s.conns)]; !c.closed {
			return c
		}
	}
	return nil
}

func (s *Server) writeSocket(c *conn) {
	ping := time.NewTicker(5 * time.Second)
	defer ping.Stop()
	c.ws.WriteControl(websocket.PingMessage, []byte("Ping from fake"), time.Now().Add(time.Second))
	for {
		select {
		case <-c.gone:
			return
		case <-ping.C:
			if c.ws.WriteControl(websocket.PingMessage, []byte("Ping from fake"), time.Now().Add(time.Second)) != nil {
				c.cut()
				return
			}
		case frame := <-c.out:
			c.ws.SetWriteDeadline(time.Now().Add(10 * time.Second))
			if frame == nil { // the last one: the client has a moment to close
				c.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""), time.Now().Add(time.Second))
				c.ws.SetReadDeadline(time.Now().Add(time.Second))
				return
			}
			if c.ws.WriteMessage(websocket.TextMessage, frame) != nil {
				c.cut()
				return
			}
		}
	}
}

func (s *Server) readSocket(c *conn) {
	for {
		_, b, err := c.ws.ReadMessage()
		if err != nil {
			return
		}
		var ack struct {
			ID      string `json:"envelope_id"`
			Payload object `json:"payload"`
		}
		switch err := json.Unmarshal(b, &ack); {
		case err != nil || ack.ID == "":
			s.violate("acknowledgement: %q", b[:min(len(b), 200)])
		case len(ack.Payload) > 0:
			s.violate("an answer in an acknowledgement, where a response URL takes it")
		default:
			s.mu.Lock()
			s.acknowledged(ack.ID)
			s.mu.Unlock()
		}
	}
}

// CutSockets ends every connection without a word, as a network does.
func (s *Server) CutSockets() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.conns {
		c.closed = true
		c.cut()
	}
}

// Mute makes the next connections ones that never say a word, not even hello.
func (s *Server) Mute(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mute = n
}

// Disconnect tells every connection, or only the oldest, to go: "warning" some seconds
// before, "refresh_requested" and "too_many_websockets" at once.
func (s *Server) Disconnect(reason string, every bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.conns {
		c.write(marshal(object{"type": "disconnect", "reason": reason, "debug_info": object{"host": "fake"}}))
		if reason != "warning" {
			c.closed = true
			c.write(nil)
		}
		if !every {
			return
		}
	}
}
