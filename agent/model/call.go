package model

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/tmc/langchaingo/llms"
)

// call is one request through retries and fallback.
type call struct {
	messages    []llms.MessageContent
	opts        llms.CallOptions // without streaming functions
	temperature bool             // the caller set opts.Temperature
	schema      *schema          // nil: any text
	pictures    bool             // there are some in the messages

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
	c.opts.Temperature = math.NaN() // 0 is a temperature, so only this tells whether the caller set one
	for _, option := range options {
		option(&c.opts)
	}
	c.temperature = !math.IsNaN(c.opts.Temperature)
	if !c.temperature {
		c.opts.Temperature = 0
	}
	if f := c.opts.StreamingFunc; f != nil {
		c.stream = func(text string) error { return f(ctx, []byte(text)) }
	}
	c.opts.StreamingFunc, c.opts.StreamingReasoningFunc = nil, nil
	var err error
	if c.opts.Tools, err = plainTools(c.opts.Tools); err != nil {
		return nil, err
	}
	c.pictures = slices.ContainsFunc(messages, func(m llms.MessageContent) bool { return slices.ContainsFunc(m.Parts, isPicture) })
	return c, nil
}

// name is the model that is asked: the endpoint's, unless the caller names another.
func (c *call) name(standard string) string {
	if c.opts.Model != "" {
		return c.opts.Model
	}
	return standard
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

func isPicture(p llms.ContentPart) bool {
	switch p.(type) {
	case llms.BinaryContent, llms.ImageURLContent:
		return true
	}
	return false
}

// withoutPictures puts a word in the place of each picture.
func withoutPictures(messages []llms.MessageContent) []llms.MessageContent {
	out := slices.Clone(messages)
	for i := range out {
		out[i].Parts = slices.Clone(out[i].Parts)
		for j, p := range out[i].Parts {
			if isPicture(p) {
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
