package model

import (
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/tmc/langchaingo/llms"
)

// defaultClaudeTokens is the answer's limit when the caller sets none; the API demands one, and every Claude model allows this one.
const defaultClaudeTokens = 4096

func claudeParams(name string, c *call, h habit) anthropic.MessageNewParams {
	messages, opts := c.begin(h)
	p := anthropic.MessageNewParams{Model: anthropic.Model(name), MaxTokens: defaultClaudeTokens}
	if opts.MaxTokens > 0 {
		p.MaxTokens = int64(opts.MaxTokens)
	}
	if c.schema != nil && h.json == bySchema {
		_ = json.Unmarshal(c.schema.schema, &p.OutputConfig.Format.Schema) // ours
	}
	claudeMessages(&p, messages)
	claudeTools(&p, opts)
	if !h.noCacheMarks {
		markStable(&p)
	}
	return p
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

// claudeMessages splits off the system text and writes the rest. Empty text is left out, as the API refuses it.
func claudeMessages(p *anthropic.MessageNewParams, in []llms.MessageContent) {
	for _, m := range in {
		var blocks []anthropic.ContentBlockParamUnion
		for _, part := range m.Parts {
			switch part := part.(type) {
			case llms.TextContent:
				if strings.TrimSpace(part.Text) != "" {
					blocks = append(blocks, anthropic.NewTextBlock(part.Text))
				}
			case llms.BinaryContent:
				blocks = append(blocks, anthropic.NewImageBlockBase64(part.MIMEType, base64.StdEncoding.EncodeToString(part.Data)))
			}
		}
		switch {
		case len(blocks) == 0:
		case m.Role == llms.ChatMessageTypeSystem:
			for _, b := range blocks { // all of them text
				p.System = append(p.System, *b.OfText)
			}
		case m.Role == llms.ChatMessageTypeAI:
			p.Messages = append(p.Messages, anthropic.NewAssistantMessage(blocks...))
		default:
			p.Messages = append(p.Messages, anthropic.NewUserMessage(blocks...))
		}
	}
}

func claudeTools(p *anthropic.MessageNewParams, o llms.CallOptions) {
	for _, t := range o.Tools {
		var s map[string]any
		raw, _ := t.Function.Parameters.(json.RawMessage) // see plainTools
		_ = json.Unmarshal(raw, &s)
		delete(s, "type") // the SDK writes "object"
		tool := anthropic.ToolUnionParamOfTool(anthropic.ToolInputSchemaParam{ExtraFields: s}, t.Function.Name)
		tool.OfTool.Description = anthropic.String(t.Function.Description)
		p.Tools = append(p.Tools, tool)
	}
	if o.ToolChoice == "none" {
		p.ToolChoice.OfNone = &anthropic.ToolChoiceNoneParam{}
	}
}
