package agent

import (
	"context"
	"slices"

	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// What the prompts of a turn held its answer rests on: it goes with the documents and with the lines of other
// conversations. Lines of its own conversation are known to be there.

// held is what the turn's prompts have held so far, beside its own conversation.
func (r *run) held() (s memory.Shown) {
	s.Documents = slices.Clone(r.looked)
	for _, e := range slices.Concat(r.evidence, r.tooled) {
		s.Documents = append(s.Documents, e.document)
	}
	for _, f := range slices.Concat(r.recalled, r.brought) {
		if f.Message.SessionID != r.turn.Session.ID {
			s.Messages = append(s.Messages, f.Message.ID)
		}
	}
	slices.Sort(s.Documents)
	slices.Sort(s.Messages)
	s.Documents, s.Messages = slices.Compact(s.Documents), slices.Compact(s.Messages)
	return s
}

// tell tells the caller what the next prompt holds, if that is more than it knows.
func (r *run) tell(ctx context.Context) error {
	s := r.held()
	if r.turn.Held == nil || len(s.Documents)+len(s.Messages) == r.told {
		return nil
	}
	r.told = len(s.Documents) + len(s.Messages)
	return r.turn.Held(ctx, s)
}

// fromElsewhere are the texts that the turn's prompts held beside its own conversation.
func (r *run) fromElsewhere() (texts []string) {
	for _, f := range slices.Concat(r.recalled, r.brought) {
		if f.Message.SessionID != r.turn.Session.ID {
			texts = append(texts, f.Message.Text)
		}
	}
	for _, e := range slices.Concat(r.evidence, r.tooled) {
		texts = append(texts, e.text)
	}
	return texts
}

// restsOn is what a reply rests on: the documents of its conversation that its prompts held, and of documents
// and lines from elsewhere what it says a word of that was neither asked with nor said here before: one that stands
// there alone, or two. Of our earlier answers here it is what it says any such word of. Whatever is shared in a workspace
// is in many prompts, and most answers owe nothing to it.
func (r *run) restsOn(reply *Reply) memory.Shown {
	said := reading.TermSet(reply.Text)
	if q := reply.Question; q != nil {
		for _, o := range q.Options {
			for t := range reading.TermSet(o.Label + " " + o.Query) {
				said[t] = true
			}
		}
	}
	for _, m := range r.turn.Messages {
		for t := range reading.TermSet(m.Text) {
			delete(said, t)
		}
	}
	says := func(text string) bool {
		return slices.ContainsFunc(reading.ContentTerms(text), func(t string) bool { return said[t] })
	}
	from := map[string]int{} // in how many texts from elsewhere a word stands that was not said in this conversation
	for _, text := range r.fromElsewhere() {
		for t := range reading.TermSet(text) {
			from[t]++
		}
	}
	for _, m := range r.history.Messages {
		for t := range reading.TermSet(m.Text) {
			delete(from, t)
		}
	}
	draws := func(text string) bool {
		shared := map[string]bool{}
		for _, t := range reading.ContentTerms(text) {
			if said[t] && from[t] > 0 {
				shared[t] = true
			}
		}
		for t := range shared {
			if from[t] == 1 {
				return true
			}
		}
		return len(shared) > 1
	}
	s := memory.Shown{Documents: slices.Clone(r.looked)}
	k := reply.Checks
	checked := k.Verified+k.Unchecked+len(k.LeftOut) > 0
	own := map[int64]bool{}
	for _, d := range r.library {
		own[d.ID] = d.SessionID == r.turn.Session.ID
	}
	for _, e := range slices.Concat(r.evidence, r.tooled) {
		if !slices.Contains(s.Documents, e.document) && (own[e.document] || checked || draws(e.text)) {
			s.Documents = append(s.Documents, e.document)
		}
	}
	for _, f := range slices.Concat(r.recalled, r.brought) {
		if f.Message.SessionID != r.turn.Session.ID && draws(f.Message.Text) {
			s.Messages = append(s.Messages, f.Message.ID)
		}
	}
	for _, m := range r.history.Messages {
		if m.Role == memory.Assistant && says(m.Text) {
			s.Messages = append(s.Messages, m.ID)
		}
	}
	return s
}
