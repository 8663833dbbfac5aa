package model

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/agent/model/fakemodel"
)

func TestRetry(t *testing.T) {
	tests := []struct {
		name     string
		fault    fakemodel.Fault
		kind     Kind // "" means it succeeds in the end
		requests int
	}{
		{"429 that passes", fakemodel.Fault{Kind: fakemodel.HTTPError, Status: 429, RetryAfter: ms(5), Times: 2}, "", 3},
		{"529 that passes", fakemodel.Fault{Kind: fakemodel.HTTPError, Status: 529, RetryAfter: ms(5), Times: 1}, "", 2},
		{"503 that stays", fakemodel.Fault{Kind: fakemodel.HTTPError, Status: 503, RetryAfter: ms(5)}, Overloaded, 3},
		{"too long to wait", fakemodel.Fault{Kind: fakemodel.HTTPError, Status: 429, RetryAfter: time.Minute}, RateLimit, 1},
		{"error event before any text", fakemodel.Fault{Kind: fakemodel.ErrorEvent, Times: 1}, "", 2},
		{"cut before any text", fakemodel.Fault{Kind: fakemodel.Cut, Times: 1}, "", 2},
		{"cut after text", fakemodel.Fault{Kind: fakemodel.Cut, After: 6}, Truncated, 1},
		{"error event after text", fakemodel.Fault{Kind: fakemodel.ErrorEvent, After: 6}, Truncated, 1},
		{"bad key", fakemodel.Fault{Kind: fakemodel.HTTPError, Status: 401}, Auth, 1},
		{"bad request", fakemodel.Fault{Kind: fakemodel.HTTPError, Status: 400}, BadRequest, 1},
		{"refused", fakemodel.Fault{Kind: fakemodel.Refusal}, Refused, 1},
		{"length", fakemodel.Fault{Kind: fakemodel.Truncated, After: 6}, Truncated, 1},
	}
	for _, test := range tests {
		for _, name := range []string{"gpt-4o", "claude-sonnet-4-5"} {
			t.Run(name+" "+test.name, func(t *testing.T) {
				s := fake(t, fails(test.fault, "Hello there."))
				m := open(t, Options{Model: name, OpenAIBaseURL: s.URL(), AnthropicBaseURL: s.URL()})
				m.(*chat).main.pause = ms(2)
				var streamed strings.Builder
				resp, err := m.GenerateContent(t.Context(), hello, into(&streamed))
				if n := len(s.Requests()); n != test.requests {
					t.Errorf("%d requests, want %d", n, test.requests)
				}
				if test.kind != "" {
					e := failed(t, err, test.kind)
					if test.kind == Truncated && (e.Partial != "Hello " || streamed.String() != "Hello ") {
						t.Errorf("partial %q, streamed %q", e.Partial, streamed.String())
					}
					if e.RetryAfter != test.fault.RetryAfter {
						t.Errorf("RetryAfter %v, want %v", e.RetryAfter, test.fault.RetryAfter)
					}
					return
				}
				if err != nil || Text(resp) != "Hello there." || streamed.String() != "Hello there." {
					t.Errorf("text %q, streamed %q, error %v", Text(resp), streamed.String(), err)
				}
			})
		}
	}
}

func TestRetryWaitsAsLongAsAsked(t *testing.T) {
	s := fake(t, fails(fakemodel.Fault{Kind: fakemodel.HTTPError, Status: 429, RetryAfter: ms(150), Times: 1}, "ok"))
	if _, err := open(t, Options{OpenAIBaseURL: s.URL()}).GenerateContent(t.Context(), hello); err != nil {
		t.Fatal(err)
	}
	r := s.Requests()
	if gap := r[1].At.Sub(r[0].At); gap < ms(150) {
		t.Errorf("came back after %v", gap)
	}
}

func TestRetryStaysWithinTheDeadline(t *testing.T) {
	s := fake(t, fails(fakemodel.Fault{Kind: fakemodel.HTTPError, Status: 429, RetryAfter: 10 * time.Minute}, "ok"))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	start := time.Now()
	_, err := open(t, Options{OpenAIBaseURL: s.URL()}).GenerateContent(ctx, hello)
	if e := failed(t, err, RateLimit); e.RetryAfter != 10*time.Minute {
		t.Errorf("RetryAfter %v", e.RetryAfter)
	}
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("took %v", took)
	}
}

// A model that says nothing, or whose gateway gives up on it after a while, leaves the fallback its time within the same deadline.
func TestAHangingModelLeavesTimeForTheFallback(t *testing.T) {
	for name, hangs := range map[string]stub{
		"our own clock": func(ctx context.Context, _ *call) error { <-ctx.Done(); return ctx.Err() },
		"the gateway's": func(context.Context, *call) error {
			time.Sleep(100 * time.Second)
			return &Error{Kind: Overloaded, Status: 524}
		},
		"a gateway's shorter clock": func(context.Context, *call) error {
			time.Sleep(50 * time.Second)
			return &Error{Kind: Overloaded, Status: 504}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				at := func(family family, retries int) *endpoint {
					return &endpoint{family: family, breaker: newBreaker(), timeout: 2 * time.Minute, idle: 30 * time.Second, retries: retries, pause: firstPause, log: slog.New(slog.DiscardHandler)}
				}
				answers := stub(func(ctx context.Context, _ *call) error { time.Sleep(110 * time.Second); return ctx.Err() })
				ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
				defer cancel()
				start := time.Now()
				m := &chat{main: at(hangs, defaultRetries), log: slog.New(slog.DiscardHandler)}
				_, err := m.GenerateContent(ctx, hello)
				if took := time.Since(start); err == nil || took > 2*time.Minute+time.Second {
					t.Errorf("alone it failed after %v: %v", took, err)
				}
				ctx, cancel = context.WithTimeout(t.Context(), 5*time.Minute)
				defer cancel()
				m.main, m.spare = at(hangs, defaultRetries), at(answers, 0)
				if _, err := m.GenerateContent(ctx, hello); err != nil {
					t.Errorf("with a fallback: %v", err)
				}
			})
		})
	}
}

func TestUnreachable(t *testing.T) {
	_, err := once(t, "http://127.0.0.1:1/v1").GenerateContent(t.Context(), hello) // nobody listens on this port
	failed(t, err, Unreachable)
}

func TestTimeouts(t *testing.T) {
	for _, name := range []string{"gpt-4o", "claude-sonnet-4-5"} {
		t.Run(name, func(t *testing.T) {
			s := fake(t, fakemodel.Options{Script: []fakemodel.Rule{{Fault: fakemodel.Fault{Kind: fakemodel.Hang}}}})
			o := Options{Model: name, OpenAIBaseURL: s.URL(), AnthropicBaseURL: s.URL(), Timeout: ms(50), Retries: -1}
			_, err := open(t, o).GenerateContent(t.Context(), hello)
			failed(t, err, Timeout)
			if errors.Is(err, context.DeadlineExceeded) {
				t.Error("our own timeout looks like the caller's deadline")
			}

			o.Timeout = time.Minute
			ctx, cancel := context.WithTimeout(t.Context(), ms(50))
			defer cancel()
			_, err = open(t, o).GenerateContent(ctx, hello)
			failed(t, err, Timeout)
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("deadline is lost: %v", err)
			}
		})
	}
}

// A stream that stops is told as one, in a thought too.
func TestIdleStream(t *testing.T) {
	for field, partial := range map[string]string{"content": "some ", "reasoning_content": ""} {
		t.Run(field, func(t *testing.T) {
			t.Parallel()
			url := raw(t, func(w http.ResponseWriter, r *http.Request, _ string) {
				w.Write([]byte("data: {\"choices\":[{\"delta\":{\"" + field + "\":\"some \"}}]}\n\n"))
				w.(http.Flusher).Flush()
				<-r.Context().Done()
			})
			var streamed strings.Builder
			m := open(t, Options{OpenAIBaseURL: url, Idle: 5 * time.Second, Retries: -1}) // a busy machine may be late with the first word
			start := time.Now()
			_, err := m.GenerateContent(t.Context(), hello, into(&streamed))
			if e := failed(t, err, Timeout); e.Partial != partial || e.Message != "the answer stopped for 5s" {
				t.Errorf("partial %q, %s", e.Partial, e.Message)
			}
			if took := time.Since(start); took > 30*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

// A slow reader, as a chat platform under its rate limit is, must not look like a slow model, and a
// long answer may take longer than its first word.
func TestSteadyTextDoesNotTimeOut(t *testing.T) {
	for name, reader := range map[string]time.Duration{"a slow reader": 1500 * time.Millisecond, "a long answer": 0} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := &endpoint{breaker: newBreaker(), timeout: time.Second, idle: time.Second, log: slog.New(slog.DiscardHandler)}
				e.family = stub(func(ctx context.Context, c *call) error {
					for range 8 {
						time.Sleep(500 * time.Millisecond)
						if err := errors.Join(ctx.Err(), c.show("word ")); err != nil {
							return err
						}
					}
					return nil
				})
				c := &call{stream: func(string) error { time.Sleep(reader); return nil }}
				if _, err := e.generate(t.Context(), c); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

func TestCancelMidStream(t *testing.T) {
	for _, name := range []string{"gpt-4o", "claude-sonnet-4-5"} {
		t.Run(name, func(t *testing.T) {
			s := fake(t, fails(fakemodel.Fault{Kind: fakemodel.Slow, Delay: ms(20)}, strings.Repeat("word ", 200)))
			m := open(t, Options{Model: name, OpenAIBaseURL: s.URL(), AnthropicBaseURL: s.URL()})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			_, err := m.GenerateContent(ctx, hello, llms.WithStreamingFunc(func(context.Context, []byte) error { cancel(); return nil }))
			e := failed(t, err, Canceled)
			if !errors.Is(err, context.Canceled) || !strings.HasPrefix(e.Partial, "word ") || len(e.Partial) > 500 { // on a busy machine more had come by then
				t.Errorf("%v, partial %q", err, e.Partial)
			}
			if n := len(s.Requests()); n != 1 {
				t.Errorf("%d requests", n)
			}
		})
	}
}

func TestStreamingFuncEndsTheCall(t *testing.T) {
	stop := errors.New("enough")
	for _, name := range []string{"gpt-4o", "claude-sonnet-4-5"} {
		s := fake(t, fakemodel.Options{Script: say("Hello there.")})
		m := open(t, Options{Model: name, OpenAIBaseURL: s.URL(), AnthropicBaseURL: s.URL()})
		_, err := m.GenerateContent(t.Context(), hello, llms.WithStreamingFunc(func(context.Context, []byte) error { return stop }))
		if failed(t, err, Canceled); !errors.Is(err, stop) {
			t.Errorf("%s: %v", name, err)
		}
		if n := len(s.Requests()); n != 1 {
			t.Errorf("%s: %d requests", name, n)
		}
	}
}

func TestBreaker(t *testing.T) {
	s := fake(t, fails(fakemodel.Fault{Kind: fakemodel.HTTPError, Status: 500, Times: 6}, "up again"))
	m := once(t, s.URL())
	for range breakerFailures {
		_, err := m.GenerateContent(t.Context(), hello)
		failed(t, err, Overloaded)
	}
	_, err := m.GenerateContent(t.Context(), hello)
	if e := failed(t, err, Overloaded); e.RetryAfter <= 0 || e.RetryAfter > breakerDelay || e.Status != 0 {
		t.Errorf("open breaker says %+v", e)
	}
	if n := len(s.Requests()); n != breakerFailures {
		t.Fatalf("%d requests, want %d", n, breakerFailures)
	}
	breaker := m.(*chat).main.breaker
	breaker.HalfOpen()
	_, err = m.GenerateContent(t.Context(), hello)
	if failed(t, err, Overloaded); !breaker.IsOpen() {
		t.Error("a failed trial does not open the breaker again")
	}
	breaker.HalfOpen()
	if _, err = m.GenerateContent(t.Context(), hello); err != nil || !breaker.IsClosed() {
		t.Errorf("a good trial does not close it: %v, %v", err, breaker.State())
	}
}

// What blames the request, the caller or the quota says nothing about the provider's health.
func TestBreakerIgnoresOtherFailures(t *testing.T) {
	for _, status := range []int{400, 401, 404, 429} {
		s := fake(t, fails(fakemodel.Fault{Kind: fakemodel.HTTPError, Status: status}, ""))
		m := once(t, s.URL())
		for range breakerFailures + 3 {
			_, err := m.GenerateContent(t.Context(), hello)
			if err == nil {
				t.Fatal("no error")
			}
		}
		if n := len(s.Requests()); n != breakerFailures+3 {
			t.Errorf("status %d: %d requests arrived", status, n)
		}
	}
}

func TestBreakerGivesPermitBackWhenTrialIsCanceled(t *testing.T) {
	s := fake(t, fakemodel.Options{Script: []fakemodel.Rule{{Match: regexp.MustCompile("never answered"), Fault: fakemodel.Fault{Kind: fakemodel.Hang}}, {Say: "fine"}}})
	m := once(t, s.URL())
	breaker := m.(*chat).main.breaker
	breaker.Open()
	breaker.HalfOpen()
	ctx, cancel := context.WithTimeout(t.Context(), ms(50))
	defer cancel()
	_, err := m.GenerateContent(ctx, []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeHuman, "never answered")})
	failed(t, err, Timeout)
	breaker.HalfOpen()
	if _, err := m.GenerateContent(t.Context(), hello); err != nil {
		t.Errorf("the next trial is refused: %v", err)
	}
}

// stub is a family without a network, for tests of the clock.
type stub func(context.Context, *call) error

func (s stub) generate(ctx context.Context, c *call) (*llms.ContentResponse, error) {
	if err := s(ctx, c); err != nil {
		return nil, err
	}
	return &llms.ContentResponse{}, nil
}

func TestPausesGrowAndBreakerHealsWithTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		e := &endpoint{breaker: newBreaker(), timeout: time.Minute, idle: time.Minute, retries: 2, pause: firstPause, log: slog.New(slog.DiscardHandler)}
		e.family = stub(func(context.Context, *call) error { calls++; return &Error{Kind: Overloaded, Status: 503} })
		start := time.Now()
		if _, err := e.generate(t.Context(), &call{}); err == nil || calls != 3 {
			t.Fatalf("%d calls, %v", calls, err)
		}
		if took := time.Since(start); took < 500*time.Millisecond || took > 3*time.Second {
			t.Errorf("two pauses took %v", took)
		}
		if _, err := e.generate(t.Context(), &call{}); err.RetryAfter == 0 || calls != 5 {
			t.Errorf("after %d calls: %v", calls, err)
		}
		time.Sleep(breakerDelay)
		e.family = stub(func(context.Context, *call) error { return nil })
		if _, err := e.generate(t.Context(), &call{}); err != nil {
			t.Errorf("after its delay the breaker still refuses: %v", err)
		}
	})
}

func TestKeysStayOutOfErrorsAndLogs(t *testing.T) {
	var log bytes.Buffer
	body := `{"error":{"message":"Incorrect API key provided: ` + testKey + `, or sk-proj-abcdef*****wxyz. Header: Bearer ` + testKey + `","code":"invalid_api_key"}}`
	for _, name := range []string{"gpt-4o", "claude-sonnet-4-5"} {
		s := fake(t, fails(fakemodel.Fault{Kind: fakemodel.HTTPError, Status: 401, Body: body}, ""))
		m := open(t, Options{Model: name, OpenAIBaseURL: s.URL(), AnthropicBaseURL: s.URL(), Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
		_, err := m.GenerateContent(t.Context(), hello)
		e := failed(t, err, Auth)
		for err := error(e); err != nil; err = errors.Unwrap(err) {
			if strings.Contains(err.Error(), "sk-") {
				t.Errorf("%s: error shows a key: %v", name, err)
			}
		}
	}
	if log.Len() == 0 || strings.Contains(log.String(), "sk-") {
		t.Errorf("log: %s", log.String())
	}
}
