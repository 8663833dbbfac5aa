package agent

import (
	"cmp"
	"context"
	"fmt"
	"maps"
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

	laterSeen  = 12 // looked at, of what was said after a line and bears on it
	laterLines = 4  // of them shown at most
	rightAfter = 3  // messages of people after a line that are looked at
	fewLines   = 3  // that hold a word which ties lines together
)

// saidLine is a line that was found.
type saidLine struct {
	message *memory.Message
	text    string
	cover   float64
	asks    bool // and states nothing
	later   bool // it does not fit itself: it was said after a line that does
}

// findInSaid returns the lines that fit best, in the order they were said, how well the best fits, and the terms of all lines
// looked at.
func (r *run) findInSaid(ctx context.Context, s sought) (found []saidLine, best float64, heard docs.Vocabulary, err error) {
	list, limited, err := r.saidBefore(ctx, s)
	if err != nil {
		return nil, 0, heard, err
	}
	slices.SortFunc(list, func(a, b *memory.Message) int { return cmp.Compare(b.ID, a.ID) }) // of lines that say the same the last counts
	heard = vocabularyOf(list)
	s.parts, list = s.saidBy(list)
	s.parts = slices.DeleteFunc(slices.Clone(s.parts), func(p part) bool {
		word := rank.Fold(p.word)
		return limited && (reading.PeriodWord(word) || sayingWords[word])
	})
	if len(s.parts) == 0 && !limited {
		return nil, 0, heard, nil
	}
	s.weigh(heard)
	asked := 0.0 // how well the best question fits
	for _, m := range list {
		if s.own && m.PersonID != r.asker() && slices.ContainsFunc(rank.Words(m.Text), func(w string) bool { return mine[w] }) {
			continue
		}
		text := s.excerpt(m.Text)
		if text == "" {
			continue
		}
		terms := termsOf(text + "\n" + m.Author)
		if own := func(p part) bool { return p.phrase.In(terms) }; m.SessionID != r.turn.Session.ID && len(s.parts) > 0 && !slices.ContainsFunc(s.parts, own) {
			continue // synonyms alone are too little from another conversation
		}
		cover, _ := s.cover(layers{text: terms})
		if len(s.parts) == 0 {
			cover = 1
		} else if s.figure && !reading.HoldsFigure(text) {
			cover *= 0.8
		}
		if slices.ContainsFunc(found, func(l saidLine) bool { return rank.Fold(l.text) == rank.Fold(text) }) {
			continue
		}
		if !states(m.Text) { // only where no statement fits
			cover *= asFragment
		}
		l := saidLine{message: m, text: text, cover: cover, asks: asksOnly(m.Text)}
		if found = append(found, l); l.asks {
			asked = max(asked, cover)
		} else {
			best = max(best, cover)
		}
	}
	told := best >= least
	if !told {
		best = max(best, asked)
	}
	found = slices.DeleteFunc(found, func(l saidLine) bool { return l.asks && told || l.cover < max(least, best-asGood) })
	found = found[:min(len(found), saidShown)]
	later, err := r.saidLater(ctx, s, found, list, heard)
	found = append(found, later...)
	slices.SortFunc(found, func(a, b saidLine) int { return cmp.Compare(a.message.ID, b.message.ID) })
	return found, best, heard, err
}

// saidLater are the lines that were said after the found ones and may change them, and those after such a line: of those searched,
// what shares a word with one that few lines have; of the next few, what shares any word with it or replies.
func (r *run) saidLater(ctx context.Context, s sought, found []saidLine, list []*memory.Message, heard docs.Vocabulary) ([]saidLine, error) {
	all := slices.Clone(found)
	add := func(m *memory.Message) {
		text := s.excerpt(m.Text)
		same := func(l saidLine) bool { return l.message.ID == m.ID || rank.Fold(l.text) == rank.Fold(text) }
		asks := asksOnly(m.Text) && !(replies(m.Text) && reading.HoldsFigure(m.Text)) // "make it 30" tells
		if text != "" && !asks && !reading.Acknowledges(m.Text) && !slices.ContainsFunc(all, same) && r.mayFollow(m, text) {
			all = append(all, saidLine{message: m, text: text, later: true})
		}
	}
	for i := 0; i < min(len(all), len(found)+laterSeen); i++ {
		l := all[i]
		after, err := r.Store.SaidAfter(ctx, r.turn.Audience, l.message, r.turn.Messages[0].ID, rightAfter)
		if err != nil {
			return nil, err
		}
		terms := reading.TermSet(undated(s.clause(l.text)))
		for i, m := range after {
			answers := i == 0 && !l.later && m.PersonID != l.message.PersonID && strings.Contains(l.text, "?")
			if answers || shares(m.Text, terms) || replies(m.Text) {
				add(m)
			}
		}
		maps.DeleteFunc(terms, func(t string, _ bool) bool { return heard.Holding[t] > max(fewLines, heard.Passages/5) })
		for _, m := range list {
			if m.ID > l.message.ID && shares(m.Text, terms) {
				add(m)
			}
		}
	}
	later := all[len(found):]
	if slices.ContainsFunc(found, saidLine.dated) { // of much that was said since, another day counts most
		slices.SortStableFunc(later, func(a, b saidLine) int {
			switch {
			case a.dated() == b.dated():
				return 0
			case a.dated():
				return -1
			}
			return 1
		})
	}
	return later[:min(len(later), laterLines)], nil
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

// names reports whether the request names somebody.
func (s sought) names(author string) bool {
	terms := reading.TermSet(author)
	return slices.ContainsFunc(s.parts, func(p part) bool { return p.phrase.In(terms) })
}

// clause is what of a line is about the request: "Milo does the food" of "Carla books the hotel, Milo does the food".
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
	return slices.ContainsFunc(partsOf(undated(text), false), func(p part) bool {
		return !p.light && slices.ContainsFunc(p.phrase, func(t string) bool { return terms[t] })
	})
}

// undated is a folded text without its dates.
func undated(text string) string {
	folded, all := reading.Quantities(text)
	for _, q := range slices.Backward(all) {
		if q.IsDate() || q.IsYear() {
			folded = folded[:q.From] + " " + folded[q.To:]
		}
	}
	return folded
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

// saidBy narrows a search to the lines of one author, if the request names one beside what people do with words ("what did Gerd say
// about the logo") and something that they said has another word of it. It returns the words to look for, without the name.
func (s sought) saidBy(list []*memory.Message) ([]part, []*memory.Message) {
	name, beside := "", false
	words := rank.Words(s.request)
	for i, w := range words {
		if rank.Stop(w) || !slices.ContainsFunc(list, func(m *memory.Message) bool { return slices.Contains(rank.Words(m.Author), w) }) { // "Le Roux"
			continue
		}
		if name != "" && name != w { // "what did Bob, not Ada, decide"
			return s.parts, list
		}
		name = w
		beside = beside || i > 0 && sayingWords[words[i-1]] || i+1 < len(words) && sayingWords[words[i+1]]
	}
	parts := slices.DeleteFunc(slices.Clone(s.parts), func(p part) bool { return rank.Fold(p.word) == name })
	if !beside || len(parts) == 0 {
		return s.parts, list
	}
	theirs := slices.DeleteFunc(slices.Clone(list), func(m *memory.Message) bool { return !slices.Contains(rank.Words(m.Author), name) })
	for _, m := range theirs {
		terms := termsOf(m.Text)
		if !asksOnly(m.Text) && slices.ContainsFunc(parts, func(p part) bool { return p.in(terms) > 0 }) {
			return parts, theirs
		}
	}
	return parts, list
}

// saidBefore are the lines that people said before: what a search finds, what the conversation holds, or all of the period
// that a question about what was said names.
func (r *run) saidBefore(ctx context.Context, s sought) (list []*memory.Message, limited bool, err error) {
	first := r.turn.Messages[0].ID
	seen := map[int64]bool{}
	add := func(m *memory.Message) {
		if !seen[m.ID] && m.ID < first && m.Role == memory.User && (m.PersonID != r.asker() || statesAny(m.Text) || r.mayState(m.Text) || s.own && !asksUs(m.Text)) {
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
		words = words[:1+slices.IndexFunc(append(words[1:], ""), func(w string) bool { return !reading.Capitalised(w) })]
	}
	names := reading.TermSet(strings.Join(slices.DeleteFunc(words, func(w string) bool { f := rank.Fold(w); return !reading.Capitalised(w) || rank.Stop(f) || idle[f] }), " "))
	for _, m := range r.history.Messages {
		if m.Role != memory.User || asksUs(m.Text) || !corrects(m.Text) {
			continue
		}
		terms := termsOf(m.Text)
		if shares(m.Text, names) || reading.HasPhrase(m.Text, correction) && slices.ContainsFunc(s.parts, func(q part) bool { return !q.light && q.in(row) > 0 && q.in(terms) > 0 }) {
			all = append(all, saidLine{message: m, text: s.excerpt(m.Text)})
		}
	}
	return slices.DeleteFunc(all[max(0, len(all)-mostChanges):], func(l saidLine) bool { return l.text == "" || !r.mayFollow(l.message, l.text) })
}

// mostChanges are how many such lines are shown.
const mostChanges = 2

// toldLines renders lines in the order they were said; those that only follow are set off.
func (r *run) toldLines(lines []saidLine) string {
	var told []string
	for _, l := range lines {
		text := r.attributed(l.message, l.text)
		if l.later {
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
