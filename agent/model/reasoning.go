package model

import (
	"encoding/json"
	"strings"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/memory/reading"
)

// Reasoning counts against the limit of an answer, so a model that reasons gets more room than the caller asked for.
const (
	headroom = 6_000  // tokens beside the answer
	moreRoom = 16_000 // once more, when that was not enough
	newRoom  = 8_000  // once more, for a model that nobody knew to reason
)

var (
	reasoners = reading.Lazy(`(?i)(^|/)(o[1-9]|gpt-[5-9]|gpt-oss|deepseek-r\d|qwq|qwen-?3|magistral|gemini-(2\.5|[3-9])|grok-3-mini|grok-[4-9]|minimax-m|glm-(4\.[5-9]|[5-9]))|reasoner|reasoning|thinking`)
	// plainOnes are forms of such models that answer at once.
	plainOnes = reading.Lazy(`(?i)-chat|instruct|coder|non-?reasoning|no-?think|2\.5-flash-lite`)
	// effortful are the models whose providers take reasoning_effort.
	effortful = reading.Lazy(`(?i)(^|/)(o1$|o1-20|o[2-9]|gpt-[5-9]|gpt-oss|gemini-(2\.5|[3-9])|grok-3-mini)`)
)

// reasons reports whether a model of this name is known to reason before it answers. Claude does only when it is asked to.
func reasons(name string) bool { return reasoners.MatchString(name) && !plainOnes.MatchString(name) }

func takesEffort(name string) bool { return effortful.MatchString(name) && reasons(name) }

// reasoned reports whether the model reasoned for this response.
func reasoned(r *llms.ContentResponse) bool {
	for _, c := range r.Choices {
		if c != nil && (strings.TrimSpace(c.ReasoningContent) != "" || count(c.GenerationInfo, "ReasoningTokens") > 0) {
			return true
		}
	}
	return false
}

// starved reports whether the limit was reached before anything useful was said.
func starved(r *llms.ContentResponse, err error) bool {
	failure, ok := err.(*Error)
	if !ok || failure.Kind != Truncated || failure.Code != "length" && failure.Code != "max_tokens" || strings.TrimSpace(failure.Partial) != "" {
		return false
	}
	if r == nil || len(r.Choices) == 0 {
		return true
	}
	calls := r.Choices[0].ToolCalls
	return len(calls) == 0 || !json.Valid([]byte(calls[len(calls)-1].FunctionCall.Arguments))
}
