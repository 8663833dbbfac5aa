package model

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/agent/model/fakemodel"
)

func TestToolsAreWrittenPlainly(t *testing.T) {
	for _, parameters := range []any{
		map[string]any{"required": []string{"a"}, "type": "object", "properties": map[string]any{"a": map[string]any{"type": "array"}}},
		json.RawMessage(`{"properties": {"a": {"type": "array"}}, "required": ["a"], "type": "object"}`),
	} {
		tool := llms.Tool{Type: "function", Function: &llms.FunctionDefinition{Name: "find", Parameters: parameters}}
		for _, name := range families {
			s := fake(t, fakemodel.Options{Script: say("ok")})
			if _, err := at(t, s, name).GenerateContent(t.Context(), hello, llms.WithTools([]llms.Tool{tool})); err != nil {
				t.Fatal(err)
			}
			r := s.Requests()[0]
			if len(r.Tools) != 1 || name == "gpt-4o" && !strings.Contains(string(r.Body), `"parameters":{"properties":{"a":{"type":"array"}},"required":["a"],"type":"object"}`) {
				t.Errorf("%s: %s", name, r.Body)
			}
		}
	}
}
