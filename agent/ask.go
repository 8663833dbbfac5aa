package agent

import (
	"context"
	"fmt"
	"slices"

	"threadkeeper/docs"
	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

const (
	sameEvidence = 0.6 // overlap of what two interpretations find from which on they need not be told apart
	evidence     = 5   // passages compared
)

// ask returns the one question that a doubtful request deserves, nil when it is to be
// answered: it was asked about before, the interpretations find the same, or guessing is cheap.
func (r *run) ask(ctx context.Context) (*memory.Question, error) {
	if r.understanding.doubt == noDoubt || r.turn.Question != nil {
		return nil, nil
	}
	if r.Clarify != ClarifyAlways {
		settled, err := r.settle(ctx)
		if err != nil || settled {
			return nil, err
		}
	}
	if r.Clarify == ClarifyNever {
		r.assumeLikeliest()
		return nil, nil
	}
	return r.question(r.wording(), r.understanding.options), nil
}

// question makes the row of a clarifying question. Its token and ids are the bot's.
func (r *run) question(text string, options []memory.Option) *memory.Question {
	r.understanding.IsAmbiguous = true
	r.understanding.ClarifyingQuestions = []string{text}
	r.understanding.PossibleInterpretations = r.understanding.PossibleInterpretations[:0]
	for _, o := range options {
		r.understanding.PossibleInterpretations = append(r.understanding.PossibleInterpretations, o.Query)
	}
	last := r.turn.Messages[len(r.turn.Messages)-1]
	return &memory.Question{SessionID: last.SessionID, InteractionID: last.InteractionID, MessageID: last.ID,
		PersonID: last.PersonID, Text: text, Options: options}
}

func (r *run) wording() string {
	form := r.say.whatTo
	switch r.understanding.doubt {
	case whichDoc:
		form = r.say.whichDoc
	case whichThing:
		form = r.say.whichOne
	case bareTopic, bareThing:
		form = r.say.whatWith
	case whichOperand:
		form = r.say.sides
	}
	return fmt.Sprintf(form, reading.Shorten(r.understanding.unclear, 100))
}

// settle reports whether the request can be answered without asking, because of what a
// search for its interpretations finds.
func (r *run) settle(ctx context.Context) (bool, error) {
	switch r.understanding.doubt {
	case whichDoc:
		return r.settleDocument(ctx)
	case whichThing:
		return r.settleThing(ctx)
	}
	return false, nil
}

// settleDocument: the candidates are the same bytes, or only one of them speaks of what is asked.
func (r *run) settleDocument(ctx context.Context) (bool, error) {
	in := r.understanding.intent
	same := true
	for _, d := range r.library {
		same = same && d.ContentID != 0 && d.ContentID == r.library[0].ContentID
	}
	if same {
		return true, nil
	}
	if in.summary || len(in.content) < 2 {
		return false, nil
	}
	var able []*memory.Document
	for _, d := range r.library {
		found, err := r.Index.Search(ctx, docs.Scope{Audience: r.turn.Audience, Documents: []int64{d.ID}}, r.request, evidence)
		if err != nil {
			return false, fmt.Errorf("search %s: %w", d.Name, err)
		}
		if covers(found, in.content) >= lookupCover {
			able = append(able, d)
		}
	}
	if len(able) != 1 {
		return false, nil
	}
	r.library = able
	r.assume(able[0].Name)
	return true, nil
}

// settleThing: every interpretation finds the same passages.
func (r *run) settleThing(ctx context.Context) (bool, error) {
	if len(r.library) == 0 {
		return false, nil
	}
	var first []int64
	for i, o := range r.understanding.options {
		found, err := r.Index.Search(ctx, docs.Scope{Audience: r.turn.Audience, Documents: r.library.ids()}, o.Query, evidence)
		if err != nil {
			return false, fmt.Errorf("search an interpretation: %w", err)
		}
		ids := make([]int64, len(found))
		for j, p := range found {
			ids[j] = p.ID
		}
		if i == 0 {
			first = ids
		} else if overlap(first, ids) < sameEvidence {
			return false, nil
		}
	}
	return len(first) > 0, nil
}

// overlap is the Jaccard index of two sets.
func overlap(a, b []int64) float64 {
	both := 0
	for _, x := range a {
		if slices.Contains(b, x) {
			both++
		}
	}
	if len(a)+len(b) == both {
		return 1
	}
	return float64(both) / float64(len(a)+len(b)-both)
}

// assume takes one meaning of the words in doubt, and says so in the reply.
func (r *run) assume(meaning string) {
	r.understanding.assumed = fmt.Sprintf(r.say.assume, r.understanding.unclear, meaning)
	r.understanding.RewrittenQuery = replaced(r.request, r.understanding.unclear, meaning)
	r.request = r.understanding.RewrittenQuery
}

// assumeLikeliest takes the first option where it says what a word means; a request that
// merely lacks detail is answered as it stands.
func (r *run) assumeLikeliest() {
	if len(r.understanding.options) == 0 {
		return
	}
	switch r.understanding.doubt {
	case whichDoc:
		for _, d := range r.library {
			if d.Name == r.understanding.options[0].Label {
				r.library = library{d}
				break
			}
		}
		r.assume(r.understanding.options[0].Label)
	case whichThing:
		r.assume(r.understanding.options[0].Label)
	}
}
