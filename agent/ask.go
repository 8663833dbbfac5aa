package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"threadkeeper/agent/claims"
	"threadkeeper/docs"
	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

const (
	sameEvidence = 0.6 // overlap of what two readings find from which on they need not be told apart
	evidence     = 5   // passages compared
)

// ask returns the one question that a doubtful request deserves, nil when it is to be
// answered: it was asked about before, the readings find the same, or guessing is cheap.
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
// search for its readings finds.
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

// settleThing: every reading finds the same passages.
func (r *run) settleThing(ctx context.Context) (bool, error) {
	if len(r.library) == 0 {
		return false, nil
	}
	var first []int64
	for i, o := range r.understanding.options {
		found, err := r.Index.Search(ctx, docs.Scope{Audience: r.turn.Audience, Documents: r.documents()}, o.Query, evidence)
		if err != nil {
			return false, fmt.Errorf("search a reading: %w", err)
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

// assume goes on with one meaning of the words in doubt, and says so in the reply.
func (r *run) assume(meaning string) {
	r.understanding.assumed = fmt.Sprintf(r.say.assume, r.understanding.unclear, meaning)
	r.understanding.RewrittenQuery = r.replace(r.understanding.unclear, meaning)
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
				r.library = []*memory.Document{d}
				break
			}
		}
		r.assume(r.understanding.options[0].Label)
	case whichThing:
		r.assume(r.understanding.options[0].Label)
	}
}

// mayAsk reports whether this turn may end with a question: one round for a request, and none when asking is off.
func (r *run) mayAsk() bool { return r.turn.Question == nil && r.Clarify != ClarifyNever }

// modelQuestion is the question of a reply that asks, nil if it may not be asked or is unusable; that is a defect.
func (r *run) modelQuestion(g *gate) *memory.Question {
	if g.verb != verbAsk {
		return nil
	}
	if !r.mayAsk() {
		g.defects = append(g.defects, "asked again; answer with an assumption instead")
		return nil
	}
	asked, options := r.offered(g)
	if asked == "" {
		g.defects = append(g.defects, "the question was not the JSON object asked for")
		return nil
	}
	r.understanding.Method, r.understanding.Reason = "model", r.say.because.manySenses
	return r.question(asked, options)
}

// offered are the question and the options of a reply that asks, fit to be shown; "" if there is none.
func (r *run) offered(g *gate) (asked string, options []memory.Option) {
	filter := func(text string, limit int) string {
		text, _ = g.addresses(nil).filter(neutral(reading.CollapseSpace(text)))
		return reading.Shorten(secrets.ReplaceAllString(text, "***"), limit)
	}
	asked, offered := readQuestion(g.buffer)
	if asked = filter(asked, 300); asked == "" {
		return "", nil
	}
	for _, o := range offered {
		label := filter(o.Label, optionLength)
		if label == "" || len(options) == maxOptions || slices.ContainsFunc(options, func(have memory.Option) bool { return have.Label == label }) {
			continue
		}
		query := reading.CollapseSpace(o.Query)
		if !claims.Faithful(query, r.request, r.known()+"\n"+o.Label) {
			query = r.request + " (" + label + ")"
		}
		options = append(options, memory.Option{Label: label, Query: query})
	}
	return asked, options
}

// inWords is a question without buttons, of a model that asks where it may not: what it wants to know serves
// people better than an error. "" if there is none.
func (r *run) inWords(g *gate) string {
	asked, options := r.offered(g)
	if len(options) > 0 {
		asked += "\n"
	}
	for _, o := range options {
		asked += "\n- " + o.Label
	}
	return asked
}

// asking is the reply that asks, after what was said before the question.
func (r *run) asking(g *gate, q *memory.Question) *Reply {
	text := q.Text
	if said := g.released.String(); said != "" {
		text = "\n\n"[min(2, len(said)-len(strings.TrimRight(said, "\n"))):] + text
	}
	r.emit(Progress{Text: text})
	return &Reply{Text: g.released.String() + text, Question: q}
}

var (
	askedField = regexp.MustCompile(`"question"\s*:\s*"((?:[^"\\]|\\.)*)"`)
	labelField = regexp.MustCompile(`"label"\s*:\s*"((?:[^"\\]|\\.)*)"`)
)

// readQuestion reads what follows ASK: the object asked for, one with plain strings as options, one that was cut
// off, or plain words.
func readQuestion(text string) (question string, options []memory.Option) {
	var in struct {
		Question string
		Options  []json.RawMessage
	}
	if json.Unmarshal([]byte(braces(text)), &in) == nil {
		for _, raw := range in.Options {
			var o memory.Option
			if json.Unmarshal(raw, &o) != nil {
				_ = json.Unmarshal(raw, &o.Label) // neither: it has no label, and is left out
			}
			options = append(options, o)
		}
		return in.Question, options
	}
	if m := askedField.FindStringSubmatch(text); m != nil {
		for _, l := range labelField.FindAllStringSubmatch(text, -1) {
			options = append(options, memory.Option{Label: unescape(l[1])})
		}
		return unescape(m[1]), options
	}
	if strings.ContainsAny(text, "{") || !strings.Contains(text, "?") {
		return "", nil
	}
	question, labels := proseQuestion(text)
	for _, l := range labels {
		options = append(options, memory.Option{Label: l})
	}
	return question, options
}

// unescape reads the inside of a JSON string.
func unescape(s string) string {
	var text string
	if json.Unmarshal([]byte(`"`+s+`"`), &text) != nil {
		return s
	}
	return text
}

// braces is the text from the first brace to the last.
func braces(text string) string {
	from, to := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
	if from < 0 || to < from {
		return ""
	}
	return text[from : to+1]
}
