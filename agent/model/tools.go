package model

import (
	"encoding/json"
	"slices"

	"github.com/tmc/langchaingo/llms"
)

// plainTools writes the parameters of tools as every provider takes them: compact JSON, keys in order.
func plainTools(tools []llms.Tool) []llms.Tool {
	out := slices.Clone(tools)
	for i, t := range tools {
		raw, _ := json.Marshal(t.Function.Parameters) // maps, lists and strings
		f := *t.Function
		f.Parameters = json.RawMessage(raw)
		out[i] = llms.Tool{Type: "function", Function: &f}
	}
	return out
}
