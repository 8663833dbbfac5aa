package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tmc/langchaingo/callbacks"
	"github.com/tmc/langchaingo/llms"

	"threadkeeper/agent/model"
	"threadkeeper/agent/spend"
	"threadkeeper/memory"
)

// errBudget reports that a call was not made because the turn may not spend as much as it could cost.
var errBudget = errors.New("the budget of this turn is spent")

// call asks the model once and feeds its text to the gate as it comes. It returns the tools the reply calls, natively or in
// its text. Every call is counted, the failed ones too.
func (r *run) call(ctx context.Context, purpose string, p prompt, tools bool, g *gate) ([]llms.ToolCall, error) {
	if r.spent.ModelCalls-r.portionCalls >= maxCalls || r.beyond+p.tail+r.answerRoom() > r.cap() || p.total() > r.promptLimit() {
		return nil, errBudget
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var fed strings.Builder
	shown := g.released.Len()
	feed := func(_ context.Context, chunk []byte) error {
		fed.Write(chunk)
		return g.write(string(chunk))
	}
	response, err := r.generate(ctx, r.model(purpose), p.messages, append(toolOptions(tools), llms.WithMaxTokens(r.answerRoom()), llms.WithStreamingFunc(feed))...)
	r.count(p, response, err, fed.String())
	if err != nil {
		err = fmt.Errorf("ask the model: %w", err)
	} else if rest, ok := strings.CutPrefix(model.Text(response), fed.String()); ok && rest != "" { // a model that does not stream
		_ = g.write(rest) // the gate keeps its errors
	}
	native := callsOf(response)
	if err == nil && tools && len(native) > 0 && g.released.Len() == shown { // "I'll look that up." is no answer
		return native, nil
	}
	if finished := g.finish(); err == nil {
		err = finished
	}
	return slices.Concat(g.calls, native), err
}

// generate makes a call that the callbacks see.
func (r *run) generate(ctx context.Context, m llms.Model, messages []llms.MessageContent, options ...llms.CallOption) (*llms.ContentResponse, error) {
	seen := r.callbacks()
	seen.HandleLLMGenerateContentStart(ctx, messages)
	response, err := m.GenerateContent(ctx, messages, options...)
	if err != nil {
		seen.HandleLLMError(ctx, err)
	} else {
		seen.HandleLLMGenerateContentEnd(ctx, response)
	}
	return response, err
}

// callbacks returns those that see one step: calls that run at once have a Trace each.
func (r *run) callbacks() callbacks.Handler {
	switch h := r.Callbacks.(type) {
	case nil:
		return callbacks.SimpleHandler{}
	case *Trace:
		return h.of(r.turn)
	}
	return r.Callbacks
}

// model returns the model for one purpose, on behalf of the person answered.
func (r *run) model(purpose string) llms.Model { return r.onBehalf(r.Model, purpose) }

func (r *run) onBehalf(m llms.Model, purpose string) llms.Model {
	a := spend.Account{Channel: r.turn.Session.ChannelID, Purpose: purpose}
	if r.turn.Person != nil {
		a.Person = r.turn.Person.ID
	}
	return spend.For(m, a)
}

func callsOf(response *llms.ContentResponse) []llms.ToolCall {
	if response == nil {
		return nil
	}
	var calls []llms.ToolCall
	for _, c := range response.Choices {
		calls = append(calls, c.ToolCalls...)
	}
	return calls
}

// count enters a call into the ledger: the provider's figures, else our own.
func (r *run) count(p prompt, response *llms.ContentResponse, err error, text string) {
	if overBudget(err) { // it was not made
		return
	}
	r.leftOut = r.leftOut || model.PicturesLeftOut(response)
	u := model.UsageOf(response)
	if !u.Reported {
		u.Prompt = p.total()
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
	sent := u.Prompt
	if u.Summed { // of requests that were repeated within the call
		sent = p.total()
	}
	r.beyond += max(sent-p.stable, 0) + max(min(u.Completion-u.Reasoning, r.answerRoom()), 0) // what was thought has room of its own
}

// overBudget reports whether a call was not made because a budget of the day is spent.
func overBudget(err error) bool {
	var over *spend.OverError
	return errors.As(err, &over)
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
