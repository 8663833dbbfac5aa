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
)

// saidLine is a line that was found.
type saidLine struct {
	message *memory.Message
	text    string
	cover   float64
	terms   map[string]bool
	held    map[string]int // in how many of the lines looked at a term stands
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
	s.parts = slices.DeleteFunc(slices.Clone(s.parts), func(p part) bool {
		word := rank.Fold(p.word)
		return limited && (reading.PeriodWord(word) || sayingWords[word])
	})
	if len(s.parts) == 0 && !limited {
		return nil, 0, heard, nil
	}
	s.weigh(heard)
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
		best = max(best, cover)
		found = append(found, saidLine{m, text, cover, reading.TermSet(text), heard.Holding})
	}
	fits := func(l saidLine) bool { return l.cover >= max(least, best-asGood) }
	found = slices.DeleteFunc(slices.Clone(found), func(l saidLine) bool {
		return !fits(l) && !slices.ContainsFunc(found, func(f saidLine) bool {
			return fits(f) && f.message.ID < l.message.ID && (l.replaces(f) || l.follows(f) || s.figure && l.cover >= least && reading.HoldsFigure(l.text))
		})
	})
	slices.Reverse(found)
	for len(found) > saidShown { // what does not fit itself gives way first
		i := slices.IndexFunc(found, func(l saidLine) bool { return !fits(l) })
		found = slices.Delete(found, max(i, 0), max(i, 0)+1)
	}
	return found, best, heard, nil
}

// saidBefore are the lines that people said before: what a search finds, what the conversation holds, or all of the period
// that a question about what was said names.
func (r *run) saidBefore(ctx context.Context, s sought) (list []*memory.Message, limited bool, err error) {
	first := r.turn.Messages[0].ID
	seen := map[int64]bool{}
	add := func(m *memory.Message) {
		if !seen[m.ID] && m.ID < first && m.Role == memory.User && (slices.ContainsFunc(reading.MessageSentences(m.Text), states) || // "Ok for all? Pia writes to them."
			m.PersonID != r.asker()) {
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
const correction = `now|after all|cancelled|actually|correction|sorry|i meant|scratch that|instead|no longer|moved|changed|postponed|rescheduled|extended|switched|replaced|korrektur|jetzt|doch nicht|stattdessen|verschoben|geandert|en fait|maintenant|plutot|au lieu|reporte|deplace|change|perdon|ahora|en realidad|en vez|cambio|aplazado`

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
			all = append(all, saidLine{message: m, text: s.excerpt(m.Text), terms: reading.TermSet(m.Text)})
		}
	}
	return slices.DeleteFunc(all[max(0, len(all)-mostChanges):], func(l saidLine) bool { return l.text == "" })
}

// mostChanges are how many such lines are shown.
const mostChanges = 2

// replaces reports whether a line takes back or changes an earlier one: both state something of the same kind, or it says that
// it corrects and is about the same things, or it denies and names most of them.
func (l saidLine) replaces(earlier saidLine) bool {
	slots := memory.SlotsIn(earlier.message.Author, earlier.text)
	if slices.ContainsFunc(memory.SlotsIn(l.message.Author, l.text), func(s string) bool { return slices.Contains(slots, s) }) {
		return true
	}
	shared, rare := 0, false
	for t := range l.terms {
		if earlier.terms[t] {
			shared++
			rare = rare || l.held[t] == 2 && !inDates(l.text, t) // in these two alone
			if strings.ContainsAny(t, "0123456789") {            // "12,000, not 11,500"
				shared++
			}
		}
	}
	if !reading.HasPhrase(l.text, correction) && !reading.HasPacked(l.text, `訂正|変更|更正|改为|정정|변경`) {
		return shared >= 3 && reading.Denies(l.text)
	}
	return shared >= 2 || shared == 1 && (rare || len(earlier.terms) <= 4)
}

// follows reports whether a line takes up a figure of an earlier one that no other line has: "5 is too early, let's say 6:30".
func (l saidLine) follows(earlier saidLine) bool {
	for t := range l.terms {
		if earlier.terms[t] && l.held[t] == 2 && strings.ContainsAny(t, "0123456789") && !inDates(l.text, t) {
			return true
		}
	}
	return false
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

// toldLines renders lines; the last of those that replace another is marked as the latest.
func (r *run) toldLines(lines []saidLine) string {
	var told []string
	for i, l := range lines {
		text := r.attributed(l.message, l.text)
		if slices.ContainsFunc(lines[:i], l.replaces) && !slices.ContainsFunc(lines[i+1:], func(n saidLine) bool { return n.replaces(l) }) {
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
