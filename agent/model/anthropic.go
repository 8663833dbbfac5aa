package model

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/tmc/langchaingo/llms"
)

// claude is the Anthropic family, by the official SDK.
type claude struct {
	model   string
	base    string // without /v1
	wire    *wire
	service anthropic.MessageService
	habits  habits
}

// newAnthropic leaves nothing to the environment: key and URL are the ones configured, retries are the endpoint's.
func newAnthropic(name, base string, w *wire) *claude {
	return &claude{model: name, base: base, wire: w, service: anthropic.NewMessageService(option.WithoutEnvironmentDefaults(), option.WithoutOpenTelemetry(),
		option.WithMaxRetries(0), option.WithBaseURL(base), option.WithAPIKey(cmp.Or(w.key, "none")))}
}

// generate always streams on the wire: one path to read, and no limit on how long an answer may take to arrive.
func (f *claude) generate(ctx context.Context, c *call) (*llms.ContentResponse, error) {
	return f.habits.try(c, func(h habit) (*llms.ContentResponse, error) {
		client := &claudeClient{wire: f.wire}
		stream := f.service.NewStreaming(ctx, claudeParams(f.model, c, h), option.WithHTTPClient(client))
		defer stream.Close()
		a := claudeAnswer{call: c}
		for stream.Next() {
			if err := a.take(stream.Current()); err != nil {
				return nil, err
			}
		}
		if a.stopped {
			return a.finish()
		}
		if client.err != nil {
			return nil, client.err
		}
		return nil, f.interrupted(stream.Err(), &a)
	})
}

// interrupted makes the Error of a stream that ended before the message was complete.
func (f *claude) interrupted(err error, a *claudeAnswer) *Error {
	partial := a.text.String()
	var api *anthropic.Error
	switch {
	case errors.As(err, &api):
		e := f.wire.failure(http.StatusOK, http.Header{}, []byte(api.RawJSON()))
		if partial != "" {
			return &Error{Kind: Truncated, Code: e.Code, Message: e.Message, Partial: partial, Err: e}
		}
		return e
	case err != nil:
		return f.wire.broken(err, partial)
	}
	return cut(partial)
}

// claudeClient is the SDK's HTTP client for one call. It keeps the typed error, which the SDK does not promise to pass on.
type claudeClient struct {
	wire *wire
	err  *Error
}

// Do implements option.HTTPClient.
func (d *claudeClient) Do(req *http.Request) (*http.Response, error) {
	if d.wire.key == "" {
		req.Header.Del("X-Api-Key")
	}
	resp, err := d.wire.send(req)
	if err != nil {
		errors.As(err, &d.err)
		return nil, err
	}
	r := bufio.NewReader(resp.Body)
	first, err := firstByte(r)
	if err == nil && first != '{' && first != '[' && first != '<' {
		resp.Body = bodyOf{r, resp.Body}
		return resp, nil
	}
	defer resp.Body.Close()
	if err != nil {
		d.err = d.wire.broken(err, "")
		return nil, d.err
	}
	body, _ := io.ReadAll(io.LimitReader(r, maxComplaint)) // what is left of a cut body is classified all the same
	d.err = d.wire.failure(resp.StatusCode, resp.Header, body)
	return nil, d.err
}

type bodyOf struct {
	io.Reader
	io.Closer
}

// claudeAnswer assembles a streamed message. Blocks of a type it does not know are passed over.
type claudeAnswer struct {
	call     *call
	text     strings.Builder
	thinking strings.Builder
	tools    []claudeTool
	usage    map[string]any
	reason   anthropic.StopReason
	stopped  bool
}

type claudeTool struct {
	block    int64
	id, name string
	input    strings.Builder
}

func (a *claudeAnswer) take(event anthropic.MessageStreamEventUnion) error {
	switch event.Type {
	case "message_start":
		u := event.Message.Usage
		a.usage = map[string]any{
			"InputTokens": int(u.InputTokens), "OutputTokens": int(u.OutputTokens),
			"CacheReadInputTokens": int(u.CacheReadInputTokens), "CacheCreationInputTokens": int(u.CacheCreationInputTokens),
		}
	case "content_block_start":
		switch block := event.ContentBlock; block.Type {
		case "text":
			return a.say(block.Text)
		case "tool_use":
			a.tools = append(a.tools, claudeTool{block: event.Index, id: block.ID, name: block.Name})
		}
	case "content_block_delta":
		return a.delta(event)
	case "message_delta":
		if a.usage != nil {
			a.usage["OutputTokens"] = int(event.Usage.OutputTokens) // cumulative
		}
		if event.Delta.StopReason != "" {
			a.reason, a.stopped = event.Delta.StopReason, true
		}
	}
	return nil
}

func (a *claudeAnswer) delta(event anthropic.MessageStreamEventUnion) error {
	switch event.Delta.Type {
	case "text_delta":
		return a.say(event.Delta.Text)
	case "thinking_delta":
		a.thinking.WriteString(event.Delta.Thinking)
	case "input_json_delta":
		for i := range a.tools {
			if a.tools[i].block == event.Index {
				a.tools[i].input.WriteString(event.Delta.PartialJSON)
			}
		}
	}
	a.call.alive()
	return nil
}

func (a *claudeAnswer) say(text string) error {
	a.text.WriteString(text)
	return a.call.emit(text)
}

// finish renders the message as one choice with OpenAI's words for the ordinary stop reasons.
func (a *claudeAnswer) finish() (*llms.ContentResponse, error) {
	choice := &llms.ContentChoice{Content: a.text.String(), ReasoningContent: a.thinking.String(), StopReason: string(a.reason), GenerationInfo: a.usage}
	written, err := a.call.finish()
	if err != nil {
		return nil, err
	}
	if written != nil {
		choice.Content = ""
		if len(a.tools) == 0 {
			choice.ToolCalls = written
		}
	}
	for i := range a.tools {
		t := &a.tools[i]
		input := t.input.String()
		if input == "" {
			input = "{}"
		}
		choice.ToolCalls = append(choice.ToolCalls, llms.ToolCall{ID: t.id, Type: "function", FunctionCall: &llms.FunctionCall{Name: t.name, Arguments: input}})
	}
	resp := &llms.ContentResponse{Choices: []*llms.ContentChoice{choice}}
	code := string(a.reason)
	switch a.reason {
	case anthropic.StopReasonRefusal:
		return resp, &Error{Kind: Refused, Code: code, Message: "the model declined", Partial: choice.Content}
	case anthropic.StopReasonMaxTokens:
		return resp, &Error{Kind: Truncated, Code: code, Message: "the answer reached its length limit", Partial: choice.Content}
	case anthropic.StopReasonModelContextWindowExceeded:
		return resp, &Error{Kind: ContextTooLong, Code: code, Message: "prompt and answer do not fit the model", Partial: choice.Content}
	case anthropic.StopReasonEndTurn, anthropic.StopReasonStopSequence, anthropic.StopReasonPauseTurn:
		choice.StopReason = "stop"
	}
	if len(choice.ToolCalls) > 0 {
		choice.StopReason = "tool_calls"
	}
	if strings.TrimSpace(choice.Content) == "" && len(choice.ToolCalls) == 0 {
		return resp, &Error{Kind: Garbage, Message: "the answer is empty"}
	}
	return resp, nil
}
