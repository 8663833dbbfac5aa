package model

import (
	"regexp"
	"sync"

	"github.com/tmc/langchaingo/llms"
)

// Ways of asking for JSON, each less demanding of the endpoint than the one before.
const (
	bySchema = iota // response_format json_schema; Anthropic's output_config
	byMode          // response_format json_object and an instruction
	byWord          // the instruction alone
)

// habit is what one model at one endpoint turned out not to accept.
type habit struct {
	json          int
	oldMax        bool // max_tokens instead of max_completion_tokens
	noTemperature bool // neither temperature nor top_p
	noUsage       bool // no stream_options
}

// habits remembers a habit for each model name.
type habits struct {
	mu sync.Mutex
	of map[string]habit
}

// try makes a call, and makes it again without what a 400 (or Mistral's 422) complains about. A habit is kept only once the
// model has answered under it; if that never happens the first complaint is returned.
func (h *habits) try(model string, c *call, do func(habit) (*llms.ContentResponse, error)) (*llms.ContentResponse, error) {
	h.mu.Lock()
	have := h.of[model]
	h.mu.Unlock()
	resp, first := do(have)
	err := first
	now := have
	for {
		next, ok := now.without(c, err)
		if !ok {
			break
		}
		now = next
		resp, err = do(now)
	}
	if now == have {
		return resp, err
	}
	if failure, ok := err.(*Error); ok && failure.Kind == BadRequest {
		return nil, first
	}
	if resp != nil {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.of == nil {
			h.of = make(map[string]habit)
		}
		h.of[model] = now
	}
	return resp, err
}

var (
	blamesUsage       = regexp.MustCompile(`stream_options|include_usage`)
	blamesMax         = regexp.MustCompile(`max_completion_tokens`)
	blamesTemperature = regexp.MustCompile(`\b(temperature|top_p)\b`)
)

// without returns the habit that leaves out what err blames. JSON is also given up step by step when err blames nothing we know, as
// many servers refuse response_format in words of their own. ok is false when there is nothing left to leave out.
func (h habit) without(c *call, err error) (next habit, ok bool) {
	failure, isOurs := err.(*Error)
	if !isOurs || failure.Kind != BadRequest || failure.Status != 400 && failure.Status != 422 {
		return h, false
	}
	blame := failure.param + " " + failure.Code + " " + failure.Message
	next = h
	switch {
	case c.stream != nil && !h.noUsage && blamesUsage.MatchString(blame):
		next.noUsage = true
	case c.opts.MaxTokens > 0 && !h.oldMax && blamesMax.MatchString(blame):
		next.oldMax = true
	case (c.temperature || c.opts.TopP > 0) && !h.noTemperature && blamesTemperature.MatchString(blame):
		next.noTemperature = true
	case c.schema != nil && h.json < byWord:
		next.json++
	case c.opts.JSONMode && h.json < byWord:
		next.json = byWord
	default:
		return h, false
	}
	return next, true
}
