package model

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tmc/langchaingo/llms"
	scripted "github.com/tmc/langchaingo/llms/fake"

	"threadkeeper/agent/model/fakemodel"
)

func TestWindow(t *testing.T) {
	show := func(parameters string) map[string]any {
		return map[string]any{"parameters": parameters, "model_info": map[string]any{"llama.context_length": 131_072}, "capabilities": []string{"completion", "thinking"}}
	}
	none := map[string]any{}
	tests := []struct {
		name   string
		model  string
		set    int
		about  map[string]any // in the list of models
		native map[string]any
		window int
		source string
	}{
		{"the setting wins", "m", 9_000, map[string]any{"max_model_len": 32_768}, nil, 9_000, "MODEL_WINDOW"},
		{"vLLM", "m", 0, map[string]any{"max_model_len": 32_768}, nil, 32_768, "max_model_len"},
		{"the endpoint before the table", "gpt-4o", 0, map[string]any{"max_model_len": 16_000}, nil, 16_000, "max_model_len"},
		{"OpenRouter", "a/m", 0, map[string]any{"context_length": 200_000, "top_provider": map[string]any{"context_length": 65_536}}, nil, 65_536, "context_length"},
		{"Groq", "m", 0, map[string]any{"context_window": 131_072}, nil, 131_072, "context_window"},
		{"Mistral", "m", 0, map[string]any{"max_context_length": 40_960, "capabilities": map[string]any{"vision": false}}, nil, 40_960, "max_context_length"},
		{"llama.cpp, new", "m", 0, map[string]any{"meta": map[string]any{"n_ctx_train": 131_072, "n_ctx": 8_000}}, nil, 8_000, "n_ctx"},
		{"llama.cpp, old", "m", 0, map[string]any{"meta": map[string]any{"n_ctx_train": 131_072}}, map[string]any{"GET /props": map[string]any{"default_generation_settings": map[string]any{"n_ctx": 6_000}}}, 6_000, "n_ctx"},
		{"llama.cpp that also answers as Ollama", "m", 0, nil, map[string]any{"GET /props": map[string]any{"default_generation_settings": map[string]any{"n_ctx": 6_000}},
			"POST /api/show": map[string]any{"model_info": "", "details": map[string]any{"family": ""}, "capabilities": []string{"completion"}}}, 6_000, "n_ctx"},
		{"LM Studio", "m", 0, nil, map[string]any{"GET /api/v0/models/m": map[string]any{"loaded_context_length": 5_000, "max_context_length": 32_768, "type": "vlm"}}, 5_000, "loaded_context_length"},
		{"LM Studio, not loaded", "m", 0, nil, map[string]any{"GET /api/v0/models/m": map[string]any{"max_context_length": 32_768, "type": "llm"}}, 32_768, "max_context_length"},
		{"Ollama", "llama3.1:8b", 0, nil, map[string]any{"POST /api/show": show("")}, 4_096, "Ollama"},
		{"Ollama, set in the model", "llama3.1:8b", 0, nil, map[string]any{"POST /api/show": show("stop \"x\"\nnum_ctx                        16384\n")}, 16_384, "num_ctx"},
		{"Ollama, loaded", "llama3.1", 0, nil, map[string]any{"POST /api/show": show(""), "GET /api/ps": map[string]any{"models": []any{map[string]any{"name": "llama3.1:latest", "context_length": 32_000}}}}, 32_000, "loaded"},
		{"the table", "gpt-4o", 0, nil, nil, 128_000, "table"},
		{"Claude", "claude-sonnet-4-5", 0, map[string]any{"max_input_tokens": 1_000_000}, nil, 1_000_000, "max_input_tokens"},
		{"Claude, by the table", "claude-sonnet-4-5", 0, nil, nil, 200_000, "table"},
		{"nobody knows", "m", 0, none, nil, 8_192, "unknown"},
		{"nonsense", "m", 0, map[string]any{"max_model_len": -1, "context_length": "many"}, nil, 8_192, "unknown"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := fake(t, fakemodel.Options{Models: []string{"other", test.model}, About: test.about, Native: test.native})
			m := open(t, Options{Model: test.model, Window: test.set, OpenAIBaseURL: s.URL(), AnthropicBaseURL: s.URL()})
			got := LimitsOf(t.Context(), m)
			if got.Window != test.window || !strings.Contains(got.Source, test.source) || !strings.HasPrefix(s.URL(), got.Endpoint) {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestTheEndpointsLimitsOfItsModel(t *testing.T) {
	tests := []struct {
		name          string
		about, native map[string]any
		tools, images Support
		reasons       bool
	}{
		{"nothing", nil, nil, Unknown, Unknown, false},
		{"OpenRouter", map[string]any{"supported_parameters": []string{"max_tokens"}, "architecture": map[string]any{"input_modalities": []string{"text", "image"}}}, nil, Unsupported, Supported, false},
		{"Mistral", map[string]any{"capabilities": map[string]any{"vision": false, "function_calling": true}}, nil, Supported, Unsupported, false},
		{"Ollama", nil, map[string]any{"POST /api/show": map[string]any{"model_info": map[string]any{}, "capabilities": []string{"tools", "thinking"}}}, Supported, Unsupported, true},
		{"LM Studio", nil, map[string]any{"GET /api/v0/models/m": map[string]any{"max_context_length": 4_096, "type": "vlm"}}, Unknown, Supported, false},
	}
	for _, test := range tests {
		s := fake(t, fakemodel.Options{Models: []string{"m"}, About: test.about, Native: test.native})
		got := LimitsOf(t.Context(), open(t, Options{Model: "m", OpenAIBaseURL: s.URL()}))
		if got.Tools != test.tools || got.Images != test.images || got.Reasoning != test.reasons {
			t.Errorf("%s: %+v", test.name, got)
		}
	}
}

// What was tried counts for more than what is said.
func TestLimitsLearn(t *testing.T) {
	s := fake(t, fakemodel.Options{Models: []string{"m"}, Script: []fakemodel.Rule{{Say: "Six.", Think: 5}}, NoTools: fakemodel.Ollama, NoPictures: fakemodel.VLLM,
		About: map[string]any{"capabilities": map[string]any{"vision": true, "function_calling": true}}})
	m := open(t, Options{Model: "m", OpenAIBaseURL: s.URL()})
	if _, err := m.GenerateContent(t.Context(), look, llms.WithTools(twoTools)); err != nil {
		t.Fatal(err)
	}
	if got := LimitsOf(t.Context(), m); got.Tools != Unsupported || got.Images != Unsupported || !got.Reasoning {
		t.Errorf("%+v", got)
	}
	s = fake(t, fakemodel.Options{Script: say("Six.")})
	m = once(t, s.URL())
	if got := LimitsOf(t.Context(), m); got.Tools != Unknown || got.Images != Unknown {
		t.Errorf("before anything was tried: %+v", got)
	}
	if _, err := m.GenerateContent(t.Context(), look, llms.WithTools(twoTools)); err != nil {
		t.Fatal(err)
	}
	if got := LimitsOf(t.Context(), m); got.Tools != Supported || got.Images != Supported || got.Reasoning {
		t.Errorf("%+v", got)
	}
}

func TestTheEndpointIsAskedOnce(t *testing.T) {
	var log bytes.Buffer
	paths := map[string]int{}
	url := raw(t, func(w http.ResponseWriter, r *http.Request, _ string) {
		paths[r.URL.Path]++
		if r.Header.Get("Authorization") != "Bearer "+testKey {
			t.Errorf("%s without the key", r.URL.Path)
		}
		w.WriteHeader(404)
	})
	m := open(t, Options{Model: "m", OpenAIBaseURL: url, Log: slog.New(slog.NewTextHandler(&log, nil))})
	for range 3 {
		LimitsOf(t.Context(), m)
	}
	for path, n := range paths {
		if n != 1 {
			t.Errorf("%s was asked for %d times", path, n)
		}
	}
	if n := strings.Count(log.String(), "taken as 8,192"); n != 1 || paths["/v1/models"] != 1 {
		t.Errorf("%v\n%s", paths, log.String())
	}
}

// Ollama and LM Studio load a model for its first call, and only then say with which window. They are asked once more after it.
func TestTheWindowOfAModelThatIsLoadedByItsFirstCall(t *testing.T) {
	for name, test := range map[string]struct {
		path, before, after string
		first, then         int
	}{
		"Ollama":     {"/api/ps", `{"models":[]}`, `{"models":[{"name":"m:latest","context_length":32000}]}`, 4_096, 32_000},
		"old Ollama": {"/api/ps", `{"models":[]}`, `{"models":[{"name":"m:latest"}]}`, 4_096, 4_096},
		"LM Studio":  {"/api/v0/models/m", `{"max_context_length":131072,"type":"llm"}`, `{"max_context_length":131072,"loaded_context_length":8000,"type":"llm"}`, 131_072, 8_000},
	} {
		asked, loaded := 0, false
		url := raw(t, func(w http.ResponseWriter, r *http.Request, _ string) {
			switch r.URL.Path {
			case test.path:
				if asked++; loaded {
					w.Write([]byte(test.after))
					return
				}
				w.Write([]byte(test.before))
			case "/api/show":
				if test.path != "/api/ps" {
					w.WriteHeader(404)
				}
				w.Write([]byte(`{"model_info":{},"details":{"family":"llama"}}`))
			case "/v1/chat/completions":
				loaded = true
				w.Write([]byte(`{"choices":[{"message":{"content":"Six."},"finish_reason":"stop"}]}`))
			default:
				w.WriteHeader(404)
			}
		})
		m := open(t, Options{Model: "m", OpenAIBaseURL: url})
		for i, want := range []int{test.first, test.then, test.then} {
			if got := LimitsOf(t.Context(), m); got.Window != want {
				t.Errorf("%s, after %d calls: %+v", name, i, got)
			}
			if _, err := m.GenerateContent(t.Context(), hello); err != nil {
				t.Fatal(err)
			}
		}
		if asked != 2 {
			t.Errorf("%s was asked %d times", name, asked)
		}
	}
}

// asks is a family whose endpoint is down until it is up.
type asks struct {
	stub
	up bool
	n  int
}

func (a *asks) ask(ctx context.Context) (facts, bool) {
	if a.n++; a.up {
		return facts{window: 32_000, field: "max_model_len"}, true
	}
	<-ctx.Done()
	return facts{}, false
}

func TestAnEndpointThatIsDownIsAskedAgainLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &asks{}
		e := &endpoint{model: "m", family: a, ask: askTimeout, log: slog.New(slog.DiscardHandler)}
		start := time.Now()
		for range 3 {
			if got := e.limits(t.Context()); got.Window != 8_192 {
				t.Errorf("%+v", got)
			}
		}
		if took := time.Since(start); took != askTimeout || a.n != 1 {
			t.Errorf("asked %d times in %v", a.n, took)
		}
		a.up = true
		time.Sleep(askAgain)
		if got := e.limits(t.Context()); got.Window != 32_000 || e.smallWindow() != 32_000 {
			t.Errorf("%+v", got)
		}
		e.limits(t.Context())
		if a.n != 2 {
			t.Errorf("asked %d times", a.n)
		}
	})
}

// TestAskingKeepsNobodyElse: while the endpoint is asked, an answered call is noted, and who gives up does not wait.
func TestAskingKeepsNobodyElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &asks{}
		e := &endpoint{model: "m", family: a, ask: askTimeout, log: slog.New(slog.DiscardHandler)}
		start := time.Now()
		go e.limits(t.Context())
		synctest.Wait()
		e.used()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if got := e.limits(ctx); got.Window != 8_192 || e.smallWindow() != 0 || time.Since(start) != time.Second {
			t.Errorf("%+v after %v", got, time.Since(start))
		}
		if e.limits(t.Context()); time.Since(start) != askTimeout || a.n != 1 {
			t.Errorf("asked %d times in %v", a.n, time.Since(start))
		}
	})
}

func TestACancelledCallerGetsNoResult(t *testing.T) {
	a := &asks{up: true}
	e := &endpoint{model: "m", family: a, ask: askTimeout, log: slog.New(slog.DiscardHandler)}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := e.limits(ctx); got.Window != 8_192 {
		t.Errorf("%+v", got)
	}
	if got := e.limits(t.Context()); got.Window != 32_000 {
		t.Errorf("%+v", got)
	}
}

func TestLimitsOfAnotherModel(t *testing.T) {
	for _, m := range []llms.Model{nil, scripted.NewFakeLLM(nil)} {
		if got := LimitsOf(t.Context(), m); got.Window != 8_192 || got.Tools != Unknown {
			t.Errorf("%+v", got)
		}
	}
}

// A small window leaves little room for reasoning.
func TestRoomFitsTheWindow(t *testing.T) {
	s := fake(t, fakemodel.Options{Models: []string{"qwen3"}, About: map[string]any{"max_model_len": 8_000}, Script: say("Six.")})
	m := open(t, Options{Model: "qwen3", OpenAIBaseURL: s.URL()})
	LimitsOf(t.Context(), m)
	if _, err := m.GenerateContent(t.Context(), hello, llms.WithMaxTokens(500)); err != nil {
		t.Fatal(err)
	}
	if r := s.Requests()[0]; r.MaxTokens != 2_500 {
		t.Errorf("a limit of %d", r.MaxTokens)
	}
}

func TestLimitsFollowTheFallback(t *testing.T) {
	s := fake(t, fakemodel.Options{})
	m := open(t, Options{Model: "gpt-4o", Fallback: "gpt-4", OpenAIBaseURL: s.URL()})
	if got := LimitsOf(t.Context(), m); got.Window != 128_000 {
		t.Errorf("%+v", got)
	}
	m.(*chat).main.breaker.Open()
	if got := LimitsOf(t.Context(), m); got.Window != 8_192 || !got.WindowKnown {
		t.Errorf("%+v", got)
	}
}

// A refusal names the window that nobody had named before.
func TestTheWindowIsLearntFromARefusal(t *testing.T) {
	for message, want := range map[string]int{
		"This model's maximum context length is 6144 tokens. However, you requested 9000 tokens.":                 6_144,
		"This model's maximum context length is 6144 tokens. Please reduce the length of the messages.":           6_144,
		"the request exceeds the available context size (6144 tokens), try increasing it":                         6_144,
		"the request exceeds the available context size. try increasing the context size or enable context shift": 8_192,
		"prompt is too long: 210000 tokens > 6144 maximum":                                                        6_144,
		"Request too large for model x on tokens per minute (TPM): Limit 6144, Requested 8543, please reduce it":  6_144,
	} {
		s := fake(t, fails(fakemodel.Fault{Kind: fakemodel.HTTPError, Status: 400, Body: `{"error":{"message":"` + message + `"}}`}, ""))
		m := open(t, Options{Model: "m", OpenAIBaseURL: s.URL()})
		if got := LimitsOf(t.Context(), m); got.Window != 8_192 {
			t.Errorf("%+v", got)
		}
		_, err := m.GenerateContent(t.Context(), hello)
		failed(t, err, ContextTooLong)
		if got := LimitsOf(t.Context(), m); got.Window != want || got.WindowKnown != (want == 6_144) {
			t.Errorf("%s: %+v", message, got)
		}
	}
}
