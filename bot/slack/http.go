package slack

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"threadkeeper/bot/platform/kit"

	slackapi "github.com/slack-go/slack"
)

const (
	maxBody   = 4 << 20 // bytes of one delivery
	closeTime = 5 * time.Second
)

// serve delivers HTTP events until ctx is done or the address cannot be listened on.
func (a *Adapter) serve(ctx context.Context, in *intake) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", a.Listen)
	if err != nil {
		return fmt.Errorf("slack: listen for events: %w", err)
	}
	a.Log.Info("listening for events", "address", listener.Addr().String())
	in.doubtAll(ctx)
	in.missed.startPass(ctx, time.Time{})
	mux := http.NewServeMux()
	mux.Handle("POST /", &receiver{a: a, in: in, ctx: ctx}) // events, interactions and commands, under any path
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second,
		WriteTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err = <-ended:
		return fmt.Errorf("slack: serve events: %w", err)
	case <-ctx.Done():
	}
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
	defer cancel()
	if err := server.Shutdown(closing); err != nil {
		err = errors.Join(err, server.Close())
		a.Log.Warn("could not close the event server", "error", err)
	}
	<-ended
	return ctx.Err()
}

// receiver answers Slack's requests: 200 once what it brought is stored, 5xx to have
// it again. Slack's retries carry the same ids, so that the inbox takes them once.
type receiver struct {
	a   *Adapter
	in  *intake
	ctx context.Context // of Run: a request that Slack gives up on is handled all the same
}

func (s *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxBody))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		http.Error(w, "too large", http.StatusRequestEntityTooLarge)
		return
	case err != nil:
		http.Error(w, "unreadable", http.StatusBadRequest)
		return
	}
	if err := s.verify(req.Header, body); err != nil {
		s.a.Log.Warn("request not signed by Slack", "error", err)
		http.Error(w, "not signed", http.StatusUnauthorized)
		return
	}
	kind, payload, err := delivery(req.Header.Get("Content-Type"), body)
	if err != nil {
		http.Error(w, "unreadable", http.StatusBadRequest)
		return
	}
	if challenge, ok := challenged(kind, payload); ok {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		_, _ = io.WriteString(w, challenge)
		return
	}
	stored := make(chan error, 1)
	if err := s.in.accept(s.ctx, kind, payload, func(err error) { stored <- err }); err != nil {
		http.Error(w, "ending", http.StatusServiceUnavailable)
		return
	}
	if err := <-stored; err != nil {
		http.Error(w, "not stored", http.StatusInternalServerError)
		return
	}
	w.WriteHeader(http.StatusOK)
}

// verify checks Slack's signature of the body as it came, and that it is not older than
// five minutes (https://docs.slack.dev/authentication/verifying-requests-from-slack).
func (s *receiver) verify(header http.Header, body []byte) error {
	v, err := slackapi.NewSecretsVerifier(header, s.a.SigningSecret)
	if err != nil {
		return err
	}
	if _, err := v.Write(body); err != nil {
		return err
	}
	return v.Ensure()
}

// delivery is what a request brings, in the form that Socket Mode has it: events are
// JSON, interactions JSON in a form, slash commands a form.
func delivery(contentType string, body []byte) (kind string, payload []byte, err error) {
	if strings.HasPrefix(contentType, "application/json") || bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) {
		return kindEvent, body, nil
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return "", nil, err
	}
	if p := form.Get("payload"); p != "" {
		return kindInteraction, []byte(p), nil
	}
	fields := make(map[string]string, len(form))
	for name := range form {
		fields[name] = form.Get(name)
	}
	payload, err = json.Marshal(fields)
	return kindSlash, payload, err
}

func challenged(kind string, payload []byte) (challenge string, ok bool) {
	var outer callback
	if kind != kindEvent || kit.Decode(payload, &outer) != nil || outer.Type != "url_verification" {
		return "", false
	}
	return outer.Challenge, true
}
