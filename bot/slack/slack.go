// Package slack is Slack as a platform: Socket Mode or signed HTTP events in, the
// Web API out. It owns the wire, Slack's limits and the look of messages; package bot
// decides what to answer and remember. event.go is pure: it turns what Slack
// sends into a platform.Event or a reason to ignore it.
package slack

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	slackapi "github.com/slack-go/slack"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
)

// Options are the adapter's settings. BotToken is needed, and one of AppToken
// (Socket Mode) and SigningSecret with Listen (HTTP events). With all three, events
// come over HTTP.
type Options struct {
	BotToken      string // xoxb-…
	AppToken      string // xapp-…, with connections:write
	SigningSecret string
	APIURL        string // "" for Slack's own; ends with "/"
	Listen        string // address that HTTP events are served on, "" with Socket Mode
	AgentView     bool   // a direct message opens a thread of its own, which is the session
	Log           *slog.Logger
	HTTP          *http.Client // nil for one with timeouts

	// LookUp is how long all look-ups for one event that gets an answer may take, a quarter
	// of it for another event; 0 for 900 ms.
	LookUp time.Duration
	// Unpaced makes requests without pauses between them, for a service without limits of rate.
	Unpaced bool
}

// Adapter is Slack as a platform.Platform.
type Adapter struct {
	Options
	api     *slackapi.Client
	self    self
	people  cache[profile]
	places  cache[place]
	guests  guests
	history readsInProgress
	files   fileOrigins
	limits  limits
	// processing are the threads in which Slack shows that we are working.
	processing processing
	tasks      tasks
	// streamless is set once Slack has refused streams to this app.
	streamless atomic.Bool
	end        atomic.Pointer[context.CancelCauseFunc] // ends Run
}

var _ interface {
	platform.Platform
	platform.Completer
	platform.GuestLister
	platform.HomePublisher
	platform.Looker
	platform.Membership
	platform.Mover
	platform.Named
	platform.Permalinker
	platform.Poster
	platform.Titler
} = (*Adapter)(nil)

// New returns an adapter that has not connected yet.
func New(o Options) *Adapter {
	if o.APIURL == "" {
		o.APIURL = slackapi.APIURL
	}
	if o.HTTP == nil {
		o.HTTP = &http.Client{Transport: transport()}
	}
	if o.LookUp <= 0 {
		o.LookUp = lookupTime
	}
	a := &Adapter{Options: o, limits: limits{unpaced: o.Unpaced}, files: fileOrigins{kit.Recent[string]{Limit: maxRemembered}}, tasks: tasks{room: make(chan struct{}, maxTasks)}}
	a.HTTP = a.client(o.HTTP, nil)
	// No retries of its own: a message may have been posted although the answer failed.
	a.api = slackapi.New(o.BotToken, slackapi.OptionAppLevelToken(o.AppToken), slackapi.OptionAPIURL(o.APIURL), slackapi.OptionHTTPClient(a.client(o.HTTP, bounded)))
	a.people = cache[profile]{fetch: a.fetchPerson, maxAge: time.Hour, maxEntries: 10_000}
	a.places = cache[place]{fetch: a.fetchPlace, maxAge: 10 * time.Minute, maxEntries: 10_000}
	return a
}

// transport bounds every step of a request but the transfer of a body, which the
// caller's context bounds.
func transport() *http.Transport {
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout:   10 * time.Second,
		ResponseHeaderTimeout: 30 * time.Second,
		IdleConnTimeout:       90 * time.Second,
		MaxIdleConnsPerHost:   16,
		ForceAttemptHTTP2:     true,
	}
}

// Name returns the platform's name in keys.
func (a *Adapter) Name() string { return "slack" }

// Run delivers events until ctx is done, or until Slack refuses us for good: the
// tokens are wrong or revoked, or the app was removed from the workspace. The error
// then says what to do.
func (a *Adapter) Run(ctx context.Context, h platform.Handler, _ []platform.Command) error {
	err := a.run(ctx, h)
	if removed(err) {
		if lost := h.Absent(ctx, platform.Absence{Told: true}); lost != nil {
			a.Log.Error("could not save that the app was removed", "error", lost)
		}
	}
	return err
}

func (a *Adapter) run(ctx context.Context, h platform.Handler) error {
	serve := a.socket
	switch {
	case a.BotToken == "":
		return errors.New("slack: no bot token: set SLACK_BOT_TOKEN to the app's xoxb-… token")
	case a.SigningSecret != "" && a.Listen != "":
		serve = a.serve
	case a.AppToken == "" && a.SigningSecret != "":
		return errors.New("slack: HTTP events need an address to listen on")
	case a.AppToken == "":
		return errors.New("slack: no way to receive events: set SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET (HTTP events)")
	}
	us, err := a.identifyUntilDone(ctx)
	if err != nil {
		return endOf(ctx, err)
	}
	a.Log.Info("slack", "team", us.Team, "user", us.User, "url", us.URL)
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	a.end.Store(&end)
	in := &intake{a: a, us: us, handler: h, cancel: end, room: make(chan struct{}, maxWaiting), edits: kit.Recent[string]{Limit: maxRemembered}, began: time.Now()}
	in.missed = newMissed(in)
	in.missed.loadStart(ctx)
	in.missed.all.Go(func() { in.missed.retryUnstored(ctx) })
	in.missed.all.Go(func() { in.missed.driver.Compare(ctx, h, a.Log) })
	in.missed.all.Go(func() { in.missed.followMoves(ctx) })
	err = serve(ctx, in)
	end(nil)
	in.missed.all.Wait()
	in.lanes.Join()
	a.tasks.all.Wait()
	return endOf(ctx, err)
}

// endOf is what Run returns: nothing when its context ended it.
func endOf(ctx context.Context, err error) error {
	var over *fatalError
	var refused *tokenError
	if cause := context.Cause(ctx); errors.As(cause, &over) || errors.As(cause, &refused) {
		return cause
	}
	if ctx.Err() != nil && (err == nil || errors.Is(err, context.Canceled)) {
		return nil
	}
	return err
}

// fatalError is an end that no reconnection mends.
type fatalError struct{ text string }

func (e *fatalError) Error() string { return "slack: " + e.text }
