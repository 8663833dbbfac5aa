// Package fakediscord is a stateful Discord for tests: gateway, REST and file links on
// one local address, with Discord's own rules and limits, people who say, edit, delete
// and click, and faults on demand. It owns the other side of the wire and knows nothing
// about our adapter. Harness makes it a world of the conformance suite.
//
// Rules and numbers are those of https://docs.discord.com/developers.
package fakediscord

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// Options are what a test may choose. The zero value is Discord as it is.
type Options struct {
	Token         string           // of the bot, without "Bot "; "" for "token"
	Privileged    *int             // privileged intents that are granted; nil for all
	Private       bool             // nobody but its owner adds the app to a server
	Now           func() time.Time // nil for time.Now
	Heartbeat     time.Duration    // told in hello; 0 for 41.25 s
	LinkLife      time.Duration    // of a link to an attachment; 0 for 24 h
	CDN           string           // scheme and host of links to attachments; "" for the server's own
	IdentifyEvery time.Duration    // between two IDENTIFYs; 0 for 5 s
	Rate          Rate             // of messages in one channel; zero for 5 in 5 s
	Global        Rate             // of all requests; zero for 50 in 1 s
	UploadLimit   int              // bytes of one file; 0 for 10 MiB
	RespondWithin time.Duration    // for the first answer to an interaction; 0 for 3 s
}

// Rate is how many requests may be made in how much time.
type Rate struct {
	Limit int
	Per   time.Duration
}

func (o *Options) defaults() {
	o.Token = or(o.Token, "token")
	o.Heartbeat = or(o.Heartbeat, 41250*time.Millisecond)
	o.LinkLife = or(o.LinkLife, 24*time.Hour)
	o.IdentifyEvery = or(o.IdentifyEvery, 5*time.Second)
	o.Rate = or(o.Rate, Rate{5, 5 * time.Second})
	o.Global = or(o.Global, Rate{50, time.Second})
	o.UploadLimit = or(o.UploadLimit, 10<<20)
	o.RespondWithin = or(o.RespondWithin, 3*time.Second)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Privileged == nil {
		all := privilegedIntents
		o.Privileged = &all
	}
}

func or[T comparable](v, otherwise T) T {
	var zero T
	if v == zero {
		return otherwise
	}
	return v
}

// Server is one Discord with one bot, which is a member of no guild at first.
type Server struct {
	opts    Options
	base    *url.URL
	http    *http.Server
	serving sync.WaitGroup

	mu           sync.Mutex
	last         int64 // the newest snowflake
	bot          *User
	application  string
	users        map[string]*User
	closedDMs    map[string]bool
	guilds       map[string]*guild
	order        []string // guilds by age
	channels     map[string]*channel
	files        map[string]*file
	interactions map[string]*interaction // by token
	locales      map[string]string       // by user
	commands     []Command
	nonces       map[string]*message // by channel and nonce
	sessions     map[string]*session
	conns        map[*conn]bool
	identified   time.Time // hello of the connection with the last IDENTIFY
	starts       int       // IDENTIFYs so far
	granted      int       // privileged intents
	buckets      map[string]*window
	invalid      []time.Time
	rules        []*rule
	gates        gates
	requests     []Request
	violations   []string
	changed      chan struct{} // closed and replaced at every change
	stopped      bool
}

// New starts a server. Close ends it.
func New(o Options) *Server {
	o.defaults()
	s := &Server{
		opts: o, granted: *o.Privileged,
		users: make(map[string]*User), closedDMs: make(map[string]bool), guilds: make(map[string]*guild), channels: make(map[string]*channel),
		files: make(map[string]*file), interactions: make(map[string]*interaction), locales: make(map[string]string),
		nonces: make(map[string]*message), sessions: make(map[string]*session), conns: make(map[*conn]bool),
		gates:   gates{cut: make(map[int]bool), refuse: make(map[int]bool)},
		buckets: make(map[string]*window), changed: make(chan struct{}),
	}
	s.application = s.id()
	s.bot = s.addUser("Threadkeeper", true)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(fmt.Sprintf("fakediscord: %v", err))
	}
	s.base = &url.URL{Scheme: "http", Host: l.Addr().String()}
	s.http = &http.Server{Handler: s.routes(), ReadHeaderTimeout: 10 * time.Second}
	s.serving.Go(func() {
		if err := s.http.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			panic(fmt.Sprintf("fakediscord: %v", err))
		}
	})
	return s
}

// Close cuts every connection and returns when nothing runs any more.
func (s *Server) Close() {
	s.mu.Lock()
	s.stopped = true
	s.ring()
	for c := range s.conns {
		c.cut()
	}
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if s.http.Shutdown(ctx) != nil {
		s.http.Close()
	}
	s.serving.Wait()
}

// URL is scheme and host, for programs that let one choose Discord's address.
func (s *Server) URL() string { return s.base.String() }

// Token is the bot's, without "Bot ".
func (s *Server) Token() string { return s.opts.Token }

// Bot is the bot's user.
func (s *Server) Bot() User { return *s.bot }

// Application is the id of the bot's application. It differs from the user's, as that of
// many old bots does.
func (s *Server) Application() string { return s.application }

func (s *Server) now() time.Time { return s.opts.Now() }

// ring wakes all who wait for a change. The lock is held.
func (s *Server) ring() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// await returns once ok holds, which is called with the lock held, or when ctx is
// done, whose error it returns then.
func (s *Server) await(ctx context.Context, ok func() bool) error {
	for {
		s.mu.Lock()
		done, changed := ok(), s.changed
		s.mu.Unlock()
		if done {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
