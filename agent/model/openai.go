package model

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/openai"
)

// openAI is the family of OpenAI and everything compatible with it.
type openAI struct {
	model, base string
	wire        *wire
	habits      habits
}

func (f *openAI) generate(ctx context.Context, c *call) (*llms.ContentResponse, error) {
	return f.habits.try(c, func(h habit) (*llms.ContentResponse, error) {
		messages, opts := c.begin(h)
		x := &exchange{wire: f.wire, model: f.model, call: c, habit: h, unopened: h.unopened || opensThought(f.model)}
		key := cmp.Or(f.wire.key, "none") // langchaingo refuses an empty one; the exchange removes the header
		llm, err := openai.New(openai.WithToken(key), openai.WithBaseURL(f.base), openai.WithModel(f.model), openai.WithOrganization(""), openai.WithHTTPClient(x))
		if err != nil {
			return nil, err
		}
		resp, err := llm.GenerateContent(ctx, openAIMessages(messages), func(o *llms.CallOptions) { *o = opts })
		if x.err != nil {
			return resp, x.err
		}
		return resp, err
	})
}

// openAIMessages writes messages so that langchaingo sends them whole and older servers understand them: text parts as one string,
// pictures as data URLs.
func openAIMessages(in []llms.MessageContent) []llms.MessageContent {
	out := slices.Clone(in)
	for i, m := range in {
		var texts []string
		var parts []llms.ContentPart
		for _, p := range m.Parts {
			switch p := p.(type) {
			case llms.TextContent:
				texts = append(texts, p.Text)
			case llms.BinaryContent:
				parts = append(parts, llms.ImageURLPart("data:"+p.MIMEType+";base64,"+base64.StdEncoding.EncodeToString(p.Data)))
			}
		}
		if len(texts) > 0 {
			parts = slices.Insert(parts, 0, llms.ContentPart(llms.TextPart(strings.Join(texts, "\n\n"))))
		}
		out[i].Parts = parts
	}
	return out
}

// shape rewrites langchaingo's request body: what the caller did not ask for is removed, what langchaingo cannot express is added.
func (x *exchange) shape(body []byte) ([]byte, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil {
		return nil, err
	}
	set := func(name string, value any) {
		raw, err := json.Marshal(value)
		if err == nil {
			fields[name] = raw
		}
	}
	delete(fields, "temperature") // each model has its own, and many take no other
	if limit, ok := fields["max_completion_tokens"]; ok && x.habit.oldMax {
		delete(fields, "max_completion_tokens")
		fields["max_tokens"] = limit
	}
	if marked.MatchString(x.model) && !x.habit.noCacheMarks {
		fields["messages"] = markMessages(fields["messages"])
	}
	if takesEffort(x.model) && !x.habit.noEffort {
		set("reasoning_effort", "low")
	}
	if x.call.stream != nil {
		set("stream", true)
		if !x.habit.noUsage {
			set("stream_options", map[string]bool{"include_usage": true})
		}
	}
	switch {
	case x.call.schema == nil:
	case x.habit.json == bySchema:
		set("response_format", x.call.schema.format())
	case x.habit.json == byMode:
		set("response_format", map[string]string{"type": "json_object"})
	}
	return json.Marshal(fields)
}
