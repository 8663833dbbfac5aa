package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/agent/model/fakemodel"
	"threadkeeper/bot/platformtest/leaktest"
)

func TestMain(m *testing.M) { leaktest.Exit(m.Run()) }

const testKey = "sk-test-0123456789abcdef"

var hello = []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeSystem, "Be short."), llms.TextParts(llms.ChatMessageTypeHuman, "hi there")}

// fake starts a scripted server that is closed with the test, and fails the test on requests the script does not expect.
func fake(t *testing.T, o fakemodel.Options) *fakemodel.Server {
	t.Helper()
	s, err := fakemodel.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Close()
		if n := len(s.Unexpected()); n > 0 {
			t.Errorf("%d unexpected requests", n)
		}
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	})
	return s
}

// raw starts a server for what no well-behaved fake sends. Each request body goes to the handler, read.
func raw(t *testing.T, h func(w http.ResponseWriter, r *http.Request, body string)) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		h(w, r, string(body))
	}))
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	})
	return s.URL + "/v1"
}

// sse answers each request with these data lines.
func sse(t *testing.T, lines ...string) string {
	return raw(t, func(w http.ResponseWriter, _ *http.Request, _ string) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, l := range lines {
			fmt.Fprintf(w, "data: %s\n\n", l)
			w.(http.Flusher).Flush()
		}
	})
}

func open(t *testing.T, o Options) llms.Model {
	t.Helper()
	if o.Model == "" {
		o.Model = "gpt-4o"
	}
	if o.OpenAIKey == "" {
		o.OpenAIKey = testKey
	}
	if o.AnthropicKey == "" {
		o.AnthropicKey = testKey
	}
	m, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []*endpoint{m.(*chat).main, m.(*chat).spare} {
		if e != nil {
			e.ask = time.Minute // on a busy machine an answer takes its time
		}
	}
	return m
}

// once opens a model that does not retry.
func once(t *testing.T, url string) llms.Model {
	return open(t, Options{OpenAIBaseURL: url, Retries: -1})
}

// into collects what is streamed.
func into(b *strings.Builder) llms.CallOption {
	return llms.WithStreamingFunc(func(_ context.Context, chunk []byte) error { b.Write(chunk); return nil })
}

func failed(t *testing.T, err error, kind Kind) *Error {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("error is %T %v, want an *Error", err, err)
	}
	if e.Kind != kind {
		t.Fatalf("kind is %q, want %q: %v", e.Kind, kind, e)
	}
	return e
}

func say(text string) []fakemodel.Rule { return []fakemodel.Rule{{Say: text}} }

func fails(f fakemodel.Fault, text string) fakemodel.Options {
	return fakemodel.Options{Script: []fakemodel.Rule{{Say: text, Fault: f}}}
}

func TestAnswerWholeAndStreamed(t *testing.T) {
	for _, name := range []string{"gpt-4o", "claude-sonnet-4-5"} {
		s := fake(t, fakemodel.Options{Script: say("Hello, you there.")})
		m := open(t, Options{Model: name, OpenAIBaseURL: s.URL(), AnthropicBaseURL: s.URL()})
		var streamed strings.Builder
		for _, options := range [][]llms.CallOption{nil, {into(&streamed)}} {
			resp, err := m.GenerateContent(t.Context(), hello, options...)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if got := Text(resp); got != "Hello, you there." {
				t.Errorf("%s: text %q", name, got)
			}
			if got := resp.Choices[0].StopReason; got != "stop" {
				t.Errorf("%s: stop reason %q", name, got)
			}
			if got, want := UsageOf(resp), (Usage{Prompt: 5, Completion: 5, Reported: true}); got != want {
				t.Errorf("%s: usage %+v, want %+v", name, got, want)
			}
		}
		if streamed.String() != "Hello, you there." {
			t.Errorf("%s: streamed %q", name, streamed.String())
		}
		r := s.Requests()[1]
		if r.System() != "Be short." || r.User() != "hi there" || !r.Stream {
			t.Errorf("%s: request %s", name, r.Body)
		}
	}
}

func TestNoModel(t *testing.T) {
	if m, err := Open(Options{}); m != nil || err != nil {
		t.Errorf("Open with no model: %v, %v", m, err)
	}
}

func TestOpenErrors(t *testing.T) {
	tests := []struct {
		o    Options
		want string // "" means no error
	}{
		{Options{Model: "gpt-4o"}, "OPENAI_API_KEY is missing"},
		{Options{Model: "gpt-4o", OpenAIKey: testKey}, ""},
		{Options{Model: "gpt-4o", OpenAIKey: testKey + "\n"}, ""},
		{Options{Model: "gpt-4o", OpenAIKey: "sk a"}, "no key has"},
		{Options{Model: "gemini-2.5-pro", OpenAIKey: testKey}, "OPENAI_BASE_URL"},
		{Options{Model: "gemini-2.5-pro", OpenAIKey: testKey, OpenAIBaseURL: "https://generativelanguage.googleapis.com/v1beta/openai/"}, ""},
		{Options{Model: "llama3.1", OpenAIBaseURL: "http://localhost:11434/v1"}, ""},
		{Options{Model: "llama3.1", OpenAIBaseURL: "http://192.168.1.5:11434/v1"}, ""},
		{Options{Model: "llama3.1", OpenAIBaseURL: "http://ollama:11434/v1"}, ""},
		{Options{Model: "llama3.1", OpenAIBaseURL: "https://api.groq.com/openai/v1"}, "api.groq.com needs one"},
		{Options{Model: "x", OpenAIKey: testKey, OpenAIBaseURL: "localhost:11434"}, "must look like"},
		{Options{Model: "x", OpenAIKey: testKey, OpenAIBaseURL: "http://u:secret@host/v1"}, "must not hold"},
		{Options{Model: "x", OpenAIKey: testKey, OpenAIBaseURL: "http://host/v1?key=secret"}, "must not hold"},
		{Options{Model: "x", OpenAIKey: testKey, OpenAIBaseURL: "http://secret\x7f/"}, "not a URL"},
		{Options{Model: "claude-sonnet-4-5"}, "ANTHROPIC_API_KEY is missing"},
		{Options{Model: "claude-sonnet-4-5", AnthropicKey: testKey}, ""},
		{Options{Model: "anthropic/claude-sonnet-4-5", OpenAIKey: testKey}, "ANTHROPIC_API_KEY is missing"},
		{Options{Model: "anthropic/claude-sonnet-4-5", OpenAIKey: testKey, OpenAIBaseURL: "https://openrouter.ai/api/v1"}, ""},
		{Options{Model: "gpt-4o", OpenAIKey: testKey, Fallback: "claude-haiku-4-5"}, "fallback model claude-haiku-4-5: ANTHROPIC_API_KEY"},
	}
	for _, test := range tests {
		m, err := Open(test.o)
		switch {
		case test.want == "" && (err != nil || m == nil):
			t.Errorf("%+v: %v", test.o, err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%+v: error %v, want %q", test.o, err, test.want)
		case err != nil && strings.Contains(err.Error(), "secret"):
			t.Errorf("error shows a secret: %v", err)
		}
	}
}

func TestFallback(t *testing.T) {
	down := fakemodel.Fault{Kind: fakemodel.HTTPError, Status: 503}
	script := func(f fakemodel.Fault) []fakemodel.Rule {
		return []fakemodel.Rule{{On: "system", Say: "from main", Fault: f, Times: 1}, {Say: "from fallback"}}
	}
	tests := []struct {
		name  string
		fault fakemodel.Fault
		want  string
		kind  Kind
	}{
		{"down", down, "from fallback", ""},
		{"out of credit", fakemodel.Fault{Kind: fakemodel.HTTPError, Status: 402}, "from fallback", ""},
		{"wrong key", fakemodel.Fault{Kind: fakemodel.HTTPError, Status: 401}, "", Auth},
		{"cut after text", fakemodel.Fault{Kind: fakemodel.Cut, After: 5}, "", Truncated},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := fake(t, fakemodel.Options{Script: script(test.fault)})
			m := open(t, Options{Model: "gpt-4o", Fallback: "claude-haiku-4-5", OpenAIBaseURL: s.URL(), AnthropicBaseURL: s.URL(), Retries: -1})
			var streamed strings.Builder
			resp, err := m.GenerateContent(t.Context(), hello, into(&streamed))
			if test.kind != "" {
				failed(t, err, test.kind)
				if n := len(s.Requests()); n != 1 {
					t.Errorf("%d requests, want 1", n)
				}
				return
			}
			if err != nil || Text(resp) != test.want || streamed.String() != test.want {
				t.Errorf("%q, streamed %q, %v", Text(resp), streamed.String(), err)
			}
			if r := s.Requests(); r[1].Model != "claude-haiku-4-5" {
				t.Errorf("second request went to %s", r[1].Model)
			}
		})
	}
	t.Run("both down", func(t *testing.T) {
		s := fake(t, fails(down, ""))
		m := open(t, Options{Fallback: "gpt-4o-mini", OpenAIBaseURL: s.URL(), Retries: -1})
		_, err := m.GenerateContent(t.Context(), hello)
		failed(t, err, Overloaded)
		if n := len(s.Requests()); n != 2 {
			t.Errorf("%d requests, want 2", n)
		}
	})
}

// The prompt is laid out for the main model. A fallback that it does not fit is not asked, as some servers cut it without a word; one
// that refuses it does not hide why it was asked.
func TestAFallbackThatThePromptDoesNotFit(t *testing.T) {
	long := []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeHuman, strings.Repeat("word ", 5_000))}
	for name, test := range map[string]struct {
		about, show string // of the fallback
		asked       bool
	}{
		"known":                {`{"id":"spare","max_model_len":4000}`, "", false},
		"Ollama":               {"", `{"model_info":{},"details":{"family":"llama"}}`, false},
		"unknown":              {"", "", true},
		"large, as it is said": {`{"id":"spare","max_model_len":32000}`, "", true},
	} {
		asked := false
		url := raw(t, func(w http.ResponseWriter, r *http.Request, body string) {
			switch {
			case r.URL.Path == "/v1/models":
				fmt.Fprintf(w, `{"data":[%s]}`, test.about)
			case r.URL.Path == "/api/show" && test.show != "":
				w.Write([]byte(test.show))
			case r.URL.Path != "/v1/chat/completions":
				w.WriteHeader(404)
			case strings.Contains(body, `"spare"`):
				asked = true
				w.WriteHeader(400)
				w.Write([]byte(`{"error":{"message":"This model's maximum context length is 4000 tokens.","code":"context_length_exceeded"}}`))
			default:
				w.WriteHeader(503)
			}
		})
		m := open(t, Options{Model: "main", Fallback: "spare", OpenAIBaseURL: url, Retries: -1})
		_, err := m.GenerateContent(t.Context(), long, llms.WithMaxTokens(300))
		if e := new(Error); !errors.As(err, &e) || e.Status != 503 || asked != test.asked {
			t.Errorf("%s: asked %v, %v", name, asked, err)
		}
	}
}

func TestConcurrentCalls(t *testing.T) {
	s := fake(t, fakemodel.Options{Default: func(r fakemodel.Request) string { return "you said " + r.User() }, Refuse: []string{"max_completion_tokens"}})
	m := once(t, s.URL())
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			text := fmt.Sprintf("number %d", i)
			resp, err := m.GenerateContent(context.Background(), []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeHuman, text)}, llms.WithMaxTokens(9))
			if err != nil || Text(resp) != "you said "+text {
				t.Errorf("%d: %q %v", i, Text(resp), err)
			}
		})
	}
	wg.Wait()
}

// fields returns the named fields of a request body as JSON, "" where absent.
func fields(t *testing.T, body []byte, names ...string) []string {
	t.Helper()
	var all map[string]json.RawMessage
	if err := json.Unmarshal(body, &all); err != nil {
		t.Fatal(err)
	}
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = string(all[n])
	}
	return out
}

func ms(n int) time.Duration { return time.Duration(n) * time.Millisecond }
