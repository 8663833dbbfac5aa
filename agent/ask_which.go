package agent

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"threadkeeper/memory"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// doubtDocument: one document is meant, there are several, and the words single out none.
func (r *run) doubtDocument() bool {
	in := r.understanding.intent
	if len(r.library) < 2 || in.compare || in.every {
		return false
	}
	folded := rank.Fold(r.request)
	m := theDoc.FindStringSubmatch(folded)
	if m == nil && !(in.summary && len(in.content) <= 2 && len(r.history.Messages) == 0) {
		return false
	}
	about := r.request
	if m != nil {
		about = strings.TrimSpace(m[1] + m[2])
	}
	if r.library.named(r.request) != nil {
		return false
	}
	var options []memory.Option
	for _, d := range slices.Backward(r.library) { // the newest is the likeliest
		if len(options) < maxOptions && !slices.ContainsFunc(options, func(o memory.Option) bool { return o.Label == d.Name }) {
			options = append(options, memory.Option{Label: d.Name, Query: replaced(r.request, about, d.Name)})
		}
	}
	if len(options) < 2 {
		return false
	}
	return r.doubted(whichDoc, about, fmt.Sprintf(r.say.because.manyDocs, about, len(r.library)), options)
}

// replaced puts a name in the place of words of the request; words that do not stand there
// literally leave the name in brackets behind it.
func replaced(request, words, name string) string {
	re, err := regexp.Compile(`(?i)(^|[^\pL])` + regexp.QuoteMeta(words) + `($|[^\pL])`)
	if err == nil {
		if at := re.FindStringSubmatchIndex(request); at != nil {
			return request[:at[3]] + name + request[at[4]:]
		}
	}
	return strings.TrimRight(request, " ") + " (" + name + ")"
}

// pronouns point at something said before. A word may be one in one language and mean
// something else in another ("es", "sie", "er").
var pronouns = map[*phrases]*regexp.Regexp{
	english: pronounOf(`it|that one|this one|they|them|those|these|he|she|him|her`),
	german:  pronounOf(`es|sie|ihn|er|ihm|das da`),
	french:  pronounOf(`il|elle|ça|cela|celui-ci|celle-ci|ils|elles`),
	spanish: pronounOf(`eso|esto|ello|ése|ésa|ellos|ellas`),
}

func pronounOf(words string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^|[^\pL'’])(` + words + `)(?:$|[^\pL'’])`)
}

// impersonal are phrases whose pronoun points at nothing.
var impersonal = reading.Cue(`is it (?:raining|late|possible|true|ok|okay|time)|it is|it's|il y a|y a-t-il|est-il|gibt es|geht es|wie geht|ist es|es gibt`, `$.`)

// doubtThing: a pronoun with no antecedent in the request and two or more before it.
// With one candidate the request is rewritten.
func (r *run) doubtThing() bool {
	m := pronouns[r.say].FindStringSubmatchIndex(r.request)
	words := rank.Words(r.request)
	if m == nil || impersonal.MatchString(rank.Fold(r.request)) || len(words) > 14 || !r.understanding.intent.question && len(words) > 8 {
		return false
	}
	if len(reading.ContentTerms(r.request[:m[2]])) > 2 || len(rank.Names(r.request)) > 0 { // something before it may be meant
		return false
	}
	about := r.request[m[2]:m[3]]
	things := candidates(r.history.Messages)
	switch len(things) {
	case 0:
		return false
	case 1:
		r.rewrite(replaced(r.request, about, things[0]), fmt.Sprintf(r.say.because.onlyThing, about, things[0]))
		return false
	}
	var options []memory.Option
	for _, thing := range things[:min(len(things), maxOptions)] {
		options = append(options, memory.Option{Label: thing, Query: replaced(r.request, about, thing)})
	}
	return r.doubted(whichThing, about, fmt.Sprintf(r.say.because.manyThings, about, strings.Join(things, ", ")), options)
}

// candidates are what a pronoun may point at: names and things named side by side in the
// person's newest message that has any, of the last two interactions; the newest first.
func candidates(history []*memory.Message) []string {
	seen := map[int64]bool{}
	for _, m := range slices.Backward(history) {
		seen[m.InteractionID] = true
		if len(seen) > 2 {
			return nil
		}
		if m.Role != memory.User || len(m.Text) > 2000 {
			continue
		}
		if things := reading.ThingsNamed(m.Text); len(things) > 0 {
			return things
		}
	}
	return nil
}

// doubtOperand: a comparison of fewer than two things, with nothing before it to compare with.
func (r *run) doubtOperand() bool {
	in := r.understanding.intent
	words := rank.Words(r.request)
	if !in.compare || in.document || in.every || len(words) > 7 || len(in.content) > 2 || operands(r.request) {
		return false
	}
	things := candidates(r.history.Messages)
	if len(r.library) > 1 || len(things) == 2 {
		return false // both are what is compared
	}
	var options []memory.Option
	for i, thing := range things {
		for _, other := range things[i+1:] {
			if len(options) < maxOptions {
				both := thing + " – " + other
				options = append(options, memory.Option{Label: both, Query: r.request + " (" + both + ")"})
			}
		}
	}
	if len(options) < 2 {
		options = r.optionsFor(twoSides, "")
	}
	return r.doubted(whichOperand, strings.TrimRight(r.request, "?？ "), r.say.because.operand, options)
}

var joins = reading.Cue(`and|or|with|to|than|vs|versus|between|und|oder|mit|als|zwischen|et|ou|avec|que|entre|y|o|con|e|di|en|met|dan|и|или|с|чем`, `と|和|跟|与|과|와`)

// operands reports whether a comparison names both sides.
func operands(text string) bool {
	f := rank.Fold(text)
	at := joins.FindStringIndex(f)
	return at != nil && len(reading.ContentTerms(f[at[1]-1:])) > 0 && len(rank.Words(f[:at[0]])) > 1
}
