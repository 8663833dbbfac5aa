package fakediscord

import (
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// Intents.
// https://docs.discord.com/developers/events/gateway#gateway-intents
const (
	intentGuilds         = 1 << 0
	intentGuildMembers   = 1 << 1
	intentGuildPresences = 1 << 8
	intentGuildMessages  = 1 << 9
	intentDirectMessages = 1 << 12
	intentMessageContent = 1 << 15
	privilegedIntents    = intentGuildMembers | intentGuildPresences | intentMessageContent
	knownIntents         = 1<<26 - 1
)

// Opcodes.
const (
	opDispatch            = 0
	opHeartbeat           = 1
	opIdentify            = 2
	opPresence            = 3
	opVoice               = 4
	opResume              = 6
	opReconnect           = 7
	opRequestGuildMembers = 8
	opInvalidSession      = 9
	opHello               = 10
	opHeartbeatAck        = 11
)

// Close codes.
// https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes
const (
	CloseUnknownError      = 4000
	CloseUnknownOpcode     = 4001
	CloseDecodeError       = 4002
	CloseNotAuthenticated  = 4003
	CloseAuthentication    = 4004
	CloseAlready           = 4005
	CloseInvalidSeq        = 4007
	CloseRateLimited       = 4008
	CloseInvalidShard      = 4010
	CloseInvalidVersion    = 4012
	CloseInvalidIntents    = 4013
	CloseDisallowedIntents = 4014
)

type frame struct {
	Op   int    `json:"op"`
	Data any    `json:"d"`
	Seq  *int   `json:"s,omitempty"`
	Type string `json:"t,omitempty"`

	again bool // was told before, under another number
}

// conn is one websocket. Frames wait in queue until the writer sends them.
type conn struct {
	s       *Server
	ws      *websocket.Conn
	resumes bool // connected by the address for that
	session *session
	greeted time.Time // hello was told after it, and IDENTIFY comes after hello

	queue   []frame // not sent yet
	closing int     // close code to send after the queue
	over    bool
	signal  chan struct{}
	done    chan struct{}
	once    sync.Once

	muted    bool // answers no heartbeat and sends nothing any more
	beat     time.Time
	received []time.Time // of the last minute
}

func (s *Server) gatewayURL(path string) string { return "ws://" + s.base.Host + path }

func (s *Server) denies() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gates.denied == 0 {
		return false
	}
	s.gates.denied--
	return true
}

func (s *Server) serveGateway(w http.ResponseWriter, r *http.Request) {
	if s.denies() {
		http.Error(w, "upstream connect error", http.StatusServiceUnavailable)
		return
	}
	up := websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}
	ws, err := up.Upgrade(w, r, nil)
	if err != nil {
		return // answered by the upgrader
	}
	c := &conn{s: s, ws: ws, resumes: r.URL.Path == "/resume", signal: make(chan struct{}, 1), done: make(chan struct{}), beat: s.now()}
	s.mu.Lock()
	if s.stopped {
		s.mu.Unlock()
		ws.Close()
		return
	}
	s.conns[c] = true
	s.serving.Add(1)
	s.greet(c, r.URL.Query().Get("v"))
	s.ring()
	s.mu.Unlock()
	defer s.serving.Done()

	var writer sync.WaitGroup
	writer.Go(c.write)
	c.read()
	s.mu.Lock()
	c.cut()
	delete(s.conns, c)
	s.left(c)
	s.ring()
	s.mu.Unlock()
	writer.Wait()
}

// greet sends hello, unless something else was asked for.
func (s *Server) greet(c *conn, version string) {
	switch {
	case version != "9" && version != "10":
		c.close(CloseInvalidVersion)
	case s.gates.silent > 0:
		s.gates.silent--
		c.muted = true
	default:
		c.greeted = s.now()
		c.send(frame{Op: opHello, Data: map[string]any{"heartbeat_interval": s.opts.Heartbeat.Milliseconds(), "_trace": []string{}}})
		if s.gates.cut[opHello] {
			delete(s.gates.cut, opHello)
			c.close(0)
		}
	}
}

// send queues a frame. The lock is held.
func (c *conn) send(f frame) {
	if c.muted || c.over {
		return
	}
	c.queue = append(c.queue, f)
	c.wake()
}

// close ends the connection with a code after what is queued was sent; 0 drops it
// without a word.
func (c *conn) close(code int) {
	if c.over {
		return
	}
	c.over, c.closing = true, code
	c.wake()
}

func (c *conn) wake() {
	select {
	case c.signal <- struct{}{}:
	default:
	}
}

func (c *conn) cut() {
	c.once.Do(func() {
		close(c.done)
		c.ws.Close()
	})
}

// write sends what is queued, and then what the session has in its log.
func (c *conn) write() {
	defer c.cut()
	for {
		c.s.mu.Lock()
		frames := c.queue
		c.queue = nil
		over, code := c.over, c.closing
		c.s.mu.Unlock()
		for _, f := range frames {
			if c.ws.SetWriteDeadline(time.Now().Add(10*time.Second)) != nil || c.ws.WriteJSON(f) != nil {
				return
			}
		}
		if over {
			if code != 0 {
				_ = c.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, ""), time.Now().Add(time.Minute)) // it may have gone
				select {                                                                                                           // the client has time to read the code
				case <-c.done:
				case <-time.After(time.Second):
				}
			}
			return
		}
		select {
		case <-c.signal:
		case <-c.done:
			return
		}
	}
}

func (c *conn) read() {
	for {
		_, b, err := c.ws.ReadMessage()
		if err != nil {
			c.s.mu.Lock()
			if !c.over && websocket.IsCloseError(err, 1000, 1001) && c.session != nil && c.session.conn == c {
				c.session.invalid = true // by the documentation, these codes end the session
			}
			c.s.mu.Unlock()
			return
		}
		var f struct {
			Op   int             `json:"op"`
			Data json.RawMessage `json:"d"`
		}
		c.s.mu.Lock()
		if json.Unmarshal(b, &f) != nil {
			c.close(CloseDecodeError)
		} else {
			c.s.take(c, f.Op, f.Data)
		}
		c.s.ring()
		c.s.mu.Unlock()
	}
}

// sendLimit is how many frames a client may send in a minute.
const sendLimit = 120

// take acts on one frame of a client. The lock is held.
func (s *Server) take(c *conn, op int, data json.RawMessage) {
	now := s.now()
	c.received = append(c.received, now)
	for now.Sub(c.received[0]) > time.Minute {
		c.received = c.received[1:]
	}
	if c.muted || c.over {
		return
	}
	if len(c.received) > sendLimit {
		s.violate("gateway: more than %d frames in a minute", sendLimit)
		c.close(CloseRateLimited)
		return
	}
	if s.gates.cut[op] {
		delete(s.gates.cut, op)
		c.close(0)
		return
	}
	switch op {
	case opHeartbeat:
		s.heartbeat(c, data)
	case opIdentify:
		s.identify(c, data)
	case opResume:
		s.resume(c, data)
	case opPresence, opVoice, opRequestGuildMembers:
		if c.session == nil {
			c.close(CloseNotAuthenticated)
		}
	default:
		s.violate("gateway: op %d", op)
		c.close(CloseUnknownOpcode)
	}
}

// stall is how long a busy machine may hold a client up whose interval is a short one.
const stall = 10 * time.Second

func (s *Server) heartbeat(c *conn, data json.RawMessage) {
	now := s.now()
	if d := now.Sub(c.beat); d > s.opts.Heartbeat+max(s.opts.Heartbeat/2, stall) {
		s.violate("gateway: a heartbeat after %v", d.Round(time.Millisecond))
	}
	c.beat = now
	var seq *int
	if json.Unmarshal(data, &seq) != nil {
		c.close(CloseDecodeError)
		return
	}
	if seq != nil && c.session != nil {
		c.session.acked = max(c.session.acked, *seq)
	}
	if s.gates.zombie {
		return
	}
	c.send(frame{Op: opHeartbeatAck})
}
