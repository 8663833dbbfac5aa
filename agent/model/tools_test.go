package model

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/agent/model/fakemodel"
)

func TestToolsAreWrittenPlainly(t *testing.T) {
	var unset any
	tests := []struct {
		parameters any
		want       string
	}{
		{nil, `{"properties":{},"type":"object"}`},
		{map[string]any{"type": "object", "required": unset}, `{"properties":{},"type":"object"}`},
		{map[string]any{"properties": map[string]any{"a": map[string]any{"items": unset, "type": "array"}}, "required": []string{"a"}}, `{"properties":{"a":{"type":"array"}},"required":["a"],"type":"object"}`},
		{json.RawMessage(`{"type": "object"}`), `{"properties":{},"type":"object"}`},
	}
	for _, test := range tests {
		tool := llms.Tool{Function: &llms.FunctionDefinition{Name: "find", Parameters: test.parameters}}
		for _, name := range families {
			s := fake(t, fakemodel.Options{Script: say("ok")})
			if _, err := at(t, s, name).GenerateContent(t.Context(), hello, llms.WithTools([]llms.Tool{tool})); err != nil {
				t.Fatal(err)
			}
			r := s.Requests()[0]
			if len(r.Tools) != 1 || name == "gpt-4o" && !strings.Contains(string(r.Body), `"parameters":`+test.want) || strings.Contains(string(r.Body), `"items":null`) {
				t.Errorf("%s: %s", name, r.Body)
			}
		}
	}
	s := fake(t, fakemodel.Options{})
	for _, bad := range []llms.Tool{{}, {Function: &llms.FunctionDefinition{Name: "f", Parameters: 7}}, {Function: &llms.FunctionDefinition{Name: "f", Parameters: func() {}}}} {
		_, err := once(t, s.URL()).GenerateContent(t.Context(), hello, llms.WithTools([]llms.Tool{bad}))
		failed(t, err, BadRequest)
	}
}
