package slack

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	slackapi "github.com/slack-go/slack"

	"threadkeeper/bot/platform"
)

// made are the times at which a method gets through within three minutes when it is
// wanted all the time, or after a rest.
func made(t *testing.T, a *Adapter, method string, places int, rest time.Duration) []time.Time {
	t.Helper()
	var at []time.Time
	for start := time.Now(); time.Since(start) < 3*time.Minute; {
		if len(at)%30 == 29 {
			time.Sleep(rest)
		}
		if err := a.call(t.Context(), method, fmt.Sprintf("C%d", len(at)%places), func(context.Context) error { return nil }); err != nil {
			t.Fatal(err)
		}
		at = append(at, time.Now())
	}
	return at
}

// busiest is how many of the times are in one minute.
func busiest(at []time.Time) int {
	most := 0
	for i := range at {
		n := 0
		for n < len(at)-i && at[i+n].Sub(at[i]) <= time.Minute {
			n++
		}
		most = max(most, n)
	}
	return most
}

func TestMethodsStayBelowTheirTiers(t *testing.T) {
	for _, c := range []struct {
		method     string
		places     int
		least, top int // in one minute
	}{
		{"chat.update", 1000, 45, 50},
		{"chat.update", 1, 42, 50}, // one message: 1.2 s apart
		{"chat.appendStream", 1, 95, 100},
		{"chat.startStream", 1, 18, 20},
		{"chat.stopStream", 1, 18, 20},
		{"conversations.replies", 1, 45, 50},
		{"conversations.info", 1, 45, 50},
		{"users.info", 1, 95, 100},
		{"chat.postMessage", 1, 55, 60},
		{"some.newMethod", 1, 45, 50},
	} {
		for _, rest := range []time.Duration{0, 20 * time.Second} {
			t.Run(fmt.Sprint(c.method, " in ", c.places, " resting ", rest), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					n := busiest(made(t, new(Adapter), c.method, c.places, rest))
					if n > c.top || rest == 0 && n < c.least {
						t.Errorf("%d requests a minute, want %d to %d", n, c.least, c.top)
					}
				})
			})
		}
	}
}

func TestChannelsDoNotWaitForEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, start := new(Adapter), time.Now()
		post := func(channel string) {
			if err := a.call(t.Context(), "chat.postMessage", channel, func(context.Context) error { return nil }); err != nil {
				t.Fatal(err)
			}
		}
		for range 8 {
			post("C1")
		}
		busy := time.Since(start)
		post("C2")
		if other := time.Since(start) - busy; busy < 2*time.Second || other != 0 {
			t.Errorf("8 posts in one channel took %v, one in another %v", busy, other)
		}
	})
}

func TestOptionalEvidenceGivesWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, made := new(Adapter), 0
		for i := range 10 {
			done, err := a.callOptional(t.Context(), "chat.update", fmt.Sprint("C/", i), func(context.Context) error { return nil })
			if err != nil {
				t.Fatal(err)
			}
			if done {
				made++
			}
		}
		start := time.Now()
		for i := range 2 {
			if err := a.call(t.Context(), "chat.update", fmt.Sprint("D/", i), func(context.Context) error { return nil }); err != nil {
				t.Fatal(err)
			}
		}
		if made != 4 || time.Since(start) != 0 {
			t.Errorf("%d of 10 live updates made, want 4; two final ones then waited %v, want none", made, time.Since(start))
		}
	})
}

func TestARateLimitPausesTheMethodForEverybody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, start := new(Adapter), time.Now()
		tried := 0
		limited := func(context.Context) error {
			if tried++; tried == 1 {
				return &slackapi.RateLimitedError{RetryAfter: 5 * time.Second}
			}
			return nil
		}
		var all sync.WaitGroup
		all.Go(func() {
			if err := a.call(t.Context(), "users.info", "", limited); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait()
		if done, err := a.callOptional(t.Context(), "users.info", "", limited); done || err != nil {
			t.Errorf("made in the pause: %v %v", done, err)
		}
		if err := a.call(t.Context(), "users.info", "", func(context.Context) error { return nil }); err != nil {
			t.Error(err)
		}
		all.Wait()
		if since := time.Since(start); since != 5*time.Second || tried != 2 {
			t.Errorf("after %v and %d tries, want 5s and 2", since, tried)
		}
	})
}

func TestALongPauseIsTheCallers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, start := new(Adapter), time.Now()
		err := a.call(t.Context(), "chat.update", "", func(context.Context) error {
			return &slackapi.RateLimitedError{RetryAfter: time.Minute}
		})
		var later *platform.RetryError
		if !errors.As(err, &later) || later.After != time.Minute || time.Since(start) != 0 {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		err = a.call(ctx, "chat.update", "", func(context.Context) error { t.Error("made in the pause"); return nil })
		if !errors.As(err, &later) || later.After > time.Minute || time.Since(start) != 0 {
			t.Errorf("%v after %v: it waits for what cannot be", err, time.Since(start))
		}
		ctx, stop := context.WithCancel(t.Context())
		stop()
		if err := a.call(ctx, "chat.update", "", nil); !errors.Is(err, context.Canceled) {
			t.Errorf("stopped, yet %v", err)
		}
	})
}

func TestPlacesAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l limits
		for i := range 5000 {
			l.allowOptional("chat.update", fmt.Sprint(i))
			time.Sleep(100 * time.Millisecond)
		}
		if len(l.places) > maxPlaceLimits {
			t.Errorf("%d places are remembered", len(l.places))
		}
	})
}

func TestErrorsInWords(t *testing.T) {
	answer := func(word string) error { return slackapi.SlackErrorResponse{Err: word, Needed: "chat:write"} }
	secret := "https://hooks.slack.com/commands/T1/2/secret"
	for _, c := range []struct {
		err     error
		after   time.Duration
		gone    bool
		mention string
	}{
		{&slackapi.RateLimitedError{RetryAfter: 7 * time.Second}, 7 * time.Second, false, "chat.postMessage"},
		{slackapi.StatusCodeError{Code: 429, Status: "429"}, defaultRetryAfter, false, ""},
		{answer("ratelimited"), defaultRetryAfter, false, ""},
		{answer("channel_not_found"), 0, true, "channel_not_found"},
		{answer("not_in_channel"), 0, true, ""},
		{answer("is_archived"), 0, true, ""},
		{answer("restricted_action_read_only_channel"), 0, true, ""},
		{answer("user_not_visible"), 0, true, ""},
		{answer("file_uploads_disabled"), 0, true, "file_uploads_disabled"},
		{answer("message_limit_exceeded"), 0, false, ""},
		{answer("message_not_found"), 0, true, ""},
		{answer("invalid_auth"), 0, false, "invalid_auth"},
		{answer("missing_scope"), 0, false, "needs chat:write"},
		{answer("internal_error"), 0, false, ""},
		{slackapi.StatusCodeError{Code: 503, Status: "503"}, 0, false, "503"},
		{&url.Error{Op: "Post", URL: secret, Err: errors.New("connection reset")}, 0, false, "connection reset"},
	} {
		err := classify("chat.postMessage", c.err)
		var later *platform.RetryError
		if errors.As(err, &later) != (c.after > 0) || c.after > 0 && later.After != c.after {
			t.Errorf("%v: retry %v", err, later)
		}
		if errors.Is(err, platform.ErrUndeliverable) != c.gone {
			t.Errorf("%v: undeliverable %v", err, !c.gone)
		}
		if text := err.Error(); strings.Contains(text, "secret") || !strings.Contains(text, c.mention) || !strings.HasPrefix(text, "slack: ") {
			t.Errorf("it says %q", text)
		}
	}
}
