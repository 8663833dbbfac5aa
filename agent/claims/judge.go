package claims

import (
	"fmt"
	"slices"
	"strings"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// Evidence is a quote that stands in its document.
type Evidence struct {
	Quote string // verbatim
	Page  string // text of its page, "" if it could not be read
}

// Answer is what the sentences of one answer are judged by, in their order.
type Answer struct {
	Request string // its numbers and names may be repeated
	Quoted  string // what the request quotes; the same without a citation
	Past    string // of an answer about what was said: all that may be repeated of it; else ""
	Strict  bool   // it is to come from documents: what it states has to be cited

	cited string // quotes accepted so far, a line each
	pages string // those and their pages
	past  map[string]bool
}

// Judge says why a sentence may not be shown, "" if it may. evidence are those of its quotes that stand in a document.
func (a *Answer) Judge(s Sentence, evidence []Evidence) (defect string) {
	switch {
	case s.Cites && len(evidence) == 0:
		return Defect("no quote in %q stands in the document", s.Claim)
	case s.Cites:
		if wrong := a.unsupported(s, evidence); len(wrong) > 0 {
			return Defect("%s in %q is not in the words cited", strings.Join(wrong, ", "), s.Claim)
		}
	case a.Strict:
		if reading.DirectsAssistant(s.Claim) || len(a.groundless(s)) > 0 {
			return Defect("%q has no citation", s.Claim)
		}
	case a.Past != "":
		if wrong := a.unsaid(s.Claim); len(wrong) > 0 {
			return Defect("%s in %q was not said", strings.Join(wrong, ", "), s.Claim)
		}
	}
	return ""
}

// Accept lets later sentences repeat the evidence of one that is shown.
func (a *Answer) Accept(evidence []Evidence) {
	quotes, pages := joined(evidence)
	a.cited += "\n" + quotes
	a.pages += "\n" + quotes + pages
}

// Defect is a reason in words for the model, its arguments cut to one short line each.
func Defect(form string, args ...string) string {
	short := make([]any, len(args))
	for i, arg := range args {
		short[i] = reading.Shorten(reading.CollapseSpace(arg), 200)
	}
	return fmt.Sprintf(form, short...)
}

func joined(evidence []Evidence) (quotes, pages string) {
	list := make([]string, len(evidence))
	for i, e := range evidence {
		list[i] = e.Quote
		pages += "\n" + e.Page
	}
	return strings.Join(list, "\n"), pages
}

// unsupported are the numbers of a claim that neither the cited words and pages nor the request hold, nor a
// computation over cited numbers gives.
func (a *Answer) unsupported(s Sentence, evidence []Evidence) []string {
	quotes, pages := joined(evidence)
	numbers := rank.Numbers(s.Claim)
	missing := slices.DeleteFunc(rank.Missing(s.Claim, quotes+"\n"+pages+"\n"+a.Request), func(m string) bool { return !slices.Contains(numbers, m) })
	if len(missing) == 0 {
		return nil
	}
	cited := rank.Numbers(quotes + a.cited)
	return slices.DeleteFunc(missing, func(m string) bool { return computed(m, s.Sums, cited, rank.Numbers(quotes)) })
}

// groundless are the numbers and names of a sentence without a citation that neither the request nor anything cited
// holds, nor a computation over cited numbers gives.
func (a *Answer) groundless(s Sentence) []string {
	return slices.DeleteFunc(rank.Missing(s.Claim, a.Request+"\n"+a.Quoted+a.pages), func(m string) bool {
		return computed(m, s.Sums, rank.Numbers(a.cited), nil)
	})
}

// unsaid are the numbers and identifiers of three or more characters in a sentence about the past that nobody said.
func (a *Answer) unsaid(claim string) []string {
	if a.past == nil {
		a.past = map[string]bool{}
		for _, n := range rank.Numbers(a.Past) {
			a.past[n] = true
		}
	}
	unknown := slices.DeleteFunc(rank.Numbers(claim), func(n string) bool { return len(n) < 3 || a.past[n] })
	if len(unknown) == 0 {
		return nil
	}
	missing := rank.Missing(claim, a.Past) // which knows a date by its parts
	return slices.DeleteFunc(unknown, func(n string) bool { return !slices.Contains(missing, n) })
}
