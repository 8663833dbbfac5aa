package agent

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/tmc/langchaingo/callbacks"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms"
	lcmemory "github.com/tmc/langchaingo/memory"
	"github.com/tmc/langchaingo/schema"

	"threadkeeper/memory"
)

var (
	_ chains.Chain           = (*Chain)(nil)
	_ callbacks.HandlerHaver = (*Chain)(nil)
)

// Call is Respond in langchaingo's form. It takes no options: model and budget are the chain's.
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
	return map[string]any{OutputReply: reply}, nil
}

// GetMemory is one that keeps nothing: the store is the memory, and the bot writes to it once
// the reply was delivered.
func (c *Chain) GetMemory() schema.Memory { return lcmemory.NewSimple() }

// GetInputKeys are the keys a call must have.
func (c *Chain) GetInputKeys() []string { return []string{InputTurn} }

// GetOutputKeys are the keys a call returns.
func (c *Chain) GetOutputKeys() []string { return []string{OutputReply} }

// GetCallbackHandler is what sees each step, nil for nobody.
func (c *Chain) GetCallbackHandler() callbacks.Handler { return c.Callbacks }

// errReadOnly is the answer to writing a History: messages are stored when they arrive.
var errReadOnly = errors.New("agent: the history of a session is written by its events only")

// History is the history of a session as a langchaingo schema.ChatMessageHistory: the snapshot
// as a message about the past, then the messages above the watermark. It cannot be written.
type History struct {
	Store   *memory.Store
	Session int64
}

var _ schema.ChatMessageHistory = History{}

// Messages are those a model would be shown, the oldest first.
func (h History) Messages(ctx context.Context) ([]llms.ChatMessage, error) {
	history, err := h.Store.History(ctx, h.Session, 0)
	if err != nil {
		return nil, fmt.Errorf("agent: load history: %w", err)
	}
	var list []llms.ChatMessage
	if history.Snapshot != nil {
		list = append(list, llms.GenericChatMessage{Role: "user", Name: "summary", Content: history.Snapshot.Rendered})
	}
	for _, m := range history.Messages {
		if m.Role == memory.Assistant {
			list = append(list, llms.AIChatMessage{Content: m.Text})
			continue
		}
		list = append(list, llms.HumanChatMessage{Content: m.Author + ": " + m.Text})
	}
	return list, nil
}

// AddMessage, AddUserMessage, AddAIMessage, Clear and SetMessages always fail.
func (h History) AddMessage(context.Context, llms.ChatMessage) error { return errReadOnly }

// AddUserMessage always fails.
func (h History) AddUserMessage(context.Context, string) error { return errReadOnly }

// AddAIMessage always fails.
func (h History) AddAIMessage(context.Context, string) error { return errReadOnly }

// Clear always fails.
func (h History) Clear(context.Context) error { return errReadOnly }

// SetMessages always fails.
func (h History) SetMessages(context.Context, []llms.ChatMessage) error { return errReadOnly }

// Trace is a callbacks.Handler that logs each step at debug level: sizes and counts, no text.
type Trace struct {
	callbacks.SimpleHandler
	Log *slog.Logger
}

var _ callbacks.Handler = Trace{}

// HandleChainStart logs the beginning of a turn.
func (t Trace) HandleChainStart(ctx context.Context, _ map[string]any) {
	t.Log.DebugContext(ctx, "chain started")
}

// HandleChainEnd logs the ledger of a turn.
func (t Trace) HandleChainEnd(ctx context.Context, outputs map[string]any) {
	if reply, ok := outputs[OutputReply].(*Reply); ok {
		t.Log.DebugContext(ctx, "chain ended", "route", reply.Ledger.Route, "calls", reply.Ledger.ModelCalls,
			"prompt_tokens", reply.Ledger.PromptTokens, "completion_tokens", reply.Ledger.CompletionTokens,
			"millis", reply.Ledger.Millis, "citations", len(reply.Citations), "partial", reply.Partial)
	}
}

// HandleChainError logs why a turn failed.
func (t Trace) HandleChainError(ctx context.Context, err error) {
	t.Log.DebugContext(ctx, "chain failed", "error", err)
}

// HandleLLMGenerateContentStart logs the size of a prompt.
func (t Trace) HandleLLMGenerateContentStart(ctx context.Context, messages []llms.MessageContent) {
	size := 0
	for _, m := range messages {
		size += len(textOf(m))
	}
	t.Log.DebugContext(ctx, "model asked", "messages", len(messages), "bytes", size)
}

// HandleLLMGenerateContentEnd logs the size of an answer.
func (t Trace) HandleLLMGenerateContentEnd(ctx context.Context, response *llms.ContentResponse) {
	size := 0
	for _, c := range response.Choices {
		size += len(c.Content)
	}
	t.Log.DebugContext(ctx, "model answered", "bytes", size)
}

// HandleLLMError logs why a call failed.
func (t Trace) HandleLLMError(ctx context.Context, err error) {
	t.Log.DebugContext(ctx, "model failed", "error", err)
}

// HandleRetrieverStart logs that documents are searched.
func (t Trace) HandleRetrieverStart(ctx context.Context, query string) {
	t.Log.DebugContext(ctx, "documents searched", "bytes", len(query))
}

// HandleRetrieverEnd logs how many passages were found.
func (t Trace) HandleRetrieverEnd(ctx context.Context, _ string, documents []schema.Document) {
	t.Log.DebugContext(ctx, "passages found", "count", len(documents))
}
