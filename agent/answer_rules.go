package agent

import (
	"context"
	"fmt"
	"strings"

	"threadkeeper/docs"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// answerByRule answers without a model: the first of these that has something to say.
func (r *run) answerByRule(ctx context.Context) (string, []docs.Citation, error) {
	switch in := r.understanding.intent; {
	case in.thanks:
		return r.say.welcome, nil, nil
	case in.greeting || strings.TrimSpace(r.request) == "":
		return r.say.hello, nil, nil
	case in.next:
		text, err := r.upNext(ctx)
		return text, nil, err
	case r.route == routeLookup || r.route == routeStandard:
		return r.fromDocuments(ctx)
	case noting.MatchString(rank.Fold(r.request)) && !in.question:
		return r.say.noted, nil, nil
	case r.Model == nil && r.turn.Question == nil && r.wantsWriting():
		return r.withoutWriting(ctx)
	}
	if text, cited, err := r.unasked(ctx); err != nil || text != "" {
		return text, cited, err
	}
	text, err := r.fromWhatWasSaid(ctx)
	return text, nil, err
}

// fromWhatWasSaid answers from what was said, or says why it does not.
func (r *run) fromWhatWasSaid(ctx context.Context) (string, error) {
	switch {
	case r.turn.Question != nil && r.Model == nil: // work to be done, which takes a model
		return r.say.noModel + " " + r.say.setUp, nil
	case !r.wantsAnswer():
		return r.say.noted, nil
	}
	if text, found, err := r.remember(ctx); found || err != nil {
		return text, err
	}
	return r.unanswered(ctx), nil
}

// wantsAnswer reports whether the request asks for something rather than stating it.
func (r *run) wantsAnswer() bool {
	in, f := r.understanding.intent, rank.Fold(r.request)
	return in.question || in.recall && !in.own || in.summary || imperative.MatchString(f) || wish.MatchString(f) || commission.MatchString(f)
}

// unanswered says where a request was looked up in vain, and without a model that one may know more.
func (r *run) unanswered(ctx context.Context) string {
	in := r.understanding.intent
	setUp := r.say.noModel + " " + r.say.setUp
	switch {
	case in.question && (in.recall || in.own || r.route == routeMemory && r.Model != nil):
		return r.say.notSaid
	case len(r.library) > 0 && r.Model == nil:
		return r.nothingFound(ctx) + " " + r.say.beyond
	case len(r.library) > 0:
		return r.nothingFound(ctx)
	case r.Model != nil:
		return r.say.notSaid
	case in.question && len(r.history.Messages) > 0:
		return r.say.notSaid + " " + setUp
	}
	return setUp
}

// unasked answers a question that does not name the documents from them all the same, where they
// hold the answer; about what was said, or the asker's own affairs, only if nobody said it. The
// text is "" where they do not.
func (r *run) unasked(ctx context.Context) (string, []docs.Citation, error) {
	in := r.understanding.intent
	if !in.question || in.recall || len(r.passages) == 0 {
		return "", nil, nil
	}
	if _, said, err := r.remember(ctx); said || err != nil {
		return "", nil, err
	}
	text, cited, sure, err := r.extract(ctx)
	switch {
	case err != nil:
		return "", nil, err
	case sure:
		return r.say.extract + "\n\n" + text, cited, nil
	case text != "" && !in.own:
		return fmt.Sprintf(r.say.closest, r.library.names()) + "\n\n" + text, cited, nil
	}
	return "", nil, nil
}

// fromDocuments answers from the documents by extracts.
func (r *run) fromDocuments(ctx context.Context) (string, []docs.Citation, error) {
	opening := ""
	if r.understanding.assumed != "" {
		opening = r.understanding.assumed + "\n\n"
	}
	if r.Model == nil {
		opening += r.say.extract + "\n\n"
	}
	if r.understanding.intent.summary || len(reading.Wants(r.request)) == 0 { // "What is the document about?"
		text, cited, err := r.summarise(ctx)
		if err == nil && text == "" {
			return r.nothingFound(ctx), nil, nil
		}
		return opening + text, cited, err
	}
	text, cited, sure, err := r.extract(ctx)
	if err != nil {
		return "", nil, err
	}
	told, found, err := r.remember(ctx)
	if err != nil {
		return "", nil, err
	}
	terms := reading.ContentTerms(reading.QuestionOf(r.request))
	switch {
	case found && (!sure || !r.understanding.intent.document && reading.Coverage(terms, told) > reading.Coverage(terms, text)):
		return told, nil, nil
	case sure:
		return opening + text, cited, nil
	case text != "":
		return fmt.Sprintf(r.say.closest, r.library.names()) + "\n\n" + text, cited, nil
	}
	return r.nothingFound(ctx), nil, nil
}
