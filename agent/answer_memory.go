package agent

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"threadkeeper/memory"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// A question about what was said is answered without a model by the lines themselves, with
// author and date, or by saying that nothing was found.

const (
	saidEnough  = 0.6 // share of a question's terms a line must hold
	saidBy      = 0.5 // the same for a line of the person that the question names
	saidRelated = 0.3 // the same for a later correction
	saidCount   = 4   // lines shown at most
	periodLines = 60  // read of a period
	lineLength  = 300 // runes of a line that is shown whole
)

// said is one line that answers.
type said struct {
	message *memory.Message
	text    string
	cover   float64
}

// remember answers from what was said. found is false when nothing was.
func (r *run) remember(ctx context.Context) (text string, found bool, err error) {
	if r.when = reading.PeriodOf(r.query(), r.turn.Now); r.when != (reading.Period{}) {
		if err := r.recallPeriod(ctx); err != nil {
			return "", false, err
		}
	}
	terms := r.aboutTerms()
	about := reading.NewAbout(r.meant(), terms)
	lines := r.lines(about)
	if len(lines) == 0 && len(terms) > 0 {
		if err := r.recallAlike(ctx, terms); err != nil {
			return "", false, err
		}
		about.Alike = true
		lines = r.lines(about)
	}
	if len(lines) == 0 {
		return "", false, nil
	}
	if len(terms) > 0 && r.when == (reading.Period{}) {
		lines = r.withCorrections(lines, about)
	}
	return r.told(lines, len(terms) > 0), true, nil
}

// told renders lines; of several statements on one thing the last is marked.
func (r *run) told(lines []said, one bool) string {
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString(r.attributed(l.message, l.text))
		if one && len(lines) > 1 && i == len(lines)-1 && !reading.Apart(lines[i-1].text, l.text) {
			b.WriteString(" **" + r.say.latest + "**")
		}
	}
	return b.String()
}

// recallPeriod adds what people said when the question asks for.
func (r *run) recallPeriod(ctx context.Context) error {
	list, err := r.Store.MessagesBetween(ctx, r.turn.Audience, r.when, r.turn.Messages[0].ID, periodLines)
	if err != nil {
		return err
	}
	for _, m := range list {
		r.recalled = append(r.recalled, memory.Recalled{Message: m})
	}
	return nil
}

// recallAlike adds the lines that hold words of the same meaning.
func (r *run) recallAlike(ctx context.Context, terms []string) error {
	words := slices.Clone(terms)
	for _, t := range terms {
		words = append(words, reading.Synonyms(t)...)
	}
	if len(words) == len(terms) {
		return nil
	}
	return r.recallText(ctx, strings.Join(words, " "))
}

// denied are the people a question leaves out, as in "what did Bob, not Alice, decide".
var denied = regexp.MustCompile(`,?\s*\(?(?:\b[Nn]ot|\b[Nn]icht|\b[Pp]as|\b[Nn]on|\b[Nn]o|\binstead of|\brather than|\bstatt|\bau lieu de|\ben vez de)\s+(\p{Lu}[\pL'’-]*)\)?,?`)

// meant is the question without the people it leaves out.
func (r *run) meant() string { return denied.ReplaceAllString(r.query(), "") }

// aboutTerms are the terms of the question without relative times and the people it names as
// speakers. If those are all, they are what people do with words, as in "what did Bob decide".
// None asks for whatever was said.
func (r *run) aboutTerms() []string {
	question := strings.Map(func(c rune) rune {
		if c == '\'' || c == '’' {
			return ' '
		}
		return c
	}, r.meant())
	speakers := map[string]bool{}
	for _, f := range r.recalled {
		for _, t := range rank.Terms(f.Message.Author) {
			speakers[t] = true
		}
	}
	var kept []string
	for _, w := range rank.Words(question) {
		if r.when == (reading.Period{}) || !reading.PeriodWord(w) {
			kept = append(kept, w)
		}
	}
	unnamed := func(terms []string) []string {
		return slices.DeleteFunc(terms, func(t string) bool { return speakers[t] || reading.AllDigits(t) })
	}
	if terms := unnamed(reading.ContentTerms(strings.Join(kept, " "))); len(terms) > 0 {
		return terms
	}
	return unnamed(slices.DeleteFunc(rank.Terms(strings.Join(kept, " ")), func(t string) bool { return !deciding[t] }))
}

// deciding are terms of what people do with words, where a question has no others.
var deciding = reading.TermSet(`decide agree want prefer choose promise recommend suggest propose entschieden beschlossen vereinbart wollte empfohlen
	decide choisi recommande decidio decidimos acordamos recomendo deciso consigliato`)

// lines are the statements that hold enough of the question, in the order they were made.
func (r *run) lines(about reading.About) []said {
	var lines []said
	if len(about.Terms) == 0 && r.when == (reading.Period{}) && !r.namesSpeaker() {
		return nil
	}
	seen := map[int64]bool{}
	for _, f := range r.recalled {
		if seen[f.Message.ID] || !r.when.Holds(f.Message.At) || !r.mayAnswer(f.Message) {
			continue
		}
		seen[f.Message.ID] = true
		text := excerpt(f.Message.Text, about)
		if asks(text) || text == "" {
			continue
		}
		least := saidEnough
		if mentions(rank.Words(r.meant()), f.Message.Author) {
			least = saidBy
		}
		if cover := about.Cover(text + r.repliedTo(f.Message)); (cover >= least || len(about.Terms) == 0) && r.fits(about, f.Message, text) {
			lines = append(lines, said{f.Message, text, cover})
		}
	}
	slices.SortFunc(lines, func(a, b said) int { return cmp.Compare(b.cover, a.cover) })
	best := slices.DeleteFunc(lines, func(l said) bool { return l.cover < lines[0].cover-0.01 })
	slices.SortFunc(best, func(a, b said) int { return cmp.Compare(a.message.ID, b.message.ID) })
	return unlike(best)
}

// asks reports whether a text asks for something instead of stating it.
func asks(text string) bool {
	return reading.IsQuestion(text) || tellCue.MatchString(rank.Fold(text)) && len(rank.Words(text)) <= 25
}

// mayAnswer: what the assistant said answers only when that is asked for, and a question that
// names a speaker is answered by that speaker's lines.
func (r *run) mayAnswer(m *memory.Message) bool {
	if (m.Role == memory.Assistant) != r.understanding.intent.toUs {
		return false
	}
	if m.Role == memory.Assistant {
		return !retells(m, r.recalled)
	}
	return !r.namesSpeaker() || mentions(rank.Words(r.meant()), m.Author)
}

// retells reports whether a line of ours only says what was said before, or that nothing was.
func retells(m *memory.Message, recalled []memory.Recalled) bool {
	for _, p := range phrasesIn {
		for _, form := range []string{p.notSaid, p.noted, p.iSaid, p.youSaid, p.otherSaid} {
			if head, _, _ := strings.Cut(form, "%"); head != "" && strings.HasPrefix(m.Text, head) {
				return true
			}
		}
	}
	return slices.ContainsFunc(recalled, func(f memory.Recalled) bool {
		return f.Message.ID < m.ID && len(f.Message.Text) > 12 && strings.Contains(m.Text, reading.CollapseSpace(f.Message.Text))
	})
}

// namesSpeaker reports whether the question names somebody who spoke.
func (r *run) namesSpeaker() bool {
	words := rank.Words(r.meant())
	return slices.ContainsFunc(r.recalled, func(f memory.Recalled) bool {
		return f.Message.Role == memory.User && mentions(words, f.Message.Author)
	})
}

// repliedTo is, of a line of ours, what it replied to: the answer is read together with it.
func (r *run) repliedTo(m *memory.Message) string {
	if m.Role != memory.Assistant {
		return ""
	}
	same := func(o *memory.Message) bool { return o.Role == memory.User && o.InteractionID == m.InteractionID }
	for _, f := range r.recalled {
		if same(f.Message) {
			return "\n" + f.Message.Text
		}
	}
	if i := slices.IndexFunc(r.history.Messages, same); i >= 0 {
		return "\n" + r.history.Messages[i].Text
	}
	return ""
}

func mentions(words []string, author string) bool {
	return slices.ContainsFunc(rank.Words(author), func(w string) bool { return len(w) > 1 && slices.Contains(words, w) })
}

// fits reports whether a line is about what the question is about: it holds its numbers,
// names and anchors, who said it and when counting, and states them of no other subject.
func (r *run) fits(about reading.About, m *memory.Message, text string) bool {
	question := reading.LowerFirst(strings.TrimSpace(r.meant()))
	around := text + "\n" + m.Author + "\n" + r.say.date(m.At, r.turn.zone()) + "\n" + english.date(m.At, r.turn.zone()) + r.repliedTo(m)
	if r.when != (reading.Period{}) {
		return !about.Elsewhere(text)
	}
	have := reading.TermSet(around)
	missing := slices.DeleteFunc(rank.Missing(question, around), func(w string) bool {
		return !slices.ContainsFunc(rank.Terms(w), func(t string) bool { return !about.Alike || !about.In(t, have) })
	})
	return len(missing) == 0 && about.Anchored(around) && (m.Role == memory.Assistant || !about.Elsewhere(text))
}

// excerpt is a message, or of a long one the sentence that holds most of the terms.
func excerpt(text string, about reading.About) string {
	if utf8.RuneCountInString(text) <= lineLength && strings.Count(text, "\n") < 3 {
		return reading.CollapseSpace(text)
	}
	best, most := "", 0.0
	for _, p := range pieces(text, strings.Join(about.Terms, " "), 3) {
		for _, s := range reading.PageSentences(p) {
			if c := about.Cover(s); c > most && !asks(s) {
				best, most = s, c
			}
		}
	}
	return reading.AroundTerms(best, about.Terms)
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

// withCorrections adds what was said later on the same thing with a word such as "actually".
func (r *run) withCorrections(lines []said, about reading.About) []said {
	known := map[int64]bool{}
	for _, l := range lines {
		known[l.message.ID] = true
	}
	all := slices.Clone(lines)
	for _, m := range r.later(lines[0].message.ID) {
		text := excerpt(m.Text, about)
		if text == "" {
			text = reading.CollapseSpace(reading.AroundTerms(m.Text, nil))
		}
		if !known[m.ID] && r.mayAnswer(m) && !asks(text) && corrects(all, text, about) {
			all = append(all, said{m, text, 0})
		}
	}
	slices.SortFunc(all, func(a, b said) int { return cmp.Compare(a.message.ID, b.message.ID) })
	return all[max(0, len(all)-saidCount):]
}

// corrects reports whether a later text corrects one of the lines: it has a word of correction
// and is about the same thing, or takes a stated value back, as "it is 12, not 21" does.
func corrects(lines []said, text string, about reading.About) bool {
	f := rank.Fold(text)
	strong := takesBack.MatchString(f)
	if !strong && !correctionCue.MatchString(f) {
		return false
	}
	if about.Cover(text) >= saidRelated && !about.Elsewhere(text) {
		return true
	}
	have := reading.TermSet(text)
	delete(have, reading.AnyNumber)
	return strong && slices.ContainsFunc(lines, func(l said) bool {
		stated := reading.SubjectTerms(l.text)
		return slices.ContainsFunc(reading.ContentTerms(l.text), func(t string) bool {
			return have[t] && !slices.Contains(stated, t) && !slices.Contains(about.Terms, t)
		})
	})
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
	date, text := r.say.date(m.At, r.turn.zone()), fenceLinks(text)
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
				lines = append(lines, fmt.Sprintf("- %s (%s): %s", r.say.factLabel(kind), r.say.date(f.AssertedAt, r.turn.zone()), fenceLinks(reading.CollapseSpace(f.Text))))
			}
		}
	}
	for _, m := range append(statements(r.history.Messages, true), statements(r.history.Messages, false)...) {
		line := fmt.Sprintf("- %s (%s): %s", r.say.lately, r.say.date(m.At, r.turn.zone()), fenceLinks(reading.AroundTerms(reading.CollapseSpace(m.Text), nil)))
		if len(lines) < 3 && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 && r.history.Snapshot != nil && r.history.Snapshot.Rendered != "" {
		lines = append(lines, fenceLinks(r.history.Snapshot.Rendered))
	}
	if len(lines) == 0 {
		return r.say.noRecord, nil
	}
	return r.say.onRecord + "\n" + strings.Join(lines, "\n"), nil
}

// statements are what people said in the history that is neither a question nor a courtesy, the
// newest first; with due only those that speak of something to be done.
func statements(history []*memory.Message, due bool) []*memory.Message {
	var list []*memory.Message
	for _, m := range slices.Backward(history) {
		in := intend(m.Text)
		if m.Role == memory.User && !in.question && !in.greeting && !in.thanks && !in.next && len(in.content) > 1 &&
			(!due || dueCue.MatchString(rank.Fold(reading.AroundTerms(m.Text, nil)))) {
			list = append(list, m)
		}
	}
	return list
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
