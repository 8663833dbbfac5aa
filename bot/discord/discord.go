// Package discord is Discord as a platform: the gateway and interactions in, REST
// out. It owns the wire, Discord's limits and the look of messages; package bot decides
// what to answer and remember. event.go is pure: it turns what Discord sends
// into a platform.Event or a reason to ignore it.
package discord

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
)

// Options are the adapter's settings.
type Options struct {
	Token  string // without "Bot "
	APIURL string // "" for Discord's own: scheme and host of a REST proxy or test server
	Shard  int    // which shard this process is
	Shards int    // of how many; 0 and 1 for one
	Log    *slog.Logger
	HTTP   *http.Client // nil for one with timeouts
	// Unpaced makes requests without pauses between them, for a service without limits of rate.
	Unpaced bool
}

// Adapter is Discord as a platform.Platform.
type Adapter struct {
	Options
	timing   timing
	proxy    func(*http.Request) (*url.URL, error) // for the gateway; requests go through those of their transport
	places   *places
	people   *people
	received *received

	who sync.Mutex // of me
	me  identity   // zero until it is known

	mentionsOnly atomic.Bool                             // in guilds we see the content only of what mentions us
	end          atomic.Pointer[context.CancelCauseFunc] // ends Run

	sending
}

var _ interface {
	platform.Platform
	platform.ChannelLister
	platform.Completer
	platform.Looker
	platform.Membership
	platform.Named
	platform.Permalinker
	platform.Poster
	platform.Titler
} = (*Adapter)(nil)

// New returns an adapter that has not connected yet.
func New(o Options) *Adapter {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	a := &Adapter{Options: o, timing: defaultTiming, proxy: http.ProxyFromEnvironment, places: &places{channels: make(map[string]wireChannel), guilds: make(map[string]guild)},
		people:   &people{kit.Recent[wireMember]{Limit: maxPeople}},
		received: &received{last: kit.Recent[string]{Limit: maxReceivedChannels}, files: kit.Recent[[]string]{Limit: maxReceivedFiles}}}
	a.tasks.open()
	a.limits.clock, a.limits.sleep, a.limits.all = time.Now, kit.Pause, rate.NewLimiter(perSecond, 5)
	if o.Unpaced {
		a.limits.all = rate.NewLimiter(rate.Inf, 1)
	}
	return a
}

// Name returns the platform's name in keys.
func (a *Adapter) Name() string { return platformName }

const platformName = "discord"
