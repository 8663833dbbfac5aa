package model

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/memory/reading"
)

// The text form of tools, for endpoints that take none: the tools stand in the system message, and a reply whose first line is
// `name {json}` is a call. Models write it to endpoints with native tools as well, so it is read from every endpoint.

// noMoreTools ends the last message where tools are listed as text and forbidden: all before it stays as it was.
const noMoreTools = "(No more tools may be called now: reply without one.)"

func withTextTools(messages []llms.MessageContent, tools []llms.Tool) []llms.MessageContent {
	var b strings.Builder
	b.WriteString("Tools. To call one, the FIRST line of your reply is its name and its arguments as JSON on one line, and nothing follows:\n" +
		"tool_name {\"argument\": \"value\"}\n" +
		"Several such lines are several calls. You are then shown what they found, and reply anew. These are the tools, each with the JSON schema of its arguments:")
	for _, t := range tools {
		fmt.Fprintf(&b, "\n- %s: %s %s", t.Function.Name, t.Function.Description, t.Function.Parameters)
	}
	return withSystem(messages, b.String())
}

// withSystem adds a part to the system message, which keeps its beginning and so its place in the provider's cache.
func withSystem(messages []llms.MessageContent, text string) []llms.MessageContent {
	out := append([]llms.MessageContent(nil), messages...)
	for i, m := range out {
		if m.Role == llms.ChatMessageTypeSystem {
			out[i].Parts = append(append([]llms.ContentPart(nil), m.Parts...), llms.TextPart(text))
			return out
		}
	}
	return append([]llms.MessageContent{llms.TextParts(llms.ChatMessageTypeSystem, text)}, out...)
}

func withLast(messages []llms.MessageContent, text string) []llms.MessageContent {
	out := append([]llms.MessageContent(nil), messages...)
	last := &out[len(out)-1]
	last.Parts = append(append([]llms.ContentPart(nil), last.Parts...), llms.TextPart(text))
	return out
}

// textCalls tells tool calls that are written as text from what is said, while the text is streamed.
type textCalls struct {
	names []string
	held  string // all the text so far, until it is known to be said
	said  bool   // it is no call
}

func newTextCalls(tools []llms.Tool) *textCalls {
	if len(tools) == 0 {
		return nil
	}
	t := &textCalls{}
	for _, tool := range tools {
		t.names = append(t.names, tool.Function.Name)
	}
	return t
}

// next takes a piece of text and returns what may be shown: nothing as long as the reply may be a call.
func (t *textCalls) next(text string) string {
	if t == nil || t.said {
		return text
	}
	t.held += text
	if t.mayCall() {
		return ""
	}
	text, t.held, t.said = t.held, "", true
	return text
}

// end returns what is still held when the text is complete and is no call, and else the calls.
func (t *textCalls) end() (text string, calls []llms.ToolCall) {
	if t == nil || t.said {
		return "", nil
	}
	if calls = readTextCalls(t.held, t.names); calls == nil {
		text = t.held
	}
	t.held, t.said = "", true
	return text, calls
}

func (t *textCalls) mayCall() bool {
	head, open := uncovered(t.held)
	if head == "" || open {
		return true
	}
	object := strings.Join(strings.Fields(head), "")
	for _, name := range t.names {
		if strings.HasPrefix(name, head) || begins(object, `{"name":"`+name+`"`) {
			return true
		}
		if rest, ok := strings.CutPrefix(head, name); ok && (bare(rest) || argumentsIn(rest) != "") {
			return true
		}
	}
	return false
}

// begins reports whether text begins with start, as far as it goes.
func begins(text, start string) bool {
	return strings.HasPrefix(text, start) || strings.HasPrefix(start, text)
}

// Marks that models put around a call, by training (Qwen and Hermes, Llama) or to show it as code.
var callTags = []string{"<tool_call>", "<function="}

const codeFence = "```"

var fenceWords = []string{"", "json", "text", "plaintext", "tool_call", "tool_code"}

// uncovered is a text without the marks and the space before a call. open says that a mark is not yet complete.
func uncovered(text string) (head string, open bool) {
	text = strings.TrimLeft(text, " \t\r\n")
	switch {
	case text == "":
		return "", false
	case strings.HasPrefix(codeFence, text):
		return text, true
	case strings.HasPrefix(text, codeFence):
		word, rest, ends := strings.Cut(text[len(codeFence):], "\n")
		word = strings.TrimSpace(word)
		if ends && slices.Contains(fenceWords, word) {
			return strings.TrimLeft(rest, " \t\r\n"), false
		}
		return text, !ends && slices.ContainsFunc(fenceWords, func(w string) bool { return strings.HasPrefix(w, word) })
	case text[0] == '`':
		return text[1:], false
	}
	for _, tag := range callTags {
		if begins(text, tag) {
			rest, whole := strings.CutPrefix(text, tag)
			return strings.TrimLeft(rest, " \t\r\n"), !whole
		}
	}
	return text, false
}

// argumentsIn returns the text after a tool's name from the opening brace on, "" if there is none.
func argumentsIn(rest string) string {
	if trimmed := strings.TrimLeft(rest, " \t\r\n*_`:(>"); strings.HasPrefix(trimmed, "{") {
		return trimmed
	}
	return ""
}

// bare reports whether a tool's name stands alone on its line.
func bare(rest string) bool {
	line, _, _ := strings.Cut(rest, "\n")
	return strings.Trim(line, " \t\r:()`>") == ""
}

// CallsIn returns the calls in a text that come after something else, from the first line or object that is a call; nil if there are none.
func CallsIn(text string, tools []llms.Tool) []llms.ToolCall {
	known := newTextCalls(tools)
	if known == nil {
		return nil
	}
	for at := range text {
		if !strings.Contains(text[at:], "{") {
			break
		}
		if at == 0 || text[at-1] == '\n' || text[at] == '{' {
			if calls := readTextCalls(strings.TrimLeft(text[at:], " \t*#_`"), known.names); calls != nil {
				return calls
			}
		}
	}
	return nil
}

// readTextCalls reads the calls a reply begins with; nil when it begins with something else. What follows them is dropped: it was
// written without their results.
func readTextCalls(text string, names []string) []llms.ToolCall {
	var calls []llms.ToolCall
	for {
		head, _ := uncovered(text)
		name, arguments, rest := readTextCall(head, names)
		if name == "" {
			return calls
		}
		calls = append(calls, llms.ToolCall{ID: fmt.Sprintf("text_%d", len(calls)+1), Type: "function", FunctionCall: &llms.FunctionCall{Name: name, Arguments: arguments}})
		text = rest
	}
}

func readTextCall(text string, names []string) (name, arguments, rest string) {
	if strings.HasPrefix(text, "{") {
		return readCallObject(text, names)
	}
	for _, known := range names {
		after, ok := strings.CutPrefix(text, known)
		if !ok {
			continue
		}
		if from := argumentsIn(after); from != "" {
			arguments, rest = cutJSON(from)
			return known, arguments, afterCall(rest)
		}
		if bare(after) {
			_, rest, _ = strings.Cut(after, "\n")
			return known, "{}", rest
		}
	}
	return "", "", ""
}

// readCallObject reads {"name": …, "arguments": {…}}, as Hermes, Qwen and Llama write a call.
func readCallObject(text string, names []string) (name, arguments, rest string) {
	object, rest := cutJSON(text)
	var call struct {
		Name                  string
		Arguments, Parameters json.RawMessage
	}
	if json.Unmarshal([]byte(object), &call) != nil || !slices.Contains(names, call.Name) {
		return "", "", ""
	}
	raw := call.Arguments
	if raw == nil {
		raw = call.Parameters
	}
	if arguments = "{}"; present(raw) {
		arguments = plain(raw)
	}
	return call.Name, arguments, afterCall(rest)
}

// cutJSON splits a text after the JSON value it begins with, or, where that is broken, after its first line.
func cutJSON(text string) (value, rest string) {
	d := json.NewDecoder(strings.NewReader(text))
	var raw json.RawMessage
	if d.Decode(&raw) == nil {
		return text[:d.InputOffset()], text[d.InputOffset():]
	}
	value, rest, _ = strings.Cut(text, "\n")
	return strings.TrimRight(value, " \t\r`"), rest
}

// endTag is what closes the marks around a call.
var endTag = reading.Lazy(`^</(?:tool_call|function)>`)

func afterCall(rest string) string {
	rest = strings.TrimLeft(rest, " \t)`;,")
	return endTag.ReplaceAllString(strings.TrimLeft(rest, "\r\n"), "")
}
