package model

import (
	"strings"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/memory"
)

// Usage is the tokens of one response as the provider counted them.
type Usage struct {
	Prompt     int  // all input, cached or not
	Completion int  // all output, reasoning included
	Cached     int  // the part of Prompt that came from the provider's cache
	Reasoning  int  // the part of Completion that was thought, counted by us where the provider only shows the thoughts
	Reported   bool // false: the provider said nothing, and the caller has to count
	Summed     bool // of more than one request: an answer was continued, or asked for again with more room
}

// UsageOf reads the usage that both families leave in GenerationInfo. Choices repeat the same numbers, so they count once.
func UsageOf(r *llms.ContentResponse) Usage {
	if r == nil {
		return Usage{}
	}
	for _, c := range r.Choices {
		if c == nil {
			continue
		}
		info := c.GenerationInfo
		u := Usage{
			Prompt:     count(info, "PromptTokens", "InputTokens"),
			Completion: count(info, "CompletionTokens", "OutputTokens"),
			Cached:     count(info, "PromptCachedTokens", "CacheReadInputTokens"),
			Reasoning:  count(info, "ReasoningTokens"),
		}
		if total := count(info, "TotalTokens"); total == u.Prompt+u.Completion+u.Reasoning { // xAI and Gemini keep the two apart
			u.Completion += u.Reasoning
		}
		if _, anthropic := info["InputTokens"]; anthropic { // whose input_tokens are only those not touched by the cache
			u.Prompt += count(info, "CacheReadInputTokens") + count(info, "CacheCreationInputTokens")
		}
		if u.Reasoning == 0 && c.ReasoningContent != "" {
			u.Reasoning = min(u.Completion, memory.Count(c.ReasoningContent))
		}
		if u.Prompt+u.Completion > 0 {
			u.Reported, u.Summed = true, info[summed] == true
			return u
		}
	}
	return Usage{}
}

const (
	answeredBy = "AnsweredBy"
	summed     = "Summed"
)

// AnsweredBy returns the name of the fallback if it made the response, else "".
func AnsweredBy(r *llms.ContentResponse) string {
	if r == nil || len(r.Choices) == 0 || r.Choices[0] == nil {
		return ""
	}
	name, _ := r.Choices[0].GenerationInfo[answeredBy].(string)
	return name
}

// addUsage adds what an earlier request of the same call took.
func addUsage(r, earlier *llms.ContentResponse) {
	if r == nil || earlier == nil || len(earlier.Choices) == 0 {
		return
	}
	for _, c := range r.Choices {
		for name, value := range earlier.Choices[0].GenerationInfo {
			have, _ := c.GenerationInfo[name].(int)
			if n, ok := value.(int); ok && c.GenerationInfo != nil {
				c.GenerationInfo[name] = have + n
			}
		}
	}
	note(r, summed, true)
}

func count(info map[string]any, names ...string) int {
	for _, name := range names {
		if n, _ := info[name].(int); n > 0 {
			return n
		}
	}
	return 0
}

// Text returns the text of all choices, which for some providers are the parts of one answer. It is "" for a nil response.
func Text(r *llms.ContentResponse) string {
	if r == nil {
		return ""
	}
	var b strings.Builder
	for _, c := range r.Choices {
		if c != nil {
			b.WriteString(c.Content)
		}
	}
	return b.String()
}
