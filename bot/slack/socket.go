package slack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"sync"
	"time"

	"threadkeeper/bot/platform/kit"

	slackapi "github.com/slack-go/slack"
	"github.com/slack-go/slack/socketmode"
)

const (
	connections = 2                // one stays connected while Slack refreshes the other
	maxFrame    = 16 << 20         // bytes; far more than Slack sends
	ackTime     = time.Second      // for a connection that is just being made to take an acknowledgement
	helloTime   = 30 * time.Second // for Slack to greet a new connection
)

// socket delivers events over Socket Mode until ctx is done or Slack refuses us.
func (a *Adapter) socket(ctx context.Context, in *intake) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var all sync.WaitGroup
	errs := make(chan error, connections)
	limit := newConnectionLimit(a.HTTP)
	for n := range connections {
		all.Go(func() {
			errs <- a.connection(ctx, in, limit, n)
			cancel()
		})
	}
	all.Wait()
	return <-errs // the first error names the cause
}

func (a *Adapter) connection(ctx context.Context, in *intake, limit *connectionLimit, n int) error {
	api := slackapi.New(a.BotToken, slackapi.OptionAppLevelToken(a.AppToken), slackapi.OptionAPIURL(a.APIURL),
		slackapi.OptionHTTPClient(&http.Client{Transport: limitedConnection{limit, n}}))
	client := socketmode.New(api, socketmode.OptionReadLimit(maxFrame), socketmode.OptionLog(log.New(io.Discard, "", 0)))
	s := &socket{a: a, in: in, client: client, limit: limit, n: n}
	for ctx.Err() == nil {
		err := s.run(ctx)
		if code := badTokenCode(err); code != "" {
			return fmt.Errorf("slack: Socket Mode is refused (%s): set SLACK_APP_TOKEN to an xapp-… token with connections:write of an app with Socket Mode on", code)
		}
		var status slackapi.StatusCodeError
		if errors.As(err, &status) && status.Code == http.StatusNotFound {
			return errors.New("slack: Socket Mode is refused (404): look at SLACK_API_URL and SLACK_APP_TOKEN")
		}
	}
	return ctx.Err()
}

// socket is one connection, and its successors.
type socket struct {
	a      *Adapter
	in     *intake
	client *socketmode.Client
	limit  *connectionLimit
	n      int
}

func (s *socket) run(ctx context.Context) error {
	wire, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- s.client.RunContext(wire) }()
	var failed error
	var silent <-chan time.Time // while Slack has not said hello
	for {
		select {
		case <-silent:
			failed = errors.New("slack: a connection was not greeted")
			s.a.Log.Warn("no hello from Slack", "connection", s.n)
			stop()
		case ev := <-s.client.Events:
			switch ev.Type {
			case socketmode.EventTypeConnected:
				silent = time.After(helloTime)
			case socketmode.EventTypeHello:
				silent = nil
				if since, away := s.limit.noteConnected(s.n); away {
					s.in.doubtAll(ctx)
					s.in.missed.startPass(ctx, since)
				}
			}
			if err := s.event(ctx, ev); err != nil {
				failed = err
				stop() // its own pauses grow to five minutes; our limit sets ours
			}
		case err := <-ended:
			return errors.Join(failed, err)
		}
	}
}

// event handles an event of the connection. The error is that of an attempt to connect.
func (s *socket) event(ctx context.Context, ev socketmode.Event) error {
	log := s.a.Log.With("connection", s.n)
	switch ev.Type {
	case socketmode.EventTypeConnected:
		log.Info("connected")
	case socketmode.EventTypeConnectionError:
		if e, ok := ev.Data.(*slackapi.ConnectionErrorEvent); ok {
			log.Warn("could not connect", "error", e.ErrorObj)
			return e.ErrorObj
		}
	case socketmode.EventTypeEventsAPI, socketmode.EventTypeInteractive, socketmode.EventTypeSlashCommand:
		if ev.Request != nil {
			s.frame(ctx, envelope{ID: ev.Request.EnvelopeID, Type: ev.Request.Type, Payload: ev.Request.Payload})
		}
	case socketmode.EventTypeErrorBadMessage:
		// We may be able to read what the library cannot; it is acknowledged in every
		// case, because Slack would repeat it.
		bad, ok := ev.Data.(*socketmode.ErrorBadMessage)
		var e envelope
		if ok && kit.Decode(bad.Message, &e) == nil && e.ID != "" {
			log.Debug("the library could not decode a frame", "type", e.Type, "error", bad.Cause)
			s.frame(ctx, e)
		}
	case socketmode.EventTypeIncomingError, socketmode.EventTypeErrorWriteFailed:
		log.Debug("connection error", "type", string(ev.Type), "data", fmt.Sprintf("%T", ev.Data))
	}
	return nil
}

func (s *socket) frame(ctx context.Context, e envelope) {
	_ = s.in.accept(ctx, e.Type, e.Payload, func(err error) {
		if err != nil {
			return // it is delivered again
		}
		ctx, cancel := context.WithTimeout(ctx, ackTime)
		defer cancel()
		if err := s.client.AckCtx(ctx, e.ID, nil); err != nil {
			s.a.Log.Debug("could not acknowledge a delivery", "error", err)
		}
	})
}
