package model

import (
	"encoding/json"
	"strings"
)

// packet is a chat completion or a chunk of one, as the OpenAI API and its imitators send it.
type packet struct {
	Choices []packetChoice  `json:"choices"`
	Usage   json.RawMessage `json:"usage"`
	Error   json.RawMessage `json:"error"`
}

type packetChoice struct {
	Index        int     `json:"index"`
	Message      message `json:"message"`
	Delta        message `json:"delta"`
	FinishReason string  `json:"finish_reason"` // null reads as ""
}

type message struct {
	Content          words      `json:"content"`
	Refusal          words      `json:"refusal"`
	ReasoningContent words      `json:"reasoning_content"` // DeepSeek, vLLM
	Reasoning        words      `json:"reasoning"`         // OpenRouter, Ollama
	ToolCalls        []toolCall `json:"tool_calls"`
}

type toolCall struct {
	Index    int    `json:"index"`
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string    `json:"name"`
		Arguments arguments `json:"arguments"`
	} `json:"function"`
}

// words is text that comes as a string, as null, or as parts (Mistral's reasoning models); anything else reads as "".
type words string

func (w *words) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		*w = words(s)
		return nil
	}
	var parts []struct {
		Type string          `json:"type"`
		Text json.RawMessage `json:"text"`
	}
	*w = ""
	if json.Unmarshal(b, &parts) != nil {
		return nil
	}
	for _, p := range parts {
		if p.Type == "text" && json.Unmarshal(p.Text, &s) == nil {
			*w += words(s)
		}
	}
	return nil
}

// arguments is a tool call's JSON, which some servers send as an object instead of a string of JSON.
type arguments string

func (a *arguments) UnmarshalJSON(b []byte) error {
	if present(b) {
		*a = arguments(plain(b))
	}
	return nil
}

// add merges a streamed delta into m. Tool calls are told apart by index and, where a server repeats the index, by id.
func (m *message) add(d message) {
	m.Content += d.Content
	m.Refusal += d.Refusal
	m.ReasoningContent += d.ReasoningContent + d.Reasoning
	for _, t := range d.ToolCalls {
		call := m.tool(t)
		if call.ID == "" {
			call.ID = t.ID
		}
		if call.Function.Name == "" {
			call.Function.Name = t.Function.Name
		}
		call.Function.Arguments += t.Function.Arguments
	}
}

func (m *message) tool(t toolCall) *toolCall {
	for i := len(m.ToolCalls) - 1; i >= 0; i-- {
		if have := &m.ToolCalls[i]; have.Index == t.Index && (t.ID == "" || have.ID == "" || have.ID == t.ID) {
			return have
		}
	}
	m.ToolCalls = append(m.ToolCalls, toolCall{Index: t.Index})
	return &m.ToolCalls[len(m.ToolCalls)-1]
}

func (m *message) empty() bool {
	return strings.TrimSpace(string(m.Content)) == "" && len(m.ToolCalls) == 0
}

// verdict is the Error of a finished choice, nil for a good one.
func (c *packetChoice) verdict() *Error {
	text := string(c.Message.Content)
	switch {
	case c.Message.Refusal != "":
		return &Error{Kind: Refused, Message: "the model declined", Partial: string(c.Message.Refusal)}
	case c.FinishReason == "content_filter":
		return &Error{Kind: Refused, Code: c.FinishReason, Message: "a content filter stopped the answer", Partial: text}
	case c.FinishReason == "length":
		return &Error{Kind: Truncated, Code: c.FinishReason, Message: "the answer reached its length limit", Partial: text}
	case c.FinishReason == "error" && c.Message.empty():
		return &Error{Kind: Overloaded, Code: c.FinishReason, Message: "the provider failed"}
	case c.FinishReason == "error":
		return &Error{Kind: Truncated, Code: c.FinishReason, Message: "the provider failed in the middle of the answer", Partial: text}
	case c.Message.empty():
		return &Error{Kind: Garbage, Message: "the answer is empty"}
	}
	return nil
}
