package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/agent/model/fakemodel"
)

// Each refusal costs one request in the life of the model, not one in every call.
func TestHabitsAreRemembered(t *testing.T) {
	tests := []struct {
		refuse  []string
		first   int // requests of the first call
		options []llms.CallOption
		check   func(r fakemodel.Request) bool
	}{
		{[]string{"max_completion_tokens"}, 2, []llms.CallOption{llms.WithMaxTokens(7)}, func(r fakemodel.Request) bool { return r.MaxTokens == 7 }},
		{[]string{"stream_options"}, 2, []llms.CallOption{into(&strings.Builder{})}, func(r fakemodel.Request) bool { return r.Stream }},
		{[]string{"max_completion_tokens", "stream_options"}, 3, []llms.CallOption{llms.WithMaxTokens(7), into(&strings.Builder{})}, func(r fakemodel.Request) bool { return r.MaxTokens == 7 && r.Temperature == nil }},
	}
	for _, test := range tests {
		s := fake(t, fakemodel.Options{Script: say("ok"), Refuse: test.refuse})
		m := once(t, s.URL())
		for range 2 {
			if _, err := m.GenerateContent(t.Context(), hello, test.options...); err != nil {
				t.Fatalf("%v: %v", test.refuse, err)
			}
		}
		r := s.Requests() // only those that were accepted
		if len(r) != 2 || !test.check(r[1]) {
			t.Errorf("%v: accepted %d requests, last %s", test.refuse, len(r), r[len(r)-1].Body)
		}
		if h := m.(*chat).main.family.(*openAI).habits.get(); h == (habit{}) {
			t.Errorf("%v: nothing is remembered", test.refuse)
		}
	}
}

func TestUnhelpfulRefusalIsReturnedAndNotRemembered(t *testing.T) {
	n := 0
	url := raw(t, func(w http.ResponseWriter, _ *http.Request, _ string) {
		n++
		w.WriteHeader(400)
		fmt.Fprintf(w, `{"error":{"message":"refused, number %d"}}`, n)
	})
	m := once(t, url)
	ctx := WithSchema(t.Context(), "x", json.RawMessage(`{"type":"object"}`))
	_, err := m.GenerateContent(ctx, hello)
	if e := failed(t, err, BadRequest); e.Message != "refused, number 1" || n != 3 {
		t.Errorf("after %d requests: %v", n, e)
	}
	if m.(*chat).main.habits.get() != (habit{}) {
		t.Error("a habit was kept though the model never answered")
	}
}

const strictSchema = `{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}]}},"required":["a"],"additionalProperties":false}`

func TestSchema(t *testing.T) {
	tests := []struct {
		refuse []string
		want   string // in response_format
		prompt bool   // the schema is in the system message
	}{
		{nil, `"strict":true`, false},
		{[]string{"json_schema"}, `{"type":"json_object"}`, true},
		{[]string{"json_schema", "json_object"}, "", true},
		{[]string{"response_format"}, "", true},
	}
	for _, test := range tests {
		s := fake(t, fakemodel.Options{Script: say(`{"a":"x"}`), Refuse: test.refuse})
		m := once(t, s.URL())
		ctx := WithSchema(t.Context(), "reading", json.RawMessage(strictSchema))
		for range 2 {
			if _, err := m.GenerateContent(ctx, hello); err != nil {
				t.Fatalf("%v: %v", test.refuse, err)
			}
		}
		r := s.Requests()
		last := r[len(r)-1]
		if got := string(last.ResponseFormat); len(r) != 2 || !strings.Contains(got, test.want) || test.want == "" && got != "" {
			t.Errorf("%v: %d accepted, response_format %s", test.refuse, len(r), got)
		}
		if got := last.System(); strings.Contains(got, strictSchema) != test.prompt || !strings.HasPrefix(got, "Be short.") {
			t.Errorf("%v: system %q", test.refuse, got)
		}
	}
}

func TestSchemaIsPerCall(t *testing.T) {
	s := fake(t, fakemodel.Options{Script: say(`{}`)})
	m := once(t, s.URL())
	for _, ctx := range []context.Context{WithSchema(t.Context(), "one", json.RawMessage(strictSchema)), t.Context(), WithSchema(t.Context(), "two", json.RawMessage(strictSchema))} {
		if _, err := m.GenerateContent(ctx, hello); err != nil {
			t.Fatal(err)
		}
	}
	r := s.Requests()
	if !strings.Contains(string(r[0].ResponseFormat), `"one"`) || r[1].ResponseFormat != nil || !strings.Contains(string(r[2].ResponseFormat), `"two"`) {
		t.Errorf("formats %s, %s, %s", r[0].ResponseFormat, r[1].ResponseFormat, r[2].ResponseFormat)
	}
}

func TestMessagesOnTheWire(t *testing.T) {
	s := fake(t, fakemodel.Options{Script: say("ok")})
	messages := []llms.MessageContent{
		{Role: llms.ChatMessageTypeHuman, Parts: []llms.ContentPart{llms.TextPart("look"), llms.TextPart("here"), llms.BinaryPart("image/png", []byte{1, 2})}},
		llms.TextParts(llms.ChatMessageTypeAI, "let me see"),
	}
	if _, err := once(t, s.URL()).GenerateContent(t.Context(), messages); err != nil {
		t.Fatal(err)
	}
	body := string(s.Requests()[0].Body)
	for _, want := range []string{`"url":"data:image/png;base64,AQI="`, `"text":"look\n\nhere"`, `let me see`} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in %s", want, body)
		}
	}
	_, err := once(t, s.URL()).GenerateContent(t.Context(), []llms.MessageContent{{Role: llms.ChatMessageTypeHuman, Parts: []llms.ContentPart{llms.ImageURLPart("https://x")}}})
	failed(t, err, BadRequest)
	_, err = once(t, s.URL()).GenerateContent(t.Context(), nil)
	failed(t, err, BadRequest)
}

func TestNoKeyNoHeader(t *testing.T) {
	var got []string
	url := raw(t, func(w http.ResponseWriter, r *http.Request, _ string) {
		got = r.Header.Values("Authorization")
		w.Write([]byte(`{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}]}`))
	})
	t.Setenv("OPENAI_API_KEY", "sk-from-environment")
	m, err := Open(Options{Model: "llama3.1", OpenAIBaseURL: url})
	if err != nil {
		t.Fatal(err)
	}
	resp, err := m.GenerateContent(t.Context(), hello)
	if err != nil || len(got) != 0 {
		t.Errorf("Authorization %q, %v", got, err)
	}
	if u := UsageOf(resp); u.Reported {
		t.Errorf("usage %+v though none was reported", u)
	}
}

// Answers without a stream.
func TestWholeAnswers(t *testing.T) {
	tests := []struct {
		name, body string
		kind       Kind
		text       string // of the answer, or Partial
	}{
		{"good", `{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}],"error":null}`, "", "x"},
		{"no finish reason", `{"choices":[{"message":{"content":"x"}}]}`, "", "x"},
		{"content in parts", `{"choices":[{"message":{"content":[{"type":"thinking","thinking":[]},{"type":"text","text":"x"}]},"finish_reason":"stop"}]}`, "", "x"},
		{"usage nobody can read", `{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}],"usage":{"prompt_tokens":"many"}}`, "", "x"},
		{"streamed though not asked", "data: {\"choices\":[{\"delta\":{\"content\":\"x\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n", "", "x"},
		{"error under 200", `{"error":{"message":"no credits"}}`, Quota, ""},
		{"OpenRouter's error under 200", `{"error":{"message":"x","code":429}}`, RateLimit, ""},
		{"error and choices", `{"choices":[{"message":{"content":""}}],"error":{"message":"x","code":502}}`, Overloaded, ""},
		{"no choices", `{"choices":[]}`, Garbage, ""},
		{"choices null", `{"choices":null}`, Garbage, ""},
		{"content null", `{"choices":[{"message":{"content":null},"finish_reason":"stop"}]}`, Garbage, ""},
		{"HTML", `<html><body>Sign in</body></html>`, Garbage, ""},
		{"cut JSON", `{"choices":[{"message":{"con`, Garbage, ""},
		{"nothing", ``, Unreachable, ""},
		{"white space", "  \n", Unreachable, ""},
		{"refusal", `{"choices":[{"message":{"content":null,"refusal":"I cannot."},"finish_reason":"stop"}]}`, Refused, "I cannot."},
		{"filter", `{"choices":[{"message":{"content":"so"},"finish_reason":"content_filter"}]}`, Refused, "so"},
		{"length", `{"choices":[{"message":{"content":"so far"},"finish_reason":"length"}],"usage":{"prompt_tokens":3,"completion_tokens":4}}`, Truncated, "so far"},
		{"error as finish reason", `{"choices":[{"message":{"content":"so"},"finish_reason":"error"}]}`, Truncated, "so"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			url := raw(t, func(w http.ResponseWriter, _ *http.Request, _ string) { w.Write([]byte(test.body)) })
			resp, err := once(t, url).GenerateContent(t.Context(), hello)
			if test.kind == "" {
				if err != nil || Text(resp) != test.text || resp.Choices[0].StopReason != "stop" {
					t.Errorf("%q %v", Text(resp), err)
				}
				return
			}
			if e := failed(t, err, test.kind); e.Partial != test.text {
				t.Errorf("partial %q", e.Partial)
			}
			if test.name == "length" && UsageOf(resp) != (Usage{Prompt: 3, Completion: 4, Reported: true}) {
				t.Errorf("usage of a truncated answer %+v", UsageOf(resp))
			}
		})
	}
}

func TestStreams(t *testing.T) {
	const part, end, done = `{"choices":[{"delta":{"content":"par"}}]}`, `{"choices":[{"delta":{},"finish_reason":"stop"}]}`, `[DONE]`
	long := strings.Repeat("z", 200_000)
	tests := []struct {
		name  string
		lines []string
		kind  Kind
		text  string
	}{
		{"good", []string{part, end, done}, "", "par"},
		{"no [DONE]", []string{part, end}, "", "par"},
		{"no finish reason", []string{part, done}, "", "par"},
		{"neither", []string{part}, Truncated, "par"},
		{"nothing", nil, Unreachable, ""},
		{"a role and nothing more", []string{`{"choices":[{"delta":{"role":"assistant","content":""}}]}`}, Unreachable, ""},
		{"a thought and nothing more", []string{`{"choices":[{"delta":{"reasoning_content":"hm"}}]}`}, Unreachable, ""},
		{"only [DONE]", []string{done}, Garbage, ""},
		{"error event", []string{part, `{"error":{"message":"upstream died","code":502}}`}, Truncated, "par"},
		{"error event first", []string{`{"error":{"message":"upstream died","code":502}}`}, Overloaded, ""},
		{"error without envelope", []string{part, `{"object":"error","message":"died","code":500}`}, Truncated, "par"},
		{"line beyond 64 KB", []string{`{"choices":[{"delta":{"content":"` + long + `"}}]}`, end, done}, "", long},
		{"half a chunk", []string{part, `{"choices":[{"del`}, Truncated, "par"},
		{"words between", []string{"processing", part, end, done}, "", "par"},
		{"length", []string{part, `{"choices":[{"delta":{},"finish_reason":"length"}]}`, done}, Truncated, "par"},
		{"refusal", []string{`{"choices":[{"delta":{"refusal":"I ca"}}]}`, `{"choices":[{"delta":{"refusal":"nnot."}}]}`, end, done}, Refused, "I cannot."},
		{"second choice", []string{part, `{"choices":[{"index":1,"delta":{"content":"other"}}]}`, end, done}, "", "par"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var streamed strings.Builder
			resp, err := once(t, sse(t, test.lines...)).GenerateContent(t.Context(), hello, into(&streamed))
			if test.kind == "" {
				if err != nil || Text(resp) != test.text || streamed.String() != test.text || resp.Choices[0].StopReason != "stop" {
					t.Errorf("text of %d bytes, streamed %d, %v", len(Text(resp)), streamed.Len(), err)
				}
				return
			}
			if e := failed(t, err, test.kind); e.Partial != test.text {
				t.Errorf("partial %q", e.Partial)
			}
		})
	}
}

// A stream that ends before anything was said has no connection at its end any more: it is asked for again, and the fallback after that.
func TestAStreamThatEndsBeforeAnything(t *testing.T) {
	for _, name := range families {
		for _, stream := range []string{"", ": waiting\n\n"} {
			n := 0
			url := raw(t, func(w http.ResponseWriter, _ *http.Request, body string) {
				if !strings.Contains(body, `"messages"`) { // asked about its models
					return
				}
				w.Header().Set("Content-Type", "text/event-stream")
				if n++; strings.Contains(body, `"spare"`) {
					stream = "data: {\"choices\":[{\"delta\":{\"content\":\"Six.\"},\"finish_reason\":\"stop\"}]}\n\n"
				}
				w.Write([]byte(stream))
			})
			m := open(t, Options{Model: name, Fallback: "spare", OpenAIBaseURL: url, AnthropicBaseURL: url})
			m.(*chat).main.pause = ms(2)
			if resp, err := m.GenerateContent(t.Context(), hello, into(&strings.Builder{})); err != nil || Text(resp) != "Six." || n != 4 {
				t.Errorf("%s: %d requests, %q, %v", name, n, Text(resp), err)
			}
		}
	}
}

func TestMidStreamErrorKeepsItsCause(t *testing.T) {
	url := sse(t, `{"choices":[{"delta":{"content":"par"}}]}`, `{"error":{"message":"slow down","code":"rate_limit_exceeded"}}`)
	_, err := once(t, url).GenerateContent(t.Context(), hello, into(&strings.Builder{}))
	e := failed(t, err, Truncated)
	failed(t, errors.Unwrap(e), RateLimit)
}

func TestStreamFraming(t *testing.T) {
	const a, b = `{"choices":[{"delta":{"content":"a"}}]}`, `{"choices":[{"delta":{"content":"b"},"finish_reason":"stop"}]}`
	for name, stream := range map[string]string{
		"CRLF":           "data: " + a + "\r\n\r\ndata: " + b + "\r\n\r\ndata: [DONE]\r\n\r\n",
		"no blank lines": "data: " + a + "\ndata: " + b + "\ndata: [DONE]\n",
		"no space":       "data:" + a + "\n\ndata:" + b + "\n\ndata:[DONE]",
		"comments":       ": OPENROUTER PROCESSING\n\nevent: x\nid: 1\ndata: " + a + "\n\n: again\n\ndata: " + b + "\n\n",
		"no end":         "data: " + a + "\n\ndata: " + b,
		"several lines":  "data: {\"choices\":\ndata: [{\"delta\":{\"content\":\"a\"}}]}\n\ndata: " + b + "\n\n",
	} {
		url := raw(t, func(w http.ResponseWriter, _ *http.Request, _ string) { w.Write([]byte(stream)) })
		var streamed strings.Builder
		if _, err := once(t, url).GenerateContent(t.Context(), hello, into(&streamed)); err != nil || streamed.String() != "ab" {
			t.Errorf("%s: %q %v", name, streamed.String(), err)
		}
	}
}

func TestToolCallsStreamed(t *testing.T) {
	delta := func(calls string) string { return `{"choices":[{"delta":{"tool_calls":[` + calls + `]}}]}` }
	const end = `{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}`
	tests := map[string][]string{
		"interleaved": {
			delta(`{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}}`),
			delta(`{"index":1,"id":"b","type":"function","function":{"name":"g","arguments":""}}`),
			delta(`{"index":0,"function":{"arguments":"{\"x\""}}`),
			delta(`{"index":1,"function":{"arguments":"{\"y\":2}"}}`),
			delta(`{"index":0,"function":{"arguments":":1}"}}`), end, "[DONE]"},
		"type repeated": {
			delta(`{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\""}}`),
			delta(`{"index":0,"type":"function","function":{"arguments":":1}"}}`),
			delta(`{"index":1,"id":"b","type":"function","function":{"name":"g","arguments":"{\"y\":2}"}}`), end, "[DONE]"},
		"index missing, whole calls": {
			delta(`{"id":"a","function":{"name":"f","arguments":"{\"x\":1}"}},{"id":"b","function":{"name":"g","arguments":{"y":2}}}`), end, "[DONE]"},
	}
	for name, lines := range tests {
		var streamed strings.Builder
		resp, err := once(t, sse(t, lines...)).GenerateContent(t.Context(), hello, into(&streamed))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var got []string
		for _, c := range resp.Choices[0].ToolCalls {
			got = append(got, c.ID, c.FunctionCall.Name, c.FunctionCall.Arguments)
		}
		if want := []string{"a", "f", `{"x":1}`, "b", "g", `{"y":2}`}; !slices.Equal(got, want) || resp.Choices[0].StopReason != "tool_calls" {
			t.Errorf("%s: %q", name, got)
		}
		if streamed.Len() > 0 {
			t.Errorf("%s: tool calls reached the reader: %q", name, streamed.String())
		}
	}
}

func TestAnswerTooLarge(t *testing.T) {
	url := raw(t, func(w http.ResponseWriter, _ *http.Request, _ string) {
		w.Write([]byte(`{"choices":[{"message":{"content":"`))
		block := []byte(strings.Repeat("z", 1<<20))
		for range 20 {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	})
	_, err := once(t, url).GenerateContent(t.Context(), hello)
	failed(t, err, Garbage)
}

func TestRedirectIsNotFollowed(t *testing.T) {
	target := raw(t, func(http.ResponseWriter, *http.Request, string) { t.Error("the redirect was followed") })
	url := raw(t, func(w http.ResponseWriter, r *http.Request, _ string) {
		http.Redirect(w, r, target, http.StatusTemporaryRedirect)
	})
	_, err := once(t, url).GenerateContent(t.Context(), hello)
	if err == nil || !strings.Contains(err.Error(), "base URL") {
		t.Errorf("error %v", err)
	}
}

func TestErrorBodies(t *testing.T) {
	tests := []struct {
		status int
		header string // Retry-After
		body   string
		kind   Kind
		wait   time.Duration
	}{
		{429, "17", `{"error":{"message":"Rate limit reached","type":"tokens","code":"rate_limit_exceeded"}}`, RateLimit, 17 * time.Second},
		{429, "", `{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}`, Quota, 0},
		{429, "", `[{"error":{"code":429,"message":"You exceeded your current quota","status":"RESOURCE_EXHAUSTED","details":[{"@type":"x"},{"retryDelay":"17s"}]}}]`, RateLimit, 17 * time.Second},
		{413, "", `{"error":{"message":"Request too large for model x in organization y service tier on_demand on tokens per minute (TPM): Limit 6000, Requested 8543, please reduce your message size and try again.","type":"tokens","code":"rate_limit_exceeded"}}`, ContextTooLong, 0},
		{429, "", `{"error":{"message":"Request too large for gpt-4o in organization y on tokens per min (TPM): Limit 30000, Requested 41234. The input or output tokens must be reduced in order to run successfully.","type":"tokens","code":"rate_limit_exceeded"}}`, ContextTooLong, 0},
		{429, "", `{"error":{"message":"Rate limit reached for gpt-4o in organization y on tokens per min (TPM): Limit 30000, Used 28000, Requested 4000. Please try again in 4s.","type":"tokens","code":"rate_limit_exceeded"}}`, RateLimit, 0},
		{401, "", `{"error":{"message":"no","code":"invalid_api_key"}}`, Auth, 0},
		{400, "", `[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]`, Auth, 0},
		{402, "", `{"error":{"message":"Insufficient credits","code":402}}`, Quota, 0},
		{400, "", `{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the API."}}`, Quota, 0},
		{400, "", `{"error":{"message":"This model's maximum context length is 8192 tokens.","code":"context_length_exceeded"}}`, ContextTooLong, 0},
		{400, "", `{"object":"error","message":"This model's maximum context length is 4096 tokens.","type":"BadRequestError","code":400}`, ContextTooLong, 0},
		{400, "", `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}`, ContextTooLong, 0},
		{413, "", `<html>413</html>`, ContextTooLong, 0},
		{404, "", `{"error":{"message":"The model x does not exist","code":"model_not_found"}}`, NotFound, 0},
		{404, "", `{"error":"model 'x' not found"}`, NotFound, 0},
		{400, "", `{"error":{"message":"x/y is not a valid model ID","code":400}}`, NotFound, 0},
		{404, "", `404 page not found`, NotFound, 0},
		{400, "", `{"error":{"message":"flagged","code":"content_filter"}}`, Refused, 0},
		{403, "", `{"error":{"message":"Your input was flagged by moderation","code":403}}`, Refused, 0},
		{422, "", `{"detail":[{"type":"extra_forbidden","loc":["body","foo"],"msg":"Extra inputs"}]}`, BadRequest, 0},
		{500, "", `{"error":{"message":"oops","type":"server_error"}}`, Overloaded, 0},
		{529, "", `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, Overloaded, 0},
		{502, "", `<html>Bad gateway</html>`, Overloaded, 0},
		{408, "", ``, Timeout, 0},
	}
	for _, test := range tests {
		url := raw(t, func(w http.ResponseWriter, _ *http.Request, _ string) {
			if test.header != "" {
				w.Header().Set("Retry-After", test.header)
			}
			w.WriteHeader(test.status)
			w.Write([]byte(test.body))
		})
		_, err := once(t, url).GenerateContent(t.Context(), hello)
		var e *Error
		if !errors.As(err, &e) || e.Kind != test.kind || e.Status != test.status || e.RetryAfter != test.wait {
			t.Errorf("%d %s: %+v, want %s", test.status, test.body, e, test.kind)
		}
		if e != nil && e.Message == "" {
			t.Errorf("%d %s: no message", test.status, test.body)
		}
	}
}
