package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"

	"threadkeeper/bot/platform/kit"
)

// connection is one websocket to the gateway. It is used once: what a session needs to
// continue is kept in session.
type connection struct {
	g        *gateway
	ws       *websocket.Conn
	resume   *frame        // nil if a session is to begin
	open     time.Time     // until when the session must have begun or continued, zero once it has
	interval time.Duration // of heartbeats, 0 before the gateway has named it
	acked    atomic.Int64  // when the gateway last confirmed one, nanoseconds
	out      sync.Mutex    // orders what is written
}

// Causes of a connection's end.
var (
	errReconnect = errors.New("discord: the gateway asks to reconnect")
	errInvalid   = errors.New("discord: the gateway refused the session")
	errZombie    = errors.New("discord: the gateway does not answer heartbeats")
	errProtocol  = errors.New("discord: the gateway sent what it should not")
	errUnreached = errors.New("discord: the gateway cannot be reached")
	errBehind    = errors.New("discord: too many events wait")
)

const (
	maxPacket    = 64 << 20
	maxHeartbeat = 10 * time.Minute
	missedBeats  = 2 // of silence until a connection is given up
	missedAcks   = 3 // of other traffic only
	dialTime     = 20 * time.Second
	writeTime    = 10 * time.Second
)

type frame struct {
	Op   int `json:"op"`
	Data any `json:"d"`
}

type packet struct {
	Op   int             `json:"op"`
	Seq  int64           `json:"s"`
	Type string          `json:"t"`
	Data json.RawMessage `json:"d"`
}

// identify begins a session (https://docs.discord.com/developers/events/gateway-events#identify).
type identify struct {
	Token      string            `json:"token"` // without "Bot "
	Properties map[string]string `json:"properties"`
	Shard      *[2]int           `json:"shard,omitempty"`
	Intents    discordgo.Intent  `json:"intents"`
}

func (g *gateway) identify() frame {
	me := identify{Token: g.a.Token, Intents: g.intents, Properties: map[string]string{"os": runtime.GOOS, "browser": "threadkeeper", "device": "threadkeeper"}}
	if g.a.Shards > 1 {
		me.Shard = &[2]int{g.a.Shard, g.a.Shards}
	}
	return frame{2, me}
}

func (a *Adapter) dial(ctx context.Context, address string) (*websocket.Conn, error) {
	given := func() bool { return true }
	d := websocket.Dialer{HandshakeTimeout: dialTime, Proxy: a.proxy, NetDialContext: func(dialing context.Context, network, host string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(dialing, network, host)
		if err == nil {
			given = context.AfterFunc(ctx, func() { conn.Close() }) // the handshake does not look at ctx
		}
		return conn, err
	}}
	ws, _, err := d.DialContext(ctx, address+"?v=10&encoding=json", nil)
	given()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnreached, err)
	}
	ws.SetReadLimit(maxPacket)
	ws.SetCloseHandler(func(int, string) error { return nil }) // to answer with 1000 would end the session
	return ws, nil
}

// run reads events until the connection ends, and says why it did. When ctx is done the session ends as well: close
// code 1000. Otherwise the gateway sees the connection drop, so that the session can be resumed.
func (c *connection) run(ctx context.Context, put func(packet) bool) error {
	inner, cut := context.WithCancelCause(ctx)
	var all sync.WaitGroup
	defer all.Wait()
	defer cut(nil)
	all.Go(func() {
		<-inner.Done()
		if ctx.Err() != nil {
			_ = c.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""), time.Now().Add(time.Second)) // it may be gone
		}
		c.ws.Close()
	})
	for inner.Err() == nil {
		p, err := c.read()
		if err == nil && p.Op == 10 {
			if err = c.hello(p.Data); err == nil {
				all.Go(func() { cut(c.beat(inner)) })
			}
		} else if err == nil {
			err = c.take(p, put)
		}
		if err != nil {
			cut(err)
		}
	}
	return context.Cause(inner)
}

// read is the next packet. One that is no JSON asks for nothing.
func (c *connection) read() (p packet, err error) {
	until := c.open
	if until.IsZero() {
		until = time.Now().Add(missedBeats * c.interval)
	}
	if err := c.ws.SetReadDeadline(until); err != nil {
		return p, err
	}
	_, b, err := c.ws.ReadMessage()
	if err != nil {
		return p, fmt.Errorf("discord: the connection to the gateway ended: %w", err)
	}
	if json.Unmarshal(b, &p) != nil {
		c.g.a.Log.Warn("gateway packet dropped: it is not a JSON object", "bytes", len(b))
		p.Op = -1
	}
	return p, nil
}

func (c *connection) take(p packet, put func(packet) bool) error {
	switch p.Op {
	case 0:
		c.open = time.Time{}
		if !put(p) {
			c.g.session.forget() // messages are read again
			return errBehind
		}
	case 1:
		return c.heartbeat()
	case 7:
		return errReconnect
	case 9:
		if string(p.Data) == "true" {
			return errReconnect
		}
		c.g.session.forget()
		return errInvalid
	case 11:
		c.acked.Store(time.Now().UnixNano())
	}
	return nil
}

// hello takes the first packet, and begins the session or continues it.
func (c *connection) hello(data []byte) error {
	var h struct {
		Interval int64 `json:"heartbeat_interval"` // milliseconds
	}
	if err := json.Unmarshal(data, &h); err != nil || h.Interval <= 0 || h.Interval > maxHeartbeat.Milliseconds() {
		return fmt.Errorf("%w: a heartbeat interval of %d ms", errProtocol, h.Interval)
	}
	c.interval = time.Duration(h.Interval) * time.Millisecond
	c.acked.Store(time.Now().UnixNano())
	if c.resume != nil {
		return c.write(*c.resume)
	}
	defer func() { c.g.begun = time.Now() }()
	return c.write(c.g.identify())
}

// beat sends heartbeats until one cannot be sent, or the gateway confirms none of several. The first comes after a random
// part of the interval (https://docs.discord.com/developers/events/gateway#heartbeat-interval).
func (c *connection) beat(ctx context.Context) error {
	for wait := rand.N(c.interval); ; wait = c.interval {
		if err := kit.Pause(ctx, wait); err != nil {
			return err
		}
		if time.Since(time.Unix(0, c.acked.Load())) > missedAcks*c.interval {
			return errZombie
		}
		if err := c.heartbeat(); err != nil {
			return err
		}
	}
}

func (c *connection) heartbeat() error { return c.write(frame{1, c.g.session.sequence()}) }

func (c *connection) write(f frame) error {
	c.out.Lock()
	defer c.out.Unlock()
	if err := c.ws.SetWriteDeadline(time.Now().Add(writeTime)); err != nil {
		return err
	}
	return c.ws.WriteJSON(f)
}
