package agent

import (
	"regexp"
	"slices"
	"strings"

	"threadkeeper/memory"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

const followUpWords = 8 // words of a question that continues the one before, at most

// continuing opens a question that continues the one before.
var continuing = regexp.MustCompile(`(?i)^(?:(?:and|und|et|y|e|en|и)\s+(?:what about|how about)?|what about|how about|wie (?:sieht es|ist es|steht es) (?:mit|bei)|was ist mit|qu'en est-il (?:de|pour)|et pour|¿?y|¿?qué hay de|それでは|では|那么|那)\s*`)

// followUp makes a question like "And in 2016?" whole by the question before it: what it says
// takes the place of its counterpart there.
func (r *run) followUp() {
	at := continuing.FindStringIndex(r.request)
	if at == nil || len(rank.Words(r.request)) > followUpWords {
		return
	}
	rest := strings.TrimSpace(strings.TrimRight(r.request[at[1]:], "?？ "))
	if rest == "" || reading.AsksWith(rest) {
		return
	}
	if before := r.questionBefore(); before != "" {
		r.rewrite(continued(before, rest), r.say.because.continued)
	}
}

// questionBefore is the newest whole question of the person, "" if there is none among the
// last few messages.
func (r *run) questionBefore() string {
	last := r.turn.Messages[len(r.turn.Messages)-1]
	seen := 0
	for _, m := range slices.Backward(r.history.Messages) {
		if m.Role != memory.User || m.PersonID != last.PersonID {
			continue
		}
		if seen++; seen > 4 || len(m.Text) > 600 {
			return ""
		}
		if reading.IsQuestion(m.Text) && continuing.FindStringIndex(m.Text) == nil {
			return reading.CollapseSpace(m.Text)
		}
	}
	return ""
}

// continued is a question with part put in the place of its counterpart: what follows the same
// preposition, the last number, or the last name; else behind it.
func continued(question, part string) string {
	question = strings.TrimRight(question, "?？ .")
	first, _, more := strings.Cut(part, " ")
	if more && rank.Stop(rank.Fold(first)) {
		if i := strings.LastIndex(strings.ToLower(question), " "+strings.ToLower(first)+" "); i > 0 {
			return question[:i+1] + part + "?"
		}
	}
	if len(rank.Numbers(part)) > 0 && reading.AllDigits(part) {
		if all := reading.Figure.FindAllStringIndex(question, -1); all != nil {
			at := all[len(all)-1]
			return question[:at[0]] + part + question[at[1]:] + "?"
		}
	}
	if names := rank.Names(question); len(names) > 0 && reading.Capitalised(part) {
		if old := reading.AsWritten(question, names[len(names)-1]); old != "" {
			return strings.Replace(question, old, part, 1) + "?"
		}
	}
	return question + " – " + part + "?"
}
