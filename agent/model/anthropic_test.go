package model

import (
	"encoding/json"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/agent/model/fakemodel"
)

// claudeSSE answers each request with these events.
func claudeSSE(t *testing.T, events ...string) string {
	return raw(t, func(w http.ResponseWriter, _ *http.Request, _ string) { sendClaude(t, w, events) })
}

// sendClaude writes events whose type is in their data.
func sendClaude(t *testing.T, w http.ResponseWriter, events []string) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range events {
		var head struct{ Type string }
		if err := json.Unmarshal([]byte(e), &head); err != nil {
			t.Error(err)
		}
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", head.Type, e)
		w.(http.Flusher).Flush()
	}
}

func onceClaude(t *testing.T, url string) llms.Model {
	return open(t, Options{Model: "claude-sonnet-4-5", AnthropicBaseURL: url, Retries: -1})
}

const (
	claudeStart = `{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[],"usage":{"input_tokens":10,"cache_read_input_tokens":90,"cache_creation_input_tokens":5,"output_tokens":1}}}`
	claudeText  = `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"par"}}`
	claudeStop  = `{"type":"message_stop"}`
)

func claudeEnd(reason string) string {
	return `{"type":"message_delta","delta":{"stop_reason":"` + reason + `"},"usage":{"output_tokens":7}}`
}

func TestClaudeStreams(t *testing.T) {
	tests := []struct {
		name   string
		events []string
		kind   Kind
		text   string
	}{
		{"good", []string{claudeStart, claudeText, claudeEnd("end_turn"), claudeStop}, "", "par"},
		{"no message_stop", []string{claudeStart, claudeText, claudeEnd("end_turn")}, "", "par"},
		{"unknown events and blocks", []string{claudeStart, `{"type":"ping"}`, `{"type":"news","index":0}`,
			`{"type":"content_block_start","index":0,"content_block":{"type":"redacted_thinking","data":"x"}}`,
			`{"type":"content_block_start","index":1,"content_block":{"type":"hologram","rays":[1]}}`,
			`{"type":"content_block_delta","index":1,"delta":{"type":"hologram_delta","rays":[2]}}`,
			`{"type":"content_block_delta","index":2,"delta":{"type":"signature_delta","signature":"s"}}`,
			claudeText, claudeEnd("end_turn"), claudeStop}, "", "par"},
		{"refusal", []string{claudeStart, claudeText, claudeEnd("refusal"), claudeStop}, Refused, "par"},
		{"length", []string{claudeStart, claudeText, claudeEnd("max_tokens"), claudeStop}, Truncated, "par"},
		{"window", []string{claudeStart, claudeText, claudeEnd("model_context_window_exceeded"), claudeStop}, ContextTooLong, "par"},
		{"cut", []string{claudeStart, claudeText}, Truncated, "par"},
		{"nothing", nil, Unreachable, ""},
		{"a beginning and nothing more", []string{claudeStart}, Unreachable, ""},
		{"no text", []string{claudeStart, claudeEnd("end_turn"), claudeStop}, Garbage, ""},
		{"error event", []string{claudeStart, claudeText, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`}, Truncated, "par"},
		{"error event first", []string{claudeStart, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`}, Overloaded, ""},
		{"line beyond 64 KB", []string{claudeStart, strings.Replace(claudeText, "par", strings.Repeat("z", 100_000), 1), claudeEnd("end_turn")}, "", strings.Repeat("z", 100_000)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var streamed strings.Builder
			resp, err := onceClaude(t, claudeSSE(t, test.events...)).GenerateContent(t.Context(), hello, into(&streamed))
			if test.kind == "" {
				if err != nil || Text(resp) != test.text || streamed.String() != test.text || resp.Choices[0].StopReason != "stop" {
					t.Fatalf("%d bytes, streamed %d, %v", len(Text(resp)), streamed.Len(), err)
				}
				if got, want := UsageOf(resp), (Usage{Prompt: 105, Completion: 7, Cached: 90, Reported: true}); got != want {
					t.Errorf("usage %+v, want %+v", got, want)
				}
				return
			}
			if e := failed(t, err, test.kind); e.Partial != test.text {
				t.Errorf("partial %q", e.Partial)
			}
		})
	}
}

func TestClaudeAnswersWithoutAStream(t *testing.T) {
	for body, kind := range map[string]Kind{
		`<html>Sign in</html>`: Garbage,
		``:                     Unreachable,
		`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`: Overloaded,
	} {
		url := raw(t, func(w http.ResponseWriter, _ *http.Request, _ string) { w.Write([]byte(body)) })
		_, err := onceClaude(t, url).GenerateContent(t.Context(), hello)
		failed(t, err, kind)
	}
}

func TestClaudeLeaksNoGoroutines(t *testing.T) {
	m := onceClaude(t, claudeSSE(t, claudeStart, claudeText, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`))
	before := runtime.NumGoroutine()
	for range 50 {
		_, err := m.GenerateContent(t.Context(), hello, into(&strings.Builder{}))
		failed(t, err, Truncated)
	}
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(ms(20)) {
		if runtime.NumGoroutine() <= before+5 {
			return
		}
	}
	t.Errorf("%d goroutines before 50 errors, %d after", before, runtime.NumGoroutine())
}

func TestClaudeToolTurn(t *testing.T) {
	events := []string{claudeStart,
		`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`, claudeText,
		`{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"a","name":"f","input":{}}}`,
		`{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"b","name":"g","input":{}}}`,
		`{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"x\""}}`,
		`{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":":1}"}}`,
		claudeEnd("tool_use"), claudeStop}
	var body string
	url := raw(t, func(w http.ResponseWriter, _ *http.Request, b string) {
		body = b
		sendClaude(t, w, events)
	})
	messages := []llms.MessageContent{
		llms.TextParts(llms.ChatMessageTypeSystem, "Be short."),
		{Role: llms.ChatMessageTypeHuman, Parts: []llms.ContentPart{llms.TextPart("look"), llms.BinaryPart("image/png", []byte{1, 2})}},
		llms.TextParts(llms.ChatMessageTypeAI, "let me see"),
	}
	tool := llms.Tool{Type: "function", Function: &llms.FunctionDefinition{Name: "f", Description: "finds", Parameters: map[string]any{"type": "object", "properties": map[string]any{"q": map[string]any{"type": "integer"}}, "required": []string{"q"}}}}
	var streamed strings.Builder
	resp, err := onceClaude(t, url).GenerateContent(t.Context(), messages, into(&streamed), llms.WithTools([]llms.Tool{tool}), llms.WithToolChoice("none"))
	if err != nil {
		t.Fatal(err)
	}
	calls := resp.Choices[0].ToolCalls
	if len(resp.Choices) != 1 || len(calls) != 2 || calls[0].FunctionCall.Arguments != `{"x":1}` || calls[1].FunctionCall.Arguments != "{}" || resp.Choices[0].StopReason != "tool_calls" || streamed.String() != "par" {
		t.Errorf("%+v, streamed %q", calls, streamed.String())
	}
	for _, want := range []string{`"text":"Be short."`, `"data":"AQI=","media_type":"image/png"`, `"text":"let me see"`,
		`"tool_choice":{"type":"none"}`, `"description":"finds"`, `"required":["q"]`} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in %s", want, body)
		}
	}
	if strings.Contains(body, "temperature") {
		t.Errorf("temperature was not set: %s", body)
	}
}

func TestClaudeRequest(t *testing.T) {
	s := fake(t, fakemodel.Options{Script: say("ok"), Key: testKey})
	m := onceClaude(t, s.URL())
	t.Setenv("ANTHROPIC_API_KEY", "sk-other")
	t.Setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1")
	messages := []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeHuman, "", "hi")}
	if _, err := m.GenerateContent(t.Context(), messages, llms.WithMaxTokens(77)); err != nil {
		t.Fatal(err)
	}
	if r := s.Requests()[0]; r.MaxTokens != 77 || r.Temperature != nil || r.Messages[0].Role != "user" || r.User() != "hi" {
		t.Errorf("request %s", r.Body)
	}
}

func TestClaudeSchema(t *testing.T) {
	for _, refuse := range [][]string{nil, {"output_config"}} {
		s := fake(t, fakemodel.Options{Script: say(`{"a":"x"}`), Refuse: refuse})
		m := onceClaude(t, s.URL())
		ctx := WithSchema(t.Context(), "reading", json.RawMessage(strictSchema))
		for range 2 {
			if _, err := m.GenerateContent(ctx, hello); err != nil {
				t.Fatalf("%v: %v", refuse, err)
			}
		}
		r := s.Requests()
		last := r[len(r)-1]
		if len(r) != 2 || (last.ResponseFormat == nil) != (refuse != nil) || strings.Contains(last.System(), strictSchema) != (refuse != nil) {
			t.Errorf("%v: %d accepted, %s", refuse, len(r), last.Body)
		}
	}
}

// What a next request begins with is marked for the provider's cache.
func TestClaudeCacheMarks(t *testing.T) {
	const mark = `"cache_control":{"type":"ephemeral"}`
	turns := []llms.MessageContent{
		llms.TextParts(llms.ChatMessageTypeSystem, "Be short."),
		llms.TextParts(llms.ChatMessageTypeHuman, "history, first part", "history, second part"),
		llms.TextParts(llms.ChatMessageTypeHuman, "the request"),
	}
	s := fake(t, fakemodel.Options{Script: say("ok")})
	if _, err := onceClaude(t, s.URL()).GenerateContent(t.Context(), turns, llms.WithTools(twoTools)); err != nil {
		t.Fatal(err)
	}
	body := string(s.Requests()[0].Body)
	for _, marked := range []string{`{"text":"Be short.",` + mark, `{"text":"history, first part",` + mark, `{"text":"history, second part",` + mark} {
		if !strings.Contains(body, marked) {
			t.Errorf("no %s in %s", marked, body)
		}
	}
	if strings.Count(body, mark) != 3 {
		t.Errorf("marks in %s", body)
	}

	s = fake(t, fakemodel.Options{Script: []fakemodel.Rule{{Say: "ok", Fault: fakemodel.Fault{Kind: fakemodel.HTTPError, Status: 400, Times: 1,
		Body: `{"error":{"type":"invalid_request_error","message":"system.0.cache_control: Extra inputs are not permitted"}}`}}}})
	if _, err := onceClaude(t, s.URL()).GenerateContent(t.Context(), turns); err != nil {
		t.Fatal(err)
	}
	if r := s.Requests(); strings.Contains(string(r[1].Body), "cache_control") {
		t.Errorf("%s", r[1].Body)
	}
}

// A history that grew begins with the blocks that were marked before.
func TestClaudeHistoryIsSentInBlocks(t *testing.T) {
	s := fake(t, fakemodel.Options{Script: say("ok")})
	m := onceClaude(t, s.URL())
	history := ""
	var before []string
	for i := range 8 {
		for j := range 9 {
			history += fmt.Sprintf("[%d | Ada] The crane lifts forty tonnes, and the press is blue as the sea.\n", 10*i+j)
		}
		turns := []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeHuman, history+"</data>"), llms.TextParts(llms.ChatMessageTypeHuman, "the request")}
		if _, err := m.GenerateContent(t.Context(), turns); err != nil {
			t.Fatal(err)
		}
		var body struct {
			Messages []struct {
				Content []struct {
					Text  string
					Cache any `json:"cache_control"`
				}
			}
		}
		if err := json.Unmarshal(s.Requests()[i].Body, &body); err != nil {
			t.Fatal(err)
		}
		var blocks []string
		marked := -1
		for k, b := range body.Messages[0].Content {
			blocks = append(blocks, b.Text)
			if b.Cache != nil && k < len(body.Messages[0].Content)-1 {
				marked = k
			}
		}
		if strings.Join(blocks, "") != history+"</data>" {
			t.Fatalf("turn %d: the text was changed", i)
		}
		if len(before) > len(blocks) || !slices.Equal(before, blocks[:len(before)]) || i > 1 && marked < 0 {
			t.Fatalf("turn %d begins otherwise, or has no mark at %d", i, marked)
		}
		before = blocks[:marked+1]
	}
}
