package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

const (
	maxOptions   = 4
	optionLength = 75 // runes: what a button shows
)

func plain(query, reason string) memory.Understanding {
	return memory.Understanding{RewrittenQuery: query, PossibleInterpretations: []string{},
		ClarifyingQuestions: []string{}, Method: "rule", Reason: reason}
}

// learnAsked looks up what is known about asking this person: the question that was asked before about the same words, unless
// there is a newer document that they may mean, and whether they leave questions unanswered.
func (r *run) learnAsked(ctx context.Context) error {
	if r.turn.Question != nil || r.turn.Overheard {
		return nil
	}
	var err error
	if r.unheard, err = r.Store.Queue.LeavesQuestions(ctx, r.asker()); err != nil || r.quoted != "" {
		return err
	}
	q, err := r.Store.Queue.AskedBefore(ctx, r.turn.Session.ID, r.asker(), r.words)
	if errors.Is(err, memory.ErrNotFound) {
		return nil
	}
	newer := func(d *memory.Document) bool { return d.CreatedAt > q.CreatedAt }
	if err == nil && !asksToRead(q) && !slices.ContainsFunc(r.library, newer) {
		r.settled = q
	}
	return err
}

// asBefore takes the request as was chosen when its words were asked about before, as it stands where nothing was chosen. It is
// false where what was chosen is not there any more.
func (r *run) asBefore(options []memory.Option) bool {
	chosen := func(o memory.Option) bool { return o.Label == r.settled.Answer }
	i := slices.IndexFunc(options, chosen)
	if i < 0 {
		return !slices.ContainsFunc(r.settled.Options, chosen)
	}
	r.request, r.chosen = options[i].Query, fmt.Sprintf(r.say.asBefore, plainName(options[i].Label))
	r.understanding = plain(r.request, r.say.because.chosen)
	return true
}

// settledHint tells the model what was asked before about the words of the request, and what came of it.
func (r *run) settledHint() string {
	came := "chosen then: " + oneLine(neutral(r.settled.Answer)) + "; take it so and say in half a sentence that you do"
	switch {
	case r.settled.State != memory.QuestionAnswered || r.settled.Answer == memory.AnswerJust || r.settled.Answer == "":
		came = "nothing was chosen; answer by the likeliest reading and say in half a sentence which"
	case r.settled.Answer == memory.AnswerInWords:
		came = "answered in words of their own; take it so"
	}
	return fmt.Sprintf("you asked about the same words before: %q; %s", reading.Shorten(oneLine(neutral(r.settled.Text)), 120), came)
}

// asksAgain reports whether a question is the one that is settled: it offers what that did.
func (r *run) asksAgain(text string, options []memory.Option) bool {
	if r.settled == nil {
		return false
	}
	offered := func(text string, options []memory.Option) map[string]bool {
		labels := []string{}
		for _, o := range options {
			labels = append(labels, o.Label)
		}
		if len(labels) == 0 {
			labels = append(labels, text)
		}
		return reading.TermSet(strings.Join(labels, " "))
	}
	before := offered(r.settled.Text, r.settled.Options)
	for term := range offered(text, options) {
		if before[term] {
			return true
		}
	}
	return false
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
		b.WriteString("\n" + m.Author + ": " + m.Text)
	}
	for _, d := range r.library {
		b.WriteString("\n" + d.Name)
	}
	return b.String()
}
