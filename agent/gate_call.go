package agent

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/tmc/langchaingo/llms"
)

// toolNames are those of the tools, as a pattern.
func toolNames() string {
	names := make([]string, len(tools))
	for i, t := range tools {
		names[i] = t.name
	}
	return strings.Join(names, "|")
}

// written is a call of a tool as it stands in a text: its name and the object behind it.
var written = regexp.MustCompile(`(?m)^[ \t]*[*#_` + "`" + `]*(` + toolNames() + `)[*_` + "`" + `:(]*\s*(\{)`)

// writtenCalls are the tools that a text calls, by name and object, or as an object with name and arguments.
func writtenCalls(text string) []llms.ToolCall {
	var calls []llms.ToolCall
	add := func(name, arguments string) {
		calls = append(calls, llms.ToolCall{Type: "function", FunctionCall: &llms.FunctionCall{Name: name, Arguments: arguments}})
	}
	for _, m := range written.FindAllStringSubmatchIndex(text, -1) {
		add(text[m[2]:m[3]], objectAt(text[m[4]:]))
	}
	if len(calls) > 0 {
		return calls
	}
	for from := strings.IndexByte(text, '{'); from >= 0; {
		one := objectAt(text[from:])
		var in struct {
			Name                  string
			Arguments, Parameters json.RawMessage
		}
		if json.Unmarshal([]byte(one), &in) == nil && slices.ContainsFunc(tools, func(t tool) bool { return t.name == in.Name }) {
			arguments := slices.Concat(in.Arguments, in.Parameters)
			var quoted string
			if json.Unmarshal(arguments, &quoted) == nil {
				arguments = []byte(quoted)
			}
			add(in.Name, string(arguments))
		}
		next := strings.IndexByte(text[from+len(one):], '{')
		if next < 0 {
			break
		}
		from += len(one) + next
	}
	return calls
}

// objectAt is the JSON object that a text begins with, or what there is of it.
func objectAt(text string) string {
	var raw json.RawMessage
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	if d.Decode(&raw) != nil || len(raw) == 0 {
		return text
	}
	return string(raw)
}
