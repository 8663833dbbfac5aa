package fakemodel

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// spoil makes wrong JSON of an answer, in the ways models do. A text that is not a JSON object keeps its form where the fault needs one.
func (f Fault) spoil(text string) string {
	switch f.Kind {
	case Fence:
		return "```json\n" + text + "\n```"
	case Prose:
		return text + "\n\nI hope this helps!"
	case Brace:
		return strings.TrimSuffix(strings.TrimSpace(text), "}")
	case Null, StringForList, ExtraField:
		var fields map[string]any
		if json.Unmarshal([]byte(text), &fields) != nil {
			return text
		}
		f.change(fields)
		data, _ := json.Marshal(fields) // was JSON before
		return string(data)
	}
	return text
}

// change alters the first field, by name, that the fault applies to.
func (f Fault) change(fields map[string]any) {
	if f.Kind == ExtraField {
		fields["confidence"] = 0.93
		return
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		list, isList := fields[name].([]any)
		switch {
		case f.Kind == Null:
			fields[name] = nil
			return
		case isList && len(list) > 0:
			if s, ok := list[0].(string); ok {
				fields[name] = s
				return
			}
		case isList:
			fields[name] = "none"
			return
		}
	}
}
