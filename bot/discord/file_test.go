package discord

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"threadkeeper/memory"
)

// trickle is a body that brings a byte at a time, after a pause, for as long as its request lasts.
type trickle struct {
	ctx   context.Context
	pause time.Duration
	left  int
}

func (b *trickle) Read(p []byte) (int, error) {
	if b.left == 0 {
		return 0, io.EOF
	}
	select {
	case <-time.After(b.pause):
		b.left--
		p[0] = 'x'
		return 1, nil
	case <-b.ctx.Done():
		return 0, b.ctx.Err()
	}
}

func (b *trickle) Close() error { return nil }

// TestASlowDownloadIsWhole, however long it takes.
func TestASlowDownloadIsWhole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := New(Options{HTTP: &http.Client{Timeout: requestTime, Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Body: &trickle{r.Context(), 20 * time.Second, 60}, Request: r}, nil
		})}})
		body, err := a.Open(t.Context(), memory.File{Locator: locator{"1", "2", "3", "https://cdn.discordapp.com/x"}.String()})
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(body)
		body.Close()
		if err != nil || string(data) != strings.Repeat("x", 60) {
			t.Errorf("read %q, %v", data, err)
		}
	})
}
