package agent

import (
	"context"
	"fmt"

	"github.com/tmc/langchaingo/callbacks"
	"github.com/tmc/langchaingo/chains"
	lcmemory "github.com/tmc/langchaingo/memory"
	"github.com/tmc/langchaingo/schema"
)

var (
	_ chains.Chain           = (*Chain)(nil)
	_ callbacks.HandlerHaver = (*Chain)(nil)
)

// Call is Respond in langchaingo's form. It takes no options: the chain sets model and budget.
func (c *Chain) Call(ctx context.Context, inputs map[string]any, _ ...chains.ChainCallOption) (map[string]any, error) {
	turn, ok := inputs[InputTurn].(Turn)
	if !ok {
		return nil, fmt.Errorf("agent: input %q is %T, not a Turn", InputTurn, inputs[InputTurn])
	}
	emit, _ := inputs[InputEmit].(func(Progress)) // absent: nobody watches
	reply, err := c.Respond(ctx, turn, emit)
	if err != nil {
		return nil, err
	}
	return map[string]any{OutputReply: reply, InputTurn: turn}, nil // the turn for callbacks
}

// GetMemory returns a memory that stores nothing: the store is the memory, and the bot writes to it once
// the reply was delivered.
func (c *Chain) GetMemory() schema.Memory { return lcmemory.NewSimple() }

// GetInputKeys returns the keys a call must have.
func (c *Chain) GetInputKeys() []string { return []string{InputTurn} }

// GetOutputKeys returns the keys a call returns.
func (c *Chain) GetOutputKeys() []string { return []string{OutputReply} }

// GetCallbackHandler returns the handler that sees each step, nil for none.
func (c *Chain) GetCallbackHandler() callbacks.Handler { return c.Callbacks }
