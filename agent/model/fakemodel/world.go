package fakemodel

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"strings"
)

// Call is a tool call of a scripted answer.
type Call struct {
	Name      string
	Arguments string // JSON, sent as it is, broken or not
}

// World names how a kind of server refuses what its model cannot do.
type World string

// Servers that refuse tools (Options.NoTools), and those that refuse pictures (Options.NoPictures).
const (
	Ollama     World = "ollama"
	VLLM       World = "vllm"
	LlamaCpp   World = "llama.cpp"
	OpenRouter World = "openrouter"
	OpenAI     World = "openai"
	FastAPI    World = "fastapi"
)

// Worlds are all of them, for tests that try each.
var Worlds = []World{Ollama, VLLM, LlamaCpp, OpenRouter, OpenAI, FastAPI}

var toolRefusals = map[World]*refusal{
	Ollama:     {typ: "api_error", message: "registry.ollama.ai/library/gemma:latest does not support tools"},
	VLLM:       {typ: "BadRequestError", message: `"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set`},
	LlamaCpp:   {status: 500, typ: "server_error", message: "tools param requires --jinja flag"},
	OpenRouter: {status: 404, message: "No endpoints found that support tool use."},
	OpenAI:     {param: "tools", message: "Unrecognized request argument supplied: tools"},
	FastAPI:    {status: 422, message: "Function calling is not enabled for this model"},
}

var pictureRefusals = map[World]*refusal{
	Ollama:     {status: 500, typ: "api_error", message: "this model is missing data required for image input"},
	VLLM:       {typ: "BadRequestError", message: "At most 0 image(s) may be provided in one request."},
	LlamaCpp:   {status: 500, typ: "server_error", message: "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj"},
	OpenRouter: {status: 404, message: "No endpoints found that support image input"},
	OpenAI:     {message: "Invalid content type. image_url is only supported by certain models."},
	FastAPI:    {status: 415, message: "messages[1]: unknown variant `image_url`, expected `text`"},
}

// lacks refuses what the world of this server cannot do.
func (s *Server) lacks(req Request) *refusal {
	switch {
	case len(req.Tools) > 0 && s.o.NoTools != "":
		return toolRefusals[s.o.NoTools]
	case req.Pictures > 0 && s.o.NoPictures != "":
		return pictureRefusals[s.o.NoPictures]
	}
	return nil
}

// textCalls writes calls in the text form, for a request that offers no tools.
func textCalls(calls []Call) string {
	var b strings.Builder
	for _, c := range calls {
		b.WriteString(c.Name + " " + c.Arguments + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// wireTool is a tool of a request: OpenAI's form, and Anthropic's.
type wireTool struct {
	Type     string
	Name     string
	Function struct {
		Name       string
		Parameters json.RawMessage
	}
}

func (r *Request) setTools(tools []wireTool, choice json.RawMessage) *refusal {
	for _, t := range tools {
		name := t.Name + t.Function.Name
		if !formatKey.MatchString(name) {
			return &refusal{param: "tools", message: "Invalid 'tools': missing or invalid name."}
		}
		if schema := t.Function.Parameters; schema != nil && !bytes.HasPrefix(schema, []byte("{")) || bytes.Contains(schema, []byte(":null")) {
			return &refusal{param: "tools[0].function.parameters", code: "invalid_function_parameters", message: "Invalid schema for function '" + name + "': None is not of type 'array'."}
		}
		r.Tools = append(r.Tools, name)
	}
	if choice != nil && len(tools) == 0 {
		return &refusal{param: "tool_choice", message: "'tool_choice' is only allowed when 'tools' are specified."}
	}
	var object struct{ Type string }
	if json.Unmarshal(choice, &r.ToolChoice) != nil && json.Unmarshal(choice, &object) == nil {
		r.ToolChoice = object.Type
	}
	return nil
}

// model answers GET /v1/models/NAME.
func (s *Server) model(w http.ResponseWriter, r *http.Request) {
	for _, m := range s.listed() {
		if m["id"] == r.PathValue("name") {
			writeJSON(w, http.StatusOK, m)
			return
		}
	}
	(&refusal{status: 404, code: "model_not_found", message: "The model does not exist."}).write(w)
}

func (s *Server) models(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]any{"object": "list", "data": s.listed()})
}

func (s *Server) listed() []map[string]any {
	list := []map[string]any{}
	for _, name := range s.o.Models {
		m := map[string]any{"id": name, "object": "model", "created": 0, "owned_by": "fakemodel"}
		maps.Copy(m, s.o.About)
		list = append(list, m)
	}
	return list
}

// native answers a path beside /v1 of the server's own API, from Options.Native.
func (s *Server) native(w http.ResponseWriter, r *http.Request) {
	if v, ok := s.o.Native[r.Method+" "+r.URL.Path]; ok {
		writeJSON(w, http.StatusOK, v)
		return
	}
	(&refusal{status: 404, message: "Unexpected endpoint or method."}).write(w)
}
