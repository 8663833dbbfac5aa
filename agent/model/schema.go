package model

import (
	"context"
	"encoding/json"

	"github.com/tmc/langchaingo/llms"
)

type schema struct {
	name   string
	schema json.RawMessage
}

type schemaKey struct{}

// WithSchema makes calls under ctx return JSON of this schema, as far as the endpoint can: enforced by json_schema, else by JSON mode
// and an instruction, else by the instruction alone. Forms that an endpoint refuses are remembered. The caller must still check the
// answer. name is letters, digits, _ and -, at most 64. As OpenAI demands it, every object of the schema lists all its properties as
// required and allows no others.
func WithSchema(ctx context.Context, name string, s json.RawMessage) context.Context {
	return context.WithValue(ctx, schemaKey{}, &schema{name: name, schema: s})
}

func schemaOf(ctx context.Context) *schema {
	s, _ := ctx.Value(schemaKey{}).(*schema)
	return s
}

func (s *schema) format() any {
	return map[string]any{"type": "json_schema", "json_schema": map[string]any{"name": s.name, "strict": true, "schema": s.schema}}
}

// instruct adds the schema to the system message. The word JSON is required by JSON mode.
func (s *schema) instruct(messages []llms.MessageContent) []llms.MessageContent {
	return withSystem(messages, "Answer with one JSON object and nothing else: no code fence, no comment. It must satisfy this JSON schema:\n"+string(s.schema))
}
