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
	"threadkeeper/memory/rank"
)

// An extract answers a question about documents without a model: the sentences that hold
// what the question names, verbatim, each checked like any other citation.

const (
	enough       = 0.5  // weighted share of a question's terms a sentence and its passage must hold
	tie          = 0.05 // of scores, within which two sentences answer a one-fact question
	extractCount = 3    // sentences of an answer to an open question
	quoteLength  = 400  // runes of a quoted sentence at most
)

// candidate is a sentence that may answer.
type candidate struct {
	text    string
	passage docs.Passage
	score   float64
	own     float64 // share of the terms in the sentence itself
}

// extract answers from the passages found. found is false when the documents do not hold
// what the question names.
func (r *run) extract(ctx context.Context) (text string, cited []docs.Citation, found bool, err error) {
	terms := r.reading.intent.content
	if r.request != r.turn.Messages[len(r.turn.Messages)-1].Text {
		terms = content(r.request)
	}
	terms = r.withoutNames(terms)
	ranked := r.rankSentences(terms)
	limit := extractCount
	if r.reading.intent.oneFact {
		limit = 1
		if len(ranked) > 1 && ranked[0].score-ranked[1].score < tie {
			limit = 2
		}
	}
	var lines []string
	for _, c := range ranked {
		if len(cited) == limit {
			break
		}
		if len(cited) > 0 && c.score < ranked[0].score*0.6 {
			break
		}
		quote := window(c.text, terms)
		verified, err := r.Index.Verify(ctx, docs.Citation{DocumentID: c.passage.DocumentID, Document: c.passage.Document, Page: c.passage.Page, Quote: quote})
		if errors.Is(err, docs.ErrNotFound) {
			continue
		}
		if err != nil {
			return "", nil, false, fmt.Errorf("check a quote: %w", err)
		}
		verified.N = len(cited) + 1
		cited = append(cited, verified)
		lines = append(lines, fmt.Sprintf("> %s [%d]", fenceLinks(quote), verified.N))
	}
	return strings.Join(lines, "\n\n"), cited, len(cited) > 0, nil
}

// withoutNames drops the words of the names of the documents in scope: they say where to
// look, not what for.
func (r *run) withoutNames(terms []string) []string {
	var names []string
	for _, d := range r.library {
		names = append(names, rank.Terms(strings.Join(nameWords(d.Name), " "))...)
	}
	left := slices.DeleteFunc(slices.Clone(terms), func(t string) bool { return slices.Contains(names, t) })
	if len(left) == 0 {
		return terms
	}
	return left
}

// rankSentences scores the sentences of the passages, best first. Empty when none holds
// enough of the question: the numbers and names it states, and half of its terms by weight.
func (r *run) rankSentences(terms []string) []candidate {
	if len(terms) == 0 {
		return nil
	}
	weights := weigh(terms, r.passages)
	wantsNumber := numberWanted.MatchString(rank.Fold(r.request))
	var all []candidate
	for place, p := range r.passages {
		around := share(terms, weights, p.Text+"\n"+p.Document)
		if around < enough || len(r.unstated(p)) > 0 {
			continue
		}
		for _, s := range sentencesOf(p.Text) {
			own := share(terms, weights, s)
			if own == 0 || isOrder(s) || isQuestion(s) || utf8.RuneCountInString(s) < 12 {
				continue
			}
			score := own + 0.3*around - 0.02*float64(place)
			if wantsNumber && len(rank.Numbers(s)) > 0 {
				score += 0.25
			}
			if utf8.RuneCountInString(s) < 40 && len(rank.Numbers(s)) == 0 {
				score -= 0.2 // a heading
			}
			all = append(all, candidate{s, p, score, own})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	if len(all) == 0 || all[0].own < enough*0.7 {
		return nil
	}
	return dedupe(all)
}

var numberWanted = cue(`how (?:many|much|long|old|high|large|big|far|often)|what (?:percentage|amount|number|year|date|rate|price|cost|share)|budget|revenues?|costs?|prices?|amounts?|totals?|salar(?:y|ies)|fees?|rates?|profits?|when|which year|wie ?viele?|wie (?:hoch|lange|alt|gross|oft)|wann|combien|quand|quel (?:montant|taux|prix|pourcentage)|cuant[oa]s?|cuando|que porcentaje|quant[oi]|quando|hoeveel|wanneer|сколько|когда`, `いくら|いつ|何年|多少|几|何时|얼마|언제|몇`)

// unstated are the numbers and names of the question that a passage's document does not hold there.
func (r *run) unstated(p docs.Passage) []string {
	return rank.Missing(strings.TrimRight(lowerFirst(r.request), "?"), p.Text+"\n"+p.Document+"\n"+strings.Join(nameWords(p.Document), " "))
}

// lowerFirst keeps the capital of a question's first word from making it a name.
func lowerFirst(s string) string {
	c, size := utf8.DecodeRuneInString(s)
	return strings.ToLower(string(c)) + s[size:]
}

// weigh gives each term its rarity among the passages; one that stands nowhere weighs most.
func weigh(terms []string, passages []docs.Passage) []float64 {
	weights := make([]float64, len(terms))
	for i, t := range terms {
		df := 0
		for _, p := range passages {
			if slices.Contains(rank.Terms(p.Text), t) {
				df++
			}
		}
		weights[i] = math.Log(2 + float64(len(passages)-df))
	}
	return weights
}

// share is the weighted share of terms that a text holds.
func share(terms []string, weights []float64, text string) float64 {
	have := map[string]bool{}
	for _, t := range rank.Terms(text) {
		have[t] = true
	}
	sum, held := 0.0, 0.0
	for i, t := range terms {
		sum += weights[i]
		if have[t] {
			held += weights[i]
		}
	}
	return held / sum
}

// dedupe drops sentences that stand in two passages.
func dedupe(all []candidate) []candidate {
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(c candidate) bool {
		key := fmt.Sprint(c.passage.DocumentID, rank.Fold(c.text))
		again := seen[key]
		seen[key] = true
		return again
	})
}

// window is a sentence, or of an overlong one the part around the first of the terms.
func window(text string, terms []string) string {
	runes := []rune(text)
	if len(runes) <= quoteLength {
		return text
	}
	words := strings.Fields(text)
	at := 0
	for i, w := range words {
		if slices.ContainsFunc(rank.Terms(w), func(t string) bool { return slices.Contains(terms, t) }) {
			at = i
			break
		}
	}
	from, length := max(0, at-8), 0
	to := from
	for to < len(words) && length < quoteLength {
		length += utf8.RuneCountInString(words[to]) + 1
		to++
	}
	return strings.Join(words[from:to], " ")
}

// nothingFound says that the documents do not hold the answer, and what was searched.
func (r *run) nothingFound() string {
	var names []string
	for _, d := range r.library[:min(len(r.library), 5)] {
		names = append(names, d.Name)
	}
	list := strings.Join(names, ", ")
	if len(r.library) > 5 {
		list += ", …"
	}
	return fmt.Sprintf(r.say.notInDocs, list)
}
