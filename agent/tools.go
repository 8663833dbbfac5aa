package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/docs"
	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// A tool fetches something for the model. None changes anything. What it returns comes from what the turn's audience may
// read, which is decided where it is read.
type tool struct {
	name, description string
	parameters        map[string]any             // JSON schema of its arguments, without keep
	audience          func(memory.Audience) bool // who may see its results; nil for everybody
	confirm           bool                       // a person has to say yes before it runs; none of ours
	keeps             bool                       // a call can keep quotes from shown text
	run               func(w *toolUse, ctx context.Context, arguments json.RawMessage) (result, error)
}

// tools are all there are, in the order in which they are listed to the model. To add one is to add it here.
var tools = []tool{searchDocuments, readPages, readWhole, searchMessages, listDocuments}

// quality says how good a result is.
type quality string

const (
	resultOK        quality = "ok"
	resultPartial   quality = "partial"   // found, but not all words of the query
	resultWeak      quality = "weak"      // found, with few of them
	resultEmpty     quality = "empty"     // nothing found
	resultRepeat    quality = "repeat"    // asked before, or all of it is shown already
	resultTruncated quality = "truncated" // more than there was room for
	resultError     quality = "error"     // the call cannot be carried out
)

// result is what a tool brought.
type result struct {
	quality quality
	next    string   // what to try next, or what is missing; a sentence or ""
	lines   []string // shown as data
}

func failed(form string, args ...any) result {
	return result{quality: resultError, next: fmt.Sprintf(form, args...)}
}

const (
	resultTokens = 2_500 // of all results of a round; less for a small window
	leastResults = 400
	roundCalls   = 4 // calls carried out in a round
	searchRounds = 3
	findingCount = 20
)

// toolUse is what tools do in a turn: each result is shown in one prompt, findings in all that follow.
type toolUse struct {
	*run
	rounds   int // left
	results  []string
	findings []docs.Citation
	asked    []string         // calls carried out, by name and arguments
	round    []shown          // passages and pages the results of this round show
	said     []int64          // messages they show
	room     int              // tokens left in it
	question *memory.Question // whether documents may be read whole
}

func schemas() []llms.Tool {
	list := make([]llms.Tool, len(tools))
	for i, t := range tools {
		properties := maps.Clone(t.parameters["properties"].(map[string]any))
		if t.keeps {
			properties["keep"] = keepSchema
		}
		list[i] = llms.Tool{Type: "function", Function: &llms.FunctionDefinition{Name: t.name, Description: t.description,
			Parameters: map[string]any{"type": "object", "properties": properties, "required": t.parameters["required"]}}}
	}
	return list
}

var keepSchema = map[string]any{"type": "array", "description": "quotes needed later",
	"items": map[string]any{"type": "object", "required": []string{"document", "page", "quote"}, "properties": map[string]any{
		"document": textSchema("d1"), "page": map[string]any{"type": "integer"}, "quote": textSchema("word by word")}}}

func textSchema(description string) map[string]any {
	return map[string]any{"type": "string", "description": description}
}

func listSchema(description string) map[string]any {
	return map[string]any{"type": "array", "items": map[string]any{"type": "string"}, "description": description}
}

// carryOut runs the calls of a reply. Nothing is asked twice.
func (w *toolUse) carryOut(ctx context.Context, calls []llms.ToolCall) error {
	w.rounds--
	w.results, w.round, w.said = nil, nil, nil
	w.room = min(w.resultRoom(), max(w.free, leastResults))
	for i, c := range calls {
		if c.FunctionCall == nil {
			continue
		}
		out, err := w.runCall(ctx, i, c.FunctionCall)
		if err != nil {
			return err
		}
		head := fmt.Sprintf("%s(%s): %s", c.FunctionCall.Name, reading.Shorten(reading.CollapseSpace(c.FunctionCall.Arguments), 200), out.quality)
		if out.next != "" {
			head += ". " + out.next
		}
		w.results = append(w.results, head)
		w.results = append(w.results, out.lines...)
	}
	return nil
}

// runCall carries out one call, the i-th of its reply.
func (w *toolUse) runCall(ctx context.Context, i int, call *llms.FunctionCall) (result, error) {
	at := slices.IndexFunc(tools, func(t tool) bool { return t.name == call.Name })
	var arguments json.RawMessage
	key := call.Name + " " + reading.CollapseSpace(call.Arguments)
	switch {
	case at < 0:
		return failed("There is no such tool."), nil
	case i >= roundCalls:
		return failed("Too many calls at once; this one was not carried out."), nil
	case tools[at].audience != nil && !tools[at].audience(w.turn.Audience):
		return failed("It may not be used here."), nil
	case tools[at].confirm:
		return failed("A person has to allow this."), nil
	case json.Unmarshal([]byte(braces(call.Arguments)), &arguments) != nil:
		return failed("The arguments were no JSON object."), nil
	case slices.Contains(w.asked, key):
		return result{quality: resultRepeat, next: "This was called before; try other words, or reply."}, nil
	}
	w.asked = append(w.asked, key)
	if err := w.keep(ctx, arguments); err != nil {
		return result{}, err
	}
	return tools[at].run(w, ctx, arguments)
}

// keep verifies the quotes a call keeps. A quote that is in no document is left out.
func (w *toolUse) keep(ctx context.Context, arguments json.RawMessage) error {
	var in struct {
		Keep []struct {
			Document json.RawMessage
			Page     json.RawMessage
			Quote    string
		}
	}
	if json.Unmarshal(arguments, &in) != nil {
		return nil
	}
	g := w.newGate(ctx)
	for _, f := range in.Keep {
		if len(w.findings) == findingCount {
			return nil
		}
		c, err := g.source().verify(w.library.number(loose(f.Document)), number(f.Page), f.Quote)
		if errors.Is(err, docs.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		w.findings = append(w.findings, c)
		w.looked = append(w.looked, c.DocumentID)
	}
	return nil
}

func (w *toolUse) findingLines() []string {
	lines := make([]string, len(w.findings))
	for i, f := range w.findings {
		lines[i] = fmt.Sprintf("[%s p%d %q]", w.library.alias(f.DocumentID), f.Page, f.Quote)
	}
	return lines
}

// status shows what is being looked for. An overheard turn looks things up without a sign.
func (w *toolUse) status(ctx context.Context, text string) {
	if !w.turn.Overheard {
		text = w.newGate(ctx).clean(reading.CollapseSpace(reading.Visible(text)), nil)
		w.emit(Progress{Status: "🔎 " + reading.Shorten(text, 80)})
	}
}

// loose is a JSON value as text: a string, a number, or a list of them joined by spaces; "" for any other.
func loose(raw json.RawMessage) string {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return ""
	}
	switch v := v.(type) {
	case string:
		return strings.TrimSpace(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []any:
		return strings.Join(texts(raw), " ")
	}
	return ""
}

func number(raw json.RawMessage) int {
	n, _ := strconv.Atoi(strings.Trim(loose(raw), "pP.# "))
	return n
}

func texts(raw json.RawMessage) []string {
	var all []json.RawMessage
	if json.Unmarshal(raw, &all) != nil {
		all = []json.RawMessage{raw}
	}
	var list []string
	for _, one := range all {
		if text := loose(one); text != "" {
			list = append(list, text)
		}
	}
	return list
}
