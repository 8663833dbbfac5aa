package model

import (
	"net/http"
	"strings"
	"testing"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/agent/model/fakemodel"
)

func TestKnownReasoners(t *testing.T) {
	for name, want := range map[string][2]bool{ // reasons, takes reasoning_effort
		"o1": {true, true}, "o1-mini": {true, false}, "o3-mini": {true, true}, "openai/o4-mini": {true, true},
		"gpt-5-mini": {true, true}, "openai/gpt-5": {true, true}, "gpt-5-chat-latest": {false, false}, "gpt-6": {true, true},
		"gpt-oss:20b": {true, true}, "deepseek-r1:8b": {true, false}, "deepseek-reasoner": {true, false}, "deepseek-chat": {false, false},
		"qwen3:8b": {true, false}, "Qwen/Qwen3-32B": {true, false}, "qwen3-coder": {false, false}, "qwen3-4b-instruct-2507": {false, false}, "qwq": {true, false},
		"magistral-small": {true, false}, "kimi-k2-thinking": {true, false}, "gemini-2.5-pro": {true, true}, "gemini-2.0-flash": {false, false},
		"gpt-4o": {false, false}, "gpt-4.1": {false, false}, "llama3.1:8b": {false, false}, "claude-sonnet-4-5": {false, false}, "qwen2.5:7b": {false, false},
	} {
		if got := [2]bool{reasons(name), takesEffort(name)}; got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

func TestReasonersGetRoom(t *testing.T) {
	tests := []struct {
		model, effort string
		limit         int
	}{
		{"gpt-5-mini", "low", 1_000 + headroom},
		{"deepseek-reasoner", "", 1_000 + headroom},
		{"gpt-4o", "", 1_000},
	}
	for _, test := range tests {
		s := fake(t, fakemodel.Options{Script: []fakemodel.Rule{{Say: "Six.", Think: 100}}})
		if _, err := at(t, s, test.model).GenerateContent(t.Context(), hello, llms.WithMaxTokens(1_000)); err != nil {
			t.Fatal(err)
		}
		if r := s.Requests()[0]; r.Effort != test.effort || r.MaxTokens != test.limit {
			t.Errorf("%s: effort %q, limit %d", test.model, r.Effort, r.MaxTokens)
		}
	}
}

func TestEffortIsDroppedWhereItIsRefused(t *testing.T) {
	s := fake(t, fakemodel.Options{Script: say("Six."), Refuse: []string{"reasoning_effort"}})
	m := at(t, s, "gpt-5")
	for range 2 {
		if _, err := m.GenerateContent(t.Context(), hello, llms.WithTools(twoTools)); err != nil {
			t.Fatal(err)
		}
	}
	if r := s.Requests(); len(r) != 2 || r[1].Effort != "" || len(r[1].Tools) != 2 || !m.(*chat).main.habits.get().noEffort {
		t.Errorf("%d accepted, the last %s", len(r), r[len(r)-1].Body)
	}
}

// A limit that is reached before anything is said is raised once; both requests are counted.
func TestLengthWithoutText(t *testing.T) {
	tests := []struct {
		model         string
		think         int
		calls         []fakemodel.Call
		first, second int // limits
	}{
		{"gpt-5", 9_000, nil, 500 + headroom, 500 + moreRoom},
		{"gpt-5", 9_000, []fakemodel.Call{{Name: "list_documents", Arguments: "{}"}}, 500 + headroom, 500 + moreRoom},
		{"some-model", 3_000, nil, 500, 500 + newRoom},
		{"claude-sonnet-4-5", 3_000, nil, 500, 500 + newRoom},
	}
	for _, test := range tests {
		s := fake(t, fakemodel.Options{Script: []fakemodel.Rule{{Say: "Six.", Calls: test.calls, Think: test.think}}})
		m := at(t, s, test.model)
		var streamed strings.Builder
		resp, err := m.GenerateContent(t.Context(), hello, llms.WithMaxTokens(500), llms.WithTools(twoTools), into(&streamed))
		if err != nil || Text(resp) != "Six." || streamed.String() != "Six." || len(resp.Choices[0].ToolCalls) != len(test.calls) {
			t.Fatalf("%s: %v %q", test.model, err, streamed.String())
		}
		r := s.Requests()
		if len(r) != 2 || r[0].MaxTokens != test.first || r[1].MaxTokens != test.second {
			t.Fatalf("%s: %d requests, limits %d and %d", test.model, len(r), r[0].MaxTokens, r[1].MaxTokens)
		}
		if u := UsageOf(resp); u.Completion != test.first+test.think+1 || u.Prompt != 2*5 {
			t.Errorf("%s: usage %+v", test.model, u)
		}
		if test.model == "some-model" {
			if _, err := m.GenerateContent(t.Context(), hello, llms.WithMaxTokens(500)); err != nil {
				t.Fatal(err)
			}
			if r := s.Requests()[2]; r.MaxTokens != 500+headroom {
				t.Errorf("it has reasoned, and gets a limit of %d", r.MaxTokens)
			}
		}
	}
}

func TestLengthWithoutTextAgain(t *testing.T) {
	s := fake(t, fakemodel.Options{Script: []fakemodel.Rule{{Say: "Six.", Think: 100_000}}})
	resp, err := at(t, s, "gpt-5").GenerateContent(t.Context(), hello, llms.WithMaxTokens(500))
	if e := failed(t, err, Truncated); e.Partial != "" || len(s.Requests()) != 2 {
		t.Errorf("%d requests, %v", len(s.Requests()), e)
	}
	if u := UsageOf(resp); u.Completion != 1_000+headroom+moreRoom || u.Reasoning != u.Completion {
		t.Errorf("usage %+v", u)
	}
}

// A model whose window has no room for reasoning answers without it.
func TestRoomThatDoesNotFit(t *testing.T) {
	n := 0
	url := raw(t, func(w http.ResponseWriter, _ *http.Request, body string) {
		if n++; strings.Contains(body, `"max_completion_tokens":500`) {
			w.Write([]byte(`{"choices":[{"message":{"content":"Six."},"finish_reason":"stop"}]}`))
			return
		}
		w.WriteHeader(400)
		w.Write([]byte(`{"error":{"message":"This model's maximum context length is 4096 tokens. However, you requested 6900 tokens.","code":"context_length_exceeded"}}`))
	})
	resp, err := open(t, Options{Model: "qwen3", OpenAIBaseURL: url, Retries: -1}).GenerateContent(t.Context(), hello, llms.WithMaxTokens(500))
	if err != nil || Text(resp) != "Six." || n != 2 {
		t.Errorf("%d requests: %v", n, err)
	}
}

// What is thought inside the text shows that a model reasons.
func TestThoughtsInTheTextAreSeen(t *testing.T) {
	for _, stream := range []bool{true, false} {
		s := fake(t, fakemodel.Options{Script: say("<think>hm</think>Six.")})
		m := at(t, s, "some-model")
		var options []llms.CallOption
		if stream {
			options = append(options, into(&strings.Builder{}))
		}
		resp, err := m.GenerateContent(t.Context(), hello, options...)
		if err != nil || Text(resp) != "Six." || resp.Choices[0].ReasoningContent != "hm" || !m.(*chat).main.habits.get().thinks {
			t.Errorf("%v %+v", err, resp)
		}
	}
}
