package agent

import (
	"context"
	"fmt"
	"strings"

	"threadkeeper/docs"
	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// understanding is how the request was read.
type understanding struct {
	memory.Understanding
	intent  intent
	assumed string
}

// intent is what the path with a model still asks for.
type intent struct {
	greeting, thanks, question, recall, own, next, document, summary, compare, every, oneFact bool
	content                                                                                   []string
}

func (r *run) understand() {
	text := r.request
	in := intent{question: reading.IsQuestion(text) || reading.AsksAnywhere(text), greeting: only(text, greetings, 3), thanks: only(text, thanking, 4),
		content: reading.ContentTerms(text), summary: reading.HasPhrase(text, summing), document: reading.HasPhrase(text, docNouns), next: reading.HasPhrase(text, nexting),
		recall: reading.HasPhrase(text, "remember|earlier|previously|yesterday|did i|did we|did you|i said|you said|we said|we agreed|we decided|we agreed on"), every: reading.HasPhrase(text, several), compare: reading.HasPhrase(text, "compare|versus|vs|difference")}
	in.oneFact = in.question && !in.summary && !in.compare && !in.every
	r.understanding = understanding{Understanding: plain(r.request, r.say.because.alone), intent: in}
	if r.turn.Question != nil {
		r.understanding.Method, r.understanding.Reason = "answer", r.say.because.answered
	}
}

func (r *run) ask(context.Context) (*memory.Question, error) { return nil, nil }

func (r *run) answer(ctx context.Context) (*Reply, error) {
	if in := r.understanding.intent; strings.TrimSpace(r.request) == "" || (in.thanks || in.greeting) && len(in.content) == 0 {
		return r.withoutModel(ctx)
	}
	return r.withModel(ctx)
}

func (r *run) answerByRule(ctx context.Context) (string, []docs.Citation, error) {
	text, cited, err := r.found(ctx)
	return text, cited, err
}

func (r *run) nothingFound(context.Context) string {
	return fmt.Sprintf(r.say.nothingSure, r.library.names())
}
