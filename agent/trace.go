package agent

import (
	"context"
	"log/slog"
	"time"

	"github.com/tmc/langchaingo/callbacks"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/schema"

	"threadkeeper/agent/model"
)

// Trace is a callbacks.Handler that logs each step of a turn at debug level: sizes, tokens and durations, no text.
type Trace struct {
	callbacks.SimpleHandler
	Log *slog.Logger

	began time.Time // of the step, in a step's own Trace
}

var _ callbacks.Handler = (*Trace)(nil)

func (t *Trace) of(turn Turn) *Trace {
	return &Trace{Log: t.about(turn)}
}

func (t *Trace) about(turn Turn) *slog.Logger {
	last := turn.Messages[len(turn.Messages)-1]
	return t.Log.With("session", last.SessionID, "message", last.ID)
}

// HandleChainStart logs the beginning of a turn.
func (t *Trace) HandleChainStart(ctx context.Context, inputs map[string]any) {
	if turn, ok := inputs[InputTurn].(Turn); ok && len(turn.Messages) > 0 {
		t.about(turn).DebugContext(ctx, "chain started", "messages", len(turn.Messages), "new_documents", len(turn.New))
	}
}

// HandleChainEnd logs the ledger of a turn.
func (t *Trace) HandleChainEnd(ctx context.Context, outputs map[string]any) {
	turn, _ := outputs[InputTurn].(Turn)
	if reply, ok := outputs[OutputReply].(*Reply); ok && len(turn.Messages) > 0 {
		t.about(turn).DebugContext(ctx, "chain ended", "route", reply.Ledger.Route, "calls", reply.Ledger.ModelCalls,
			"prompt_tokens", reply.Ledger.PromptTokens, "completion_tokens", reply.Ledger.CompletionTokens,
			"millis", reply.Ledger.Millis, "citations", len(reply.Citations), "partial", reply.Partial)
	}
}

// HandleChainError logs why a turn failed.
func (t *Trace) HandleChainError(ctx context.Context, err error) {
	t.Log.DebugContext(ctx, "chain failed", "error", err)
}

// HandleLLMGenerateContentStart logs the size of a prompt.
func (t *Trace) HandleLLMGenerateContentStart(ctx context.Context, messages []llms.MessageContent) {
	t.began = time.Now()
	size := 0
	for _, m := range messages {
		size += len(textOf(m))
	}
	t.Log.DebugContext(ctx, "model asked", "messages", len(messages), "bytes", size)
}

// HandleLLMGenerateContentEnd logs the size of an answer, and the tokens of the call if the provider reports them.
func (t *Trace) HandleLLMGenerateContentEnd(ctx context.Context, response *llms.ContentResponse) {
	u := model.UsageOf(response)
	t.Log.DebugContext(ctx, "model answered", "bytes", len(model.Text(response)), "prompt_tokens", u.Prompt,
		"completion_tokens", u.Completion, "cached_tokens", u.Cached, "millis", t.millis())
}

// HandleLLMError logs why a call failed.
func (t *Trace) HandleLLMError(ctx context.Context, err error) {
	t.Log.DebugContext(ctx, "model failed", "error", err, "millis", t.millis())
}

// HandleRetrieverStart logs that a search of documents begins.
func (t *Trace) HandleRetrieverStart(ctx context.Context, query string) {
	t.began = time.Now()
	t.Log.DebugContext(ctx, "documents searched", "bytes", len(query))
}

// HandleRetrieverEnd logs the number of passages found.
func (t *Trace) HandleRetrieverEnd(ctx context.Context, _ string, documents []schema.Document) {
	t.Log.DebugContext(ctx, "passages found", "count", len(documents), "millis", t.millis())
}

func (t *Trace) millis() int64 { return time.Since(t.began).Milliseconds() }
