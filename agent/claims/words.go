package claims

import (
	"maps"
	"slices"
	"strings"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

var (
	yesNo   = reading.Lazy(`^\W*(?:yes|no|ja|nein|oui|non|si)[.,:;!]\s*`)
	clauses = reading.Lazy(`[;:()|]|, (?:and|so|as|because|with|without|while|whereas|but|und|wahrend|aber|et|tandis que|mais|y|mientras|pero)\b|\b(?:because|due to|thanks to|owing to|wegen|dank|en raison de|grace a|debido a|but|while|whereas|although|though|aber|obwohl|mais|bien que|pero|aunque)\b`)
)

// Shares of words in common: like is what a passage needs to be quoted for a claim that cites its page, alike what two clauses need
// to be compared, cover what a cited claim needs without a number that is borne out, alone what one needs that cites nothing,
// certainly what two clauses need for it to be certain that one denies the other.
const (
	like      = 0.3
	alike     = 0.5
	cover     = 0.3
	alone     = 0.6
	certainly = 0.75
)

// words compares the words of a claim with those of what it cites; borne is how many of its numbers are borne out. Only a denial and a
// direction are judged: what says the same in other words is not told from what says another thing.
func (r *Reply) words(c *Claim, borne int) (Outcome, Reason) {
	list := c.own
	if len(list) == 0 {
		list = r.evidence
	}
	if len(list) == 0 {
		return Unchecked, Reason{Cause: Uncited}
	}
	reason := Reason{Cause: Unlike, Document: list[0].place.Document, Page: list[0].place.Page}
	against, share := opposed(c, list)
	switch {
	case share >= certainly:
		reason.Cause, reason.Words = Says, reading.Shorten(against, 160)
		return Contradicted, reason
	case against != "":
		reason.certain = true
		return Unchecked, reason
	case r.strange(c, list) != "":
		reason.Cause, reason.Number = Nowhere, r.strange(c, list)
	case r.covered(c, list, borne):
		return Verified, Reason{}
	case len(c.own) == 0:
		reason = Reason{Cause: Uncited}
	}
	return Unchecked, reason
}

// strange is an address of a claim that stands neither on the pages it cites nor in the conversation, "" for none.
func (r *Reply) strange(c *Claim, list []*evidence) string {
	for _, a := range reading.Addresses(c.Text) {
		if !strings.Contains(r.Request+"\n"+strings.Join(r.Known, "\n"), a) && !slices.ContainsFunc(list, func(e *evidence) bool { return strings.Contains(e.page.Text, a) }) {
			return a
		}
	}
	return ""
}

// covered reports whether what is cited has enough of a claim's words, with the request and the heading, unless numbers are
// borne out. In another language nothing is compared, nor in German, whose compounds hide words. What cites nothing
// needs more.
func (r *Reply) covered(c *Claim, list []*evidence, borne int) bool {
	terms, in := reading.WordTerms(yesNo.ReplaceAllString(c.folded, "")), map[string]bool{}
	for _, e := range list {
		for _, p := range e.passages() {
			maps.Copy(in, p.terms)
		}
	}
	own := len(c.own) > 0
	if !own && borne == 0 && (len(terms) == 0 || shareOf(terms, in) == 0) { // the request's words alone say nothing
		return false
	}
	if language := reading.Language(c.Text); own && (borne > 0 || len(terms) < 2 || language == "de" || language != reading.Language(list[0].page.Text)) {
		return true
	}
	maps.Copy(in, r.terms)
	maps.Copy(in, reading.TermSet(c.context))
	return borne > 0 || shareOf(terms, in) >= map[bool]float64{true: cover, false: alone}[own]
}

// opposed is a sentence that is cited, a clause of which denies what a clause of the claim says, or the other way round, or
// has it rise where it falls, and the share of the words of the claim's clause in the other; "" for none.
func opposed(c *Claim, list []*evidence) (quote string, share float64) {
	claim := yesNo.ReplaceAllString(c.folded, "")
	for _, mine := range clauses.Split(claim, -1) {
		terms := reading.WordTerms(mine)
		best, in, most := "", "", 0.0
		for _, e := range list {
			for _, s := range e.sentences {
				if e.whole || s.InRow || reading.Packed(c.Text) != reading.Packed(s.Text) {
					continue
				}
				for _, theirs := range clauses.Split(rank.Fold(s.Text), -1) {
					if x := shareOf(terms, reading.TermSet(theirs)); x > most || x == most && x > 0 && reading.Negated(theirs) == reading.Negated(mine) {
						best, in, most = theirs, s.Text, x
					}
				}
			}
		}
		if len(terms) == 0 || most < alike {
			continue
		}
		moved := best
		if up, down := reading.Moves(best); up == down { // "Sales, because of weak demand, fell"
			moved = rank.Fold(in)
		}
		if turns(mine, moved) || !ends.MatchString(mine+" "+best) && reading.Negated(mine) != reading.Negated(best) && reading.Negated(claim) != reading.Negated(in) && !strings.Contains(rank.Fold(in), "non-") {
			if shareOf(reading.WordTerms(best), reading.TermSet(mine)) < cover { // theirs says much else
				most = alike
			}
			return in, most
		}
	}
	return "", 0
}

// ends matches words that deny what comes after, and not what was: "stopped selling" is "no longer sells".
var ends = reading.Lazy(`\b(?:stop(?:s|ped|ping)?|ceas(?:es?|ed|ing)|ended|discontinued|no longer|nicht mehr|ne .{1,20} plus|ya no)\b`)

// turns reports whether one folded text has something rise and the other has it fall.
func turns(a, b string) bool {
	up, down := reading.Moves(a)
	rises, falls := reading.Moves(b)
	return up != down && rises != falls && up != rises
}
