package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/agent/model"
	"threadkeeper/memory"
)

// errBudget reports that a call was not made because the turn may not spend what it could cost.
var errBudget = errors.New("the budget of this turn is spent")

// Tokens of one answer at most.
const (
	lookupTokens = 1_000
	answerTokens = 2_000
)

// answerSize is how long an answer on this route may be.
func (t route) answerSize() int {
	if t == routeLookup {
		return lookupTokens
	}
	return answerTokens
}

// promptLimit is how large the prompts of this turn may be: 60 % of the model's window, and so
// that a lookup's repair, or six rounds of a standard turn, stay within the cap.
func (r *run) promptLimit() int {
	limit := r.Budget.cap(r.route)
	switch r.route {
	case routeLookup:
		limit = limit/2 - r.route.answerSize()
	case routeStandard:
		limit = limit/4 - r.route.answerSize()
	default:
		limit -= r.route.answerSize()
	}
	return min(limit, r.Budget.prompt())
}

// call asks the model once. sink is given the text as it comes; an error of its own ends the
// call. Every call is counted, the failed ones too.
func (r *run) call(ctx context.Context, messages []llms.MessageContent, sink func(string) error) error {
	estimate := r.pictured
	for _, m := range messages {
		estimate += memory.Count(textOf(m)) + 4
	}
	size := r.route.answerSize()
	if used := r.spent.PromptTokens + r.spent.CompletionTokens; r.spent.ModelCalls >= r.route.calls() ||
		used+estimate+size > r.Budget.cap(r.route) || estimate > r.Budget.prompt() {
		return errBudget
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if r.callbacks != nil {
		r.callbacks.HandleLLMGenerateContentStart(ctx, messages)
	}
	var fed strings.Builder
	feed := func(_ context.Context, chunk []byte) error {
		fed.Write(chunk)
		return sink(string(chunk))
	}
	response, err := r.Model.GenerateContent(ctx, messages, llms.WithMaxTokens(size), llms.WithStreamingFunc(feed))
	r.count(estimate, response, err, fed.String())
	if err != nil {
		if r.callbacks != nil {
			r.callbacks.HandleLLMError(ctx, err)
		}
		return fmt.Errorf("ask the model: %w", err)
	}
	if r.callbacks != nil {
		r.callbacks.HandleLLMGenerateContentEnd(ctx, response)
	}
	if rest, ok := strings.CutPrefix(model.Text(response), fed.String()); ok && rest != "" { // a model that does not stream
		return sink(rest)
	}
	return nil
}

// count enters a call into the ledger: the provider's figures, else our own.
func (r *run) count(estimate int, response *llms.ContentResponse, err error, text string) {
	u := model.UsageOf(response)
	if !u.Reported {
		u.Prompt = estimate
		if failed := (*model.Error)(nil); errors.As(err, &failed) && text == "" {
			text = failed.Partial
		}
		if text == "" && response != nil {
			text = model.Text(response)
		}
		u.Completion = memory.Count(text)
	}
	r.spent.ModelCalls++
	r.spent.PromptTokens += u.Prompt
	r.spent.CompletionTokens += u.Completion
	r.spent.CachedTokens += u.Cached
}

func textOf(m llms.MessageContent) string {
	var b strings.Builder
	for _, p := range m.Parts {
		if t, ok := p.(llms.TextContent); ok {
			b.WriteString(t.Text)
		}
	}
	return b.String()
}
