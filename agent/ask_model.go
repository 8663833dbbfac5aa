package agent

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"threadkeeper/memory"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// mayAsk reports whether this turn may end with a question: one round for a request, and none when asking is off or
// the person leaves questions unanswered.
func (r *run) mayAsk() bool {
	return (r.turn.Question == nil || r.inOwnWords()) && r.Clarify != ClarifyNever && !r.unheard
}

// inOwnWords reports whether what follows our question names nothing that it offers: it may be an answer or a new request.
func (r *run) inOwnWords() bool {
	q := r.turn.Question
	return r.Model != nil && r.turn.Choice == ChoiceNone && !r.agreed() && q.Answer != memory.Awaited && len(Picks(r.words, len(q.Options))) == 0 && !only(r.words, callingOff, 0)
}

// askedAlready tells the model whether it may ask; "" for a request that nothing was asked about.
func (r *run) askedAlready() string {
	switch {
	case !r.mayAsk():
		return "yes"
	case r.turn.Question != nil:
		return "about the question above only; about a new request you may ask"
	}
	return ""
}

// asksOn reports whether a question is about the request of the one before, of which most words come again, and not about
// what was said since.
func (r *run) asksOn(text string, options []memory.Option) bool {
	if r.turn.Question == nil {
		return false
	}
	for _, o := range options {
		text += "\n" + o.Label + "\n" + o.Query
	}
	asked, fresh := reading.TermSet(text), reading.TermSet(r.words)
	before := reading.TermSet(strings.TrimSuffix(r.request, r.words))
	again := 0
	for t := range before {
		if delete(fresh, t); asked[t] {
			again++
		}
	}
	return 2*again >= max(len(before), 1) || !slices.ContainsFunc(slices.Collect(maps.Keys(fresh)), func(t string) bool { return asked[t] })
}

// modelQuestion is the question of a reply that asks, nil if asking is not allowed or the question is unusable; that is a defect.
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
		why := "the question or an option asks for secrets or payments, names an address, or says that you have acted"
		if written, _ := readQuestion(g.buffer); written == "" {
			why = "behind ASK is no JSON object with a question"
		}
		g.defects = append(g.defects, why, "it was: "+reading.Shorten(reading.CollapseSpace(g.buffer), 500))
		return nil
	}
	if r.asksOn(asked, options) {
		g.defects = append(g.defects, "asked again about the same; answer with an assumption instead")
		return nil
	}
	if r.asksAgain(asked, options) {
		g.defects = append(g.defects, r.settledHint())
		return nil
	}
	r.understanding.Method, r.understanding.Reason = "model", r.say.because.manySenses
	return r.question(asked, options)
}

// offered returns the question and the options of a reply that asks, ready to be shown; "" if there is none. One that leads
// elsewhere, asks for secrets or payments or claims to have acted does not count, whatever it offers. Where only one option
// names what is there, the question has none: the other may be meant.
func (r *run) offered(g *gate) (asked string, options []memory.Option) {
	asked, offered := readQuestion(r.library.unending(g.buffer))
	filter := func(text string, limit int) string {
		return reading.Shorten(g.clean(reading.CollapseSpace(reading.Visible(text)), nil), limit)
	}
	unfit, unknown := g.unaskable(asked), false
	if asked = filter(asked, 300); asked == "" {
		return "", nil
	}
	for _, o := range offered {
		unfit = unfit || g.unaskable(o.Label)
		label := filter(o.Label, optionLength)
		if g.strict && g.unknown(label) {
			unknown = true
			continue
		}
		if label == "" || len(options) == maxOptions || slices.ContainsFunc(options, func(have memory.Option) bool { return have.Label == label }) {
			continue
		}
		query := reading.CollapseSpace(reading.Visible(o.Query))
		if g.unaskable(query) || !faithful(query, r.request, r.known()+"\n"+o.Label) {
			query = r.words + " (" + label + ")"
		}
		options = append(options, memory.Option{Label: label, Query: query})
	}
	switch {
	case unfit || len(offered) > 0 && len(options) == 0 && !unknown:
		return "", nil
	case unknown && len(options) < 2:
		return asked, nil
	}
	return asked, options
}

// unknown reports whether a label has a number or name that is nowhere in the sources of the answer, nor among the people
// there. German capitalises every noun, so that there only numbers count. A day may be a reading of one that is written otherwise.
func (g *gate) unknown(label string) bool {
	numbers := rank.Numbers(label)
	known := strings.Join(g.material, "\n") + "\n" + g.run.request + "\n" + g.run.known()
	return slices.ContainsFunc(rank.Missing(reading.LowerFirst(label), known), func(m string) bool {
		return !isoDay.MatchString(m) && (g.run.say != german || slices.Contains(numbers, m))
	})
}

// isoDay matches a day in the form of [rank.Missing].
var isoDay = reading.Lazy(`^(?:\d{4}-)?\d{2}-\d{2}$`)

// unaskable reports whether a text has no place in a question of ours or on its buttons.
func (g *gate) unaskable(text string) bool {
	text = reading.CollapseSpace(reading.Visible(text))
	return solicits(text) || deed(text) || g.untrusted && !g.addresses(nil).trusts(text)
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

// asking makes the reply that asks, after the text before the question.
func (r *run) asking(g *gate, q *memory.Question) *Reply {
	text := q.Text
	if said := g.released.String(); said != "" {
		text = "\n\n"[min(2, len(said)-len(strings.TrimRight(said, "\n"))):] + text
	}
	r.emit(Progress{Text: text})
	return &Reply{Text: g.released.String() + text, Question: q}
}

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

// proseQuestion reads a question and its options from plain words: "Which one?" with a list, or "Which one? This or
// that?". No options means that it offers none.
func proseQuestion(text string) (question string, options []string) {
	text = strings.TrimSpace(text)
	head, rest, _ := strings.Cut(text, "?")
	question = strings.TrimSpace(head) + "?"
	if len(text) > longQuestion || rest == "" || strings.Contains(head, "\n\n") {
		return question, nil
	}
	if m := eitherOr.FindStringSubmatch(strings.TrimSpace(rest)); m != nil && !strings.Contains(rest, "\n") {
		return question, []string{upperFirst(m[1]), upperFirst(m[2])}
	}
	others := 0
	for line := range strings.Lines(strings.TrimLeft(rest, "*_ ")) {
		line = strings.TrimSpace(line)
		if m := choiceLine.FindStringSubmatch(line); m != nil {
			options = append(options, strings.TrimRight(strings.Trim(m[1], "*_ "), "."))
		} else if line != "" {
			others++
		}
	}
	if others > 1 || len(options) > maxOptions {
		return question, nil
	}
	return question, options
}

func upperFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

var (
	askedField = reading.Lazy(`"question"\s*:\s*"((?:[^"\\]|\\.)*)"`)
	labelField = reading.Lazy(`"label"\s*:\s*"((?:[^"\\]|\\.)*)"`)
)

var (
	choiceLine = reading.Lazy(`^\s*(?:[-*•]|\(?\d[.)]|\(?[a-dA-D][.)])\s+(.+)$`)
	eitherOr   = reading.Lazy(`(?i)^\s*(?:(?:do you mean|is it|meinst du|voulez-vous dire|te refieres a)\s+)?(.{2,70}?),?\s+(?:or|oder|ou|o|of)\s+(.{2,70}?)\s*\?$`)
)
