package model

import (
	"encoding/json"

	"github.com/tmc/langchaingo/llms"
)

// plainTools checks tools and writes their parameters as every provider takes them: compact JSON of an object's schema, keys in order,
// without nulls, which a field that was never set becomes and OpenAI refuses.
func plainTools(tools []llms.Tool) ([]llms.Tool, error) {
	var out []llms.Tool
	for _, t := range tools {
		if t.Function == nil {
			return nil, &Error{Kind: BadRequest, Message: "a tool without a function cannot be sent"}
		}
		raw, err := json.Marshal(t.Function.Parameters)
		if err != nil {
			return nil, &Error{Kind: BadRequest, Message: "the tool's parameters are not JSON", Err: err}
		}
		var schema map[string]any
		if err := json.Unmarshal(raw, &schema); err != nil {
			return nil, &Error{Kind: BadRequest, Message: "the tool's parameters are not a JSON schema", Err: err}
		}
		if schema == nil {
			schema = map[string]any{}
		}
		if schema["type"] == nil {
			schema["type"] = "object"
		}
		if schema["properties"] == nil {
			schema["properties"] = map[string]any{}
		}
		raw, err = json.Marshal(withoutNulls(schema))
		if err != nil {
			return nil, &Error{Kind: BadRequest, Message: "the tool's parameters are not JSON", Err: err}
		}
		f := *t.Function
		f.Parameters = json.RawMessage(raw)
		out = append(out, llms.Tool{Type: "function", Function: &f})
	}
	return out, nil
}

func withoutNulls(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			if value == nil {
				delete(v, name)
			} else {
				v[name] = withoutNulls(value)
			}
		}
	case []any:
		for i := range v {
			v[i] = withoutNulls(v[i])
		}
	}
	return v
}
