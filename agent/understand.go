package agent

import (
	"strings"

	"threadkeeper/agent/claims"
	"threadkeeper/memory"
)

// understanding is how the request was read, and what follows from it.
type understanding struct {
	memory.Understanding
	intent  intent
	doubt   doubt  // why it may have to be asked about
	unclear string // the words in doubt: "the report", "it", the topic
	options []memory.Option
	assumed string // what an ambiguous word is taken for, "" if nothing is assumed
}

// doubt is what makes a request ambiguous by rule.
type doubt string

const (
	noDoubt      doubt = ""
	whichDoc     doubt = "which document"  // "the report" with two of them
	whichThing   doubt = "which thing"     // "it" with two candidates
	whichOperand doubt = "missing operand" // "is it better?" than what
	bareTopic    doubt = "bare topic"      // a name and no request
	bareThing    doubt = "no request"      // "I have a dataset", and nothing to do with it
	bareWork     doubt = "missing detail"  // work to do, and nothing it depends on
)

const maxOptions = 4

func plain(query, reason string) memory.Understanding {
	return memory.Understanding{RewrittenQuery: query, PossibleInterpretations: []string{},
		ClarifyingQuestions: []string{}, Method: "rule", Reason: reason}
}

// understand reads the request by rule, for no tokens.
func (r *run) understand() {
	r.understanding = understanding{Understanding: plain(r.request, r.say.because.alone), intent: intend(r.request)}
	in := r.understanding.intent
	switch {
	case r.turn.Question != nil:
		r.understanding.Method, r.understanding.Reason = "answer", r.say.because.answered
		return
	case in.greeting || in.thanks:
		r.understanding.Reason = r.say.because.greeting
		return
	case in.next:
		r.understanding.Reason = r.say.because.next
		return
	}
	r.followUp()
	for _, rule := range []func() bool{r.doubtDocument, r.doubtOperand, r.doubtThing, r.doubtTopic, r.doubtWork} {
		if rule() {
			return
		}
	}
}

// doubted records that the request can be read in several ways.
func (r *run) doubted(d doubt, about, reason string, options []memory.Option) bool {
	r.understanding.doubt, r.understanding.unclear, r.understanding.options = d, about, options
	r.understanding.IsAmbiguous, r.understanding.Reason = true, reason
	for _, o := range options {
		r.understanding.PossibleInterpretations = append(r.understanding.PossibleInterpretations, o.Query)
	}
	return true
}

// rewrite replaces the request by its self-contained form if that keeps everything said.
func (r *run) rewrite(query, reason string) {
	if !claims.Faithful(query, r.request, r.known()) {
		return
	}
	r.request = query
	r.understanding.RewrittenQuery, r.understanding.Reason = query, reason
	r.understanding.intent = intend(query)
}

// known is every text a rewritten request may take names from.
func (r *run) known() string {
	var b strings.Builder
	b.WriteString(r.quoted + "\n")
	if r.history.Snapshot != nil {
		b.WriteString(r.history.Snapshot.Rendered)
	}
	for _, m := range r.history.Messages {
		b.WriteString("\n" + m.Text)
	}
	for _, d := range r.library {
		b.WriteString("\n" + d.Name)
	}
	return b.String()
}
