package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"threadkeeper/docs"
	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// withoutModel answers by search alone: it says what was found in the documents and in what was said.
func (r *run) withoutModel(ctx context.Context) (*Reply, error) {
	r.route, r.understanding.Understanding = routeSocial, plain(r.request, r.say.because.alone)
	if r.turn.Question != nil {
		r.understanding.Method, r.understanding.Reason = "answer", r.say.because.answered
	}
	if card := r.uploadCard(ctx); card != "" {
		r.route, r.understanding.Reason = routeChat, r.say.because.file
		return r.whole(&Reply{Text: card}), nil
	}
	text, err := r.manners(ctx)
	if err != nil {
		return nil, err
	}
	if q := r.whichSummary(); text == "" && q != nil {
		r.route = routeChat
		return r.whole(&Reply{Text: q.Text, Question: q}), nil
	}
	if text == "" && r.turn.Question == nil && states(r.request) {
		text = r.say.noted
	}
	if text != "" {
		return r.whole(&Reply{Text: text}), nil
	}
	f, err := r.look(ctx)
	if err != nil {
		return nil, err
	}
	return r.whole(&Reply{Text: r.reported(f), Citations: f.cited}), nil
}

// found is what a search finds for the request in documents and in what was said, labelled as found; "" for nothing.
func (r *run) found(ctx context.Context) (text string, cited []docs.Citation, err error) {
	f, err := r.look(ctx)
	if err != nil || !f.sure && takesModel(r.request) {
		return "", nil, err
	}
	return f.text, f.cited, nil
}

// foundText is the outcome of a search.
type foundText struct {
	text         string
	cited        []docs.Citation
	sure         bool     // it answers, as far as words show
	has, missing []string // words of the request, where it does not
	asked        bool     // the request names something to look for
}

// look searches for the request.
func (r *run) look(ctx context.Context) (foundText, error) {
	of := r.library
	if named := of.named(r.request); named != nil && !reading.HasPhrase(r.request, several) {
		of = named
	}
	if r.sums(r.request) && len(of) > 0 && !(reading.HasPhrase(r.request, threads) && len(of) == len(r.library)) {
		if f, err := r.outlined(ctx, of); err != nil || f.sure {
			return f, err
		}
	}
	before, text := r.before(), reading.QuestionOf(r.query())
	if rest, ok := opens(bare(text), working); ok && takesModel(r.request) {
		before, text = "", text[max(0, len(text)-len(rest)):]
	}
	if before != "" {
		r.understanding.Reason = r.say.because.continued
	}
	v, err := r.Index.Vocabulary(ctx, docs.Scope{Audience: r.turn.Audience, Documents: of.ids()})
	if err != nil {
		return foundText{}, err
	}
	s := look(text, before)
	said, best, heard, err := r.findInSaid(ctx, s)
	if err != nil {
		return foundText{}, err
	}
	var pieces []foundPiece
	if first, second := halves(text); second != "" && len(of) > 0 {
		for _, half := range []sought{look(first, before), look(second, first)} {
			if len(pieces) == 1 && half.asksValueAlone() && half.value.Holds(pieces[0].quote, false) {
				break // one statement answers both
			}
			more, err := r.inDocuments(ctx, half, v, of)
			if err != nil {
				return foundText{}, err
			}
			if len(more) > 0 && !slices.ContainsFunc(pieces, func(p foundPiece) bool { return p.quote == more[0].quote }) {
				pieces = append(pieces, more[0])
			}
		}
	} else if len(of) > 0 {
		if pieces, err = r.inDocuments(ctx, s, v, of); err != nil {
			return foundText{}, err
		}
	}
	return r.compose(ctx, s, pieces, said, best, v, heard)
}

// outlined is the outline of documents, or how they begin where they have no sentence to quote.
func (r *run) outlined(ctx context.Context, of library) (foundText, error) {
	r.route = routeStandard
	text, cited, err := r.outline(ctx, of)
	if err != nil || text != "" {
		return foundText{text: text, cited: cited, sure: true}, err
	}
	pieces, err := r.showNumbered(ctx, of, numbered{page: 1})
	if err != nil || len(pieces) == 0 {
		return foundText{}, err
	}
	return r.compose(ctx, sought{}, pieces, nil, 0)
}

// inDocuments finds pages and sections by their number, else by words.
func (r *run) inDocuments(ctx context.Context, s sought, v docs.Vocabulary, of library) ([]foundPiece, error) {
	for _, n := range s.numbered {
		if pieces, err := r.showNumbered(ctx, of, n); err != nil || len(pieces) > 0 {
			return pieces, err
		}
	}
	if s.parts = of.withoutNamed(s.parts); len(s.parts) == 0 {
		return nil, nil
	}
	s.weigh(v)
	return r.findInDocuments(ctx, s, of)
}

// compose says what was found: what answers, the better place first; else what comes closest.
func (r *run) compose(ctx context.Context, s sought, pieces []foundPiece, said []saidLine, best float64, searched ...docs.Vocabulary) (foundText, error) {
	f := foundText{asked: len(s.parts)+len(s.numbered) > 0}
	inDocs, inSaid := len(pieces) > 0 && pieces[0].sure, len(said) > 0 && best >= saidSurely
	f.sure = inDocs || inSaid
	switch {
	case inDocs && (!inSaid || pieces[0].cover > best+0.1), !f.sure && len(pieces) > 0:
		said = nil
	case inSaid && (!inDocs || s.own || best > pieces[0].cover+0.1):
		pieces = nil
	}
	form, head := r.say.foundIn, ""
	if !f.sure {
		form, head = r.say.closestIn, r.say.closestSaid+"\n\n"
		pieces = pieces[:min(1, len(pieces))]
		f.has, f.missing = s.split(searched)
	}
	quoted, cited, err := r.quotedPieces(ctx, pieces)
	if err != nil {
		return f, err
	}
	f.cited = cited
	if quoted != "" {
		f.text = fmt.Sprintf(form, documentsOf(pieces).names()) + "\n\n" + quoted
		r.route = routeLookup
	}
	for _, l := range said {
		r.brought = append(r.brought, memory.Recalled{Message: l.message})
	}
	if len(said) > 0 {
		if quoted != "" {
			head = "\n\n" + r.say.saidHere + "\n\n"
		} else {
			r.route = routeMemory
		}
		f.text += head + r.toldLines(said)
	}
	return f, nil
}

// reported is what a search found as a reply: with what was not found where it does not answer.
func (r *run) reported(f foundText) string {
	takes := takesModel(r.request)
	switch {
	case f.sure && !takes:
		return f.text
	case f.sure && !sum.MatchString(r.request):
		return r.say.takesModel + "\n\n" + f.text
	case takes:
		r.route = routeChat
		return r.say.takesModel
	case !f.asked:
		r.route = routeChat
		return r.say.noWords
	}
	text := r.notFound(f)
	if f.text != "" {
		return text + "\n\n" + f.text
	}
	r.route = routeChat
	return text
}

// nothingFound says that no answer was found, and where it was looked for.
func (r *run) nothingFound() string { return fmt.Sprintf(r.say.nothingSure, r.where()) }

// where is what was searched.
func (r *run) where() string {
	if len(r.library) == 0 {
		return r.say.inSaid
	}
	return fmt.Sprintf(r.say.inBoth, plainName(r.library.names()))
}

// notFound says what was not found where, and what to do.
func (r *run) notFound(f foundText) string {
	words := func(list []string) string {
		var marked []string
		for _, w := range list[:min(len(list), 4)] {
			marked = append(marked, "“"+plainName(reading.Shorten(w, 40))+"”")
		}
		return strings.Join(marked, ", ")
	}
	where, next := r.where(), r.say.attach
	if len(r.library) > 0 {
		next = r.say.tryOther
	}
	text := fmt.Sprintf(r.say.foundSome, words(f.missing), where, words(f.has))
	switch {
	case len(f.missing) == 0:
		text = r.nothingFound()
	case len(f.has) == 0:
		text = fmt.Sprintf(r.say.notFound, words(f.missing), where)
	}
	return text + " " + next
}
