package model

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/tmc/langchaingo/llms"
)

// defaultClaudeTokens is the answer's limit when the caller sets none; the API demands one, and every Claude model allows this one.
const defaultClaudeTokens = 4096

// claudeParams writes a call as a Messages request.
func claudeParams(name string, c *call, h habit) (anthropic.MessageNewParams, error) {
	messages, opts := c.begin(h)
	p := anthropic.MessageNewParams{Model: anthropic.Model(name), MaxTokens: defaultClaudeTokens, StopSequences: c.opts.StopWords}
	if opts.MaxTokens > 0 {
		p.MaxTokens = int64(opts.MaxTokens)
	}
	if c.temperature && !h.noTemperature {
		p.Temperature = anthropic.Float(c.opts.Temperature)
	}
	if c.opts.TopP > 0 && !h.noTemperature {
		p.TopP = anthropic.Float(c.opts.TopP)
	}
	if c.schema != nil && h.json == bySchema {
		var s map[string]any
		if err := json.Unmarshal(c.schema.schema, &s); err != nil {
			return p, &Error{Kind: BadRequest, Message: "the schema is not a JSON object", Err: err}
		}
		p.OutputConfig.Format.Schema = s
	}
	if err := claudeMessages(&p, messages); err != nil {
		return p, err
	}
	if err := claudeTools(&p, &opts); err != nil {
		return p, err
	}
	if !h.noCacheMarks {
		markStable(&p)
	}
	return p, nil
}

// markStable marks what a next request begins with, so that the provider keeps it: tools and system text, and all messages but the
// last one. A marked beginning is found again only where a block ends as it ended before, so the text before the last message, which
// grows from turn to turn, is sent in blocks: the last whole one is marked for the next turn, its end for the next call of this one.
func markStable(p *anthropic.MessageNewParams) {
	mark := anthropic.NewCacheControlEphemeralParam()
	if n := len(p.System); n > 0 {
		p.System[n-1].CacheControl = mark
	} else if n := len(p.Tools); n > 0 {
		*p.Tools[n-1].GetCacheControl() = mark
	}
	n := len(p.Messages)
	if n < 2 {
		return
	}
	var blocks []anthropic.ContentBlockParamUnion
	for _, b := range p.Messages[n-2].Content {
		if b.OfText == nil {
			blocks = append(blocks, b)
			continue
		}
		for _, text := range stableBlocks(b.OfText.Text) {
			blocks = append(blocks, anthropic.NewTextBlock(text))
		}
	}
	p.Messages[n-2].Content = blocks
	for _, b := range blocks[max(0, len(blocks)-2):] {
		if at := b.GetCacheControl(); at != nil {
			*at = mark
		}
	}
}

// claudeMessages splits off the system text and writes the rest with all their parts. Empty text is left out, and a conversation that
// begins with the assistant gets a first user turn, as the API refuses both.
func claudeMessages(p *anthropic.MessageNewParams, in []llms.MessageContent) error {
	for _, m := range in {
		blocks, err := claudeBlocks(m.Parts)
		if err != nil {
			return err
		}
		switch {
		case len(blocks) == 0:
		case m.Role == llms.ChatMessageTypeSystem:
			for _, b := range blocks {
				if b.OfText == nil {
					return &Error{Kind: BadRequest, Message: "the system message can only hold text"}
				}
				p.System = append(p.System, *b.OfText)
			}
		case m.Role == llms.ChatMessageTypeAI:
			if len(p.Messages) == 0 {
				p.Messages = append(p.Messages, anthropic.NewUserMessage(anthropic.NewTextBlock("(The conversation goes on.)")))
			}
			p.Messages = append(p.Messages, anthropic.NewAssistantMessage(blocks...))
		default:
			p.Messages = append(p.Messages, anthropic.NewUserMessage(blocks...))
		}
	}
	if len(p.Messages) == 0 {
		return &Error{Kind: BadRequest, Message: "there are no messages besides the system's"}
	}
	return nil
}

func claudeBlocks(parts []llms.ContentPart) ([]anthropic.ContentBlockParamUnion, error) {
	var out []anthropic.ContentBlockParamUnion
	for _, part := range parts {
		switch part := part.(type) {
		case llms.TextContent:
			if strings.TrimSpace(part.Text) != "" {
				out = append(out, anthropic.NewTextBlock(part.Text))
			}
		case llms.BinaryContent:
			if !strings.HasPrefix(part.MIMEType, "image/") {
				return nil, &Error{Kind: BadRequest, Message: "only pictures can be sent, not " + part.MIMEType}
			}
			out = append(out, anthropic.NewImageBlockBase64(part.MIMEType, base64.StdEncoding.EncodeToString(part.Data)))
		case llms.ImageURLContent:
			if mime, data, ok := strings.Cut(strings.TrimPrefix(part.URL, "data:"), ";base64,"); ok {
				out = append(out, anthropic.NewImageBlockBase64(mime, data))
			} else {
				out = append(out, anthropic.NewImageBlock(anthropic.URLImageSourceParam{URL: part.URL}))
			}
		case llms.ToolCall:
			if part.FunctionCall == nil {
				return nil, &Error{Kind: BadRequest, Message: "a tool call without a function cannot be sent"}
			}
			input := json.RawMessage(part.FunctionCall.Arguments)
			if !json.Valid(input) {
				input = json.RawMessage("{}")
			}
			out = append(out, anthropic.NewToolUseBlock(part.ID, input, part.FunctionCall.Name))
		case llms.ToolCallResponse:
			out = append(out, anthropic.NewToolResultBlock(part.ToolCallID, part.Content, false))
		default:
			return nil, &Error{Kind: BadRequest, Message: fmt.Sprintf("a part of type %T cannot be sent", part)}
		}
	}
	return out, nil
}

func claudeTools(p *anthropic.MessageNewParams, o *llms.CallOptions) error {
	for _, t := range o.Tools {
		var s map[string]any
		raw, _ := t.Function.Parameters.(json.RawMessage) // see plainTools
		if err := json.Unmarshal(raw, &s); err != nil {
			return &Error{Kind: BadRequest, Message: "the tool's parameters are not a JSON schema", Err: err}
		}
		delete(s, "type") // the SDK writes "object"
		tool := anthropic.ToolUnionParamOfTool(anthropic.ToolInputSchemaParam{ExtraFields: s}, t.Function.Name)
		if t.Function.Description != "" {
			tool.OfTool.Description = anthropic.String(t.Function.Description)
		}
		p.Tools = append(p.Tools, tool)
	}
	switch choice := o.ToolChoice.(type) {
	case nil:
	case llms.ToolChoice:
		if choice.Function != nil {
			p.ToolChoice = anthropic.ToolChoiceParamOfTool(choice.Function.Name)
		}
	case string:
		switch choice {
		case "auto":
			p.ToolChoice.OfAuto = &anthropic.ToolChoiceAutoParam{}
		case "none":
			p.ToolChoice.OfNone = &anthropic.ToolChoiceNoneParam{}
		case "required", "any":
			p.ToolChoice.OfAny = &anthropic.ToolChoiceAnyParam{}
		}
	}
	return nil
}
