package model

import (
	"strings"
	"testing"

	"github.com/tmc/langchaingo/llms"
)

func TestUsageOf(t *testing.T) {
	tests := []struct {
		name string
		info []map[string]any // one per choice
		want Usage
	}{
		{"nothing", nil, Usage{}},
		{"no info", []map[string]any{nil}, Usage{}},
		{"zeros", []map[string]any{{"PromptTokens": 0, "CompletionTokens": 0}}, Usage{}},
		{"openai", []map[string]any{{"PromptTokens": 30, "CompletionTokens": 4, "PromptCachedTokens": 20}}, Usage{30, 4, 20, 0, true, false}},
		{"openai, reasoning", []map[string]any{{"PromptTokens": 30, "CompletionTokens": 900, "TotalTokens": 930, "ReasoningTokens": 800}}, Usage{30, 900, 0, 800, true, false}},
		{"reasoning counted beside the answer", []map[string]any{{"PromptTokens": 30, "CompletionTokens": 100, "TotalTokens": 930, "ReasoningTokens": 800}}, Usage{30, 900, 0, 800, true, false}},
		{"anthropic, repeated in each choice", []map[string]any{
			{"InputTokens": 3, "OutputTokens": 4, "CacheReadInputTokens": 20, "CacheCreationInputTokens": 7},
			{"InputTokens": 3, "OutputTokens": 4, "CacheReadInputTokens": 20, "CacheCreationInputTokens": 7}}, Usage{30, 4, 20, 0, true, false}},
		{"anthropic, all cached", []map[string]any{{"InputTokens": 0, "OutputTokens": 4, "CacheReadInputTokens": 20}}, Usage{20, 4, 20, 0, true, false}},
		{"only in the second choice", []map[string]any{{}, {"PromptTokens": 30}}, Usage{30, 0, 0, 0, true, false}},
		{"another type", []map[string]any{{"PromptTokens": "30"}}, Usage{}},
	}
	for _, test := range tests {
		r := &llms.ContentResponse{}
		for _, info := range test.info {
			r.Choices = append(r.Choices, &llms.ContentChoice{GenerationInfo: info})
		}
		if got := UsageOf(r); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
	if UsageOf(nil) != (Usage{}) || UsageOf(&llms.ContentResponse{Choices: []*llms.ContentChoice{nil}}) != (Usage{}) {
		t.Error("usage of no response")
	}
}

// Cached tokens as OpenAI says them.
func TestCachedTokens(t *testing.T) {
	const usage = `{"prompt_tokens":30,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":20}}`
	url := sse(t, `{"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}]}`, `{"choices":[],"usage":`+usage+`}`, "[DONE]")
	resp, err := once(t, url).GenerateContent(t.Context(), hello, into(&strings.Builder{}))
	if got := UsageOf(resp); err != nil || got != (Usage{Prompt: 30, Completion: 4, Cached: 20, Reported: true}) {
		t.Errorf("%s: %+v, %v", usage, got, err)
	}
}

// Thoughts that the provider shows and does not count, beside the answer or within it, are counted as such.
func TestThoughtsAreCounted(t *testing.T) {
	for _, delta := range []string{`{"reasoning":"the crane lifts forty tonnes of timber","content":"Forty."}`, `{"content":"<think>the crane lifts forty tonnes of timber</think>Forty."}`} {
		url := sse(t, `{"choices":[{"delta":`+delta+`,"finish_reason":"stop"}]}`, `{"choices":[],"usage":{"prompt_tokens":30,"completion_tokens":12}}`, "[DONE]")
		resp, err := once(t, url).GenerateContent(t.Context(), hello, into(&strings.Builder{}))
		if u := UsageOf(resp); err != nil || u.Completion != 12 || u.Reasoning < 6 || u.Reasoning > 11 {
			t.Errorf("%s: %+v, %v", delta, u, err)
		}
	}
}

func TestText(t *testing.T) {
	r := &llms.ContentResponse{Choices: []*llms.ContentChoice{{Content: ""}, nil, {Content: "a"}, {Content: "b"}}}
	if got := Text(r); got != "ab" || Text(nil) != "" {
		t.Errorf("%q", got)
	}
}

func TestContextSize(t *testing.T) {
	for name, want := range map[string]int{
		"gpt-4":                       8_192,
		"gpt-4o-2024-08-06":           128_000,
		"GPT-4.1-mini":                1_047_576,
		"openai/gpt-5-mini":           400_000,
		"gpt-5-chat-latest":           128_000,
		"ft:gpt-4o-mini:acme::id":     128_000,
		"anthropic/claude-sonnet-4-5": 200_000,
		"models/gemini-2.5-pro":       1_048_576,
		"llama-3.3-70b-versatile":     131_072,
		"llama3.1:8b":                 0,
		"mistral-small:24b":           0,
		"something-else":              0,
		"":                            0,
	} {
		if got := ContextSize(name); got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
}
