package model

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/openai"

	"threadkeeper/memory/reading"
)

// openAI is the family of OpenAI and everything compatible with it.
type openAI struct {
	model, base string
	wire        *wire
	habits      habits
}

func (f *openAI) generate(ctx context.Context, c *call) (*llms.ContentResponse, error) {
	name := c.name(f.model)
	return f.habits.try(name, c, func(h habit) (*llms.ContentResponse, error) {
		messages, opts := c.begin(h)
		messages, err := openAIMessages(messages)
		if err != nil {
			return nil, err
		}
		x := &exchange{wire: f.wire, call: c, habit: h, unopened: h.unopened || opensThought(name)}
		key := f.wire.key
		if key == "" {
			key = "none" // langchaingo refuses an empty one; the exchange removes the header
		}
		llm, err := openai.New(openai.WithToken(key), openai.WithBaseURL(f.base), openai.WithModel(name), openai.WithOrganization(""), openai.WithHTTPClient(x))
		if err != nil {
			return nil, err
		}
		resp, err := llm.GenerateContent(ctx, messages, func(o *llms.CallOptions) { *o = opts })
		if x.err != nil {
			return resp, x.err
		}
		return resp, err
	})
}

// openAIMessages writes messages so that langchaingo sends them whole and older servers understand them: one tool result per
// message, text parts as one string, pictures as data URLs.
func openAIMessages(in []llms.MessageContent) ([]llms.MessageContent, error) {
	out := make([]llms.MessageContent, 0, len(in))
	for _, m := range in {
		if m.Role == llms.ChatMessageTypeTool {
			for _, p := range m.Parts {
				out = append(out, llms.MessageContent{Role: m.Role, Parts: []llms.ContentPart{p}})
			}
			continue
		}
		parts, err := openAIParts(m.Parts)
		if err != nil {
			return nil, err
		}
		out = append(out, llms.MessageContent{Role: m.Role, Parts: parts})
	}
	return out, nil
}

func openAIParts(in []llms.ContentPart) ([]llms.ContentPart, error) {
	var texts []string
	var media, calls []llms.ContentPart
	for _, p := range in {
		switch p := p.(type) {
		case llms.TextContent:
			texts = append(texts, p.Text)
		case llms.BinaryContent:
			if !strings.HasPrefix(p.MIMEType, "image/") {
				return nil, &Error{Kind: BadRequest, Message: "only pictures can be sent, not " + p.MIMEType}
			}
			media = append(media, llms.ImageURLPart("data:"+p.MIMEType+";base64,"+base64.StdEncoding.EncodeToString(p.Data)))
		case llms.ImageURLContent:
			media = append(media, p)
		case llms.ToolCall:
			calls = append(calls, p)
		default:
			return nil, &Error{Kind: BadRequest, Message: fmt.Sprintf("a part of type %T cannot be sent", p)}
		}
	}
	var out []llms.ContentPart
	if len(texts) > 0 {
		out = append(out, llms.TextPart(strings.Join(texts, "\n\n")))
	}
	return append(append(out, media...), calls...), nil
}

// fixedTemperature matches OpenAI's reasoning models, with or without a gateway's prefix: they refuse any temperature but 1.
var fixedTemperature = reading.Lazy(`(?i)^(.*/)?(o[1-9]|gpt-[5-9])`)

// shape rewrites langchaingo's request body: what the caller did not ask for is removed, what langchaingo cannot express is added.
func (x *exchange) shape(body []byte) ([]byte, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil {
		return nil, err
	}
	set := func(name string, value any) {
		raw, err := json.Marshal(value)
		if err == nil {
			fields[name] = raw
		}
	}
	o := &x.call.opts
	var name string
	_ = json.Unmarshal(fields["model"], &name) // a string: langchaingo wrote it
	fixed := x.habit.noTemperature || fixedTemperature.MatchString(name)
	if fixed || !x.call.temperature {
		delete(fields, "temperature")
	}
	if o.TopP > 0 && !fixed {
		set("top_p", o.TopP)
	}
	if limit, ok := fields["max_completion_tokens"]; ok && x.habit.oldMax {
		delete(fields, "max_completion_tokens")
		fields["max_tokens"] = limit
	}
	if marked.MatchString(name) && !x.habit.noCacheMarks {
		fields["messages"] = markMessages(fields["messages"])
	}
	if takesEffort(name) && !x.habit.noEffort {
		set("reasoning_effort", "low")
	}
	if x.call.stream != nil {
		set("stream", true)
		if !x.habit.noUsage {
			set("stream_options", map[string]bool{"include_usage": true})
		}
	}
	switch {
	case x.habit.json == byWord:
		delete(fields, "response_format")
	case x.call.schema != nil && x.habit.json == bySchema:
		set("response_format", x.call.schema.format())
	case x.call.schema != nil:
		set("response_format", map[string]string{"type": "json_object"})
	}
	return json.Marshal(fields)
}
