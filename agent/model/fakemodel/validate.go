package fakemodel

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// refusal is an error as OpenAI words and shapes it.
type refusal struct {
	status                    int // 0: 400
	typ, code, param, message string
}

func (e *refusal) body() map[string]any {
	typ := e.typ
	if typ == "" {
		typ = "invalid_request_error"
	}
	orNull := func(s string) any {
		if s == "" {
			return nil
		}
		return s
	}
	return map[string]any{"error": map[string]any{"message": e.message, "type": typ, "param": orNull(e.param), "code": orNull(e.code)}}
}

func (e *refusal) write(w http.ResponseWriter) {
	status := e.status
	if status == 0 {
		status = http.StatusBadRequest
	}
	writeJSON(w, status, e.body())
}

// chatFields are the fields of a chat completions request (OpenAI API reference, "Create chat completion").
var chatFields = []string{
	"audio", "frequency_penalty", "function_call", "functions", "logit_bias", "logprobs", "max_completion_tokens", "max_tokens", "messages",
	"metadata", "modalities", "model", "n", "parallel_tool_calls", "prediction", "presence_penalty", "prompt_cache_key", "reasoning_effort",
	"response_format", "safety_identifier", "seed", "service_tier", "stop", "store", "stream", "stream_options", "temperature", "tool_choice",
	"tools", "top_logprobs", "top_p", "user", "verbosity", "web_search_options",
}

var (
	chatRoles = []string{"system", "developer", "user", "assistant", "tool", "function"}
	reasoning = regexp.MustCompile(`^(.*/)?(o[1-9]|gpt-[5-9])`)
	formatKey = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
)

type chatRequest struct {
	Model         string
	Messages      []wireMessage
	Stream        bool
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	ResponseFormat json.RawMessage `json:"response_format"`
	MaxTokens      *int            `json:"max_tokens"`
	MaxCompletion  *int            `json:"max_completion_tokens"`
	Temperature    *float64
	Effort         string          `json:"reasoning_effort"`
	ToolChoice     json.RawMessage `json:"tool_choice"`
	Tools          []wireTool
}

type wireMessage struct {
	Role      string
	Content   json.RawMessage
	ToolCalls json.RawMessage `json:"tool_calls"`
}

func readChat(body []byte) (Request, *refusal) {
	var fields map[string]json.RawMessage
	var in chatRequest
	if json.Unmarshal(body, &fields) != nil || json.Unmarshal(body, &in) != nil {
		return Request{}, &refusal{message: "We could not parse the JSON body of your request."}
	}
	req := Request{Model: in.Model, Stream: in.Stream, ResponseFormat: in.ResponseFormat, Temperature: in.Temperature, Effort: in.Effort, usage: in.StreamOptions.IncludeUsage}
	for name := range fields {
		if !slices.Contains(chatFields, name) {
			return req, &refusal{param: name, message: "Unrecognized request argument supplied: " + name}
		}
	}
	switch {
	case in.Model == "":
		return req, &refusal{message: "you must provide a model parameter"}
	case len(in.Messages) == 0:
		return req, &refusal{param: "messages", message: "Missing required parameter: 'messages'.", code: "missing_required_parameter"}
	case in.MaxTokens != nil && in.MaxCompletion != nil:
		return req, &refusal{message: "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported."}
	case in.MaxTokens != nil && reasoning.MatchString(in.Model):
		return req, &refusal{param: "max_tokens", code: "unsupported_parameter", message: "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."}
	case in.Temperature != nil && *in.Temperature != 1 && reasoning.MatchString(in.Model):
		return req, &refusal{param: "temperature", code: "unsupported_value", message: fmt.Sprintf("Unsupported value: 'temperature' does not support %v with this model. Only the default (1) value is supported.", *in.Temperature)}
	case in.Temperature != nil && (*in.Temperature < 0 || *in.Temperature > 2):
		return req, &refusal{param: "temperature", message: "Invalid 'temperature': must be between 0 and 2."}
	case fields["stream_options"] != nil && !in.Stream:
		return req, &refusal{param: "stream_options", message: "The 'stream_options' parameter is only allowed when 'stream' is enabled."}
	}
	for _, limit := range []*int{in.MaxTokens, in.MaxCompletion} {
		if limit != nil {
			req.MaxTokens = *limit
		}
	}
	if bad := req.setTools(in.Tools, in.ToolChoice); bad != nil {
		return req, bad
	}
	if bad := req.setMessages(in.Messages, chatRoles); bad != nil {
		return req, bad
	}
	return req, checkFormat(in.ResponseFormat, req.Prompt())
}

func (r *Request) setMessages(in []wireMessage, roles []string) *refusal {
	for i, m := range in {
		param := fmt.Sprintf("messages[%d]", i)
		if !slices.Contains(roles, m.Role) {
			return &refusal{param: param + ".role", code: "invalid_value", message: fmt.Sprintf("Invalid value: '%s'. Supported values are: '%s'.", m.Role, strings.Join(roles, "', '"))}
		}
		text, ok := textOf(m.Content)
		if !ok && m.ToolCalls == nil {
			return &refusal{param: param + ".content", message: fmt.Sprintf("Invalid value for 'content' of %s: expected a string or a list of parts.", param)}
		}
		r.Messages = append(r.Messages, Message{m.Role, text})
		r.Pictures += picturesIn(m.Content)
	}
	return nil
}

// textOf reads a content that is a string or a list of parts the API knows.
func textOf(raw json.RawMessage) (string, bool) {
	var s string
	if bytes.HasPrefix(raw, []byte(`"`)) && json.Unmarshal(raw, &s) == nil {
		return s, true
	}
	var parts []struct {
		Type    string
		Text    string
		Content json.RawMessage
	}
	if !bytes.HasPrefix(raw, []byte("[")) || json.Unmarshal(raw, &parts) != nil {
		return "", false
	}
	var texts []string
	for _, p := range parts {
		switch p.Type {
		case "text":
			texts = append(texts, p.Text)
		case "tool_result":
			text, _ := textOf(p.Content)
			texts = append(texts, text)
		case "image_url", "input_audio", "file", "image", "document", "tool_use", "thinking", "redacted_thinking":
		default:
			return "", false
		}
	}
	return strings.Join(texts, "\n"), true
}

func picturesIn(raw json.RawMessage) int {
	var parts []struct{ Type string }
	_ = json.Unmarshal(raw, &parts) // a string has none
	n := 0
	for _, p := range parts {
		if p.Type == "image_url" || p.Type == "image" {
			n++
		}
	}
	return n
}

func checkFormat(raw json.RawMessage, prompt string) *refusal {
	if raw == nil {
		return nil
	}
	var f struct {
		Type       string
		JSONSchema *struct {
			Name   string
			Strict bool
			Schema map[string]any
		} `json:"json_schema"`
	}
	if json.Unmarshal(raw, &f) != nil {
		return &refusal{param: "response_format", message: "Invalid type for 'response_format'."}
	}
	switch f.Type {
	case "text":
	case "json_object":
		if !strings.Contains(strings.ToLower(prompt), "json") {
			return &refusal{param: "messages", message: "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'."}
		}
	case "json_schema":
		if f.JSONSchema == nil || !formatKey.MatchString(f.JSONSchema.Name) || f.JSONSchema.Schema == nil {
			return &refusal{param: "response_format.json_schema", message: "Missing or invalid 'name' or 'schema' in 'response_format.json_schema'."}
		}
		if f.JSONSchema.Strict && !closedSchema(f.JSONSchema.Schema) {
			return &refusal{param: "response_format", message: "Invalid schema for response_format '" + f.JSONSchema.Name + "': 'additionalProperties' is required to be supplied and to be false, and 'required' to include every key in properties."}
		}
	default:
		return &refusal{param: "response_format.type", code: "invalid_value", message: "Invalid value: '" + f.Type + "'. Supported values are: 'json_object', 'json_schema', and 'text'."}
	}
	return nil
}

// closedSchema is OpenAI's rule for strict schemas, checked at the top and below every property.
func closedSchema(s map[string]any) bool {
	properties, _ := s["properties"].(map[string]any)
	required, _ := s["required"].([]any)
	if s["type"] == "object" && (s["additionalProperties"] != false || len(required) != len(properties)) {
		return false
	}
	for _, p := range properties {
		if sub, ok := p.(map[string]any); ok && !closedSchema(sub) {
			return false
		}
	}
	if items, ok := s["items"].(map[string]any); ok {
		return closedSchema(items)
	}
	return true
}

// refused answers for an older server: it does not know the fields in Options.Refuse.
func (s *Server) refused(body []byte) *refusal {
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(body, &fields) // was read before
	for _, name := range s.o.Refuse {
		_, has := fields[name]
		switch name {
		case "json_schema", "json_object":
			var f struct{ Type string }
			_ = json.Unmarshal(fields["response_format"], &f) // absent: no type
			if f.Type == name {
				return &refusal{param: "response_format", message: "This response_format type is unavailable now: " + name}
			}
		default:
			if has {
				return &refusal{message: "Extra inputs are not permitted: " + name}
			}
		}
	}
	return nil
}
