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

// Shares of words in common: like is what two clauses need to be compared, cover what a cited claim needs without a number
// that is borne out, alone what one needs that cites nothing, certainly what two clauses need for it to be certain that one
// denies the other.
const (
	like      = 0.3
	cover     = 0.4
	alone     = 0.6
	certainly = 0.75
)

// words compares the words of a claim with those of what it cites; borne is how many of its numbers are borne out. What
// is cited and says the same in other words is not told from what says another thing: only a negation, a direction, a
// name and a subject are judged.
func (r *Reply) words(c *Claim, borne int) (Outcome, Reason) {
	list := c.own
	if len(list) == 0 {
		list = r.evidence
	}
	terms := reading.WordTerms(yesNo.ReplaceAllString(c.folded, "") + " " + c.context)
	if len(list) == 0 || len(c.own) == 0 && borne == 0 && len(terms) == 0 {
		return Unchecked, Reason{Cause: Uncited}
	}
	if said := c.turned(); said.Cause != NoCause {
		return Contradicted, said
	}
	reason := Reason{Cause: Unlike, Document: list[0].place.Document, Page: list[0].place.Page}
	against, certain := opposed(c, list)
	switch {
	case certain:
		reason.Cause, reason.Words = Says, reading.Shorten(against, 160)
		return Contradicted, reason
	case against != "", c.cited && r.swapped(c, terms):
		reason.certain = true
		return Unchecked, reason
	case !r.covered(c, list, borne):
		if len(c.own) == 0 {
			reason = Reason{Cause: Uncited}
		}
		return Unchecked, reason
	}
	if borne == 0 {
		if name := r.stranger(c, list); name != "" {
			reason.Cause, reason.Number = Nowhere, name
			return Unchecked, reason
		}
	}
	return Verified, Reason{}
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
	if !own && borne == 0 && shareOf(terms, in) == 0 { // the request's words alone say nothing
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
// has it rise where it falls; "" for none. It is certain if the two clauses have nearly the same words.
func opposed(c *Claim, list []*evidence) (quote string, certain bool) {
	claim := yesNo.ReplaceAllString(c.folded, "")
	for _, mine := range clauses.Split(claim, -1) {
		terms, denied := reading.WordTerms(mine), reading.Denied(mine)
		best, share, quote := "", 0.0, ""
		for _, e := range list {
			for _, s := range e.sentences {
				if e.whole || s.InRow || reading.Packed(c.Text) != reading.Packed(s.Text) {
					continue
				}
				for _, theirs := range clauses.Split(rank.Fold(s.Text), -1) {
					if x := shareOf(terms, reading.TermSet(theirs)); x > share || x == share && x > 0 && reading.Denied(theirs).Words == denied.Words {
						best, share, quote = theirs, x, s.Text
					}
				}
			}
		}
		if len(terms) == 0 || share < like {
			continue
		}
		if up, down := reading.Moves(mine); up != down {
			u, d := reading.Moves(best)
			if u == d {
				u, d = reading.Moves(rank.Fold(quote))
			}
			what := slices.DeleteFunc(slices.Clone(terms), func(t string) bool { u, d := reading.Moves(t); return u || d })
			if u != d && u != up && shareOf(what, reading.TermSet(best)) >= 0.5 {
				return quote, share >= certainly
			}
		}
		theirs := reading.Denied(best)
		switch {
		case (theirs.Words > 0) == (denied.Words > 0):
		case denied.Words > 0 && reading.Denied(quote).Words == 0 && !strings.Contains(rank.Fold(quote), "non-") &&
			(float64(hits(terms, reading.TermSet(best))) >= alone*float64(len(terms)) || denies(denied, best, share)),
			theirs.Words > 0 && reading.Denied(claim).Words == 0 && denies(theirs, mine, share):
			return quote, share >= certainly
		}
	}
	return "", false
}

// denies reports whether a denial is of what a text says that has a share of its words. A verb that forbids may itself be
// what is said otherwise.
func denies(d reading.Denial, text string, share float64) bool {
	in := reading.TermSet(text)
	return reading.Packed(text) || (!d.Forbids || share >= alone) && slices.ContainsFunc(d.Phrases, func(p []string) bool {
		return !slices.ContainsFunc(p, func(t string) bool { return !reading.HasForm(in, t) })
	})
}

// swapped reports whether a claim says of one what is cited of another, who stands on the page too: its subject, a name, or two
// parts that are exchanged.
func (r *Reply) swapped(c *Claim, terms []string) bool {
	cited, page, quoted := "", "", ""
	for _, e := range c.own {
		if len(e.rows) > 0 || e.whole {
			return false
		}
		cited, quoted, page = cited+e.passages()[0].text+"\n", quoted+e.place.Quote+"\n", page+e.page.Text+"\n"
	}
	in, own, on, theirs := reading.TermSet(cited), reading.TermSet(c.Text+" "+c.context), reading.TermSet(page), reading.WordTerms(quoted)
	if len(terms) >= 3 && len(theirs) > 0 && !pronoun.MatchString(rank.Fold(quoted)) && !pronoun.MatchString(yesNo.ReplaceAllString(c.folded, "")) &&
		!holds(in, terms[0]) && !r.terms[terms[0]] && on[terms[0]] && !holds(own, theirs[0]) && shareOf(terms[1:], in) >= certainly {
		return true
	}
	first, _ := r.Source.Text(c.own[0].place.Document, 1) // an unreadable page contains no name
	titled := reading.TermSet(reading.Shorten(first, besideTitle))
	return exchanged(rank.Fold(quoted), c.folded) || len(namesBut(quoted, own)) > 0 && slices.ContainsFunc(namesBut(c.Text, in), func(w string) bool {
		return on[reading.Stem(w)] && !titled[reading.Stem(w)]
	})
}

const besideTitle = 600 // characters at a document's beginning that name whom it is about

// pronoun matches a text that does not name its subject first.
var pronoun = reading.Lazy(`^\W*(?:only|also|just|still|nur|auch|seulement|solo|there|we|you|it|they|he|she|this|these|i|wir|er|es|sie|nous|il|elle|ils|elles|on|nosotros|ellos|ella)\b`)

// segment matches what parts the words about one from those about another.
var segment = reading.Lazy(`[,;:] |[|–—]|[.?!] |\b(?:and|but|while|whereas|und|aber|wahrend|et|mais|y|pero)\b`)

// exchanged reports whether two parts of a folded claim each have terms of the same two parts of a quote.
func exchanged(quote, claim string) bool {
	parts, astride := segment.Split(quote, -1), map[[2]int]bool{}
	owners := map[string]int{} // the only part that has a term, -1 for several
	for i, part := range parts {
		for t := range reading.TermSet(part) {
			if _, several := owners[t]; several {
				owners[t] = -1
			} else {
				owners[t] = i
			}
		}
	}
	for _, mine := range segment.Split(claim, -1) {
		of, pairs := map[int]bool{}, map[[2]int]bool{}
		for _, t := range reading.WordTerms(mine) {
			if i, ok := owners[t]; ok && i >= 0 {
				for o := range of {
					pairs[[2]int{min(i, o), max(i, o)}] = i != o
				}
				of[i] = true
			}
		}
		for p, two := range pairs {
			if two && astride[p] {
				return true
			}
			astride[p] = astride[p] || two
		}
	}
	return false
}

// namesBut are the words of names in a text that are not in a set of terms, none in German, where all nouns are written like
// names.
func namesBut(text string, in map[string]bool) (words []string) {
	if reading.Language(text) == "de" || reading.Packed(text) {
		return nil
	}
	for _, name := range rank.Names(strings.ReplaceAll(text, ": ", ". ")) {
		for w := range strings.FieldsSeq(name) {
			if t := reading.Stem(w); t != "" && len(w) > 2 && !holds(in, t) {
				words = append(words, w)
			}
		}
	}
	return words
}

// stranger returns the first name or address of a claim that is neither on its pages nor in the request, "" for none.
func (r *Reply) stranger(c *Claim, list []*evidence) string {
	text := r.Request + "\n" + strings.Join(r.Known, "\n") + "\n" + c.context
	for _, e := range list {
		first, _ := r.Source.Text(e.place.Document, 1) // an unreadable page contains no name
		text += "\n" + e.page.Text + "\n" + first
	}
	for _, a := range reading.Addresses(c.Text) {
		if !strings.Contains(text, a) {
			return a
		}
	}
	in := reading.TermSet(text)
	if mine, theirs := reading.Language(c.Text), reading.Language(text); mine != "" && theirs != "" && mine != theirs {
		return ""
	}
	for _, w := range namesBut(c.Text, in) {
		_, others := reading.Alike([]string{reading.Stem(w)})
		if r.Source.Named(w) == 0 && !slices.ContainsFunc(others, func(p reading.Phrase) bool { return p.Among(in) }) {
			return w
		}
	}
	return ""
}
