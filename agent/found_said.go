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

	fewLines    = 3  // that hold a word which ties lines together
	fewTerms    = 4  // of a line that says no more than one thing
	closeBehind = 12 // messages
)

// saidLine is a line that was found.
type saidLine struct {
	message *memory.Message
	text    string
	cover   float64
	terms   map[string]bool
	asks    bool            // and states nothing
	tells   map[string]bool // of its terms, those of words that say what it is about, and its author's name
	held    map[string]int  // in how many of the lines looked at a term stands
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
		l := saidLine{message: m, text: text, cover: cover, terms: reading.TermSet(text), asks: asksOnly(m.Text), tells: about(text + " " + m.Author), held: heard.Holding}
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
	fits := func(l saidLine) bool { return l.cover >= max(least, best-asGood) }
	found = slices.DeleteFunc(slices.Clone(found), func(l saidLine) bool {
		return l.asks && told || !fits(l) && !slices.ContainsFunc(found, func(f saidLine) bool {
			return fits(f) && f.message.ID < l.message.ID && (l.replaces(f) || l.follows(f) || s.figure && l.cover >= least && reading.HoldsFigure(l.text))
		})
	})
	slices.Reverse(found)
	own := len(slices.DeleteFunc(slices.Clone(found), func(l saidLine) bool { return !fits(l) }))
	for len(found) > min(saidShown, own+mostChanges) { // what does not fit itself gives way first
		i := slices.IndexFunc(found, func(l saidLine) bool { return !fits(l) })
		found = slices.Delete(found, max(i, 0), max(i, 0)+1)
	}
	return found, best, heard, nil
}

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
		words = words[:1+slices.IndexFunc(append(words[1:], ""), func(w string) bool { return !reading.Capitalised(w) })]
	}
	names := reading.TermSet(strings.Join(slices.DeleteFunc(words, func(w string) bool { f := rank.Fold(w); return !reading.Capitalised(w) || rank.Stop(f) || idle[f] }), " "))
	for _, m := range r.history.Messages {
		changed := reading.HasPhrase(m.Text, correction)
		if m.Role != memory.User || asksUs(m.Text) || !changed && !reading.Denies(m.Text) {
			continue
		}
		terms := termsOf(m.Text)
		names := slices.ContainsFunc(slices.Collect(maps.Keys(names)), func(t string) bool { return terms[t] })
		if names || changed && slices.ContainsFunc(s.parts, func(q part) bool { return !q.light && q.in(row) > 0 && q.in(terms) > 0 }) {
			all = append(all, saidLine{message: m, text: s.excerpt(m.Text), terms: reading.TermSet(m.Text), tells: about(m.Text)})
		}
	}
	return slices.DeleteFunc(all[max(0, len(all)-mostChanges):], func(l saidLine) bool { return l.text == "" })
}

// mostChanges are how many such lines are shown.
const mostChanges = 2

// replaces reports whether a line takes back or changes an earlier one: both state something of the same kind, or it says that
// it corrects and is about the same things.
func (l saidLine) replaces(earlier saidLine) bool {
	slots := memory.SlotsIn(earlier.message.Author, earlier.text)
	if slices.ContainsFunc(memory.SlotsIn(l.message.Author, l.text), func(s string) bool { return slices.Contains(slots, s) }) {
		return true
	}
	if !reading.HasPhrase(l.text, correction) && !reading.HasPacked(l.text, `訂正|変更|更正|改为|정정|변경`) {
		return false
	}
	shared := 0
	for t := range l.terms {
		number := strings.ContainsAny(t, "0123456789")
		if earlier.terms[t] && (number || len(l.terms) <= fewTerms || earlier.tells[t]) { // "Correction, Markus has the key"
			shared++
			if number && !inDates(l.text, t) { // "12,000, not 11,500"
				shared++
			}
		}
	}
	return shared >= 2 || shared == 1 && len(earlier.terms) <= fewTerms
}

// about are the terms of the words in a text that say what it is about.
func about(text string) map[string]bool {
	set := map[string]bool{}
	for _, p := range partsOf(text, false) {
		for _, t := range p.phrase {
			set[t] = set[t] || !p.light
		}
	}
	return set
}

// follows reports whether a line goes on about what an earlier one says: it has a word that few lines have, or a number that no other
// has, but for those of dates; or it stands close behind and names another day, and nothing else but that it changes one: "go live on
// 3 March", "then let's say 10 March".
func (l saidLine) follows(earlier saidLine) bool {
	others := 0
	for t := range l.terms {
		number := strings.ContainsAny(t, "0123456789")
		switch {
		case !number && earlier.tells[t] && l.held[t] <= fewLines, number && earlier.terms[t] && l.held[t] == 2:
			if !inDates(l.text, t) && !inDates(earlier.text, t) {
				return true
			}
		case l.tells[t] && !inDates(l.text, t):
			others++
		}
	}
	had := datesIn(earlier.text)
	return (others == 0 || others == 1 && reading.HasPhrase(l.text, correction)) && len(had) > 0 && l.message.SessionID == earlier.message.SessionID && l.message.ID-earlier.message.ID <= closeBehind &&
		slices.ContainsFunc(datesIn(l.text), func(d reading.Quantity) bool {
			return !slices.ContainsFunc(had, func(o reading.Quantity) bool { return o.Day == d.Day && o.Month == d.Month })
		})
}

// datesIn are the dates that a text names by day.
func datesIn(text string) []reading.Quantity {
	_, all := reading.Quantities(text)
	return slices.DeleteFunc(all, func(q reading.Quantity) bool { return !q.IsDate() || q.Day == 0 })
}

// inDates reports whether a term stands in the dates of a text, and nowhere else in it.
func inDates(text, term string) bool {
	folded, all := reading.Quantities(text)
	for _, q := range slices.Backward(all) {
		if q.IsDate() || q.IsYear() {
			folded = folded[:q.From] + " " + folded[q.To:]
		}
	}
	return !reading.TermSet(folded)[term]
}

// toldLines renders lines; the last is marked as the latest if it replaces another in what is sought, or one that says nothing else.
func (r *run) toldLines(s sought, lines []saidLine) string {
	var told []string
	for i, l := range lines {
		text := r.attributed(l.message, l.text)
		if i == len(lines)-1 && slices.ContainsFunc(lines[:i], func(earlier saidLine) bool {
			both := func(p part) bool { return p.in(l.terms) > 0 && p.in(earlier.terms) > 0 }
			return l.replaces(earlier) && (len(earlier.terms) <= fewTerms || slices.ContainsFunc(s.parts, both))
		}) {
			text += " **" + r.say.latest + "**"
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
