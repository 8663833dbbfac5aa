package discord

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"
	"golang.org/x/time/rate"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
)

// timing is how long is waited.
type timing struct {
	open    time.Duration // for one connection to be ready
	retry   time.Duration // before the first new attempt; doubled, up to 64 times
	invalid time.Duration // before a refused session is begun anew, up to five times that
	begin   time.Duration // between two sessions that are begun: Discord wants five seconds, and the first may be longer on its way
	receive time.Duration // before an event is delivered again, doubled up to 64 times
	drain   time.Duration // for events in progress, before missed ones are looked for
	respond time.Duration // for an interaction to be acknowledged
	store   time.Duration // for an interaction to be stored, before it is acknowledged anyway
	status  time.Duration // before a turn shows a message: one that ends sooner is not worth it
}

// defaultTiming follows discord.com/developers/docs/events/gateway.
var defaultTiming = timing{open: time.Minute,
	retry: time.Second, invalid: time.Second, begin: 7 * time.Second, receive: 100 * time.Millisecond,
	drain: 5 * time.Second, respond: respondWithin, store: storeFirst, status: 2 * time.Second}

// lastingConnection is how long a connection lasts that is no failed attempt, although a new
// session has to be begun.
const lastingConnection = time.Minute

// freeReconnects is how many connections in a row that had come up are followed by the next one
// at once; further ones follow at the pace of retry.
const freeReconnects = 5

// A session that cannot be resumed is begun anew: the gateway may drop every attempt
// (https://github.com/discord/discord-api-docs/issues/1619), and keeps a session for a few
// minutes.
const (
	resumeTries = 3               // connections in a row that end without an event
	sessionLife = 3 * time.Minute // while the gateway cannot be reached
)

type gateway struct {
	a       *Adapter
	session *session
	intents discordgo.Intent
	put     func(p packet, done func()) bool // false: there is no room, the session is given up
	begun   time.Time                        // when the last session was, at the latest
}

const intents = discordgo.IntentsGuilds | discordgo.IntentsGuildMessages | discordgo.IntentsDirectMessages

// run connects, and again whenever the connection is lost, until ctx is done or
// Discord refuses us for a reason that only people can mend.
func (g *gateway) run(ctx context.Context) error {
	limit := rate.NewLimiter(rate.Every(g.a.timing.retry), freeReconnects)
	var lost time.Time // when the first of the failures was
	for failures := 0; ; {
		began, came := time.Now(), g.session.arrivals()
		err := g.connect(ctx)
		if ctx.Err() != nil {
			return nil
		}
		again, fatal := g.classifyEnd(err)
		if fatal != nil {
			return fatal
		}
		if again {
			continue
		}
		var wait time.Duration
		if resume, _ := g.session.resume(); resume != nil && g.session.arrivals() > came { // it was connected, and resuming costs nothing
			failures, wait = 0, limit.Reserve().Delay()
		} else {
			if time.Since(began) > lastingConnection {
				failures = 0
			}
			wait = g.retryWait(err, failures)
			if failures++; failures == 1 {
				lost = began
			}
			if failures >= resumeTries && (!errors.Is(err, errUnreached) || time.Since(lost) > sessionLife) {
				g.session.forget()
			}
		}
		g.a.Log.Warn("gateway connection lost", "error", err, "retry in", wait)
		if kit.Pause(ctx, wait) != nil {
			return nil
		}
	}
}

func (g *gateway) retryWait(err error, failures int) time.Duration {
	var later *platform.RetryError
	if errors.As(err, &later) && later.After > 0 {
		return later.After
	}
	if errors.Is(err, errInvalid) {
		return g.a.timing.invalid + time.Duration(rand.Float64()*4*float64(g.a.timing.invalid))
	}
	wait := g.a.timing.retry << min(failures, 6)
	if failures == 0 {
		return time.Duration(rand.Float64() * float64(wait))
	}
	return wait/2 + time.Duration(rand.Float64()*float64(wait))
}

// classifyEnd reads a connection's end: whether to connect again at once, or never.
func (g *gateway) classifyEnd(err error) (again bool, fatal error) {
	var closed *websocket.CloseError
	if !errors.As(err, &closed) {
		if errors.Is(err, errRefused) {
			return false, err
		}
		return false, nil
	}
	if closed.Code == closeIntents && g.intents&discordgo.IntentMessageContent != 0 {
		g.a.Log.Warn("Discord does not let us read messages: enable Message Content Intent for the application (Developer Portal, Bot). " +
			"Until then only mentions and direct messages are answered, follow-ups in threads are not, and files are seen in those messages only.")
		g.intents &^= discordgo.IntentMessageContent
		g.a.mentionsOnly.Store(true)
		g.session.forget()
		return true, nil
	}
	if remedy := remedies[closed.Code]; remedy != "" {
		return false, fmt.Errorf("discord: the gateway refuses us: %w: %s", closed, remedy)
	}
	switch closed.Code {
	case 4003, 4007, 4009: // the session is over; with 1000 and 1001 it is only when we are the ones who close
		g.session.forget()
	}
	return false, nil
}

const closeIntents = 4014

// remedies are the close codes after which Discord refuses every further attempt, and what
// people can do (discord.com/developers/docs/topics/opcodes-and-status-codes).
var remedies = map[int]string{
	4004:         "the bot's token is not valid; copy it again from the Developer Portal (Bot, Reset Token) into DISCORD_TOKEN",
	4010:         "there is no such shard; the shard's number must be below the number of shards",
	4011:         "the bot is in too many guilds for one connection; run it with more shards",
	4012:         "this version of the gateway is not served any more; update the program",
	4013:         "the intents asked for are not valid; update the program",
	closeIntents: "the bot may not have an intent it needs; look at Privileged Gateway Intents in the Developer Portal (Bot)",
}

var errRefused = errors.New("discord: the bot's token is refused; copy it again from the Developer Portal (Bot, Reset Token) into DISCORD_TOKEN")

// connect keeps one connection until it ends and says why it did.
func (g *gateway) connect(ctx context.Context) error {
	resume, url := g.session.resume()
	if resume == nil {
		if err := kit.Pause(ctx, time.Until(g.begun.Add(g.a.timing.begin))); err != nil {
			return err
		}
	}
	if resume == nil || url == "" {
		usual, err := g.address(ctx, resume == nil)
		if err != nil {
			return err
		}
		url = usual
	}
	ws, err := g.a.dial(ctx, url)
	if err != nil {
		return err
	}
	c := &connection{g: g, ws: ws, resume: resume, open: time.Now().Add(g.a.timing.open)}
	return c.run(ctx, func(p packet) bool {
		done, fresh := g.session.begin(p)
		return !fresh || g.put(p, done)
	})
}

// address is where the gateway is. Before a new session it waits until Discord
// allows one (discord.com/developers/docs/events/gateway#session-start-limit).
func (g *gateway) address(ctx context.Context, fresh bool) (string, error) {
	var at struct {
		URL   string `json:"url"`
		Limit struct {
			Remaining *int  `json:"remaining"`
			Reset     int64 `json:"reset_after"` // milliseconds
		} `json:"session_start_limit"`
	}
	err := g.a.call(ctx, "GET", "/gateway/bot", nil, &at)
	if refused := new(apiError); errors.As(err, &refused) && refused.Status == http.StatusUnauthorized {
		return "", errRefused
	}
	if err != nil {
		return "", fmt.Errorf("discord: ask for the gateway: %w", err)
	}
	if n := at.Limit.Remaining; fresh && n != nil && *n <= 0 {
		return "", &platform.RetryError{After: max(time.Second, time.Duration(at.Limit.Reset)*time.Millisecond),
			Err: errors.New("discord: no more sessions may be started today")}
	}
	return at.URL, nil
}
