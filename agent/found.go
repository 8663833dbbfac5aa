package agent

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"threadkeeper/docs"
	"threadkeeper/memory"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

const (
	shownHeadings = 8 // of a document in which nothing was found
	statedWords   = 5 // words of a statement whose verb is not known, at least
)

// withoutModel answers by search alone: it says what was found in documents and messages.
func (r *run) withoutModel(ctx context.Context) (*Reply, error) {
	r.route, r.understanding = routeSocial, plain(r.request, r.say.because.alone)
	if r.turn.Question != nil {
		r.understanding.Method, r.understanding.Reason = "answer", r.say.because.answered
	}
	if reply := r.withoutAsking(ctx); reply != nil {
		return reply, nil
	}
	if q := r.turn.Question; q != nil && r.turn.Choice == ChoiceNone {
		answer := r.turn.Messages[len(r.turn.Messages)-1].Text
		if reading.Acknowledges(answer) || only(answer, callingOff, 0) {
			return r.whole(&Reply{Text: r.say.fine}), nil
		}
		if _, err := strconv.Atoi(strings.TrimSpace(answer)); err == nil { // a number that there is not
			asked := r.question(q.Text, q.Options)
			asked.MessageID = q.MessageID
			return r.whole(&Reply{Text: asked.Text, Question: asked}), nil
		}
	}
	if err := r.catchUp(ctx); err != nil {
		return nil, err
	}
	if text, err := r.manners(ctx); err != nil || text != "" {
		return r.whole(&Reply{Text: text}), err
	}
	if q := r.whichSummary(); q != nil {
		r.route = routeChat
		return r.whole(&Reply{Text: q.Text, Question: q}), nil
	}
	f, err := r.look(ctx)
	if err != nil {
		return nil, err
	}
	if searches := len(f.cited) > 0 && len(f.has) > 1 && len(f.missing) == 0 && !reading.HasPhrase(r.request, ofSelf); r.tells(f) && !searches { // "red light is blinking"
		r.route, r.quotes = routeSocial, nil
		text := r.say.noted
		if asked := reading.QuestionOf(r.request); f.text == "" && len(f.missing) > 0 && asksUs(asked) && !states(r.request) {
			text += " " + fmt.Sprintf(r.say.notFound, quotedWords(f.missing), r.where(nil))
		}
		return r.whole(&Reply{Text: text}), nil
	}
	text, err := r.reported(ctx, &f)
	if r.chosen != "" {
		text = r.chosen + "\n\n" + text
	}
	return r.whole(&Reply{Text: text, Citations: f.cited}), err
}

// tells reports whether the request states something, and asks nothing but "ok for everybody?". Where there are no documents to search,
// what was not found is a statement too, if it says enough.
func (r *run) tells(f foundText) bool {
	asked := reading.QuestionOf(r.request)
	agree := reading.AsksPeople(asked) || len(partsOf(asked, false)) == 0 && !reading.IsQuestion(strings.TrimRight(asked, "?？"))
	changes := replies(r.request) && reading.HoldsFigure(r.request) && len(r.library) == 0 && !reading.AsksAnywhere(r.request) // "make it 32"
	return r.turn.Question == nil && (states(r.request) || statesAny(r.request) && (agree || f.text == "" && len(r.library) == 0) || changes || len(f.missing) > 0 && r.mayState(r.request))
}

// mayState reports whether a text says enough to be a statement where there are no documents to search: "Lena books the flights to Rome".
func (r *run) mayState(text string) bool {
	return len(r.library) == 0 && len(strings.Fields(text)) >= statedWords && !asksUs(text) && !toUs(text)
}

// found returns what a search finds for the request in documents and messages, labelled as found; "" for nothing.
func (r *run) found(ctx context.Context) (text string, cited []docs.Citation, err error) {
	if r.digest != nil {
		text, err := r.digestText(ctx)
		return text, nil, err
	}
	f, err := r.look(ctx)
	switch {
	case err != nil, len(f.missing) > 0 && takesModel(r.request):
		return "", nil, err
	case f.said:
		if text, err = r.soFar(ctx); text == r.say.noRecord {
			text = ""
		}
		return text, nil, err
	}
	return f.hinted(), f.cited, nil
}

// hinted is what was found, below why it may be no answer.
func (f foundText) hinted() string {
	if f.text == "" {
		return ""
	}
	return strings.TrimSpace(f.unsure + "\n\n" + f.text)
}

// foundText is the outcome of a search.
type foundText struct {
	text         string
	cited        []docs.Citation
	has, missing []string // words of the request that the results contain, and those they do not
	unsure       string   // why it may be no answer, "" where nothing tells
	fits         bool     // one place holds what is sought
	follows      bool     // the request continues another, which was not looked at
	said         bool     // asked was only what was said
}

func (r *run) look(ctx context.Context) (foundText, error) {
	of := r.library
	if named, posted, all := of.named(r.request), of.of(r.turn.New), reading.HasPhrase(r.request, several); len(named) > 1 || named != nil && !all {
		of = named
	} else if named == nil && posted != nil && !all {
		of = posted
	}
	s := r.soughtFor()
	if r.sums(r.request) && len(of) > 0 && !(reading.HasPhrase(r.request, threads) && len(of) == len(r.library)) {
		r.route = routeStandard
		if text, cited, err := r.outline(ctx, of); err != nil || text != "" {
			return foundText{text: text, cited: cited}, err
		}
		s.numbered = append(s.numbered, numbered{text: of.names(), page: 1}) // it has no sentence to quote: how it begins
	}
	if len(r.library) == 0 && s.asksForRecord() && reading.PeriodOf(s.request, r.turn.Now) == (reading.Period{}) {
		return foundText{said: true}, nil
	}
	follows := r.before() != "" && continues(r.request)
	tells := (!follows || len(of) == len(r.library) || len(s.parts) > 1) && // not only a document
		slices.ContainsFunc(s.parts, part.tells) || len(s.numbered) > 0
	points := reading.HasPhrase(r.request, `one|that|das|cela|eso`) || s.asks && len(strings.Fields(s.request)) <= 2
	if !tells && (follows || takesModel(r.request) || points && !slices.ContainsFunc(s.parts, func(p part) bool { return p.digits })) { // "and in 2018?", "compare the two", "which page"
		return foundText{}, nil
	}
	said, best, heard, err := r.findInSaid(ctx, s)
	if err != nil {
		return foundText{}, err
	}
	pieces, terms, err := r.inDocuments(ctx, s, of)
	elsewhere := err == nil && len(pieces) == 0 && len(of) < len(r.library)
	if elsewhere { // a name may be meant as a word
		pieces, terms, err = r.inDocuments(ctx, s, r.library)
	}
	if err != nil {
		return foundText{}, err
	}
	for t := range heard.Holding {
		terms[t] = true
	}
	has, nowhere := s.split(terms)
	f, err := r.compose(ctx, s, pieces, said, best)
	lacks := slices.DeleteFunc(slices.Clone(f.missing), func(word string) bool { return !slices.Contains(nowhere, word) })
	switch {
	case err != nil:
	case f.text == "":
		f.has, f.missing = has, nowhere
		for _, n := range s.numbered {
			f.missing = append(f.missing, n.text)
		}
	case elsewhere && len(f.cited) > 0:
		f.unsure = fmt.Sprintf(r.say.nothingSure, r.within(of))
	case len(lacks) > 0 && f.fits:
		f.text += "\n\n" + fmt.Sprintf(r.say.notFound, quotedWords(lacks), r.where(of))
	case len(lacks) > 0:
		f.unsure = fmt.Sprintf(r.say.notFound, quotedWords(lacks), r.where(of))
	case follows:
		f.unsure, f.follows = r.say.byItself, true
	case len(s.numbered) == 0 && !f.fits:
		f.unsure = r.say.unsure
	}
	return f, err
}

// soughtFor is what the request looks for: its question, without the verb of an order and a tag such as "right?", or all of it where
// the question says too little.
func (r *run) soughtFor() sought {
	text := tag.ReplaceAllString(r.query(), "?")
	rest := bare(text)
	if order, ok := opens(rest, working+"|"+reminding+"|"+fetching); ok && !reminds(r.request) {
		rest = order
	}
	if words, left := strings.Fields(parting.Replace(text)), len(strings.Fields(strings.TrimLeft(rest, ".!? "))); 0 < left && left < len(words) {
		text = strings.Join(words[len(words)-left:], " ")
	}
	if s := look(reading.QuestionOf(text)); len(s.parts) > 1 || len(s.numbered) > 0 || s.saying {
		return s
	}
	return look(reading.CollapseSpace(text))
}

// tag matches what asks only for agreement, at the end of a question.
var tag = reading.Lazy(`(?i),\s*(?:right|correct|ok(?:ay)?|true|yes|oder|stimmt'?s|ja|verdad|no|n'est-ce pas)\s*[?？]`)

// inDocuments finds pages and sections by their number, else by words. terms are those of the documents, with their names.
func (r *run) inDocuments(ctx context.Context, s sought, of library) (pieces []foundPiece, terms map[string]bool, err error) {
	v, err := r.Index.Vocabulary(ctx, docs.Scope{Audience: r.turn.Audience, Documents: of.ids()})
	if err != nil {
		return nil, nil, err
	}
	terms = reading.TermSet(of.names())
	for t := range v.Holding {
		terms[t] = true
	}
	for _, n := range s.numbered {
		if pieces, err := r.showNumbered(ctx, of, n); err != nil || len(pieces) > 0 {
			return pieces, terms, err
		}
	}
	if len(s.parts) == 0 || len(of) == 0 {
		return nil, terms, nil
	}
	s.parts = of.withoutNamed(s)
	s.weigh(v)
	pieces, err = r.findInDocuments(ctx, s, of)
	return pieces, terms, err
}

// compose says what was found, in the documents or in what was said or, where they are about as good, in both; and which words
// are missing there.
func (r *run) compose(ctx context.Context, s sought, pieces []foundPiece, said []saidLine, best float64) (f foundText, err error) {
	if len(pieces) > 0 && len(said) > 0 {
		switch cover := pieces[0].cover; {
		case cover > best+asGood, !s.saying && reading.HasPhrase(r.request, anyNouns):
			said = nil
		case best > cover+asGood:
			pieces = nil
		}
	}
	if len(pieces) > 0 {
		said = append(said, r.changes(s, pieces[0])...)
		slices.SortStableFunc(said, func(a, b saidLine) int { return cmp.Compare(a.message.ID, b.message.ID) })
		said = slices.CompactFunc(said, func(a, b saidLine) bool { return a.message.ID == b.message.ID })
	}
	quoted, cited, err := r.quotedPieces(ctx, pieces)
	if err != nil {
		return f, err
	}
	var each []string
	for _, p := range pieces {
		name := strings.Join(nameWords(p.document.Name), "")
		for _, q := range s.parts { // "Buy" of BESTBUY_2017_10K.pdf
			if len(q.word) > 2 && strings.Contains(name, rank.Fold(q.word)) {
				each = append(each, q.word)
			}
		}
		each = append(each, p.document.Name, p.title, p.quote, strings.Join(p.shown, "\n"))
		f.fits = f.fits || p.fits && !p.undated && !s.untold
	}
	for _, l := range said {
		if !l.later {
			each = append(each, l.message.Author+"\n"+l.text)
			f.fits = f.fits || l.fits && !s.untold
		}
		r.quote(l.message)
	}
	if len(s.numbered) == 0 {
		f.has, f.missing = s.split(termsOf(strings.Join(each, "\n")))
		if len(f.has) == 0 { // only words that say little fit
			return foundText{}, nil
		}
	}
	var told []string
	if quoted != "" {
		told = append(told, fmt.Sprintf(r.say.foundIn, plainName(documentsOf(pieces).names()))+"\n\n"+quoted)
		r.route = routeLookup
	}
	if len(said) > 0 {
		told = append(told, r.toldLines(said))
		if quoted == "" {
			r.route = routeMemory
		} else if best > pieces[0].cover {
			slices.Reverse(told)
		}
	}
	f.cited, f.text = cited, strings.Join(told, "\n\n")
	return f, nil
}

// reported is what a search found as a reply, with the words that were not found.
func (r *run) reported(ctx context.Context, f *foundText) (string, error) {
	takes, cannot := takesModel(r.request), r.say.takesModel
	if acts(r.request) {
		cannot = r.say.onlyAnswers
	}
	switch {
	case f.said:
		return r.soFar(ctx)
	case takes && (f.text == "" || len(f.missing) > 0 || f.follows || isSum(r.request)):
		r.route, f.cited, r.quotes = routeChat, nil, nil
		return cannot, nil
	case takes:
		return cannot + "\n\n" + f.hinted(), nil
	case (f.text == "" || len(f.missing) > 0 && toUs(r.request)) && r.ofUs():
		r.route, f.cited, r.quotes = routeSocial, nil, nil
		switch {
		case reading.HasPhrase(r.request, forgets):
			return r.say.howToForget, nil
		case reading.HasPhrase(r.request, guarding):
			return r.say.keepsHere, nil
		}
		return r.say.about, nil
	case f.text != "":
		return f.hinted(), nil
	}
	r.route = routeChat
	return r.notFound(ctx, *f), nil
}

// nothingFound says that no answer was found, and where it was looked for.
func (r *run) nothingFound() string {
	r.nothing = true
	return fmt.Sprintf(r.say.nothingSure, r.where(r.library))
}

// where names what was searched: documents, and what was said.
func (r *run) where(of library) string {
	if len(of) == 0 {
		return r.say.inSaid
	}
	return fmt.Sprintf(r.say.inBoth, r.within(of))
}

// within names documents, or what of them was read.
func (r *run) within(of library) string {
	names := plainName(of.names())
	if slices.ContainsFunc(of, func(d *memory.Document) bool { return strings.Contains(d.Reason, docs.ErrTooLong.Error()) }) {
		return fmt.Sprintf(r.say.inPart, names)
	}
	return names
}

// notFound says what was not found where, and what to do: of one document, what its headings are. A file that could not be read may
// say it: where nothing else was read, that is all there is to say.
func (r *run) notFound(ctx context.Context, f foundText) string {
	if r.turn.Refused && len(r.library) == 0 {
		return ""
	}
	text, next := r.nothingFound(), r.say.noDocuments
	switch {
	case r.before() != "" && (continues(r.request) || len(f.missing) == 0):
		return r.say.byItself
	case len(f.missing) > 0:
		text = fmt.Sprintf(r.say.notFound, quotedWords(f.missing), r.where(r.library))
	}
	if len(r.library) > 0 {
		next = r.say.tryOther
	}
	if len(r.library) == 1 {
		pages, _, err := sample(ctx, r.Index, r.library[0], cardPages)
		given, outlineErr := r.Index.Outline(ctx, r.library[0].ID)
		if err == nil && outlineErr == nil {
			own, sections := r.headingsToShow(pages, given, shownHeadings)
			if heads, err := r.about(ctx, r.library[0].ID, own, sections, len(pages) > 1); err == nil && len(heads) > 1 {
				next += "\n" + r.say.card + " " + strings.Join(heads, " · ")
				r.tooled = append(r.tooled, shown{document: r.library[0].ID, text: next})
			}
		}
	}
	return strings.TrimSpace(text + " " + next)
}

func quotedWords(list []string) string {
	var marked []string
	for _, w := range list[:min(len(list), 4)] {
		marked = append(marked, "“"+plainName(reading.Shorten(w, 40))+"”")
	}
	return strings.Join(marked, ", ")
}
