package agent

import (
	"strings"

	"threadkeeper/memory"
)

const (
	maxOptions   = 4
	optionLength = 75 // runes: what a button shows
)

// understanding is how the request was read.
type understanding struct{ memory.Understanding }

func plain(query, reason string) memory.Understanding {
	return memory.Understanding{RewrittenQuery: query, PossibleInterpretations: []string{},
		ClarifyingQuestions: []string{}, Method: "rule", Reason: reason}
}

// question makes the row of a clarifying question. Its token and ids are the bot's.
func (r *run) question(text string, options []memory.Option) *memory.Question {
	r.understanding.IsAmbiguous = true
	r.understanding.ClarifyingQuestions = []string{text}
	r.understanding.PossibleInterpretations = r.understanding.PossibleInterpretations[:0]
	for _, o := range options {
		r.understanding.PossibleInterpretations = append(r.understanding.PossibleInterpretations, o.Query)
	}
	last := r.turn.Messages[len(r.turn.Messages)-1]
	return &memory.Question{SessionID: last.SessionID, InteractionID: last.InteractionID, MessageID: last.ID,
		PersonID: last.PersonID, Text: text, Options: options}
}

// known is every text a rewritten request may take names from.
func (r *run) known() string {
	var b strings.Builder
	b.WriteString(r.quoted + "\n")
	if r.history.Snapshot != nil {
		b.WriteString(r.history.Snapshot.Rendered)
	}
	for _, m := range r.history.Messages {
		b.WriteString("\n" + m.Text)
	}
	for _, d := range r.library {
		b.WriteString("\n" + d.Name)
	}
	return b.String()
}
