package agent

import (
	"context"
	"fmt"
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
	if err != nil || text != "" {
		return r.whole(&Reply{Text: text}), err
	}
	if q := r.whichSummary(); q != nil {
		r.route = routeChat
		return r.whole(&Reply{Text: q.Text, Question: q}), nil
	}
	if r.statesOnly() {
		return r.whole(&Reply{Text: r.say.noted}), nil
	}
	f, err := r.look(ctx)
	if err != nil {
		return nil, err
	}
	return r.whole(&Reply{Text: r.reported(f), Citations: f.cited}), nil
}

// statesOnly reports whether the request only states something.
func (r *run) statesOnly() bool {
	return r.turn.Question == nil && states(r.request)
}

// found is what a search finds for the request in documents and in what was said, labelled as found; "" for nothing.
func (r *run) found(ctx context.Context) (text string, cited []docs.Citation, err error) {
	f, err := r.look(ctx)
	if err != nil || !f.sure && takesModel(r.request) {
		return "", nil, err
	}
	return f.text, f.cited, nil
}

// findings is the outcome of a search.
type foundText struct {
	text    string
	cited   []docs.Citation
	sure    bool // it answers, as far as words show
	has     []string
	missing []string
	asked   bool // the request names something to look for
}

// look searches for the request.
func (r *run) look(ctx context.Context) (foundText, error) {
	of := r.library
	if named := of.named(r.request); named != nil && !reading.HasPhrase(r.request, several) {
		of = named
	}
	if r.sums(r.request) && len(of) > 0 && !(reading.HasPhrase(r.request, threads) && len(of) == len(r.library)) {
		text, cited, err := r.outline(ctx, of)
		if err != nil || text != "" {
			r.route = routeStandard
			return foundText{text: text, cited: cited, sure: true, asked: true}, err
		}
		pieces, err := r.showNumbered(ctx, of, numbered{page: 1}) // no sentence to quote: how it begins
		if err != nil {
			return foundText{}, err
		}
		if len(pieces) > 0 {
			return r.compose(ctx, sought{}, docs.Vocabulary{}, pieces, nil, 0)
		}
	}
	before, text := r.before(), r.query()
	if takesModel(r.request) {
		before, text = "", r.withoutOrder(text)
	}
	s := look(reading.QuestionOf(text), before)
	s.parts = of.withoutNamed(s.parts)
	if before != "" {
		r.understanding.Reason = r.say.because.continued
	}
	v := docs.Vocabulary{Holding: map[string]int{}}
	var err error
	if len(of) > 0 {
		if v, err = r.Index.Vocabulary(ctx, docs.Scope{Audience: r.turn.Audience, Documents: of.ids()}); err != nil {
			return foundText{}, err
		}
	}
	said, best, err := r.findInSaid(ctx, s)
	if err != nil {
		return foundText{}, err
	}
	s.weigh(v)
	pieces, err := r.inDocuments(ctx, s, of)
	if err != nil {
		return foundText{}, err
	}
	return r.compose(ctx, s, v, pieces, said, best)
}

// withoutOrder is a text without the verb of an order that opens it.
func (r *run) withoutOrder(text string) string {
	if rest, ok := opens(bare(text), working); ok {
		return text[max(0, len(text)-len(rest)):]
	}
	return text
}

// inDocuments finds pages and sections by their number, else by words.
func (r *run) inDocuments(ctx context.Context, s sought, of library) ([]piece, error) {
	if len(of) == 0 {
		return nil, nil
	}
	for _, n := range s.numbered {
		if pieces, err := r.showNumbered(ctx, of, n); err != nil || len(pieces) > 0 {
			return pieces, err
		}
	}
	if len(s.parts) == 0 {
		return nil, nil
	}
	return r.findInDocuments(ctx, s, of)
}

// compose says what was found: what answers, the better place first; else what comes closest.
func (r *run) compose(ctx context.Context, s sought, v docs.Vocabulary, pieces []piece, said []saidLine, best float64) (foundText, error) {
	f := foundText{asked: len(s.parts)+len(s.numbered) > 0}
	inDocs, inSaid := s.surePieces(pieces), len(said) > 0 && best >= saidSurely
	f.sure = inDocs || inSaid
	switch {
	case inDocs && !inSaid:
		said = nil
	case inSaid && !inDocs, inSaid && s.own && best >= pieces[0].cover, inSaid && best > pieces[0].cover+0.1:
		pieces = nil
	case inDocs && pieces[0].cover > best+0.1:
		said = nil
	}
	if !f.sure {
		pieces = pieces[:min(1, len(pieces))]
		terms := map[string]bool{}
		for t := range v.Holding {
			terms[t] = true
		}
		for _, l := range said {
			for t := range l.terms {
				terms[t] = true
			}
		}
		f.has, f.missing = s.split(terms)
		if len(pieces) > 0 && len(said) > 0 {
			said = nil
		}
	}
	quoted, cited, err := r.quotedPieces(ctx, pieces, nil)
	if err != nil {
		return f, err
	}
	f.cited = cited
	var parts []string
	if quoted != "" {
		form := r.say.foundIn
		if !f.sure {
			form = r.say.closestIn
		}
		parts = append(parts, fmt.Sprintf(form, documentsOf(pieces).names())+"\n\n"+quoted)
		r.route = routeLookup
	}
	if len(said) > 0 {
		head := ""
		if !f.sure {
			head = r.say.closestSaid + "\n\n"
		} else if quoted != "" {
			head = r.say.saidHere + "\n\n"
		}
		if quoted == "" {
			r.route = routeMemory
		}
		parts = append(parts, head+r.toldLines(said))
	}
	f.text = strings.Join(parts, "\n\n")
	return f, nil
}

// documentsOf are the documents that pieces are from.
func documentsOf(pieces []piece) library {
	var l library
	seen := map[*memory.Document]bool{}
	for _, p := range pieces {
		if !seen[p.document] {
			seen[p.document] = true
			l = append(l, p.document)
		}
	}
	return l
}

// reported is what a search found as a reply: with what was not found where it does not answer.
func (r *run) reported(f foundText) string {
	takes := takesModel(r.request)
	switch {
	case sum.MatchString(r.request):
		return r.say.takesModel
	case f.sure && takes:
		return r.say.takesModel + "\n\n" + f.text
	case f.sure:
		return f.text
	case takes, !f.asked:
		r.route = routeChat
		return r.say.takesModel
	}
	text := r.notFound(f)
	if f.text != "" {
		text += "\n\n" + f.text
	} else {
		r.route = routeChat
	}
	return text
}

// notFound says what was not found where.
func (r *run) notFound(f foundText) string {
	words := func(list []string) string {
		for i, w := range list {
			list[i] = "“" + plainName(reading.Shorten(w, 40)) + "”"
		}
		return strings.Join(list[:min(len(list), 5)], ", ")
	}
	where := r.say.inSaid
	if len(r.library) > 0 {
		where = fmt.Sprintf(r.say.inBoth, plainName(r.library.names()))
	}
	var text string
	switch {
	case len(f.missing) == 0:
		text = fmt.Sprintf(r.say.nothingSure, where)
	case len(f.has) == 0:
		text = fmt.Sprintf(r.say.notFound, words(f.missing), where)
	default:
		text = fmt.Sprintf(r.say.foundSome, words(f.missing), where, words(f.has))
	}
	if len(r.library) == 0 {
		return text + " " + r.say.attach
	}
	return text + " " + r.say.tryOther
}
