// Package fakeslack is a Slack that runs in the process of a test: one workspace with
// people, channels, messages and files behind Slack's Web API, Socket Mode and HTTP
// events. It keeps state as Slack does, refuses what Slack refuses, and fails when
// told to. People act through methods of Server (Say, Edit, Click, Slash …) and
// see Server.Shown. Requests that no correct client sends are recorded as
// Violations. It knows nothing of the adapter it serves and is for tests only.
package fakeslack

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Ids of the workspace and the app that is tested.
const (
	TeamID  = "T00000001"
	OtherID = "T00000002" // the workspace of Slack Connect strangers

	OtherBotID = "B00000009" // of webhooks, and of an app that people post through
	OtherAppID = "A00000009"
	AppID      = "A00000001"
	BotID      = "B00000001"
	BotUser    = "U00000000"
	BotName    = "threadkeeper"
	teamName   = "Threadworks"
)

// Options are how a Server differs from the usual one.
type Options struct {
	Now           func() time.Time // nil for time.Now
	BotToken      string           // "" for "xoxb-fake"
	AppToken      string           // "" for "xapp-fake"
	SigningSecret string           // "" for "signing-secret"
	Scopes        []string         // granted to the bot; nil for all that there are
	AgentView     bool             // features.agent_view
	// Limits multiplies Slack's rate limits: 1 for Slack's own, 0 for none.
	Limits float64
	// PageMost is how many messages a page has at most: 0 for what Slack gives to an app of the
	// workspace's own, or Restricted.
	PageMost int
	// StreamLife is how long a stream lives, appends or not; 0 for five minutes. Slack
	// documents no number: people measure five minutes from its start or from its last
	// append, of which this is the shorter.
	StreamLife time.Duration
	// AckWait is how long a delivery may take to be acknowledged; 0 for three seconds.
	AckWait time.Duration
	// TriggerLife is how long a trigger_id is good; 0 for three seconds.
	TriggerLife time.Duration
	// RetryWaits are the pauses before the next deliveries of what was not
	// acknowledged; after the last it is lost. nil for Slack's: none, 1 and 5 minutes.
	RetryWaits []time.Duration
	// OnRequest, if set, is called before and after ("before chat.update") each request.
	OnRequest func(step string)
}

// Server is the fake. Its methods are safe for use by several goroutines.
type Server struct {
	o      Options
	listen net.Listener
	http   *http.Server
	client *http.Client // for what Slack sends
	stop   context.CancelFunc
	ctx    context.Context
	wg     sync.WaitGroup
	bell   chan struct{} // rings when something may be delivered

	mu         sync.Mutex
	n          int   // the last id given
	lastTS     int64 // the last message timestamp, microseconds
	users      map[string]*User
	order      []string // ids of users as they came
	channels   map[string]*Channel
	chanOrder  []string
	messages   map[string][]*Message // by channel, by ts
	ephemerals []*Ephemeral
	files      map[string]*file
	views      map[string]*View
	homes      map[string]*View    // by user
	triggers   map[string]*trigger // by trigger id
	hooks      map[string]*hook    // response URLs, by key
	statuses   []Status
	titles     map[string]string   // by channel/thread
	prompts    map[string][]Prompt // by channel/thread
	sessions   map[string]string   // status by channel/thread
	tokens     map[string]*token
	limits     map[string][]time.Time // of the last minute, by method
	faults     []*Fault
	expiring   bool // the next stream ends after its first words
	requests   []Request
	violations []string
	queue      []*envelope // not acknowledged, in order
	past       []*envelope // every event there was
	acks       []Ack
	lost       []string
	conns      []*conn
	tickets    map[string]bool
	opened     int // calls of apps.connections.open that were granted
	turn       int // which connection is next
	mute       int // connections to come that stay silent
	target     Target
	deserted   bool // nobody listened there when something was last delivered
}

// New is a running Server with the app's bot and no other person. Close it.
func New(o Options) *Server {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(fmt.Sprintf("fakeslack: %v", err)) // a machine without a loopback runs no test
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	o.BotToken = or(o.BotToken, "xoxb-fake")
	o.AppToken = or(o.AppToken, "xapp-fake")
	o.SigningSecret = or(o.SigningSecret, "signing-secret")
	o.StreamLife = or(o.StreamLife, 5*time.Minute)
	o.AckWait = or(o.AckWait, 3*time.Second)
	o.TriggerLife = or(o.TriggerLife, 3*time.Second)
	if o.RetryWaits == nil {
		o.RetryWaits = []time.Duration{0, time.Minute, 5 * time.Minute}
	}
	ctx, stop := context.WithCancel(context.Background())
	s := &Server{o: o, listen: l, ctx: ctx, stop: stop, bell: make(chan struct{}, 1),
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8}},
		users:  map[string]*User{}, channels: map[string]*Channel{}, messages: map[string][]*Message{},
		files: map[string]*file{}, views: map[string]*View{}, homes: map[string]*View{}, triggers: map[string]*trigger{},
		hooks: map[string]*hook{}, titles: map[string]string{}, prompts: map[string][]Prompt{}, sessions: map[string]string{},
		tokens: map[string]*token{}, limits: map[string][]time.Time{}, tickets: map[string]bool{}}
	s.tokens[o.BotToken] = &token{kind: botToken, scopes: scopeSet(o.Scopes)}
	s.tokens[o.AppToken] = &token{kind: appToken, scopes: map[string]bool{"connections:write": true}}
	s.addUser(User{ID: BotUser, Name: BotName, RealName: "Threadkeeper", Bot: true, BotID: BotID, AppID: AppID})
	s.http = &http.Server{Handler: s.routes(), ReadHeaderTimeout: 10 * time.Second}
	s.wg.Add(2)
	go func() { defer s.wg.Done(); s.http.Serve(l) }()
	go func() { defer s.wg.Done(); s.deliver() }()
	return s
}

func or[T comparable](v, otherwise T) T {
	var zero T
	if v == zero {
		return otherwise
	}
	return v
}

// Close ends every connection and waits for the server's goroutines.
func (s *Server) Close() {
	s.stop()
	s.CutSockets()
	s.http.Close()
	s.wg.Wait()
	s.client.CloseIdleConnections()
}

// URL is where the server is, without a slash at the end.
func (s *Server) URL() string { return "http://" + s.listen.Addr().String() }

// APIURL is what a client takes for https://slack.com/api/.
func (s *Server) APIURL() string { return s.URL() + "/api/" }

// Options are the server's, with nothing left out.
func (s *Server) Options() Options { return s.o }

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/api/{method}", s.serveAPI)
	mux.HandleFunc("/link/", s.serveSocket)
	mux.HandleFunc("POST /upload/v1/{file}", s.serveUpload)
	mux.HandleFunc("GET /files-pri/{place}/{rest...}", s.serveDownload)
	mux.HandleFunc("GET /signin", serveSignIn)
	mux.HandleFunc("POST /hooks/{key}", s.serveHook)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.violate("%s %s: no such address", r.Method, r.URL.Path)
		http.NotFound(w, r)
	})
	return mux
}

func (s *Server) violate(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wrong(format, args...)
}

// wrong is violate under the lock.
func (s *Server) wrong(format string, args ...any) {
	s.violations = append(s.violations, fmt.Sprintf(format, args...))
}

// Violations are the requests so far that no correct client sends, with what is wrong.
func (s *Server) Violations() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.violations...)
}

// id is a new id of a kind, which its first letters show.
func (s *Server) id(prefix string) string {
	s.n++
	return fmt.Sprintf("%s%08d", prefix, s.n)
}

// ts is a new message timestamp: later than all before.
func (s *Server) ts() string {
	s.lastTS = max(s.lastTS+1, s.o.Now().UnixMicro())
	return fmt.Sprintf("%d.%06d", s.lastTS/1e6, s.lastTS%1e6)
}

func (s *Server) ring() {
	select {
	case s.bell <- struct{}{}:
	default:
	}
}

// scopeSet is a set of scopes; nil stands for all that any method needs.
func scopeSet(scopes []string) map[string]bool {
	set := map[string]bool{}
	for _, v := range scopes {
		set[v] = true
	}
	if scopes == nil {
		for _, m := range methods {
			for _, v := range strings.Fields(m.scopes) {
				set[v] = true
			}
		}
		for _, v := range strings.Fields(eventScopes) {
			set[v] = true
		}
		delete(set, "connections:write")
	}
	return set
}

// eventScopes are the scopes that only events and commands need.
const eventScopes = "app_mentions:read commands reactions:read team:read"
