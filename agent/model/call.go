package model

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tmc/langchaingo/llms"
)

// call is one request through retries and fallback.
type call struct {
	messages []llms.MessageContent
	opts     llms.CallOptions // without streaming functions
	schema   *schema          // nil: any text
	pictures bool             // there are some in the messages

	stream  func(text string) error // nil: not streamed
	partial strings.Builder         // what was streamed to the caller
	watch   *watch                  // of the running attempt
	written *textCalls              // of the running request; nil without tools
	room    int                     // tokens beside opts.MaxTokens, to reason in

	unopened bool // the last answer ended a thought that it did not begin
}

func newCall(ctx context.Context, messages []llms.MessageContent, options []llms.CallOption) (*call, error) {
	if len(messages) == 0 {
		return nil, &Error{Kind: BadRequest, Message: "there are no messages"}
	}
	c := &call{messages: messages, schema: schemaOf(ctx)}
	for _, option := range options {
		option(&c.opts)
	}
	if f := c.opts.StreamingFunc; f != nil {
		c.stream = func(text string) error { return f(ctx, []byte(text)) }
	}
	c.opts.StreamingFunc, c.opts.StreamingReasoningFunc = nil, nil
	c.opts.Tools = plainTools(c.opts.Tools)
	for _, m := range messages {
		for _, p := range m.Parts {
			switch p.(type) {
			case llms.TextContent:
			case llms.BinaryContent:
				c.pictures = true
			default:
				return nil, &Error{Kind: BadRequest, Message: fmt.Sprintf("a part of type %T cannot be sent", p)}
			}
		}
	}
	return c, nil
}

// begin makes the call ready for one more request, as it is sent under h.
func (c *call) begin(h habit) ([]llms.MessageContent, llms.CallOptions) {
	c.written = newTextCalls(c.opts.Tools)
	messages, opts := c.messages, c.opts
	if opts.MaxTokens > 0 {
		opts.MaxTokens += c.room
	}
	if c.schema != nil && h.json > bySchema {
		messages = c.schema.instruct(messages)
	}
	if c.pictures && (h.noPictures || h.badPicture) {
		messages = withoutPictures(messages)
	}
	if len(opts.Tools) == 0 {
		return h.roles(messages), opts
	}
	none := opts.ToolChoice == "none"
	if h.textTools {
		messages, opts.Tools = withTextTools(messages, opts.Tools), nil
	}
	if h.textTools || h.noToolChoice {
		opts.ToolChoice = nil
		if none {
			messages = withLast(messages, noMoreTools)
		}
	}
	return h.roles(messages), opts
}

func withoutPictures(messages []llms.MessageContent) []llms.MessageContent {
	out := slices.Clone(messages)
	for i := range out {
		out[i].Parts = slices.Clone(out[i].Parts)
		for j, p := range out[i].Parts {
			if _, ok := p.(llms.BinaryContent); ok {
				out[i].Parts[j] = llms.TextPart("[a picture you cannot see]")
			}
		}
	}
	return out
}

// emit passes text on to the caller, with the clock stopped, unless it may be a tool call. An error of the caller's function ends
// the call.
func (c *call) emit(text string) error {
	if text == "" {
		return nil
	}
	shown := c.written.next(text)
	if shown == "" {
		c.alive()
		return nil
	}
	return c.show(shown)
}

// finish ends the text of a request: what was held back is shown or becomes tool calls, which take the place of the text.
func (c *call) finish() ([]llms.ToolCall, error) {
	text, calls := c.written.end()
	return calls, c.show(text)
}

func (c *call) show(text string) error {
	if c.stream == nil || text == "" {
		return nil
	}
	c.watch.hold()
	defer c.watch.resume()
	c.partial.WriteString(text)
	if err := c.stream(text); err != nil {
		return &Error{Kind: Canceled, Message: "the streaming function ended the call", Err: err}
	}
	return nil
}

// alive restarts the idle clock for what is streamed but not shown: reasoning and tool calls.
func (c *call) alive() {
	if c.stream != nil {
		c.watch.hold()
		c.watch.resume()
	}
}
