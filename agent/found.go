package agent

import (
	"context"
	"slices"

	"threadkeeper/docs"
)

// withoutModel answers by search alone: it says what was found in the documents and in what was said.
func (r *run) withoutModel(ctx context.Context) (*Reply, error) {
	if card := r.uploadCard(ctx); card != "" {
		r.route, r.understanding.Understanding = routeChat, plain(r.request, r.say.because.file)
		return r.whole(&Reply{Text: card}), nil
	}
	r.understand()
	question, err := r.ask(ctx)
	if err != nil {
		return nil, err
	}
	if question != nil {
		r.route = routeChat
		return r.whole(&Reply{Text: question.Text, Question: question}), nil
	}
	if err := r.retrieve(ctx); err != nil {
		return nil, err
	}
	r.Log.DebugContext(ctx, "understood", "route", r.route, "reason", r.understanding.Reason,
		"recalled", len(r.recalled), "passages", len(r.passages))
	text, cited, err := r.answerByRule(ctx)
	if err != nil {
		return nil, err
	}
	if slices.Contains([]string{r.say.hello, r.say.welcome, r.say.noted}, text) {
		r.route = routeSocial
	}
	return r.whole(&Reply{Text: text, Citations: cited}), nil
}

// found is what a search of the documents and of what was said finds for the request, as text; "" for nothing.
func (r *run) found(ctx context.Context) (text string, cited []docs.Citation, err error) {
	r.understand()
	if err := r.retrieve(ctx); err != nil {
		return "", nil, err
	}
	text, cited, err = r.answerByRule(ctx)
	if slices.Contains([]string{r.say.noted, r.say.hello, r.say.welcome}, text) {
		text = ""
	}
	return text, cited, err
}

// hints are readings that rules found, for the model.
func (r *run) hints() []string { return nil }

// searchText is the request in a form for retrieval: never shown, never sent as the request.
func (r *run) searchText() string { return r.query() }
