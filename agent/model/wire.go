package model

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"time"
)

const (
	maxAnswer    = 16 << 20 // bytes of one answer; 1M tokens are about 4 MB
	maxComplaint = 64 << 10 // bytes read of an error body
)

// wire is the HTTP client of one endpoint. Every failure it returns is an *Error.
type wire struct {
	client *http.Client
	key    string // removed from every message
}

// newWire does not follow redirects: a redirected POST loses its body, and a key must not travel to another host.
func newWire(key string) *wire {
	return &wire{key: key, client: &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// send returns only answers with status 2xx; the body ends with an error after maxAnswer bytes.
func (w *wire) send(req *http.Request) (*http.Response, error) {
	resp, err := w.client.Do(req)
	if err != nil {
		return nil, w.broken(err, "")
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		defer resp.Body.Close()
		body, _ := io.ReadAll(io.LimitReader(resp.Body, maxComplaint)) // a cut body still has its status
		return nil, w.failure(resp.StatusCode, resp.Header, body)
	}
	resp.Body = http.MaxBytesReader(nil, resp.Body, maxAnswer)
	return resp, nil
}

// broken makes the Error of a connection that failed after partial had arrived.
func (w *wire) broken(err error, partial string) *Error {
	e := &Error{Kind: Unreachable, Err: err, Partial: partial}
	var large *http.MaxBytesError
	var inURL *url.Error
	switch {
	case errors.Is(err, context.Canceled):
		e.Kind = Canceled
	case errors.Is(err, context.DeadlineExceeded):
		e.Kind = Timeout
	case errors.As(err, &large):
		e.Kind, e.Message = Garbage, "the answer is larger than 16 MB"
	case partial != "":
		e.Kind, e.Message = Truncated, "the connection broke in the middle of the answer"
	case errors.As(err, &inURL):
		e.Message = w.clean(inURL.Err.Error())
	}
	return e
}

// firstByte returns the first byte of a body that is not white space, without consuming it; 0 when there is none.
func firstByte(r *bufio.Reader) (byte, error) {
	for {
		b, err := r.ReadByte()
		if err == io.EOF {
			return 0, nil
		}
		if err != nil {
			return 0, err
		}
		switch b {
		case ' ', '\t', '\r', '\n':
			continue
		}
		return b, r.UnreadByte()
	}
}

var errSlow = errors.New("no answer in time")

// watch ends a call that is too slow: first bounds the wait for the first text or thought, idle each pause after it.
type watch struct {
	timer     *time.Timer
	idle      time.Duration
	streaming bool
}

func startWatch(ctx context.Context, first, idle time.Duration) (context.Context, *watch, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	w := &watch{timer: time.AfterFunc(first, func() { cancel(errSlow) }), idle: idle}
	return ctx, w, func() {
		w.timer.Stop()
		cancel(nil)
	}
}

// hold stops the clock while the caller handles text; resume starts the idle clock.
func (w *watch) hold() { w.timer.Stop() }

func (w *watch) resume() {
	w.streaming = true
	w.timer.Reset(w.idle)
}
