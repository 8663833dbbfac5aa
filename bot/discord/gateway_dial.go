package discord

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"
)

// connection is one discordgo session with its gatewayConn. It is used once: what a session
// of the gateway needs to continue is kept in session.
type connection struct {
	discord *discordgo.Session
	dialing context.CancelFunc
	proxies proxies
	closed  chan struct{} // discordgo has ended its goroutines
	mu      sync.Mutex
	line    *gatewayConn // nil before it was dialled
}

// connectTo prepares a connection to the gateway at url. Events go to put.
func (a *Adapter) connectTo(ctx context.Context, url string, s *session, resume []byte, intents discordgo.Intent, put func(packet)) (*connection, error) {
	d, err := discordgo.New("Bot " + a.Token)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	c := &connection{discord: d, dialing: cancel, proxies: a.proxies, closed: make(chan struct{})}
	dial := func(_ context.Context, network, address string) (net.Conn, error) {
		return c.dial(ctx, network, address, func(n net.Conn) *gatewayConn { return newGatewayConn(n, s, a.timing.silenceLimits, resume, a.Log) })
	}
	d.Dialer = &websocket.Dialer{HandshakeTimeout: a.timing.open, NetDialContext: dial,
		NetDialTLSContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			return dial(ctx, "tls", address)
		}}
	d.Client = &http.Client{Transport: gatewayAt(url)}
	d.LogLevel = -1 // it would print what people say
	d.ShouldReconnectOnError, d.StateEnabled, d.SyncEvents = false, false, true
	d.Compress, d.Identify.Compress = false, false
	d.Identify.Token = a.Token
	d.Identify.Intents = intents
	d.ShardID, d.ShardCount = a.Shard, a.Shards
	d.AddHandler(func(_ *discordgo.Session, e *discordgo.Event) {
		defer a.caught("gateway")
		put(packet{Seq: e.Sequence, Type: strings.TrimPrefix(e.Type, rawPrefix), Data: bytes.Clone(e.RawData)})
	})
	var once sync.Once
	d.AddHandler(func(*discordgo.Session, *discordgo.Disconnect) { once.Do(func() { close(c.closed) }) })
	return c, nil
}

func (c *connection) dial(ctx context.Context, network, address string, wrap func(net.Conn) *gatewayConn) (net.Conn, error) {
	secure, scheme := network == "tls", "http"
	if secure {
		scheme = "https"
	}
	conn, err := c.proxies.dial(ctx, scheme, address)
	if err != nil {
		return nil, err
	}
	if secure {
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		t := tls.Client(conn, &tls.Config{ServerName: host, NextProtos: []string{"http/1.1"}})
		limit, done := context.WithTimeout(ctx, dialTime)
		defer done()
		if err := t.HandshakeContext(limit); err != nil {
			conn.Close()
			return nil, err
		}
		conn = t
	}
	l := wrap(conn)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.line = l
	if ctx.Err() != nil { // cut meanwhile
		l.cut(errStopped)
	}
	return l, nil
}

const dialTime = 20 * time.Second

// cut ends whatever the connection is doing.
func (c *connection) cut(cause error) {
	c.dialing()
	if l := c.wire(); l != nil {
		l.cut(cause)
	}
}

// why is what made opening fail, nil if nothing did.
func (c *connection) why(err error) error {
	if err == nil {
		return nil
	}
	if l := c.wire(); l != nil {
		l.cut(err)
		return l.cause
	}
	return fmt.Errorf("%w: %w", errUnreached, err)
}

func (c *connection) wire() *gatewayConn {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.line
}

// gatewayAt answers discordgo's one request, where the gateway is.
type gatewayAt string

func (g gatewayAt) RoundTrip(r *http.Request) (*http.Response, error) {
	b, err := json.Marshal(map[string]string{"url": string(g)})
	if err != nil {
		return nil, err
	}
	return &http.Response{Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(b)), ContentLength: int64(len(b)), Request: r}, nil
}

// caught is deferred by every handler: a panic ends the event, not the process.
func (a *Adapter) caught(where string) {
	if r := recover(); r != nil {
		a.Log.Error("panic", "where", where, "panic", r, "stack", string(debug.Stack()))
	}
}
