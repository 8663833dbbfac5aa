package console

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

// Object is what Pipe prints for one line with JSON: `threadkeeper help json` documents it.
type Object struct {
	ID            string        `json:"id"`
	Line          int           `json:"line"` // 1-based; 0 for files that came without a line, and for what waited
	Kind          platform.Kind `json:"kind"` // reply, command or error
	Text          string        `json:"text"`
	Question      *question     `json:"question"`
	Citations     []citation    `json:"citations"`
	Understanding understanding `json:"understanding"`
	Ledger        ledger        `json:"ledger"`
	Checks        memory.Checks `json:"checks"` // of the claims of an answer from documents
	Memory        memoryState   `json:"memory"`
	Error         *string       `json:"error"` // a code; null when nothing went wrong
}

type question struct {
	Text    string   `json:"text"`
	Options []string `json:"options"`
}

type citation struct {
	Label    string `json:"label"` // in the text, in brackets: "1", or "A1" in a comparison
	Document string `json:"document"`
	Page     int    `json:"page"` // 1-based; of a file without pages the part
	Quote    string `json:"quote"`
	Place    string `json:"place"` // as people are shown it: "page 6", "rows 12–14", "lines 40–52"
}

type understanding struct {
	IsAmbiguous             bool     `json:"is_ambiguous"`
	RewrittenQuery          string   `json:"rewritten_query"`
	PossibleInterpretations []string `json:"possible_interpretations"`
	ClarifyingQuestions     []string `json:"clarifying_questions"`
	Method                  string   `json:"method"` // "" for a line that was not read as a message
}

type ledger struct {
	ModelCalls       int    `json:"model_calls"`
	PromptTokens     int    `json:"prompt_tokens"`
	CompletionTokens int    `json:"completion_tokens"`
	Route            string `json:"route"`
}

type memoryState struct {
	ContextTokens int `json:"context_tokens"`
	Threshold     int `json:"threshold"`
	Compactions   int `json:"compactions"`
	Messages      int `json:"messages"`
}

// object is what is printed of an answer. st is nil when the conversation has
// not begun.
func object(id string, line int, m platform.Outgoing, st *memory.Status, threshold int) Object {
	o := Object{ID: id, Line: line, Kind: m.Kind, Text: m.Text, Citations: []citation{},
		Memory: memoryState{Threshold: threshold}}
	if m.Question != nil {
		o.Question = &question{Text: m.Question.Text, Options: []string{}}
		for _, b := range m.Question.Options {
			o.Question.Options = append(o.Question.Options, b.Label)
		}
	}
	for _, c := range byNumber(m.Citations) {
		o.Citations = append(o.Citations, citation{c.Label(), c.Document, c.Page, c.Quote, say.Place(m.Language, c)})
	}
	o.Understanding.PossibleInterpretations, o.Understanding.ClarifyingQuestions = []string{}, []string{}
	o.Checks.LeftOut = []memory.LeftOut{}
	if u := m.Understanding; u != nil {
		o.Understanding = understanding{u.IsAmbiguous, u.RewrittenQuery,
			append([]string{}, u.PossibleInterpretations...), append([]string{}, u.ClarifyingQuestions...), u.Method}
		if u.Checks != nil {
			o.Checks = *u.Checks
			o.Checks.LeftOut = append([]memory.LeftOut{}, o.Checks.LeftOut...)
		}
	}
	if l := m.Ledger; l != nil {
		o.Ledger = ledger{l.ModelCalls, l.PromptTokens, l.CompletionTokens, l.Route}
	}
	if st != nil {
		o.Memory = memoryState{st.Context, st.Threshold, len(st.Compactions), st.Verbatim + st.Compacted}
	}
	if m.Kind == platform.KindError || m.Error != "" {
		code := cmp.Or(m.Error, "failed")
		o.Error = &code
	}
	return o
}

// WriteError writes the object of a line that was not read, for a reason with this code.
func WriteError(w io.Writer, run string, line int, code string, why error) error {
	b, err := object(run+":"+strconv.Itoa(line), line, platform.Outgoing{Kind: platform.KindError, Error: code, Text: why.Error()}, nil, 0).encode()
	if err == nil {
		_, err = w.Write(b)
	}
	return err
}

// encode is the object in one line. It goes to programs and to people, never into a web page, so
// < > & stand as they are.
func (o Object) encode() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(o)
	return b.Bytes(), err
}

// plain makes text safe to print: a document or a model may not move the
// cursor, colour the screen or set the title of a terminal.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || r >= ' ' && r != 0x7f && (r < 0x80 || r > 0x9f) {
			return r
		}
		return -1
	}, text)
}
