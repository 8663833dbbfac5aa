package agent

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"threadkeeper/memory"
	"threadkeeper/memory/rank"
)

// A question about what was said is answered without a model by the lines themselves, with
// author and date, or by saying that nothing was found.

const (
	saidEnough  = 0.6 // share of a question's terms a line must hold
	saidRelated = 0.3 // the same for a later correction
	saidCount   = 4   // lines shown at most
	lineLength  = 300 // runes of a line that is shown whole
)

// said is one line that answers.
type said struct {
	message *memory.Message
	text    string
	cover   float64
}

// remember answers from what was said. found is false when nothing was.
func (r *run) remember() (text string, found bool) {
	terms := r.aboutTerms()
	if len(terms) == 0 {
		return "", false
	}
	lines := r.lines(terms)
	if len(lines) == 0 {
		return "", false
	}
	lines = r.withCorrections(lines, terms)
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString(r.attributed(l.message, l.text))
		if len(lines) > 1 && i == len(lines)-1 {
			b.WriteString(" **" + r.say.latest + "**")
		}
	}
	return b.String(), true
}

// aboutTerms are the terms of the question without the people it names as speakers.
func (r *run) aboutTerms() []string {
	terms := content(r.query())
	speakers := map[string]bool{}
	for _, f := range r.recalled {
		for _, t := range rank.Terms(f.Message.Author) {
			speakers[t] = true
		}
	}
	return slices.DeleteFunc(terms, func(t string) bool { return speakers[t] })
}

// lines are the statements that hold enough of the question, in the order they were made.
func (r *run) lines(terms []string) []said {
	var lines []said
	for _, f := range r.recalled {
		if !r.mayAnswer(f.Message) {
			continue
		}
		text := excerpt(f.Message.Text, terms)
		if isQuestion(text) || text == "" {
			continue
		}
		if cover := coverage(terms, text); cover >= saidEnough && r.states(f.Message, text) {
			lines = append(lines, said{f.Message, text, cover})
		}
	}
	slices.SortFunc(lines, func(a, b said) int { return cmp.Compare(b.cover, a.cover) })
	best := slices.DeleteFunc(lines, func(l said) bool { return l.cover < lines[0].cover-0.01 })
	slices.SortFunc(best, func(a, b said) int { return cmp.Compare(a.message.ID, b.message.ID) })
	return unlike(best)
}

// mayAnswer: what the assistant said answers only when that is asked for, and a question that
// names a speaker is answered by that speaker's lines.
func (r *run) mayAnswer(m *memory.Message) bool {
	if (m.Role == memory.Assistant) != r.reading.intent.toUs {
		return false
	}
	words := rank.Words(r.query())
	named := false
	for _, f := range r.recalled {
		if f.Message.Role == memory.User && f.Message.PersonID != m.PersonID && mentions(words, f.Message.Author) {
			named = true
		}
	}
	return !named || mentions(words, m.Author)
}

func mentions(words []string, author string) bool {
	return slices.ContainsFunc(rank.Words(author), func(w string) bool { return len(w) > 1 && slices.Contains(words, w) })
}

// states reports whether a line holds the numbers and names of the question; who said it counts.
func (r *run) states(m *memory.Message, text string) bool {
	question := lowerFirst(strings.TrimSpace(r.query()))
	date := r.say.date(m.At, r.zone())
	return len(rank.Missing(question, text+"\n"+m.Author+"\n"+date+"\n"+english.date(m.At, r.zone()))) == 0
}

// excerpt is a message, or of a long one the sentence that holds most of the terms.
func excerpt(text string, terms []string) string {
	if utf8.RuneCountInString(text) <= lineLength && strings.Count(text, "\n") < 3 {
		return clean(text)
	}
	best, most := "", 0.0
	for _, p := range pieces(text, strings.Join(terms, " "), 3) {
		for _, s := range sentencesOf(p) {
			if c := coverage(terms, s); c > most && !isQuestion(s) {
				best, most = s, c
			}
		}
	}
	return window(best, terms)
}

// unlike keeps the first of lines that say the same, and the newest few.
func unlike(lines []said) []said {
	seen := map[string]bool{}
	lines = slices.DeleteFunc(lines, func(l said) bool {
		key := strings.Join(rank.Terms(l.text), " ")
		again := seen[key]
		seen[key] = true
		return again
	})
	return lines[max(0, len(lines)-saidCount):]
}

// withCorrections adds what was said later on the same thing with a word such as "actually",
// and leaves out lines that add no value of their own.
func (r *run) withCorrections(lines []said, terms []string) []said {
	first := lines[0].message
	known := map[int64]bool{}
	for _, l := range lines {
		known[l.message.ID] = true
	}
	all := slices.Clone(lines)
	for _, m := range r.later(first.ID) {
		text := excerpt(m.Text, terms)
		if known[m.ID] || !r.mayAnswer(m) || isQuestion(text) || !correctionCue.MatchString(rank.Fold(text)) {
			continue
		}
		if coverage(terms, text) >= saidRelated {
			all = append(all, said{m, text, 0})
		}
	}
	slices.SortFunc(all, func(a, b said) int { return cmp.Compare(a.message.ID, b.message.ID) })
	return all[max(0, len(all)-saidCount):]
}

// later are the messages known of this session after the given one.
func (r *run) later(id int64) []*memory.Message {
	var list []*memory.Message
	seen := map[int64]bool{}
	add := func(m *memory.Message) {
		if m.ID > id && !seen[m.ID] {
			seen[m.ID] = true
			list = append(list, m)
		}
	}
	for _, f := range r.recalled {
		add(f.Message)
	}
	for _, m := range r.history.Messages {
		add(m)
	}
	return list
}

// attributed is a line with who said it and when.
func (r *run) attributed(m *memory.Message, text string) string {
	date, text := r.say.date(m.At, r.zone()), fenceLinks(text)
	asker := r.turn.Messages[len(r.turn.Messages)-1].PersonID
	switch {
	case m.Role == memory.Assistant:
		return fmt.Sprintf(r.say.iSaid, date, text)
	case m.PersonID == asker:
		return fmt.Sprintf(r.say.youSaid, date, text)
	}
	return fmt.Sprintf(r.say.otherSaid, m.Author, date, text)
}

// upNext answers "what is the next step?" from what the memory holds of the work: todos, open
// questions and decisions, else the last things asked for.
func (r *run) upNext(ctx context.Context) (string, error) {
	facts, err := r.Store.Facts(ctx, r.turn.Session.ID)
	if err != nil {
		return "", fmt.Errorf("load facts: %w", err)
	}
	var lines []string
	for _, kind := range []memory.FactKind{memory.Todo, memory.OpenQuestion, memory.Decision} {
		for _, f := range slices.Backward(facts) {
			if f.Kind == kind && f.State == memory.FactActive && len(lines) < 6 {
				lines = append(lines, fmt.Sprintf("- %s (%s): %s", r.say.factLabel(kind), r.say.date(f.AssertedAt, r.zone()), fenceLinks(clean(f.Text))))
			}
		}
	}
	for _, m := range slices.Backward(r.history.Messages) {
		if len(lines) >= 6 || m.Role != memory.User || intend(m.Text).greeting || intend(m.Text).next || m.Text == "" {
			continue
		}
		if text := window(clean(m.Text), nil); len(lines) < 3 {
			lines = append(lines, fmt.Sprintf("- %s (%s): %s", r.say.lately, r.say.date(m.At, r.zone()), fenceLinks(text)))
		}
	}
	if len(lines) == 0 && r.history.Snapshot != nil {
		lines = append(lines, fenceLinks(r.history.Snapshot.Rendered))
	}
	if len(lines) == 0 {
		return r.say.noRecord, nil
	}
	return r.say.onRecord + "\n" + strings.Join(lines, "\n"), nil
}

// factLabel is the heading of a fact in a list of what is being worked on.
func (p *phrases) factLabel(k memory.FactKind) string {
	switch k {
	case memory.Todo:
		return p.todo
	case memory.OpenQuestion:
		return p.open
	}
	return p.decision
}
