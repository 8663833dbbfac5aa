package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"threadkeeper/memory/reading"
)

// asker is a family that can ask its endpoint about the model. answered is false when the endpoint could not be reached.
type asker interface {
	ask(ctx context.Context) (f facts, answered bool)
}

const maxList = 8 << 20 // bytes of a list of models; OpenRouter's has about 1 MB

// ollamaWindow is the window Ollama loads a model with by default; requests to /v1 cannot change it.
const ollamaWindow = 4_096

// ask looks in the list of models, and on a server nearby into what Ollama, LM Studio and llama.cpp say beside /v1.
func (f *openAI) ask(ctx context.Context) (facts, bool) {
	u, err := url.Parse(f.base)
	if err != nil || u.Host == "api.openai.com" { // it says no sizes
		return facts{}, true
	}
	var list struct{ Data []map[string]any }
	status := f.get(ctx, "GET", f.base+"/models", nil, &list)
	if status == 0 {
		return facts{}, false
	}
	about := entryOf(list.Data, f.model)
	if about == nil {
		f.get(ctx, "GET", f.base+"/models/"+f.model, nil, &about)
	}
	found := factsOf(about)
	if found.window == 0 && (local(u.Hostname()) || about["owned_by"] == "library") {
		found = f.askNearby(ctx, strings.TrimSuffix(f.base, "/v1"), found)
	}
	return found, ctx.Err() == nil
}

// askNearby asks the servers people run themselves, each in its own way; root is their URL.
func (f *openAI) askNearby(ctx context.Context, root string, found facts) facts {
	var props struct {
		Settings map[string]any `json:"default_generation_settings"`
	}
	if f.get(ctx, "GET", root+"/props", nil, &props) == http.StatusOK { // llama.cpp, which also answers as Ollama does
		if n := tokens(props.Settings["n_ctx"]); n > 0 {
			found.window, found.field = n, "n_ctx"
			return found
		}
	}
	var show map[string]any
	if f.get(ctx, "POST", root+"/api/show", map[string]string{"model": f.model}, &show) == http.StatusOK && show["model_info"] != nil {
		return f.askOllama(ctx, root, show)
	}
	var about map[string]any
	if f.get(ctx, "GET", root+"/api/v0/models/"+f.model, nil, &about) == http.StatusOK { // LM Studio
		if more := factsOf(about); more.window > 0 {
			more.unloaded = more.field == "max_context_length"
			return more
		}
	}
	return found
}

var numCtx = reading.Lazy(`(?m)^num_ctx\s+"?(\d+)`)

// askOllama finds the window a model is loaded with, not the one it was trained with.
func (f *openAI) askOllama(ctx context.Context, root string, show map[string]any) facts {
	found := factsOf(map[string]any{"capabilities": show["capabilities"]})
	found.window, found.field, found.unloaded = ollamaWindow, "Ollama's default", true
	parameters, _ := show["parameters"].(string)
	if m := numCtx.FindStringSubmatch(parameters); m != nil {
		if n, _ := strconv.Atoi(m[1]); n > 0 {
			found.window, found.field, found.unloaded = n, "num_ctx", false
		}
	}
	var running struct{ Models []map[string]any }
	f.get(ctx, "GET", root+"/api/ps", nil, &running)
	for _, m := range running.Models {
		name, _ := m["name"].(string)
		if n := tokens(m["context_length"]); n > 0 && (name == f.model || name == f.model+":latest") {
			found.window, found.field, found.unloaded = n, "the loaded model's context_length", false
		}
	}
	return found
}

// get reads JSON into v and returns the status, 0 when the server could not be reached. What is no such JSON leaves v as it is.
func (f *openAI) get(ctx context.Context, method, target string, body, v any) int {
	var in io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			return 0
		}
		in = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(ctx, method, target, in)
	if err != nil {
		return 0
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if f.wire.key != "" {
		req.Header.Set("Authorization", "Bearer "+f.wire.key)
	}
	return f.wire.get(req, v)
}

// get reads a JSON answer into v and returns its status, 0 when none came.
func (w *wire) get(req *http.Request, v any) int {
	resp, err := w.send(req)
	if err != nil {
		var failure *Error
		if errors.As(err, &failure) {
			return failure.Status
		}
		return 0
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxList))
	if err != nil {
		return 0
	}
	_ = json.Unmarshal(body, v) // anything else says nothing about the model
	return resp.StatusCode
}

func entryOf(list []map[string]any, name string) map[string]any {
	for _, entry := range list {
		id, _ := entry["id"].(string)
		if strings.EqualFold(strings.TrimPrefix(id, "models/"), strings.TrimPrefix(name, "models/")) || id == name+":latest" {
			return entry
		}
	}
	return nil
}

// windowFields hold the window, the size it is served with before the size it was trained with.
var windowFields = []string{
	"max_model_len",         // vLLM
	"loaded_context_length", // LM Studio
	"context_length",        // OpenRouter, Together, Fireworks
	"context_window",        // Groq
	"max_context_length",    // LM Studio, Mistral
	"max_input_tokens",      // Anthropic
	"n_ctx",                 // llama.cpp
}

func factsOf(entry map[string]any) facts {
	var found facts
	inner := func(name string) map[string]any {
		m, _ := entry[name].(map[string]any)
		return m
	}
	for _, from := range []map[string]any{entry, inner("meta"), inner("metadata")} {
		for _, field := range windowFields {
			if n := tokens(from[field]); n > 0 && found.window == 0 {
				found.window, found.field = n, field
			}
		}
	}
	if n := tokens(inner("top_provider")["context_length"]); n > 0 && n < found.window {
		found.window = n // OpenRouter: of the provider that serves it
	}
	if can, ok := entry["capabilities"].([]any); ok { // Ollama, LM Studio
		found.images, found.thinks = listed(can, "vision"), slices.Contains(can, any("thinking"))
		if found.tools = listed(can, "tools"); slices.Contains(can, any("tool_use")) {
			found.tools = Supported
		}
	}
	if can, ok := entry["supported_parameters"].([]any); ok { // OpenRouter
		found.tools = listed(can, "tools")
	}
	if can, ok := inner("architecture")["input_modalities"].([]any); ok { // OpenRouter
		found.images = listed(can, "image")
	}
	if can, ok := inner("capabilities")["vision"].(bool); ok { // Mistral
		found.images = map[bool]Support{true: Supported, false: Unsupported}[can]
	}
	if can, ok := inner("capabilities")["function_calling"].(bool); ok {
		found.tools = map[bool]Support{true: Supported, false: Unsupported}[can]
	}
	switch entry["type"] { // LM Studio
	case "vlm":
		found.images = Supported
	case "llm":
		found.images, found.tools = Unsupported, Unknown // it reads calls of models that were not trained for tools as well
	}
	return found
}

func listed(list []any, name string) Support {
	if slices.Contains(list, any(name)) {
		return Supported
	}
	return Unsupported
}

// tokens is a size in tokens that can be true, else 0.
func tokens(v any) int {
	n, ok := v.(float64)
	if !ok || n < 256 || n > 100_000_000 {
		return 0
	}
	return int(n)
}

// ask reads what Anthropic says about the model.
func (f *claude) ask(ctx context.Context) (facts, bool) {
	req, err := http.NewRequestWithContext(ctx, "GET", f.base+"/v1/models/"+url.PathEscape(f.model), nil)
	if err != nil {
		return facts{}, true
	}
	req.Header.Set("Anthropic-Version", "2023-06-01")
	if f.wire.key != "" {
		req.Header.Set("X-Api-Key", f.wire.key)
	}
	var about map[string]any
	status := f.wire.get(req, &about)
	return factsOf(about), status != 0
}
