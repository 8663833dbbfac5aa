package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/agent/model"
	"threadkeeper/bot/say"
	"threadkeeper/config"
)

// clock is a tool for the doctor's call: it shows whether the endpoint takes tools.
var clock = llms.Tool{Type: "function", Function: &llms.FunctionDefinition{Name: "read_clock", Description: "Tells the time.",
	Parameters: map[string]any{"type": "object", "properties": map[string]any{}}}}

// checkModel makes two tiny calls and says what the model can do.
func checkModel(ctx context.Context, sys system, cfg *config.Config, name string) (string, error) {
	if name == "" {
		return notes(cfg)[0], nil
	}
	alone := withModel(*cfg, name)
	alone.FallbackModel = ""
	m, err := openModel(alone, newLog(sys, cfg))
	if err != nil {
		return "", fmt.Errorf("%w\nIt cannot answer until this is fixed: threadkeeper init sets a model and its key", err)
	}
	began, streams := time.Now(), false
	_, err = m.GenerateContent(ctx, []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeHuman, "Say OK.")},
		llms.WithMaxTokens(32), llms.WithTools([]llms.Tool{clock}),
		llms.WithStreamingFunc(func(context.Context, []byte) error { streams = true; return nil }))
	if failed := (*model.Error)(nil); err != nil && !(errors.As(err, &failed) && failed.Kind == model.Truncated) { // truncated: it has more to say
		return "", fmt.Errorf("%s: %w\n%s Until then, answers are search results", name, err, say.Explain(say.In("en"), err).Text)
	}
	took := time.Since(began).Milliseconds()
	limits := model.LimitsOf(ctx, m) // with what the call has shown
	return fmt.Sprintf("%s answered in %d ms, at %s\n%s", name, took, limits.Endpoint, describe(limits, name == cfg.Model)) + abilities(streams, writesJSON(ctx, m)), nil
}

// writesJSON makes a tiny call for an object, and reports whether one came.
func writesJSON(ctx context.Context, m llms.Model) bool {
	const schema = `{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"],"additionalProperties":false}`
	r, err := m.GenerateContent(model.WithSchema(ctx, "answer", json.RawMessage(schema)),
		[]llms.MessageContent{llms.TextParts(llms.ChatMessageTypeHuman, `Answer with the JSON object {"ok": true}.`)}, llms.WithMaxTokens(64))
	if err != nil || len(r.Choices) == 0 {
		return false
	}
	text := r.Choices[0].Content
	from, to := strings.Index(text, "{"), strings.LastIndex(text, "}")
	return from >= 0 && to > from && json.Valid([]byte(text[from:to+1]))
}

func abilities(streams, object bool) string {
	text := "; streams"
	if !streams {
		text = "; does not stream: answers arrive all at once"
	}
	if !object {
		return text + "; no JSON when asked"
	}
	return text + "; JSON"
}

const littleWindow = 8_192 // tokens

// describe says what a model can do, for people; first is that of MODEL.
func describe(l model.Limits, first bool) string {
	window := fmt.Sprintf("window %s tokens (%s)", say.Thousands(l.Window), l.Source)
	if !l.WindowKnown {
		window = fmt.Sprintf("window unknown, taken as %s tokens", say.Thousands(l.Window))
		if first {
			window += " (MODEL_WINDOW sets it)"
		}
	}
	if l.WindowKnown && l.Window < littleWindow {
		window += "\nThat is small: raise it on the server, or long conversations and documents will be cut"
	}
	tools := map[model.Support]string{model.Supported: "tools native", model.Unsupported: "tools as text", model.Unknown: "tools unknown until tried"}[l.Tools]
	reasons := "answers at once"
	if l.Reasoning {
		reasons = "reasons first"
	}
	pictures := string(l.Images)
	if l.Images == model.Unknown {
		pictures = "unknown until tried"
	}
	return fmt.Sprintf("%s\n%s; %s; pictures: %s", window, tools, reasons, pictures)
}
