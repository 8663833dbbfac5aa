package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"threadkeeper/docs"
	"threadkeeper/memory"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// An extract answers a question about documents without a model: the statements that hold
// what the question names, verbatim, each checked like any other citation.

const (
	enough       = 0.5  // weighted share of a question's terms that a statement and its page must hold
	enoughOwn    = 0.35 // the same of the statement itself with its title
	nearby       = 0.3  // the same from which on a statement is worth showing as the closest one
	tie          = 0.05 // of scores, within which two statements answer a one-fact question
	extractCount = 3    // statements of an answer to an open question
)

// candidate is a statement that may answer.
type candidate struct {
	reading.Statement
	passage docs.Passage
	score   float64
	own     float64 // share of the terms in the statement itself, those of its title for half
	certain bool    // it holds enough of the question, and a value of the kind that is wanted
}

// extract answers from the passages found. sure is false when nothing found holds all that the
// question names: text is then what comes closest, or "" if nothing comes close.
func (r *run) extract(ctx context.Context) (text string, cited []docs.Citation, sure bool, err error) {
	all := reading.Wants(r.request)
	for i := range all {
		all[i].Terms, all[i].Inherited = r.library.withoutNames(all[i].Terms), r.library.withoutNames(all[i].Inherited)
	}
	absent, err := r.absent(ctx)
	if err != nil || len(absent) > 0 || len(all) == 0 {
		return "", nil, false, err
	}
	pages, err := r.foundPages(ctx)
	if err != nil {
		return "", nil, false, err
	}
	chosen := r.chooseStatements(all, pages)
	var lines []string
	for _, c := range chosen {
		line, cite, err := r.quoteOf(ctx, c, all, len(cited)+1)
		if errors.Is(err, docs.ErrNotFound) {
			continue
		}
		if err != nil {
			return "", nil, false, err
		}
		cited, lines = append(cited, cite), append(lines, line)
		sure = sure || c.certain
	}
	return strings.Join(lines, "\n\n"), cited, sure, nil
}

// quoteOf is a statement as it is shown, with its citation.
func (r *run) quoteOf(ctx context.Context, c candidate, all []reading.Wanted, n int) (string, docs.Citation, error) {
	shown := []string{c.Text}
	quote := c.Quote()
	if utf8.RuneCountInString(c.Text) > reading.QuoteLength {
		var terms []string
		for _, w := range all {
			terms = append(terms, w.Terms...)
		}
		quote = reading.AroundTerms(c.Text, terms)
		shown = []string{"… " + quote + " …"}
	}
	cite, err := r.Index.Verify(ctx, docs.Citation{DocumentID: c.passage.DocumentID, Document: c.passage.Document, Page: c.passage.Page, Quote: quote})
	if err != nil {
		if errors.Is(err, docs.ErrNotFound) {
			return "", cite, docs.ErrNotFound
		}
		return "", cite, fmt.Errorf("check a quote: %w", err)
	}
	cite.N = n
	if c.Row && c.Header != "" && c.Header != c.Text {
		shown = []string{c.Header, c.Text}
	}
	shown = append(shown, c.Items...)
	for i, s := range shown {
		shown[i] = "> " + fenceLinks(reading.Unhyphenate(s))
	}
	return strings.Join(shown, "  \n") + fmt.Sprintf(" [%d]", n), cite, nil
}

// foundPage is a page that a passage was found on.
type foundPage struct {
	passage    docs.Passage
	place      int // among those found, best first
	text       string
	lacks      bool            // a number or name of the question
	has        map[string]bool // terms of the page and of its document's name
	statements []judged
}

// judged is a statement with its terms.
type judged struct {
	reading.Statement
	terms map[string]bool
	wider map[string]bool // with its title, what stands before it and the names of its columns
}

func termsOf(text string) map[string]bool {
	set := map[string]bool{}
	for _, t := range rank.Terms(text) {
		set[t] = true
	}
	return set
}

// foundPages reads the pages of the passages found: a sentence may begin in one passage and end in
// the next.
func (r *run) foundPages(ctx context.Context) ([]foundPage, error) {
	var pages []foundPage
	for place, p := range r.passages {
		if slices.ContainsFunc(pages, func(f foundPage) bool { return f.passage.DocumentID == p.DocumentID && f.passage.Page == p.Page }) {
			continue
		}
		text, err := r.Index.Page(ctx, p.DocumentID, p.Page)
		if errors.Is(err, memory.ErrNotFound) { // removed meanwhile
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read a page: %w", err)
		}
		page := foundPage{passage: p, place: place, text: text, has: termsOf(text + "\n" + p.Document)}
		page.lacks = len(r.unstated(page)) > 0
		for _, s := range reading.Statements(text) {
			page.statements = append(page.statements, judged{s, termsOf(s.Quote()), termsOf(s.Heading + "\n" + s.Before + "\n" + s.Header)})
		}
		pages = append(pages, page)
	}
	return pages, nil
}

// chooseStatements takes the best statement for all that is wanted; another one for each thing
// that it does not answer; and for an open question those that are about as good.
func (r *run) chooseStatements(all []reading.Wanted, pages []foundPage) []candidate {
	ranked := rankStatements(all, pages, r.request)
	if len(ranked) == 0 {
		return nil
	}
	chosen := ranked[:1:1]
	left := slices.DeleteFunc(slices.Clone(all), func(w reading.Wanted) bool { return ranked[0].Answers(w, r.request) })
	if len(all) > 1 {
		for _, w := range left {
			for _, c := range rankStatements([]reading.Wanted{w}, pages, r.request) {
				if c.Answers(w, r.request) && !has(chosen, c) {
					chosen = append(chosen, c)
					break
				}
			}
		}
		return chosen
	}
	limit, least := extractCount, ranked[0].score*0.75
	if !ranked[0].certain {
		limit = 2
	}
	if r.understanding.intent.oneFact && (all[0].Typed() || ranked[0].certain) {
		limit, least = 2, ranked[0].score-tie
	}
	for _, c := range ranked[1:] {
		if len(chosen) == limit || c.score < least || c.certain != chosen[0].certain {
			break
		}
		chosen = append(chosen, c)
	}
	return chosen
}

func has(all []candidate, c candidate) bool {
	return slices.ContainsFunc(all, func(o candidate) bool {
		return o.passage.DocumentID == c.passage.DocumentID && o.passage.Page == c.passage.Page && o.Text == c.Text
	})
}

// rankStatements scores the statements of pages, best first.
func rankStatements(all []reading.Wanted, pages []foundPage, request string) []candidate {
	var weights [][]float64
	for _, w := range all {
		weights = append(weights, weigh(w, pages))
	}
	var found []candidate
	for _, p := range pages {
		for _, s := range p.statements {
			if c, ok := rate(s, p, all, weights, request); ok {
				found = append(found, c)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(certainty(b), certainty(a)), cmp.Compare(b.score, a.score))
	})
	return dedupe(found)
}

func certainty(c candidate) int {
	if c.certain {
		return 1
	}
	return 0
}

// rate scores one statement for all that is wanted. It is false when it cannot be an answer.
func rate(s judged, p foundPage, all []reading.Wanted, weights [][]float64, request string) (candidate, bool) {
	c := candidate{Statement: s.Statement, passage: p.passage}
	n, around := float64(len(all)), 0.0
	for i, w := range all {
		own, titled, page := 0.0, 0.0, 0.0
		for j, t := range slices.Concat(w.Terms, w.Inherited) {
			if s.terms[t] {
				own += weights[i][j]
			}
			if s.terms[t] || s.wider[t] {
				titled += weights[i][j]
			}
			if p.has[t] {
				page += weights[i][j]
			}
		}
		c.own += (own + titled) / 2 / n
		around += page / n
	}
	text := s.Quote()
	if c.own < nearby*0.7 || around < nearby || reading.Extent(text) < 12 || reading.HasLeader(text) || reading.DirectsAssistant(text) || reading.IsQuestion(text) {
		return c, false
	}
	kinds, typed := 0.0, 0.0
	for _, w := range all {
		if w.Typed() {
			kinds++
			if s.Fills(w, request) {
				typed++
			}
		}
	}
	c.certain = around >= enough && c.own >= enoughOwn && (kinds == 0 || typed > 0) && !p.lacks
	c.score = c.own + 0.3*around - 0.02*float64(p.place)
	if kinds > 0 {
		c.score += 0.35 * typed / kinds
	}
	if s.Row && s.Header != "" && dated(s.Header, request) {
		c.score += 0.1
	}
	if p.lacks {
		c.score *= 0.8
	}
	return c.penalised(kinds > 0 && typed == kinds), true
}

// dated reports whether a header names a year of the request.
func dated(header, request string) bool {
	return slices.ContainsFunc(reading.Figure.FindAllString(request, -1), func(n string) bool { return len(n) == 4 && strings.Contains(header, n) })
}

// penalised lowers the score of what is hardly a statement: a stray row, half a sentence, a title.
func (c candidate) penalised(typed bool) candidate {
	switch length := utf8.RuneCountInString(c.Text); {
	case c.Row && !typed:
		c.score -= 0.25
	case c.Row:
		c.score -= 0.05
	case reading.TitleLike(c.Text) && length < 70 && len(c.Items) == 0:
		c.score -= 0.25
	case c.Broken && len(c.Items) == 0:
		c.score -= 0.1
	}
	return c
}

// unstated are the numbers and names of the question that a page does not hold.
func (r *run) unstated(p foundPage) []string {
	return r.missing(p.text + "\n" + p.passage.Document + "\n" + strings.Join(nameWords(p.passage.Document), " "))
}

// missing are the numbers and names that the question asks about and a text does not hold.
// German capitalises every noun, so that there only numbers count.
func (r *run) missing(text string) []string {
	question := reading.LowerFirst(strings.TrimRight(reading.QuestionOf(r.request), "?"))
	numbers := rank.Numbers(question)
	return slices.DeleteFunc(rank.Missing(question, text), func(m string) bool {
		return reading.UnitNames[m] || r.say == german && !slices.Contains(numbers, m)
	})
}

// absent are the numbers and names of the question that stand nowhere in the documents in scope.
func (r *run) absent(ctx context.Context) ([]string, error) {
	var text strings.Builder
	for _, p := range r.passages {
		text.WriteString(p.Text + "\n")
	}
	for _, d := range r.library {
		text.WriteString(d.Name + "\n" + strings.Join(nameWords(d.Name), " ") + "\n")
	}
	names := r.missing(text.String())
	if len(names) == 0 {
		return nil, nil
	}
	held, err := r.Index.Holds(ctx, docs.Scope{Audience: r.turn.Audience, Documents: r.library.ids()}, names)
	if err != nil {
		return nil, fmt.Errorf("look for names: %w", err)
	}
	var absent []string
	for i, n := range names {
		if !held[i] {
			absent = append(absent, n)
		}
	}
	return absent, nil
}

// weigh gives each term its rarity among the pages found, of all 1; one that stands nowhere
// weighs most, an inherited one half.
func weigh(w reading.Wanted, pages []foundPage) []float64 {
	var weights []float64
	sum := 0.0
	for i, t := range slices.Concat(w.Terms, w.Inherited) {
		df := 0
		for _, p := range pages {
			if p.has[t] {
				df++
			}
		}
		weight := math.Log(2 + float64(len(pages)-df))
		if i >= len(w.Terms) {
			weight /= 2
		}
		weights = append(weights, weight)
		sum += weight
	}
	for i := range weights {
		weights[i] /= sum
	}
	return weights
}

// dedupe drops statements that stand in two places.
func dedupe(all []candidate) []candidate {
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(c candidate) bool {
		key := fmt.Sprint(c.passage.DocumentID, rank.Fold(c.Text))
		again := seen[key]
		seen[key] = true
		return again
	})
}

// nothingFound says that the documents do not hold the answer, and what was searched.
func (r *run) nothingFound(ctx context.Context) string {
	text := fmt.Sprintf(r.say.notInDocs, r.library.names())
	if r.Model != nil || len(r.library) != 1 {
		return text
	}
	opening, err := r.Index.Page(ctx, r.library[0].ID, 1)
	if l := reading.Language(opening); err == nil && l != "" && phrasesIn[l] != r.say && reading.Language(r.request) != l {
		return text + " " + r.say.foreign
	}
	return text
}
