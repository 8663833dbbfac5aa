package slack

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// pause is how long connection n waits, and the time when it is made.
func pause(b *connectionLimit, n int, now time.Time) (time.Duration, time.Time) {
	at := now
	for {
		d := b.next(n, at)
		if d == 0 {
			return at.Sub(now), at
		}
		at = at.Add(d)
	}
}

func TestAStormOfConnectionsIsSlowedDown(t *testing.T) {
	b := newConnectionLimit(http.DefaultClient)
	now := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	opened, start := 0, now
	for ; now.Sub(start) < time.Hour; opened++ {
		_, now = pause(b, opened%2, now) // connected, and closed at once
	}
	// A burst, then one a minute: the limit of apps.connections.open.
	if opened < 60 || opened > 60+connectBurst {
		t.Errorf("%d connections in an hour", opened)
	}
}

func TestARefreshIsNotHeldBack(t *testing.T) {
	b := newConnectionLimit(http.DefaultClient)
	now := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	for range 24 {
		b.noteConnected(1)
		if wait, _ := pause(b, 0, now); wait > 0 {
			t.Fatalf("a refresh an hour after the last waits %s", wait)
		}
		now = now.Add(time.Hour)
	}
}

func TestAStormThatIsOverIsForgotten(t *testing.T) {
	b := newConnectionLimit(http.DefaultClient)
	now := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	for range 20 {
		_, now = pause(b, 0, now)
	}
	now = now.Add(3 * time.Minute)
	if wait, _ := pause(b, 0, now); wait > 0 {
		t.Errorf("waits %s", wait)
	}
	if wait, _ := pause(b, 0, now); wait > 2*minBetweenConnects {
		t.Errorf("then waits %s", wait)
	}
}

func TestWithoutAConnectionWeDoNotWaitLong(t *testing.T) {
	b := newConnectionLimit(http.DefaultClient)
	now := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	first, _ := pause(b, 0, now)
	second, _ := pause(b, 1, now)
	if first+second > 0 {
		t.Errorf("the first connections wait %s and %s", first, second)
	}
	b.noteConnected(1)
	for n := range 5 { // both are cut again and again
		now = now.Add(6 * time.Second)
		delete(b.up, 1)
		if wait := b.next(0, now); wait > 0 {
			t.Errorf("cut %d: waits %s", n, wait)
		}
		b.noteConnected(0)
		b.next(1, now) // it may wait
	}
	if wait := b.next(1, now.Add(10*time.Second)); wait < connectEvery {
		t.Errorf("while there is another, a connection comes after %s", wait)
	}
}

func TestTheConnectionLimitObeysRetryAfter(t *testing.T) {
	b := newConnectionLimit(&http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusTooManyRequests, Header: http.Header{"Retry-After": {"90"}}, Body: io.NopCloser(strings.NewReader("no"))}, nil
	})})
	now := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	b.now = func() time.Time { return now }
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://slack.com/api/apps.connections.open", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := limitedConnection{b, 0}.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	if body, err := io.ReadAll(resp.Body); string(body) != "no" || err != nil {
		t.Errorf("body %q, %v", body, err)
	}
	resp.Body.Close()
	if wait := b.next(1, now.Add(time.Second)); wait < 89*time.Second {
		t.Errorf("waits %s", wait)
	}
}

func TestAWaitForAConnectionEndsWithItsContext(t *testing.T) {
	b := newConnectionLimit(&http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
		t.Error("a request was made")
		return nil, errors.New("no")
	})})
	b.pause(time.Hour)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://slack.com/api/apps.connections.open", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (limitedConnection{b, 0}).RoundTrip(req); !errors.Is(err, context.Canceled) { //nolint:bodyclose // there is none
		t.Errorf("%v", err)
	}
}

func TestAfterAnAbsence(t *testing.T) {
	now := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	b := newConnectionLimit(http.DefaultClient)
	b.now = func() time.Time { return now }
	greeted := func(n int, what string, want bool, from time.Time) {
		t.Helper()
		if since, away := b.noteConnected(n); away != want || want && !since.Equal(from) {
			t.Errorf("%s: %v since %v", what, away, since)
		}
	}
	gone := func() time.Time { b.next(0, now); b.next(1, now); return now }
	gone()
	greeted(0, "the first", true, time.Time{})
	greeted(1, "the second", false, now)
	now = now.Add(time.Hour)
	b.next(0, now)
	now = now.Add(time.Hour)
	greeted(0, "while the other was there", false, now)
	gone()
	now = now.Add(longOutage / 2)
	greeted(0, "after half a minute", false, now)
	began := gone()
	now = now.Add(longOutage + time.Second)
	greeted(1, "after more than a minute", true, began)
	greeted(0, "again", false, now)
}
