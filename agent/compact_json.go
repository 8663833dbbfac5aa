package agent

import (
	"encoding/json"
	"fmt"
	"strings"
)

// summarySchema is what a model is asked to return of a slice.
const summarySchema = `{"type":"object","additionalProperties":false,"required":["narrative","facts"],"properties":{
"narrative":{"type":"string"},
"facts":{"type":"array","items":{"type":"object","additionalProperties":false,
"required":["kind","subject","slot","text","line","quote","until","replaces","done"],"properties":{
"kind":{"type":"string","enum":["preference","constraint","key_fact","decision","open_question","todo"]},
"subject":{"type":"string"},"slot":{"type":"string"},"text":{"type":"string"},"line":{"type":"integer"},
"quote":{"type":"string"},"until":{"type":"string"},"replaces":{"type":"integer"},"done":{"type":"boolean"}}}}}}`

// badSummary says why an answer was rejected: in one word for the log, and in
// words for the model.
type badSummary struct{ kind, reason string }

func (e *badSummary) Error() string { return "agent: summary rejected: " + e.kind }

func rejected(kind, format string, args ...any) error {
	return &badSummary{kind: kind, reason: fmt.Sprintf(format, args...)}
}

// summaryJSON is an answer as parsed, not checked yet. It takes what models
// make of the schema: null, a string for a list and a list for a string.
type summaryJSON struct {
	Narrative json.RawMessage
	Facts     laxFacts
}

type factJSON struct {
	Kind, Subject, Slot, Text, Quote, Until string
	Line, Replaces                          int
	Done                                    bool
}

func (f *factJSON) UnmarshalJSON(b []byte) error {
	var in struct{ Kind, Subject, Slot, Text, Line, Quote, Until, Replaces, Done json.RawMessage }
	err := json.Unmarshal(b, &in)
	*f = factJSON{loose(in.Kind), loose(in.Subject), loose(in.Slot), loose(in.Text), loose(in.Quote), loose(in.Until),
		number(in.Line), number(in.Replaces), strings.Trim(string(in.Done), `"`) == "true"}
	return err
}

// laxFacts is a list of facts, null, or one fact; an entry that is none is
// left out, since a fact without a quote is worth nothing.
type laxFacts []factJSON

func (l *laxFacts) UnmarshalJSON(b []byte) error {
	*l = nil
	entries := []json.RawMessage{b}
	if len(b) > 0 && b[0] == '[' {
		if err := json.Unmarshal(b, &entries); err != nil {
			return err
		}
	}
	for _, e := range entries {
		var f factJSON
		if len(e) > 0 && e[0] == '{' && json.Unmarshal(e, &f) == nil {
			*l = append(*l, f)
		}
	}
	return nil
}

// parseSummary reads an answer: one JSON object, perhaps in a code fence, with
// prose around it or with commas too many.
func parseSummary(answer string) (*summaryJSON, error) {
	from := strings.IndexByte(answer, '{')
	if from < 0 {
		return nil, rejected("no object", "it was not one complete JSON object")
	}
	text := withoutTrailingCommas(answer[from:])
	d := json.NewDecoder(strings.NewReader(text))
	s := new(summaryJSON)
	if err := d.Decode(s); err != nil {
		return nil, rejected("no JSON", "it was not one complete JSON object: %v", err)
	}
	if strings.Contains(text[d.InputOffset():], "{") {
		return nil, rejected("no object", "it was not one complete JSON object")
	}
	return s, nil
}

func withoutTrailingCommas(s string) string {
	var b strings.Builder
	quoted := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case quoted && c == '\\' && i+1 < len(s):
			b.WriteByte(c)
			i++
			c = s[i]
		case c == '"':
			quoted = !quoted
		case !quoted && c == ',':
			if rest := strings.TrimLeft(s[i+1:], " \t\r\n,"); rest != "" && (rest[0] == '}' || rest[0] == ']') {
				continue
			}
		}
		b.WriteByte(c)
	}
	return b.String()
}
