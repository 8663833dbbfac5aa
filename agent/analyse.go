package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/agent/model"
	"threadkeeper/memory"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// analysisSchema is what the analysis of a message has to look like.
const analysisSchema = `{"type": "object", "additionalProperties": false,
	"required": ["is_ambiguous", "rewritten_query", "possible_interpretations", "clarifying_question"],
	"properties": {"is_ambiguous": {"type": "boolean"}, "rewritten_query": {"type": "string"}, "clarifying_question": {"type": "string"},
		"possible_interpretations": {"type": "array", "items": {"type": "object", "additionalProperties": false, "required": ["label", "query"],
			"properties": {"label": {"type": "string"}, "query": {"type": "string"}}}}}}`

// analyse has the model read the message before anything else, as ClarifyAlways wants. It returns the question to ask, nil
// for none, and remembers the rewritten form for retrieval. An analysis that fails changes nothing.
func (r *run) analyse(ctx context.Context) (*memory.Question, error) {
	w := &toolUse{run: r}
	d := r.requestData(w, nil)
	p := r.prompt(&d)
	p.messages[0] = llms.TextParts(llms.ChatMessageTypeSystem, render("analyse.tmpl", nil))
	if r.beyond+p.tail+r.answerRoom() > r.cap() || p.total() > r.promptLimit() {
		return nil, nil
	}
	if err := r.tell(ctx); err != nil {
		return nil, err
	}
	schema := model.WithSchema(ctx, "analysis", json.RawMessage(analysisSchema))
	response, err := r.generate(schema, r.model("clarify"), p.messages, llms.WithMaxTokens(r.answerRoom()/4))
	r.count(p, response, err, "")
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var in struct {
		Ambiguous bool            `json:"is_ambiguous"`
		Rewritten string          `json:"rewritten_query"`
		Readings  []memory.Option `json:"possible_interpretations"`
		Question  string          `json:"clarifying_question"`
	}
	if err != nil || json.Unmarshal([]byte(braces(model.Text(response))), &in) != nil {
		r.Log.DebugContext(ctx, "analysing the request failed", "error", err)
		return nil, nil
	}
	if rewritten := reading.CollapseSpace(reading.Visible(in.Rewritten)); rewritten != "" && faithful(rewritten, r.request, r.known()) {
		r.request, r.understanding.RewrittenQuery = rewritten, rewritten
	}
	r.understanding.IsAmbiguous = in.Ambiguous
	if !in.Ambiguous || len(in.Readings) < 2 || strings.TrimSpace(in.Question) == "" {
		return nil, nil
	}
	asked, err := json.Marshal(map[string]any{"question": in.Question, "options": in.Readings})
	if err != nil {
		return nil, fmt.Errorf("write the question: %w", err)
	}
	if r.untrusted, err = r.readsOthers(ctx); err != nil {
		return nil, err
	}
	g := r.newGate(ctx)
	g.verb, g.buffer = verbAsk, string(asked)
	g.material = append(d.Documents, r.past...)
	return r.modelQuestion(g), nil
}

// faithful reports whether a rewritten request keeps all numbers, names, quotations and
// negations of the original and adds only names and numbers that are known.
func faithful(query, original, known string) bool {
	if query == "" || len(rank.Missing(original, query)) > 0 || len(rank.Missing(query, original+"\n"+known)) > 0 {
		return false
	}
	for _, q := range reading.Quotations(original) {
		if !strings.Contains(query, q) {
			return false
		}
	}
	return reading.Denies(original) == reading.Denies(query)
}
