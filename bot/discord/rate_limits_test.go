package discord

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"threadkeeper/bot/platform"
)

const created = `{"id":"7","channel_id":"1"}`

func send(ctx context.Context, a *Adapter, path string) error {
	m := newMessage("hello")
	m.Nonce, m.EnforceNonce = "tk", true
	return a.call(ctx, "POST", path, m, nil)
}

func TestRequestsWaitForTheirBucket(t *testing.T) {
	c := &fakeClock{at: time.Now()}
	begun := c.at
	left := 2
	a := handled(t, c, func(q *http.Request) *http.Response {
		left--
		if left < 0 {
			left = 1
		}
		return answers(200, created, "X-RateLimit-Bucket", "abc", "X-RateLimit-Remaining", fmt.Sprint(left), "X-RateLimit-Reset-After", "1.5")
	})
	for range 5 {
		if err := send(t.Context(), a, "/channels/1/messages"); err != nil {
			t.Fatal(err)
		}
	}
	if d := c.now().Sub(begun); d < 3*time.Second || d > 3300*time.Millisecond {
		t.Errorf("five requests, two in 1.5 s, took %v", d)
	}
	before := c.now()
	if err := send(t.Context(), a, "/channels/2/messages"); err != nil || c.now().Sub(before) > 100*time.Millisecond {
		t.Errorf("another channel waited %v, %v", c.now().Sub(before), err)
	}
}

func TestAWaitEndsWithItsContext(t *testing.T) {
	a := handled(t, nil, func(q *http.Request) *http.Response {
		return answers(200, created, "X-RateLimit-Remaining", "0", "X-RateLimit-Reset-After", "3600")
	})
	if err := send(t.Context(), a, "/channels/1/messages"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	if err := send(ctx, a, "/channels/1/messages"); !errors.Is(err, context.Canceled) {
		t.Errorf("after an hour: %v", err)
	}
	ctx, cancel = context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var later *platform.RetryError
	if err := send(ctx, a, "/channels/1/messages"); !errors.As(err, &later) || later.After < 50*time.Minute {
		t.Errorf("no time left: %v", err)
	}
}

func TestARequestUnderWayIsAbandoned(t *testing.T) {
	arrived, leave := make(chan struct{}), make(chan struct{})
	a := handled(t, nil, func(q *http.Request) *http.Response {
		close(arrived)
		select {
		case <-q.Context().Done():
		case <-leave:
		}
		return nil
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-arrived; cancel() }()
	if err := send(ctx, a, "/channels/1/messages"); err == nil {
		t.Error("no error")
	}
	close(leave)
}

func TestA429SaysWhenToTryAgain(t *testing.T) {
	for name, r := range map[string]struct {
		body, header string
		want         time.Duration
	}{
		"body":         {`{"message":"slow down","retry_after":1.25,"global":false}`, "", 1250 * time.Millisecond},
		"header":       {`{}`, "3", 3 * time.Second},
		"HTML":         {`<html>error 1015</html>`, "4", 4 * time.Second},
		"nothing":      {``, "", firstGuess},
		"no number":    {`{"retry_after":"soon"}`, "2", 2 * time.Second},
		"too much":     {`{"retry_after":1e300}`, "", longestLimit},
		"blocked":      {`{"code":0,"message":"You are being blocked from accessing our API temporarily"}`, "", firstGuess},
		"less than no": {`{"retry_after":-5}`, "", firstGuess},
	} {
		t.Run(name, func(t *testing.T) {
			c := &fakeClock{at: time.Now()}
			n := 0
			a := handled(t, c, func(q *http.Request) *http.Response {
				if n++; n > 1 {
					return answers(200, created)
				}
				return answers(429, r.body, "Retry-After", r.header)
			})
			begun := c.now()
			err := send(t.Context(), a, "/channels/1/messages")
			if r.want > longestWait {
				var later *platform.RetryError
				if !errors.As(err, &later) || later.After != r.want || n != 1 {
					t.Fatalf("%v after %d requests", err, n)
				}
				return
			}
			if err != nil || n != 2 || c.now().Sub(begun) < r.want || c.now().Sub(begun) > r.want+time.Second {
				t.Errorf("%d requests in %v, %v; want a wait of %v", n, c.now().Sub(begun), err, r.want)
			}
		})
	}
}

// A pause that nobody named begins short, for it may be a proxy's, and grows, for it may be
// a ban.
func TestAPauseThatIsNotNamedGrowsUntilARequestPasses(t *testing.T) {
	c := &fakeClock{at: time.Now()}
	refusing := true
	var sent []time.Time
	a := handled(t, c, func(*http.Request) *http.Response {
		if sent = append(sent, c.now()); refusing {
			return answers(429, "")
		}
		return answers(200, created)
	})
	refused := func() {
		for range 6 {
			var later *platform.RetryError
			if err := send(t.Context(), a, "/channels/1/messages"); !errors.As(err, &later) || later.After > longestGuess {
				t.Fatal(err)
			}
		}
	}
	refused()
	var pauses []time.Duration
	for i, at := range sent[1:] {
		pauses = append(pauses, at.Sub(sent[i]).Round(time.Second))
	}
	if s := time.Second; len(pauses) < 7 || !slices.Equal(pauses[:7], []time.Duration{2 * s, 4 * s, 8 * s, 16 * s, 32 * s, 60 * s, 60 * s}) {
		t.Errorf("pauses of %v", pauses)
	}
	refusing = false
	if err := send(t.Context(), a, "/channels/1/messages"); err != nil {
		t.Fatal(err)
	}
	refusing, sent = true, nil
	refused()
	if pause := sent[1].Sub(sent[0]).Round(time.Second); pause != firstGuess {
		t.Errorf("after a success the first pause is %v", pause)
	}
}

func TestAGlobalLimitStopsAllButInteractions(t *testing.T) {
	c := &fakeClock{at: time.Now()}
	n := 0
	a := handled(t, c, func(q *http.Request) *http.Response {
		if n++; n == 1 {
			return answers(429, `{"retry_after":60,"global":true}`, "X-RateLimit-Global", "true")
		}
		return answers(200, created)
	})
	var later *platform.RetryError
	if err := send(t.Context(), a, "/channels/1/messages"); !errors.As(err, &later) {
		t.Fatal(err)
	}
	begun := c.now()
	if err := a.call(t.Context(), "PATCH", "/webhooks/1/tok/messages/@original", newMessage("x"), nil); err != nil || c.now() != begun {
		t.Errorf("an interaction waited %v: %v", c.now().Sub(begun), err)
	}
	if err := send(t.Context(), a, "/channels/2/messages"); err != nil || c.now().Sub(begun) < time.Minute {
		t.Errorf("another channel waited %v: %v", c.now().Sub(begun), err)
	}
}

// Two new names in ten minutes, for example: the headers tell of the route, which allows
// more (https://github.com/discord/discord-api-docs/issues/1900).
func TestALimitOfWhatIsDoneIsNotTheRoutes(t *testing.T) {
	c := &fakeClock{at: time.Now()}
	n := 0
	a := handled(t, c, func(*http.Request) *http.Response {
		if n++; n == 1 {
			return answers(429, `{"retry_after":582.5,"global":false}`, "X-RateLimit-Bucket", "abc", "X-RateLimit-Remaining", "4", "X-RateLimit-Reset-After", "15")
		}
		return answers(200, created)
	})
	begun := c.now()
	var later *platform.RetryError
	if err := a.call(t.Context(), "PATCH", "/channels/1", map[string]string{"name": "third"}, nil); !errors.As(err, &later) || later.After != 582500*time.Millisecond {
		t.Fatalf("a third name: %v", err)
	}
	if err := a.call(t.Context(), "PATCH", "/channels/1", unarchive{}, nil); err != nil || c.now() != begun {
		t.Errorf("the thread was opened after %v: %v", c.now().Sub(begun), err)
	}
}

func TestAShortLimitOfWhatIsDoneIsWaitedFor(t *testing.T) {
	c := &fakeClock{at: time.Now()}
	n := 0
	a := handled(t, c, func(*http.Request) *http.Response {
		if n++; n == 1 {
			return answers(429, `{"message":"The write action you are performing on the channel has hit the write rate limit.","code":20028,"retry_after":0.3,"global":false}`, "X-RateLimit-Remaining", "4", "X-RateLimit-Scope", "shared")
		}
		return answers(200, created)
	})
	begun := c.now()
	if err := send(t.Context(), a, "/channels/1/messages"); err != nil || n != 2 || c.now().Sub(begun) < 300*time.Millisecond {
		t.Errorf("%d requests in %v: %v", n, c.now().Sub(begun), err)
	}
}

// Cloudflare answers in HTML, and lets nothing from our address through.
func TestABanStopsEveryRequest(t *testing.T) {
	c := &fakeClock{at: time.Now()}
	n := 0
	a := handled(t, c, func(q *http.Request) *http.Response {
		if n++; n == 1 {
			return answers(429, "<html>error 1015: you are being rate limited</html>", "Retry-After", "900")
		}
		return answers(200, created)
	})
	begun := c.now()
	var later *platform.RetryError
	if err := send(t.Context(), a, "/channels/1/messages"); !errors.As(err, &later) || later.After != 15*time.Minute {
		t.Fatal(err)
	}
	if err := send(t.Context(), a, "/channels/2/messages"); err != nil || c.now().Sub(begun) < 15*time.Minute {
		t.Errorf("another channel waited %v: %v", c.now().Sub(begun), err)
	}
}

func TestAnInteractionThatIsLimitedWaitsToo(t *testing.T) {
	c := &fakeClock{at: time.Now()}
	n := 0
	a := handled(t, c, func(q *http.Request) *http.Response {
		if n++; n == 1 {
			return answers(429, `{"retry_after":2,"global":true}`)
		}
		return answers(200, created)
	})
	begun := c.now()
	if err := a.call(t.Context(), "PATCH", "/webhooks/1/tok/messages/@original", newMessage("x"), nil); err != nil || c.now().Sub(begun) < 2*time.Second {
		t.Errorf("sent again after %v: %v", c.now().Sub(begun), err)
	}
}

func TestNoMoreThanFiftyRequestsInASecond(t *testing.T) {
	c := &fakeClock{at: time.Now()}
	var times []time.Time
	a := handled(t, c, func(*http.Request) *http.Response {
		times = append(times, c.now())
		return answers(200, created)
	})
	for i := range 200 {
		if err := send(t.Context(), a, fmt.Sprintf("/channels/%d/messages", i+1)); err != nil {
			t.Fatal(err)
		}
	}
	for i, at := range times {
		if n := i - 50; n >= 0 && at.Sub(times[n]) < time.Second {
			t.Fatalf("51 requests within %v", at.Sub(times[n]))
		}
	}
}

func TestTooManyInvalidRequestsAreABrake(t *testing.T) {
	c := &fakeClock{at: time.Now()}
	n := 0
	a := handled(t, c, func(*http.Request) *http.Response {
		n++
		return answers(403, `{"code":50013,"message":"Missing Permissions"}`)
	})
	for i := range maxInvalid {
		if err := send(t.Context(), a, fmt.Sprintf("/channels/%d/messages", i%50+1)); !errors.Is(err, platform.ErrUndeliverable) {
			t.Fatal(err)
		}
	}
	begun := c.now()
	if err := send(t.Context(), a, "/channels/1/messages"); !errors.Is(err, platform.ErrUndeliverable) || c.now().Sub(begun) < 5*time.Minute {
		t.Errorf("one more after %v: %v", c.now().Sub(begun), err)
	}
}

func TestTheLimiterForgets(t *testing.T) {
	c := &fakeClock{at: time.Now()}
	a := handled(t, c, func(q *http.Request) *http.Response {
		return answers(200, created, "X-RateLimit-Bucket", "abc", "X-RateLimit-Remaining", "4", "X-RateLimit-Reset-After", "1")
	})
	for i := range 3 * maxBuckets {
		if err := send(t.Context(), a, fmt.Sprintf("/channels/%d/messages", i+1)); err != nil {
			t.Fatal(err)
		}
		if err := a.call(t.Context(), "PATCH", fmt.Sprintf("/webhooks/1/token%d/messages/@original", i), newMessage("x"), nil); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(a.limits.buckets); n > maxBuckets {
		t.Errorf("%d buckets are kept", n)
	}
	if n := len(a.limits.names); n > 2 {
		t.Errorf("%d routes for two", n)
	}
	for key := range a.limits.buckets {
		if strings.Contains(key, "token") && !strings.Contains(key, ":token") {
			t.Fatalf("a token is kept in %q", key)
		}
	}
}

func TestARouteHasNoIDsButItsOwn(t *testing.T) {
	for path, want := range map[string]route{
		"/channels/12/messages/34?x=1":         {"PATCH /channels/:id/messages/:id", "12", false},
		"/guilds/5/members/6":                  {"PATCH /guilds/:id/members/:id", "5", false},
		"/users/@me/channels":                  {"PATCH /users/@me/channels", "", false},
		"/channels/12/messages/34/threads":     {"PATCH /channels/:id/messages/:id/threads", "12", false},
		"/webhooks/1/abc/messages/@original":   {"PATCH /webhooks/:id/:token/messages/@original", "11", true},
		"/interactions/99/abc/callback?a=/b/c": {"PATCH /interactions/:id/:token/callback", "11", true},
	} {
		if got := routeOf("PATCH", path); got != want {
			t.Errorf("%s: %+v, want %+v", path, got, want)
		}
	}
}

func TestRequestsThatAreNotSentTwice(t *testing.T) {
	for name, r := range map[string]struct {
		method string
		body   any
		want   int
	}{
		"a follow-up":           {"POST", newMessage("x"), 1},
		"typing":                {"POST", nil, 1},
		"a message with nonce":  {"POST", message{Nonce: "tk", EnforceNonce: true}, maxTries},
		"an edit":               {"PATCH", newMessage("x"), maxTries},
		"the start of a thread": {"POST", threadStart{"x", 60}, maxTries},
	} {
		for what, answer := range map[string]*http.Response{"500": answers(500, "oops"), "lost": nil} {
			n := 0
			a := handled(t, &fakeClock{at: time.Now()}, func(*http.Request) *http.Response { n++; return answer })
			if err := a.call(t.Context(), r.method, "/channels/1/messages", r.body, nil); err == nil || errors.Is(err, platform.ErrUndeliverable) {
				t.Errorf("%s, %s: %v", name, what, err)
			}
			if n != r.want {
				t.Errorf("%s, %s: sent %d times, want %d", name, what, n, r.want)
			}
		}
	}
}

func TestAnUnreadableSuccessIsASuccess(t *testing.T) {
	a := handled(t, &fakeClock{at: time.Now()}, func(q *http.Request) *http.Response {
		return answers(200, `{"id":7,"components":[{"type":99}`)
	})
	var p wireMessage
	if err := a.call(t.Context(), "POST", "/channels/1/messages", newMessage("x"), &p); err != nil {
		t.Error(err)
	}
	if err := a.call(t.Context(), "GET", "/channels/1/messages", nil, &p); err == nil {
		t.Error("nothing was read, but no error")
	}
}

func TestErrorsHoldNoSecrets(t *testing.T) {
	for _, answer := range []*http.Response{nil, answers(404, `{"code":10015,"message":"Unknown Webhook"}`), answers(500, "")} {
		a := handled(t, &fakeClock{at: time.Now()}, func(*http.Request) *http.Response { return answer })
		err := a.call(t.Context(), "PATCH", "/webhooks/1/s3cret/messages/@original", newMessage("x"), nil)
		if err == nil || strings.Contains(err.Error(), "s3cret") || strings.Contains(err.Error(), "t0ken") {
			t.Errorf("error %v", err)
		}
	}
}

func TestARefusalThatSaysNothingOfTheRequestIsNotForEver(t *testing.T) {
	for _, r := range []*http.Response{answers(403, "<html>blocked</html>"), answers(401, `{"message":"401: Unauthorized","code":0}`),
		answers(403, `{"message":"internal network error","code":40333}`), answers(403, `{"message":"Send messages has been temporarily disabled","code":40004}`)} {
		a := handled(t, nil, func(*http.Request) *http.Response { return r })
		if err := send(t.Context(), a, "/channels/1/messages"); err == nil || errors.Is(err, platform.ErrUndeliverable) {
			t.Errorf("%d: %v", r.StatusCode, err)
		}
	}
}
