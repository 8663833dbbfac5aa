package model

import (
	"context"
	"math"
	"strings"

	"github.com/tmc/langchaingo/llms"
)

// call is one request through retries and fallback.
type call struct {
	messages    []llms.MessageContent
	opts        llms.CallOptions // without streaming functions
	temperature bool             // the caller set opts.Temperature
	schema      *schema          // nil: any text

	stream  func(text string) error // nil: not streamed
	partial strings.Builder         // what was streamed to the caller
	watch   *watch                  // of the running attempt
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
	return c, nil
}

// emit passes text on to the caller, with the clock stopped. An error of the caller's function ends the call.
func (c *call) emit(text string) error {
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
