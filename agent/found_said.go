package agent

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"threadkeeper/docs"
	"threadkeeper/memory"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// Limits on a search of messages. Our own words and the asker's questions are never quoted.

const (
	saidSearch = 40  // lines searched for
	saidShown  = 4   // lines shown at most
	lineLength = 300 // runes of a line that is shown whole
	asFragment = 0.8 // what a question or a fragment counts beside a statement

	laterLines = 4 // shown at most, of what was said after a line and bears on it
	rightAfter = 3 // messages of people after a line that are looked at
)

// saidLine is a line that was found.
type saidLine struct {
	message *memory.Message
	text    string
	cover   float64
	fits    bool // it holds what is sought, as far as words tell
	asks    bool // and states nothing
	later   bool // it does not fit itself: it was said after a line that does
}

// findInSaid returns the lines that fit best, in the order they were said, how well the best fits, and the terms of all lines
// looked at. A question is one only with what was said to it.
func (r *run) findInSaid(ctx context.Context, s sought) (found []saidLine, best float64, heard docs.Vocabulary, err error) {
	list, limited, err := r.saidBefore(ctx, s)
	if err != nil {
		return nil, 0, heard, err
	}
	slices.SortFunc(list, func(a, b *memory.Message) int { return cmp.Compare(b.ID, a.ID) }) // of lines that say the same the last counts
	heard = vocabularyOf(list)
	s.parts = slices.DeleteFunc(slices.Clone(s.parts), func(p part) bool {
		word := rank.Fold(p.word)
		return limited && (reading.PeriodWord(word) || sayingWords[word])
	})
	if len(s.parts) == 0 && !limited {
		return nil, 0, heard, nil
	}
	s.weigh(heard)
	for _, m := range list {
		text := s.excerpt(m.Text)
		terms := termsOf(text + "\n" + m.Author)
		if own := func(p part) bool { return p.phrase.In(terms) }; text == "" || m.SessionID != r.turn.Session.ID && len(s.parts) > 0 && !slices.ContainsFunc(s.parts, own) {
			continue // synonyms alone are too little from another conversation
		}
		l := saidLine{message: m, text: text, cover: 1, asks: asksOnly(m.Text)}
		if len(s.parts) > 0 {
			l.cover, _ = s.cover(layers{text: terms})
			author := func(p part) bool { return p.phrase.In(reading.TermSet(m.Author)) }
			l.fits, _ = s.fits(text, m.Author)
			l.fits = l.fits && (!s.saying || slices.ContainsFunc(s.parts, author))
		}
		if !s.holds(text) {
			l.cover *= asFragment
		}
		if !statesAny(m.Text) { // only where no statement fits
			l.cover *= asFragment
		}
		if l.asks && !r.answered(m) || slices.ContainsFunc(found, func(o saidLine) bool { return rank.Fold(o.text) == rank.Fold(text) }) {
			continue
		}
		found, best = append(found, l), max(best, l.cover)
	}
	found = slices.DeleteFunc(found, func(l saidLine) bool { return l.cover < max(least, best-asGood) })
	found = found[:min(len(found), saidShown)]
	later, err := r.saidLater(ctx, s, found, list)
	found = append(found, later...)
	slices.SortFunc(found, func(a, b saidLine) int { return cmp.Compare(a.message.ID, b.message.ID) })
	return found, best, heard, err
}

// saidLater are the lines that were said after the found ones and may change them: of the next few, those that share a word with it
// and replies to it or to such a line; of the others, newest first, those that correct something and share a word, or name another day.
func (r *run) saidLater(ctx context.Context, s sought, found []saidLine, newest []*memory.Message) (later []saidLine, err error) {
	for _, l := range found {
		before, terms := l.message, reading.TermSet(s.clause(l.text))
		after, err := r.Store.SaidAfter(ctx, r.turn.Audience, l.message, r.turn.Messages[0].ID, rightAfter)
		if err != nil {
			return nil, err
		}
		for _, m := range slices.Backward(newest) {
			if m.ID > l.message.ID && m.SessionID == l.message.SessionID && !slices.ContainsFunc(after, func(o *memory.Message) bool { return o.ID == m.ID }) {
				after = append(after, m)
			}
		}
		for i, m := range after {
			text := s.excerpt(m.Text)
			same := func(o saidLine) bool { return o.message.ID == m.ID || rank.Fold(o.text) == rank.Fold(text) }
			shared, moved := shares(m.Text, terms), replies(m.Text) && l.dated() && saidLine{text: text}.dated()
			next := i < rightAfter && (i == 0 || before == after[i-1]) // nothing else was said between
			answers := next && replies(m.Text) || i == 0 && strings.Contains(l.text, "?") && m.PersonID != before.PersonID
			if text == "" || !(answers || moved || shared && (i < rightAfter || corrects(m.Text))) || reading.Acknowledges(m.Text) || asksOnly(m.Text) && !reading.HoldsFigure(m.Text) ||
				slices.ContainsFunc(slices.Concat(found, later), same) || !r.mayFollow(m, text) {
				continue
			}
			before = m
			later = append(later, saidLine{message: m, text: text, later: true})
		}
	}
	slices.SortFunc(later, func(a, b saidLine) int { return cmp.Compare(a.message.ID, b.message.ID) })
	return later[max(0, len(later)-laterLines):], nil
}

// answered reports whether somebody else said something right after a question of this conversation.
func (r *run) answered(m *memory.Message) bool {
	all := r.history.Messages
	i := slices.IndexFunc(all, func(o *memory.Message) bool { return o.ID == m.ID })
	return i >= 0 && i+1 < len(all) && all[i+1].Role == memory.User && all[i+1].PersonID != m.PersonID && !asksOnly(all[i+1].Text)
}

// mayFollow reports whether a line, which nobody looked for, may stand beside what somebody did: unlike in what is not signed, people
// may say there what they did and what is to be done, but for payments and secrets.
func (r *run) mayFollow(m *memory.Message, text string) bool {
	return m.PersonID == r.asker() || !reading.DirectsAssistant(text) && !solicits(text)
}

// dated reports whether a line names a day.
func (l saidLine) dated() bool {
	_, all := reading.Quantities(l.text)
	return slices.ContainsFunc(all, func(q reading.Quantity) bool { return q.IsDate() && q.Day > 0 })
}

// clause is the one of a text's clauses that is most about the request: "Milo does the food" of "Carla books the hotel, Milo does the food".
func (s sought) clause(text string) string {
	best, most := text, 0.0
	for _, sentence := range reading.MessageSentences(text) {
		clauses := strings.Split(sentence, ", ")
		for i, c := range clauses {
			if i+1 < len(clauses) && !reading.Capitalised(clauses[i+1]) { // it goes on about the same
				clauses[i+1] = c + ", " + clauses[i+1]
			} else if cover, _ := s.cover(layers{text: termsOf(c)}); cover > most {
				best, most = c, cover
			}
		}
	}
	return best
}

// shares reports whether a text has one of some terms in what counts and is no date.
func shares(text string, terms map[string]bool) bool {
	return slices.ContainsFunc(partsOf(text, false), func(p part) bool {
		return (p.digits || !p.light) && reading.Dated(rank.Fold(p.word)) == nil && slices.ContainsFunc(p.phrase, func(t string) bool { return terms[t] })
	})
}

// replying open a line that goes on about what was said before it.
const replying = `it's|its|that's|thats|then|so|ok|okay|yes|yep|no|nope|still|but|well|fine|sorry|rather|make it|dann|ja|nein|doch|aber|lieber|alors|oui|non|mais|entonces|si|pero|mejor`

// replies reports whether a line leans on those before it: by how it opens, or by a pronoun in its first three words.
func replies(text string) bool {
	words := rank.Words(text)
	_, opening := opens(text, replying+"|"+correction)
	return opening || slices.ContainsFunc(words[:min(len(words), 3)], func(w string) bool { return pronouns[w] })
}

// corrects reports whether a text says that something is otherwise than was said.
func corrects(text string) bool { return reading.HasPhrase(text, correction) || reading.Denies(text) }

// saidBefore are the lines that people said before: what a search finds, what the conversation holds, or all of the period
// that a question about what was said names.
func (r *run) saidBefore(ctx context.Context, s sought) (list []*memory.Message, limited bool, err error) {
	first := r.turn.Messages[0].ID
	seen := map[int64]bool{}
	add := func(m *memory.Message) {
		if !seen[m.ID] && m.ID < first && m.Role == memory.User && (m.PersonID != r.asker() || statesAny(m.Text) || r.mayState(m.Text)) {
			seen[m.ID] = true
			list = append(list, m)
		}
	}
	if period := reading.PeriodOf(s.request, r.turn.Now); s.saying && period != (reading.Period{}) {
		all, err := r.Store.MessagesBetween(ctx, r.turn.Audience, period, first, 60)
		if err != nil {
			return nil, false, err
		}
		for _, m := range all {
			add(m)
		}
		return list, true, nil
	}
	found, err := r.Store.Recall(ctx, memory.RecallQuery{Audience: r.turn.Audience, Text: s.query(), Before: first, Limit: saidSearch})
	if err != nil {
		return nil, false, fmt.Errorf("recall: %w", err)
	}
	for _, f := range found {
		add(f.Message)
	}
	for _, m := range r.history.Messages {
		add(m)
	}
	return list, false, nil
}

// asksOnly reports whether each of a message's sentences asks.
func asksOnly(text string) bool {
	return !slices.ContainsFunc(reading.MessageSentences(text), func(s string) bool { return !asksUs(s) })
}

// statesAny reports whether one of a message's sentences states something: "Ok for all? Pia writes to them."
func statesAny(text string) bool { return slices.ContainsFunc(reading.MessageSentences(text), states) }

func vocabularyOf(list []*memory.Message) docs.Vocabulary {
	v := docs.Vocabulary{Passages: len(list), Holding: map[string]int{}}
	for _, m := range list {
		for t := range reading.TermSet(m.Text + "\n" + m.Author) {
			v.Holding[t]++
		}
	}
	return v
}

// excerpt returns a message, or of a long one the sentence with most of the sought terms.
func (s sought) excerpt(text string) string {
	text = reading.PlainLines(text)
	if utf8.RuneCountInString(text) <= lineLength && strings.Count(text, "\n") < 3 {
		return reading.CollapseSpace(text)
	}
	best, most := "", 0.0
	for _, sentence := range reading.PageSentences(text) {
		if c, _ := s.cover(layers{text: termsOf(sentence)}); c > most && !reading.IsQuestion(sentence) {
			best, most = sentence, c
		}
	}
	return reading.Quotable(best)
}

// correction matches phrases that take back or change an earlier statement.
const correction = `now|after all|cancelled|actually|correction|sorry|i meant|scratch that|instead|no longer|any more|anymore|moved|changed|postponed|rescheduled|extended|switched|replaced|korrektur|jetzt|doch nicht|nicht mehr|stattdessen|verschoben|geandert|en fait|maintenant|plutot|au lieu|reporte|deplace|change|perdon|ahora|en realidad|en vez|ya no|cambio|aplazado`

// changes are lines of the conversation that change or deny what a quoted piece says: of whom it names, or of what is sought.
func (r *run) changes(s sought, p foundPiece) (all []saidLine) {
	row, words := termsOf(p.quote), strings.Fields(p.quote)
	if reading.Language(p.quote) == "de" { // other words than names have capitals too: only what it begins with
		words = words[:1+slices.IndexFunc(append(slices.Clone(words[1:]), ""), func(w string) bool { return !reading.Capitalised(w) })]
	}
	for _, m := range r.history.Messages {
		terms := termsOf(m.Text)
		both := func(q part) bool { return !q.light && q.in(row) > 0 && q.in(terms) > 0 }
		named := func(w string) bool {
			f := rank.Fold(strings.Trim(w, ".,;:()"))
			return reading.Capitalised(w) && !rank.Stop(f) && !idle[f] && rank.HasWords(m.Text, f)
		}
		if text := s.excerpt(m.Text); m.Role == memory.User && text != "" && !asksUs(m.Text) && corrects(m.Text) && (slices.ContainsFunc(s.parts, both) || slices.ContainsFunc(words, named)) && r.mayFollow(m, text) {
			all = append(all, saidLine{message: m, text: text})
		}
	}
	return all[max(0, len(all)-mostChanges):]
}

// mostChanges are how many such lines are shown.
const mostChanges = 2

// toldLines renders lines in the order they were said; those that only follow are set off.
func (r *run) toldLines(lines []saidLine) string {
	var told []string
	for i, l := range lines {
		text := r.attributed(l.message, l.text)
		if l.later || i > 0 && corrects(l.text) {
			text = "↳ " + text
		}
		told = append(told, text)
	}
	return strings.Join(told, "\n\n")
}

func (r *run) attributed(m *memory.Message, text string) string {
	date, text := r.say.date(m.At, r.turn.zone()), fenceLinks(text)
	if m.PersonID == r.asker() {
		return fmt.Sprintf(r.say.youSaid, date, text)
	}
	return fmt.Sprintf(r.say.otherSaid, plainName(m.Author), date, text)
}
