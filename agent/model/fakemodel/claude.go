package fakemodel

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

func (s *Server) messages(w http.ResponseWriter, r *http.Request) {
	if req, ok := s.accept(w, r, readMessages); ok {
		s.serve(w, r, req, &claudeWire{openAIWire{w: w, req: req, count: s.o.Count}})
	}
}

func readMessages(body []byte) (Request, *refusal) {
	var in struct {
		Model        string
		System       json.RawMessage
		Messages     []wireMessage
		MaxTokens    int `json:"max_tokens"`
		Stream       bool
		Temperature  *float64
		OutputConfig struct{ Format json.RawMessage } `json:"output_config"`
		Tools        []wireTool
		ToolChoice   json.RawMessage `json:"tool_choice"`
	}
	if json.Unmarshal(body, &in) != nil {
		return Request{}, &refusal{message: "The request body is not valid JSON."}
	}
	req := Request{Model: in.Model, Stream: in.Stream, MaxTokens: in.MaxTokens, Temperature: in.Temperature, ResponseFormat: in.OutputConfig.Format}
	switch {
	case in.Model == "":
		return req, &refusal{message: "model: Field required"}
	case in.MaxTokens == 0:
		return req, &refusal{message: "max_tokens: Field required"}
	case len(in.Messages) == 0:
		return req, &refusal{message: "messages: at least one message is required"}
	case in.Messages[0].Role != "user":
		return req, &refusal{message: "messages: first message must use the \"user\" role"}
	case strings.Contains(string(body), `"text":""`):
		return req, &refusal{message: "messages: text content blocks must be non-empty"}
	}
	if in.System != nil {
		text, _ := textOf(in.System)
		req.Messages = append(req.Messages, Message{"system", text})
	}
	if bad := req.setTools(in.Tools, in.ToolChoice); bad != nil {
		return req, bad
	}
	return req, req.setMessages(in.Messages, []string{"user", "assistant"})
}

// claudeWire writes Anthropic messages.
type claudeWire struct{ openAIWire }

func (c *claudeWire) stopReason(a answer) string {
	switch {
	case a.declined != "":
		return "refusal"
	case a.reason == "length":
		return "max_tokens"
	case len(a.calls) > 0:
		return "tool_use"
	}
	return "end_turn"
}

func (c *claudeWire) tokens(a answer) map[string]any {
	u := c.usage(a)
	prompt, _ := u["prompt_tokens"].(int)
	kept := min(c.req.reportedCache(), prompt)
	return map[string]any{"input_tokens": prompt - kept, "cache_read_input_tokens": kept, "output_tokens": u["completion_tokens"]}
}

func (c *claudeWire) message(content []map[string]any, reason any, tokens map[string]any) map[string]any {
	return map[string]any{"id": "msg_fake", "type": "message", "role": "assistant", "model": c.req.Model, "content": content, "stop_reason": reason, "stop_sequence": nil, "usage": tokens}
}

func (c *claudeWire) whole(a answer) {
	content := []map[string]any{{"type": "text", "text": a.text + a.declined}}
	for i, call := range a.calls {
		content = append(content, map[string]any{"type": "tool_use", "id": fmt.Sprintf("toolu_%d", i), "name": call.Name, "input": json.RawMessage(call.Arguments)})
	}
	writeJSON(c.w, http.StatusOK, c.message(content, c.stopReason(a), c.tokens(a)))
}

func (c *claudeWire) send(kind string, fields map[string]any) {
	fields["type"] = kind
	fmt.Fprintf(c.w, "event: %s\n", kind)
	c.event(fields)
}

func (c *claudeWire) begin() {
	c.w.Header().Set("Content-Type", "text/event-stream")
	c.send("message_start", map[string]any{"message": c.message([]map[string]any{}, nil, c.tokens(answer{}))})
	c.send("content_block_start", map[string]any{"index": 0, "content_block": map[string]any{"type": "text", "text": ""}})
}

func (c *claudeWire) say(text string) {
	c.delta(0, map[string]any{"type": "text_delta", "text": text})
}

func (c *claudeWire) delta(block int, delta map[string]any) {
	c.send("content_block_delta", map[string]any{"index": block, "delta": delta})
}

func (c *claudeWire) end(a answer) {
	if a.declined != "" {
		c.say(a.declined)
	}
	c.send("content_block_stop", map[string]any{"index": 0})
	for i, call := range a.calls {
		c.send("content_block_start", map[string]any{"index": i + 1, "content_block": map[string]any{"type": "tool_use", "id": fmt.Sprintf("toolu_%d", i), "name": call.Name, "input": map[string]any{}}})
		for _, piece := range []string{call.Arguments[:len(call.Arguments)/2], call.Arguments[len(call.Arguments)/2:]} {
			c.delta(i+1, map[string]any{"type": "input_json_delta", "partial_json": piece})
		}
		c.send("content_block_stop", map[string]any{"index": i + 1})
	}
	c.send("message_delta", map[string]any{"delta": map[string]any{"stop_reason": c.stopReason(a), "stop_sequence": nil}, "usage": c.tokens(a)})
	c.send("message_stop", map[string]any{})
}

func (c *claudeWire) fail(*refusal) {
	c.send("error", map[string]any{"error": map[string]any{"type": "overloaded_error", "message": "Overloaded"}})
}

func (c *claudeWire) empty() {
	c.begin()
	c.end(answer{reason: "stop"})
}

func (c *claudeWire) refuse(status int, body string, e *refusal) {
	if body == "" {
		kind := map[int]string{401: "authentication_error", 403: "permission_error", 404: "not_found_error", 429: "rate_limit_error", 529: "overloaded_error"}[status]
		if kind == "" && status < 500 && status != http.StatusOK {
			kind = "invalid_request_error"
		} else if kind == "" {
			kind = "api_error"
		}
		data, _ := json.Marshal(map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": e.message}}) // strings
		body = string(data)
	}
	c.w.Header().Set("Content-Type", "application/json")
	c.openAIWire.refuse(status, body, e)
}
