package agent

import (
	"context"
	"maps"
	"slices"
	"strings"

	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// An answer rests on what the turn's prompts held: it is erased with the documents and with the lines of other
// conversations. Lines of its own conversation are known to be there.

// held is what the turn's prompts have held so far, besides its own conversation.
func (r *run) held() (s memory.Shown) {
	s.Documents = slices.Clone(r.looked)
	for _, e := range slices.Concat(r.evidence, r.tooled) {
		s.Documents = append(s.Documents, e.document)
	}
	for _, m := range r.linesElsewhere() {
		s.Messages = append(s.Messages, m.ID)
	}
	for _, k := range r.carried {
		s.Messages = append(s.Messages, k.MessageID)
	}
	slices.Sort(s.Documents)
	slices.Sort(s.Messages)
	s.Documents, s.Messages = slices.Compact(s.Documents), slices.Compact(s.Messages)
	return s
}

// lines are the messages that the turn's prompts have held so far.
func (r *run) lines() []*memory.Message {
	lines := slices.Clone(r.history.Messages)
	for _, f := range slices.Concat(r.recalled, r.brought) {
		lines = append(lines, f.Message)
	}
	return lines
}

// linesElsewhere are those of other conversations, including the one that this one continues.
func (r *run) linesElsewhere() []*memory.Message {
	return slices.DeleteFunc(r.lines(), func(m *memory.Message) bool { return m.SessionID == r.turn.Session.ID })
}

// quote notes that a reply without a model repeats a message.
func (r *run) quote(m *memory.Message) {
	if r.quotes == nil {
		r.quotes = map[int64]bool{}
	}
	r.quotes[m.ID] = true
	if !slices.ContainsFunc(slices.Concat(r.recalled, r.brought), func(f memory.Recalled) bool { return f.Message.ID == m.ID }) {
		r.brought = append(r.brought, memory.Recalled{Message: m})
	}
}

func (r *run) linked(text string, message int64) bool {
	_, link, ok := strings.Cut(r.places[message], "://")
	return ok && strings.Contains(text, "://"+link+")")
}

// tell tells the caller that a prompt is about to be sent, and what it holds if that is more than the caller knows.
func (r *run) tell(ctx context.Context) error {
	s := r.held()
	n := len(s.Documents) + len(s.Messages)
	if r.turn.Held == nil || n == r.told {
		return r.tellAgain(ctx)
	}
	r.told = n
	return r.turn.Held(ctx, s)
}

// tellAgain is tell for a prompt that holds nothing new. It may be called by several goroutines.
func (r *run) tellAgain(ctx context.Context) error {
	if r.turn.Held == nil {
		return nil
	}
	return r.turn.Held(ctx, memory.Shown{})
}

// fewTexts is in how many texts from elsewhere a word may stand that tells by itself where an answer took it from: in
// what said it first and in what repeated that.
const fewTexts = 3

// fromElsewhere are the texts that the turn's prompts held beside its own conversation, the names of
// shared documents among them.
func (r *run) fromElsewhere() (texts []string) {
	for _, m := range r.linesElsewhere() {
		texts = append(texts, m.Text)
	}
	for _, k := range r.carried {
		texts = append(texts, k.Text)
	}
	for _, e := range slices.Concat(r.evidence, r.tooled) {
		texts = append(texts, e.text)
	}
	for _, d := range r.library {
		if d.SessionID != r.turn.Session.ID {
			texts = append(texts, d.Name)
		}
	}
	return texts
}

// restsOn is what a reply rests on: the documents of its conversation that its prompts held, those it kept words of, and of documents, their
// names and lines from elsewhere what it says a word of that was neither asked with nor said here before: a code,
// one that stands in few of them, or two. Of our earlier answers here it is what it says any such word of,
// and of those that were folded what the summary took from them. Whatever is shared in a workspace is in many prompts,
// and most answers owe nothing to it.
func (r *run) restsOn(ctx context.Context, reply *Reply) (memory.Shown, error) {
	text := reply.Text + "\n" + reply.Whole
	said := reading.TermSet(text)
	if q := reply.Question; q != nil {
		for _, o := range q.Options {
			maps.Copy(said, reading.TermSet(o.Label+" "+o.Query))
		}
	}
	maps.Copy(said, reading.TermSet(r.understanding.RewrittenQuery)) // it is shown too
	for _, m := range r.turn.Messages {
		for t := range reading.TermSet(m.Text) {
			delete(said, t)
		}
	}
	from := map[string]int{} // in how many texts from elsewhere a word stands that was not said in this conversation
	for _, text := range r.fromElsewhere() {
		for t := range reading.TermSet(text) {
			from[t]++
		}
	}
	for _, m := range r.history.Messages {
		if m.SessionID != r.turn.Session.ID {
			continue
		}
		for t := range reading.TermSet(m.Text) {
			delete(from, t)
		}
	}
	draws := func(text string) bool {
		n := 0
		for _, t := range reading.ContentTerms(text) {
			if said[t] && from[t] > 0 {
				if n++; from[t] <= fewTexts || reading.CodeLike(t) {
					return true
				}
			}
		}
		return n > 1
	}
	s := memory.Shown{Documents: slices.Clone(r.looked)}
	k := reply.Checks
	checked := k.Verified+k.Unchecked+len(k.LeftOut) > 0
	own := map[int64]bool{}
	for _, d := range r.library {
		if own[d.ID] = d.SessionID == r.turn.Session.ID; !own[d.ID] && draws(d.Name) {
			s.Documents = append(s.Documents, d.ID)
		}
	}
	for _, e := range slices.Concat(r.evidence, r.tooled) {
		if !slices.Contains(s.Documents, e.document) && (own[e.document] || checked || draws(e.text)) {
			s.Documents = append(s.Documents, e.document)
		}
	}
	for _, m := range r.linesElsewhere() {
		if r.quotes[m.ID] || r.linked(text, m.ID) || draws(m.Text) {
			s.Messages = append(s.Messages, m.ID)
		}
	}
	for _, k := range r.carried {
		if draws(k.Text) {
			s.Messages = append(s.Messages, k.MessageID)
		}
	}
	for _, m := range r.lines() {
		if m.SessionID == r.turn.Session.ID && m.Role == memory.Assistant && sharesTerm(said, m.Text) {
			s.Messages = append(s.Messages, m.ID)
		}
	}
	if r.history.Snapshot == nil {
		return s, nil
	}
	folded, err := r.Store.Folded(ctx, r.history.Snapshot, func(text string) bool { return sharesTerm(said, text) })
	for _, f := range folded {
		s.Messages = append(s.Messages, drawnOn(said, f)...)
	}
	return s, err
}

func sharesTerm(terms map[string]bool, text string) bool {
	return slices.ContainsFunc(reading.ContentTerms(text), func(t string) bool { return terms[t] })
}

// drawnOn are the folded answers that a reply rests on because it says a word of the summary that no person had
// said: those that hold it, and if none does, all that a model put in other words.
func drawnOn(said map[string]bool, f memory.Folded) (ids []int64) {
	drawn := map[string]bool{}
	for _, t := range reading.ContentTerms(f.Text) {
		if said[t] && !reading.PeriodWord(t) {
			drawn[t] = true
		}
	}
	for _, text := range f.Said {
		for t := range reading.TermSet(text) {
			delete(drawn, t)
		}
	}
	if len(drawn) == 0 {
		return nil
	}
	holding := slices.DeleteFunc(slices.Clone(f.Answers), func(m *memory.Message) bool { return !sharesTerm(drawn, m.Text) })
	if len(holding) == 0 && f.Reworded {
		holding = f.Answers
	}
	for _, m := range holding {
		ids = append(ids, m.ID)
	}
	return ids
}
